// A line of moves to look at on the board, one stone after the other, without changing the game.

import { h, iconButton, replace } from "../dom.js";
import { t } from "../i18n.js";
import { cellName } from "../cells.js";

export class LinePlayer {
  /** `changed()` is called when other stones are to be shown. */
  constructor(session, changed) {
    Object.assign(this, { session, changed, line: [], shown: 0, turn: "black" });
    this.element = h("div", { class: "line-player", hidden: true, data: { testid: "line" } });
  }

  get open() {
    return this.line.length > 0;
  }

  /** Moves from the position on show; `turn` plays the first. */
  show(line, turn) {
    Object.assign(this, { line, turn, shown: line.length });
    this.draw();
    this.changed();
  }

  close() {
    if (this.open) this.show([], this.turn);
  }

  step(by) {
    this.shown = Math.max(1, Math.min(this.line.length, this.shown + by));
    this.draw();
    this.changed();
  }

  ghosts() {
    return this.line.slice(0, this.shown);
  }

  draw() {
    const { width, height } = this.session.settings;
    this.element.hidden = !this.open;
    replace(this.element,
      iconButton("prev", t("line.back"), () => this.step(-1), { disabled: this.shown <= 1 }),
      iconButton("next", t("line.on"), () => this.step(1), { disabled: this.shown >= this.line.length }),
      h("span", { class: "pv", text: this.line.map((cell) => cellName(cell, width, height)).join(" ") }));
  }
}
