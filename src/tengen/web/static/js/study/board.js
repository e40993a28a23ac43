// A board for studying: shows what it is told and says where a stone was placed.

import { h, replace, s } from "../dom.js";
import { t } from "../i18n.js";
import { guarded, pref } from "../prefs.js";
import { announce } from "../dialogs.js";
import { cellName } from "../cells.js";
import { BoardView } from "../board/view.js";
import { CELL } from "../board/geometry.js";

export class StudyBoard {
  constructor(play) {
    this.view = new BoardView({ guarded, label: t("board.label"), on: {
      play: (cell) => { if (this.view.preview && !this.view.occupied.has(cell)) play(cell); },
      move: (cell) => announce(this.name(cell)),
      ask: (cell) => this.asked(cell),
    } });
    this.confirm = h("button", { type: "button", class: "primary confirm", hidden: true,
      onclick: () => this.view.asked !== null && this.view.place(this.view.asked) });
    this.chip = h("div", { class: "rule-chip" });
    this.element = h("div", { class: "board-side" },
      h("div", { class: "board-row" }, h("div", { class: "board-frame" }, this.view.svg)),
      h("div", { class: "under-board" }, this.chip, this.confirm));
  }

  /** `moves` are numbered from `first`; `turn` is whose stone may be placed, null for nobody. */
  show({ width = 15, height = 15, k = 5, rule = "freestyle", black = [], white = [], moves = [], first = "black", turn = null,
    ghosts = [], hint = null, area = [], forbidden = {}, rings = [] }) {
    this.size = [width, height];
    const { view } = this;
    view.shape(width, height, pref("coordinates"));
    const other = first === "black" ? "white" : "black";
    const played = moves.map((cell, i) => ({ cell, color: i % 2 ? other : first, number: i + 1 }));
    const placed = (cells, color) => cells.map((cell) => ({ cell, color }));
    view.showStones([...placed(black, "black"), ...placed(white, "white"), ...played], moves.length > 0);
    view.draw("last", moves.at(-1) ?? null, true);
    view.draw("forbidden", pref("forbidden") ? forbidden : {}, (reason) => t(`forbidden.${reason.replace(/ /g, "-")}`));
    view.draw("ghosts", ghosts, moves.length % 2 ? other : first);
    view.draw("hint", hint);
    view.draw("area", area);
    replace(view.layer.heat, rings.map((cell) => this.square(cell, "book-move")));
    view.setPreview(turn);
    this.chip.textContent = `${width} × ${height} · ${t(`rule.${rule}`)} · ${t("rule.inrow", { k })}`;
  }

  square(cell, name) {
    const g = this.view.geometry;
    return s("rect", { x: g.x(cell) - CELL / 2, y: g.y(cell) - CELL / 2, width: CELL, height: CELL, class: name, data: { cell } });
  }

  name(cell) {
    return cellName(cell, ...this.size);
  }

  asked(cell) {
    this.confirm.hidden = cell === null || !guarded();
    if (cell !== null) this.confirm.textContent = t("play.confirm", { cell: this.name(cell) });
  }
}
