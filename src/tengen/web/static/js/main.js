// Starts the page: preferences, routes, views.

import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { catalogue, post, refusalText } from "./api.js";
import { applyTheme, onPref, pref } from "./prefs.js";
import { toast } from "./dialogs.js";
import { drawHeader } from "./header.js";
import { listenToKeys } from "./keyboard.js";
import { port } from "./port.js";
import { isPlayable, parseLink } from "./share.js";
import { GameView } from "./views/game.js";
import { TournamentsView } from "./views/tournaments.js";
import { TrainView } from "./views/train.js";

const main = document.getElementById("main");
const BOARD_MODES = ["play", "analyse", "review", "watch"];
let game = null, page = null, current = "play";

function navigate(hash) {
  if (location.hash === hash) route();
  else location.hash = hash;
}

async function route() {
  const [name = "play", ...rest] = location.hash.replace(/^#\//, "").split("/").map(decoded);
  if (name === "open") return openLink(rest);
  current = [...BOARD_MODES, "tournaments", "train", "study"].includes(name) ? name : "play";
  drawHeader(current);
  page?.close?.();
  page = null;
  if (BOARD_MODES.includes(current)) {
    if (game.element.parentNode !== main) replace(main, game.element);
    game.show(current, rest[0]);
  } else {
    game.leave();
    const hash = location.hash, made = await opened(current, rest);
    if (location.hash !== hash) return made.close?.();
    page = made;
    replace(main, page.element);
  }
}

/** The study room is loaded when it is first entered. */
async function opened(name, rest) {
  if (name === "study") return new (await import("./study/room.js")).StudyView(navigate, rest[0], rest.slice(1));
  if (!port.hasServer) return { element: needsServer() };
  return new { train: TrainView, tournaments: TournamentsView }[name](navigate, rest[0], game);
}

function needsServer() {
  return h("section", { class: "page needs-server" }, h("h1", { text: t("site.needs-server") }),
    h("p", { class: "help", text: t("site.needs-server.help") }));
}

/** A part of the address; one that is not well formed is taken as it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function openLink(parts) {
  const request = parseLink(parts);
  if (!request || !isPlayable(request.settings, await catalogue())) {
    toast(t("record.bad-link"), "error");
    return navigate("#/play");
  }
  try {
    const { id } = await post("/api/games", request);
    location.replace(`#/play/${id}`);
  } catch (error) {
    toast(refusalText(error), "error");
    navigate("#/play");
  }
}

function preferenceChanged(name) {
  if (name === "theme" || name === "lang") {
    document.documentElement.lang = pref("lang") === "zh" ? "zh-CN" : "en";
    applyTheme();
    drawHeader(current);
  }
  if (name === "lang") {
    game.rebuild();
    if (page) route();
  } else {
    game.refresh();
  }
}

/** The page waits for its server and says so, instead of staying blank. */
async function untilReached() {
  for (;;) {
    try {
      await catalogue();
      replace(main);
      return;
    } catch {
      replace(main, h("p", { class: "fault page", role: "alert", text: t("play.lost-connection") }));
      await new Promise((done) => setTimeout(done, 1500));
    }
  }
}

async function start() {
  applyTheme();
  document.documentElement.lang = pref("lang") === "zh" ? "zh-CN" : "en";
  drawHeader(current);
  await untilReached();
  game = new GameView(navigate);
  listenToKeys(() => (BOARD_MODES.includes(current) ? game : null));
  onPref(preferenceChanged);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => preferenceChanged("theme"));
  addEventListener("hashchange", route);
  await route();
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
  port.started();
}

start();
