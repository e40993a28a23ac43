// Who answers the page: the server, or the engine in this browser (a static site names it in its head). Both take the
// same requests and speak the same messages, so nothing else in the page knows which one it talks to.

import { t } from "./i18n.js";
import { stored } from "./prefs.js";
import { Refused } from "./refused.js";

/** Kept by the browser: analyses are made here, not by the server. */
export const BROWSER_ENGINE = "tengen.browser-engine";

class ServerPort {
  /** Everything works, training and tournaments too. */
  hasServer = true;

  /** The page can be used: now is the time for what need not be ready before. */
  started() {}

  /** The answer to a request, or a Refused error with the server's own words. */
  async request(method, path, body) {
    const options = { method, headers: {} };
    if (body !== undefined) {
      options.headers["content-type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    const response = await fetch(path, options);
    if (response.status === 204) return null;
    const isJson = response.headers.get("content-type")?.includes("json");
    const data = isJson ? await response.json() : await response.text();
    if (!response.ok) throw new Refused(response.status, data?.detail ?? `${response.status} ${response.statusText}`, data?.code);
    return data;
  }

  /** The socket of a game: messages of the server come out of it, commands go in. */
  socket(id) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${id}/socket`);
    return stored(BROWSER_ENGINE, false) ? assisted(socket) : socket;
  }
}

/** A socket whose analyses the browser's engine makes (local/assist.js); without that engine the server makes them. */
function assisted(socket) {
  const pass = socket.send.bind(socket), heard = [], said = [];
  let assistant = null;
  socket.addEventListener("message", ({ data }) => (assistant ? assistant.hear(JSON.parse(data)) : heard.push(data)));
  socket.send = (text) => (assistant ? assistant.send(text) : JSON.parse(text).type === "analyse" ? said.push(text) : pass(text));
  const ready = async () => {
    assistant = await (await import("./local/assist.js")).openAssistant(socket, pass);
    for (const text of heard) assistant.hear(JSON.parse(text));
    for (const text of said) assistant.send(text);
  };
  ready().catch(() => { socket.send = pass; said.forEach(pass); });
  return socket;
}

const named = globalThis.document?.querySelector('meta[name="tengen-port"]')?.content;
export const port = named ? await opened(named) : new ServerPort();

/** An engine that cannot be started is said, instead of an empty page. */
async function opened(name) {
  try {
    return await (await import(name)).openPort();
  } catch (error) {
    document.getElementById("main").textContent = t("site.broken", { message: error.message });
    throw error;
  }
}
