// What one player thinks of the position: its verdict and a table of moves. The rows stay while their words change, so
// that they can be pointed at, tapped and focused during a live analysis.

import { h, replace } from "../dom.js";
import { colorName, errorText, seatName, t } from "../i18n.js";
import { cellName, compact, percent } from "../cells.js";
import { winnerOf } from "../notes.js";
import { proofText } from "../reasons.js";

const ROWS = 10;

export class Opinion {
  /** `on`: {choose(), hover(what gives the candidate, or null), pick(candidate)}. */
  constructor(session, slot, on) {
    Object.assign(this, { session, slot, on });
    this.name = h("span", {});
    this.verdict = h("strong", {});
    this.head = h("button", { type: "button", class: `opinion-head slot-${slot}`, onclick: () => on.choose() },
      this.name, this.verdict);
    this.trouble = h("p", {});
    this.titles = h("tr", {});
    this.rows = Array.from({ length: ROWS }, (_, i) => this.row(i));
    this.table = h("table", { class: "candidates" }, h("thead", {}, this.titles),
      h("tbody", {}, this.rows.map((row) => row.element)));
    this.element = h("div", { class: "opinion" }, this.head, this.trouble, this.table);
  }

  row(i) {
    const row = { candidate: null, cells: ["", "cell", "", "", "pv"].map((name) => h("td", { class: name })) };
    row.cells[0].textContent = i + 1;
    const show = () => this.on.hover(() => row.candidate), hide = () => this.on.hover(null);
    row.element = h("tr", { tabindex: "0", onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide,
      onclick: () => this.on.pick(row.candidate) }, row.cells);
    return row;
  }

  update(seat, chosen) {
    const frame = this.session.analysis[this.slot];
    this.name.textContent = seatName(seat);
    this.verdict.textContent = frame ? this.verdictText(frame) : "…";
    this.head.setAttribute("aria-pressed", String(chosen));
    this.tellTrouble();
    this.table.hidden = !frame;
    if (frame) this.fill(frame);
  }

  tellTrouble() {
    const state = this.session.studies[this.slot], fault = this.session.faults[this.slot];
    this.trouble.className = state === "failed" ? "fault" : "help";
    this.trouble.textContent = state === "failed" ? errorText(fault.code, fault.message)
      : state === "queued" ? t("analyse.waiting") : "";
    this.trouble.hidden = !this.trouble.textContent;
  }

  fill(frame) {
    const { width, height } = this.session.settings, third = thirdTitle(frame);
    replace(this.titles, ["", t("analyse.move"), t("analyse.value"), ...(third ? [third] : []), t("analyse.line")]
      .map((text) => h("th", { text })));
    this.rows.forEach((row, i) => {
      const c = frame.candidates[i] ?? null;
      row.candidate = c;
      row.element.hidden = !c;
      if (c) this.fillRow(row, c, frame, (cell) => cellName(cell, width, height), Boolean(third));
    });
  }

  fillRow({ element, cells }, c, frame, nameOf, third) {
    const line = c.pv.slice(1, 6).map(nameOf).join(" ");
    [nameOf(c.move), c.proof ? shortProof(c) : percent(c.value), thirdColumn(c, frame), line].forEach((text, i) => { cells[i + 1].textContent = text; });
    cells[3].hidden = !third;
    element.setAttribute("aria-label", nameOf(c.move));
  }

  verdictText(frame) {
    if (frame.proof) return `${colorName(winnerOf(frame.proof))}: ${proofText(frame.proof)}`;
    return `${colorName("black")} ${percent(this.blackValue(frame.value))}`;
  }

  blackValue(value) {
    return this.session.status.turn === "black" ? value : -value;
  }
}

/** W7 or L5: won or lost in so many moves of the winner. */
export const shortProof = (c) => `${t(c.value > 0 ? "proof.won" : "proof.lost")}${c.proof.moves}`;

/** A player without a search gives every cell a value of its own: Q-values. */
export const hasValues = (frame) => Object.keys(frame.values ?? {}).length > 0;
export const hasPolicy = (frame) => Object.keys(frame.policy ?? {}).length > 0;

function thirdTitle(frame) {
  if (hasValues(frame)) return t("analyse.q");
  if (frame.candidates.some((c) => c.visits)) return t("analyse.visits");
  return frame.candidates.some((c) => c.prior !== null) ? t("analyse.prior") : "";
}

function thirdColumn(candidate, frame) {
  if (candidate.visits) return compact(candidate.visits);
  if (candidate.prior === null) return "";
  return hasValues(frame) ? candidate.prior.toFixed(2) : `${Math.round(100 * candidate.prior)}%`;
}
