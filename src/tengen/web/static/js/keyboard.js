// Keys. Nothing is taken from a person who is typing or has a dialog open.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { openDialog } from "./dialogs.js";
import { pref, setPref } from "./prefs.js";
import { deleteBranch } from "./panels/records.js";

const HELP = [
  ["← →", "arrows"], ["↑ ↓", "updown"], ["Home End", "homeend"], ["Z X", "z"], ["Enter", "enter"], ["H", "h"],
  ["Space", "space"], ["1 – 9", "digits"],
  ["T", "t"], ["N", "n"], ["M", "m"], ["B", "b"], ["Del", "delete"], ["Esc", "esc"], ["?", "help"],
];

export function showHelp() {
  openDialog(t("help.title"), h("dl", { class: "keys" }, HELP.flatMap(([keys, name]) => [
    h("dt", {}, keys.split(" ").map((key) => h("kbd", { text: key }))), h("dd", { text: t(`help.${name}`) })])));
}

const KEYS = {
  ArrowLeft: (g) => g.session.step(-1),
  ArrowRight: (g) => g.session.step(1),
  ArrowUp: (g) => g.session.step(-10),
  ArrowDown: (g) => g.session.step(10),
  Home: (g) => g.session.step(-1e6),
  End: (g) => g.session.step(1e6),
  z: (g) => g.session.send("undo"),
  x: (g) => g.session.send("redo"),
  h: (g) => g.session.send("hint"),
  t: (g) => (g.mode === "analyse" ? g.panel.solve() : g.setMode("analyse")),
  n: (g) => g.panel.nextFault?.(1),
  Enter: (g) => g.session.send("think"),
  " ": (g) => (g.mode === "analyse" ? g.panel.toggleLive() : g.setMode("analyse")),
  Delete: (g) => deleteBranch(g.session),
  Escape: stopEverything,
};

function stopEverything(view) {
  const { session } = view;
  view.board.ask(null);
  if (session.thinking) session.send("stop");
  session.send("stop-study");
  if (session.analysing.length) session.analyse([]);
  view.panel.update?.("stop");
}

export function listenToKeys(gameView) {
  document.addEventListener("keydown", (event) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey
      || document.querySelector("dialog[open]")) return;
    if (event.key === "?") return showHelp();
    const view = gameView();
    if (event.key === "m") return setPref("numbers", !pref("numbers"));
    if (!view) return;
    if (event.key === "b") view.board.svg.focus();
    else if (!runKey(event, view)) return;
    event.preventDefault();
  });
}

function runKey(event, view) {
  if (!view.session || view.offering || view.panel.placed) return false;
  if (/^[1-9]$/.test(event.key)) return playCandidate(view, Number(event.key));
  const onButton = event.target.closest?.("button, a, summary, select") && (event.key === "Enter" || event.key === " ");
  const action = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (!action || onButton) return false;
  view.session.whenReady(() => action(view));
  return true;
}

function playCandidate(view, rank) {
  const move = view.panel.candidate?.(rank - 1);
  if (move !== undefined && move !== null) view.session.play(move);
  return true;
}

function isTyping(target) {
  return target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select") !== null
    && target.closest !== undefined;
}
