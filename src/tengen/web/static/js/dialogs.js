// Dialogs, toasts and what is read aloud.

import { h, iconButton } from "./dom.js";
import { t } from "./i18n.js";

/** Opens a modal dialog; returns a function that closes it. Escape and the backdrop close it too. */
export function openDialog(title, content, { wide = false, onclose } = {}) {
  const close = () => dialog.close();
  const dialog = h("dialog", { class: wide ? "wide" : "", "aria-label": title },
    h("div", { class: "dialog-head" }, h("h2", { text: title }), iconButton("close", t("common.close"), close)),
    h("div", { class: "dialog-body" }, content));
  dialog.addEventListener("close", () => { dialog.remove(); onclose?.(); });
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
  return close;
}

export function confirmDialog(question, yes) {
  let close = null;
  const answer = (action) => () => { close(); action?.(); };
  close = openDialog(question, h("div", { class: "row end" },
    h("button", { type: "button", onclick: answer(null), text: t("play.no") }),
    h("button", { type: "button", class: "primary", onclick: answer(yes), text: t("play.yes") })));
}

export function toast(text, kind = "note") {
  const box = document.getElementById("toasts");
  const last = box.lastElementChild;
  if (last?.textContent === text) last.remove();
  const note = h("div", { class: `toast ${kind}`, text });
  box.append(note);
  while (box.children.length > 3) box.firstElementChild.remove();
  setTimeout(() => note.remove(), kind === "error" ? 4500 : 2500);
}

export function announce(text) {
  document.getElementById("announcer").textContent = text;
}
