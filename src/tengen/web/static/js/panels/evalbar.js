// A bar beside the board: how much of it is black is black's chances at the position on show.

import { h } from "../dom.js";
import { colorName, t } from "../i18n.js";
import { percent } from "../cells.js";
import { forBlack, proofOf, winnerOf } from "../notes.js";
import { proofText } from "../reasons.js";

/** What a finished game is worth to black, or undefined. */
function resultOf(outcome) {
  if (!outcome) return undefined;
  return outcome.winner ? (outcome.winner === "black" ? 1 : -1) : 0;
}

export class EvalBar {
  constructor() {
    this.black = h("div", { class: "eval-black" });
    this.text = h("span", { class: "eval-text" });
    this.element = h("div", { class: "eval-bar", role: "img", "aria-label": t("analyse.graph"), data: { testid: "eval" },
      hidden: true }, this.black, this.text);
  }

  /** `session` is the game on show, or null where the bar would say too much. */
  update(session) {
    const node = session?.tree.get(session.cursor);
    const proof = proofOf(node), value = resultOf(session?.status.outcome) ?? forBlack(node?.note?.value);
    this.element.hidden = !session;
    if (!session) return;
    const known = proof ? (winnerOf(proof) === "black" ? 1 : -1) : value;
    this.black.style.setProperty("--share", `${Math.round(50 + 50 * (known ?? 0))}%`);
    this.text.textContent = proof?.moves ? `#${proof.moves}` : known === undefined ? "" : percent(known).slice(0, -1);
    this.element.classList.toggle("unknown", known === undefined);
    const words = proof?.moves ? `${colorName(winnerOf(proof))}: ${proofText(proof)}`
      : known === undefined ? "" : `${colorName("black")} ${percent(known)}`;
    this.element.setAttribute("aria-label", `${t("analyse.graph")} ${words}`.trim());
    this.element.title = words;
  }
}
