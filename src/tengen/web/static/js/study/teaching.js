// Teaching in play: a warning before a move that loses by force, hints in three steps, the opponent's threats on request.

import { h, replace } from "../dom.js";
import { colorName, t } from "../i18n.js";
import { post, refusalText } from "../api.js";
import { cellName } from "../cells.js";
import { toast } from "../dialogs.js";
import { w } from "./words.js";

const SIZE = 5;

export class Teacher {
  /** `changed()` draws the panel and the board again. */
  constructor(session, changed) {
    Object.assign(this, { session, changed, step: 0, idea: "", asking: false });
    this.says = h("p", { class: "notice", role: "status", data: { testid: "teacher" } });
    this.count = h("span", { class: "help", data: { testid: "takebacks" } });
    this.warning = h("div", { class: "warning", role: "alertdialog", hidden: true, "aria-label": t("play.teach") });
    this.element = h("div", { class: "teaching" }, this.warning, h("p", { class: "help", text: w("teach.help") }), this.says,
      h("div", { class: "row spread" }, h("button", { type: "button", onclick: () => this.askThreats(), text: w("teach.threats") }), this.count));
  }

  update(kind) {
    if (kind === "update") {
      this.unwarn();
      Object.assign(this, { step: 0, idea: "", threat: null, threatText: "" });
    }
    if (kind === "hint") this.nextStep();
    if (kind === "threats") this.showThreats();
    this.says.textContent = this.text();
    this.count.textContent = w("teach.takebacks", { n: this.session.status.takebacks ?? 0 });
  }

  get mine() {
    const { session } = this;
    return session.myTurn && session.humanColors.length === 1 && !session.over && !session.thinking;
  }

  // Before a move

  /** True when the move was taken in hand: it is played once it is safe, or once the person insists. */
  play(cell) {
    if (!this.mine || this.session.stones().some((stone) => stone.cell === cell)) return false;
    if (this.asking) return true;
    this.unwarn();
    this.consider(cell);
    return true;
  }

  async consider(cell) {
    const { session } = this, node = session.cursor;
    this.asking = true;
    try {
      const { by, line } = await post("/api/study/warning", { ...this.position(), move: cell, game: session.id });
      if (session.cursor !== node) return;
      if (by) this.warn(cell, by, line);
      else session.play(cell);
    } catch (error) {
      if (error.status === 422) session.play(cell);
      else toast(refusalText(error), "error");
    } finally {
      this.asking = false;
    }
  }

  /** Beside the board, so that the line can be seen while the person decides. */
  warn(cell, by, line) {
    const color = colorName(this.other());
    const key = { five: "teach.warn.five", vcf: "teach.warn.vcf" }[by] ?? "teach.warn";
    this.line = [cell, ...line];
    const answer = (action) => () => { this.unwarn(); action?.(); this.changed(); };
    const back = h("button", { type: "button", class: "primary", onclick: answer(null), text: w("teach.back") });
    replace(this.warning, h("p", { text: w(key, { color, cell: this.name(cell) }) }), h("div", { class: "row end" },
      h("button", { type: "button", class: "quiet", onclick: answer(() => this.session.play(cell)), text: w("teach.play") }), back));
    this.warning.hidden = false;
    this.changed();
    this.warning.scrollIntoView({ block: "nearest" });
    back.focus();
  }

  unwarn() {
    this.warning.hidden = true;
    this.line = null;
  }

  position() {
    const { session } = this, { width, height, k, rule } = session.settings;
    const moves = session.tree.path(session.cursor).map((id) => session.tree.get(id).move).filter((move) => move >= 0);
    return { width, height, k, rule, setup: session.setup ?? null, moves };
  }

  other() {
    return this.session.status.turn === "black" ? "white" : "black";
  }

  name(cell) {
    return cellName(cell, this.session.settings.width, this.session.settings.height);
  }

  // Hints: where to look, what to look for, the move

  hint() {
    this.threatText = "";
    if (!this.session.hint) this.session.send("hint");
    else this.nextStep();
  }

  async nextStep() {
    this.step = Math.min(3, this.step + 1);
    if (this.step === 2 && !this.idea) {
      try {
        this.idea = (await post("/api/study/idea", { ...this.position(), move: this.session.hint.move })).idea;
      } catch (error) {
        toast(refusalText(error), "error");
      }
    }
    this.changed();
  }

  text() {
    const { hint } = this.session;
    if (this.threatText) return this.threatText;
    if (!hint || !this.step) return "";
    if (this.step === 1) return w("hint.area");
    return this.step === 2 ? w(`idea.${this.idea || "quiet"}`) : t("play.hint.text", { cell: this.name(hint.move) });
  }

  // The opponent's threats

  askThreats() {
    this.session.threats = null;
    this.session.send("threats", { seconds: 1 });
  }

  showThreats() {
    const found = this.session.threats?.opponent;
    this.threatText = found ? w("teach.threats.some", { color: colorName(this.other()) }) : w("teach.threats.none");
    this.threat = found?.line ?? null;
  }

  overlays() {
    const { hint, status } = this.session;
    const ghostTurn = this.line ? status.turn : this.other();
    return { hint: hint && this.step === 3 ? hint.move : null, area: hint && this.step === 1 ? this.around(hint.move) : [],
      ghosts: this.line ?? this.threat ?? [], ghostTurn };
  }

  /** A block that holds the move somewhere, not always in the middle. */
  around(move) {
    const { width, height } = this.session.settings, row = Math.floor(move / width), col = move % width;
    const side = Math.min(SIZE, width, height);
    const top = Math.min(Math.max(0, row - ((row * 7 + col * 3) % side)), height - side);
    const left = Math.min(Math.max(0, col - ((row * 3 + col * 5) % side)), width - side);
    return Array.from({ length: side * side }, (_, i) => (top + Math.floor(i / side)) * width + left + (i % side));
  }
}
