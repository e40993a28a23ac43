// Placing stones freely before a game or an analysis.

import { h } from "../dom.js";
import { colorName, t } from "../i18n.js";
import { choices } from "../forms.js";

export class SetupPanel {
  constructor(view) {
    this.view = view;
    this.stones = new Map(view.session && !view.offering ? view.session.stones().map(({ cell, color }) => [cell, color]) : []);
    this.brush = "black";
    this.turn = (view.offering ? null : view.session?.status.turn) ?? "black";
    this.element = h("section", { class: "panel setup", "aria-label": t("setup.title") }, this.content());
  }

  content() {
    const button = (name, onclick, kind = "") => h("button",
      { type: "button", class: kind, onclick, text: t(`setup.${name}`) });
    return [
      h("h2", { text: t("setup.title") }),
      h("p", { class: "help", text: t("setup.help") }),
      choices(t("setup.stone"), [["black", t("setup.black")], ["white", t("setup.white")], ["erase", t("setup.erase")]],
        this.brush, (brush) => { this.brush = brush; this.view.refresh(); }),
      choices(t("setup.turn"), [["black", colorName("black")], ["white", colorName("white")]], this.turn,
        (turn) => { this.turn = turn; }),
      button("start", () => this.start("play"), "primary big"),
      button("analyse", () => this.start("analyse")),
      h("div", { class: "row" }, button("clear", () => { this.stones.clear(); this.view.refresh(); }, "quiet"),
        button("cancel", () => this.view.setMode("play"), "quiet")),
    ];
  }

  play(cell) {
    if (this.brush === "erase" || this.stones.get(cell) === this.brush) this.stones.delete(cell);
    else this.stones.set(cell, this.brush);
    this.view.refresh();
    return true;
  }

  preview() {
    return this.brush === "erase" ? null : this.brush;
  }

  placed() {
    return [...this.stones].map(([cell, color]) => ({ cell, color, number: 0 }));
  }

  start(mode) {
    const of = (color) => [...this.stones].filter(([, c]) => c === color).map(([cell]) => cell);
    const people = mode === "analyse" ? { black: "human", white: "human" } : {};
    const settings = { ...this.view.wishes(), ...this.view.shape(), opening: "free", ...people };
    this.view.create({ settings, setup: { black: of("black"), white: of("white"), turn: this.turn } }, mode);
  }

  update() {}
}
