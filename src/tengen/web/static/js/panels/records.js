// Opening, saving and sharing games. Formats are the server's business; links and pictures are made here.

import { h, iconButton } from "../dom.js";
import { t } from "../i18n.js";
import { get, post, refusalText } from "../api.js";
import { confirmDialog, openDialog, toast } from "../dialogs.js";
import { field } from "../forms.js";
import { port } from "../port.js";
import { gameLink, movesText } from "../share.js";
import { boardPng, boardSvg } from "../picture.js";

const FORMATS = ["sgf", "psq", "pos"];
const LOCAL = /^(localhost|127\.|\[::1\]|::1)/;

const ACTIONS = {
  open: ["open", openRecord],
  save: ["save", saveRecord],
  setup: ["edit", (view) => view.setUp()],
  delete: ["trash", (view) => view.session.whenReady(() => deleteBranch(view.session))],
};

export function recordBar(view, names = Object.keys(ACTIONS)) {
  return h("div", { class: "record-bar" }, names.map((name) => {
    const [icon, act] = ACTIONS[name];
    return iconButton(icon, t(`record.${name}`), () => act(view), { label: t(`record.${name}`) });
  }));
}

export function deleteBranch(session) {
  const { tree, cursor } = session;
  const remove = () => session.send("delete", { node: cursor });
  if (!cursor) return;
  if (tree.get(cursor).children.length) confirmDialog(t("play.confirm.delete"), remove);
  else remove();
}

export function openRecord(view) {
  const text = h("textarea",
    { rows: 8, maxlength: 400000, spellcheck: "false", "aria-label": t("record.paste"), placeholder: t("record.paste"),
      oninput: () => { open.disabled = !text.value.trim(); } });
  const file = h("input", { type: "file", accept: ".sgf,.psq,.txt,.pos", class: "unseen", "aria-label": t("record.file"),
    onchange: async () => { text.value = await file.files[0].text(); load(); } });
  const fault = h("p", { class: "fault", role: "alert" });
  const load = async () => {
    const { width, height, k, rule } = view.shape();
    try {
      const { id, cut } = await post("/api/records", { text: text.value, width, height, k, rule });
      close();
      if (cut) toast(t("record.cut"));
      view.open(id);
    } catch (error) {
      fault.textContent = refusalText(error);
    }
  };
  const open = h("button", { type: "button", class: "primary", disabled: true, onclick: load, text: t("record.load") });
  const close = openDialog(t("record.title"), [text, fault, h("div", { class: "row end" }, file,
    h("button", { type: "button", onclick: () => file.click(), text: t("record.file") }), open)]);
}

export function saveRecord(view) {
  view.session.whenReady(() => saveDialog(view));
}

function saveDialog(view) {
  const { session } = view, text = movesText(session);
  const formats = FORMATS.map((format) => h("button",
    { type: "button", onclick: () => saveAs(session, format), text: t(`record.${format}`) }));
  openDialog(t("record.save.title"), [
    copied(t("record.link"), gameLink(session)),
    text === null ? null : copied(t("record.text"), text),
    LOCAL.test(location.hostname)
      ? h("p", { class: "help", text: `${t("record.local")}${t(text === null ? "record.local.file" : "record.local.text")}` }) : null,
    h("div", { class: "field" }, h("span", { class: "label", text: t("record.download") }), h("div", { class: "button-grid" }, formats,
      h("button", { type: "button", onclick: () => savePicture(view, "png"), text: t("record.png") }),
      h("button", { type: "button", onclick: () => savePicture(view, "svg"), text: t("record.svg") }),
      port.hasServer ? h("a", { class: "button", href: `/api/games/${session.id}/gif`, download: "", text: t("record.gif") }) : null))]);
}

/** A text to copy, selected where the clipboard is closed to pages. */
function copied(label, value) {
  const input = h("input", { type: "text", readonly: true, value, onfocus: () => input.select() });
  const copy = async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(value);
      toast(t("record.copied"));
    } catch {
      // It is selected: Ctrl-C does the rest.
    }
  };
  return h("div", { class: "row with-button" }, field(label, input), h("button", { type: "button", onclick: copy,
    text: t("record.copy"), "aria-label": `${t("record.copy")}: ${label}` }));
}

async function saveAs(session, format) {
  try {
    const { text, name } = await get(`/api/games/${session.id}/record?format=${format}`);
    download(name, new Blob([text], { type: "text/plain" }));
  } catch (error) {
    toast(refusalText(error), "error");
  }
}

async function savePicture(view, kind) {
  const svg = boardSvg(view.board);
  download(`${fileStem(view.session)}.${kind}`, kind === "svg" ? new Blob([svg.text], { type: "image/svg+xml" }) : await boardPng(svg));
}

/** 2026-11-17-move-12: the day the game began and the move on the picture. */
function fileStem(session) {
  if (!session) return "tengen";
  return `tengen-${new Date(1000 * session.created).toISOString().slice(0, 10)}-move-${session.tree.get(session.cursor).depth}`;
}

export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
