// The opening explorer: how games went on from a position, with the book's and the engine's judgement.

import { h, replace } from "../dom.js";
import { colorName } from "../i18n.js";
import { post, refusalText } from "../api.js";
import { cellName, parseCell, percent } from "../cells.js";
import { toast } from "../dialogs.js";
import { field, ruleOptions, select } from "../forms.js";
import { knock } from "../sound.js";
import { actionButton } from "../views/polling.js";
import { StudyBoard } from "./board.js";
import { allOpenings, nameOf } from "./names.js";
import { w } from "./words.js";

const SIZE = 15;

export class OpeningsView {
  constructor(navigate, [text = ""]) {
    this.navigate = navigate;
    this.rule = "freestyle";
    this.moves = (text.match(/[a-z]\d+/g) ?? []).map((name) => parseCell(name, SIZE, SIZE)).filter((cell) => cell !== null);
    this.board = new StudyBoard((cell) => this.play(cell));
    this.title = h("h2", { data: { testid: "opening" } });
    this.judged = h("p", { class: "help", data: { testid: "judgement" }, role: "status" });
    this.table = h("div", { class: "scroll", data: { testid: "explorer" } });
    this.list = h("div", {});
    const back = (count) => () => { this.moves.splice(Math.max(0, this.moves.length - count)); this.look(); };
    this.element = h("div", { class: "game-view" }, this.board.element, h("aside", { class: "side" },
      h("section", { class: "panel", "aria-label": w("tab.openings") }, this.title, this.judged,
        h("div", { class: "row wrap" },
          h("button", { type: "button", onclick: back(1), text: w("openings.back") }),
          h("button", { type: "button", onclick: back(1e6), text: w("openings.start") }),
          actionButton(w("openings.judge"), () => this.judge()),
          actionButton(w("openings.playhere"), () => this.playOn())),
        this.table, this.list,
        field(w("puzzle.filter.rule"), select(ruleOptions(), this.rule, (rule) => { this.rule = rule; this.look(); })),
        h("p", { class: "help", text: w("openings.help") }))));
    this.board.show({});
    this.look();
    allOpenings().then((openings) => this.named(openings), () => {});
  }

  text() {
    return this.moves.map((cell) => cellName(cell, SIZE, SIZE)).join("");
  }

  request() {
    return { rule: this.rule, moves: this.text() };
  }

  play(cell) {
    this.moves.push(cell);
    knock();
    this.look();
  }

  async look() {
    const asked = this.asked = {};
    history.replaceState(null, "", `#/study/openings/${this.text()}`);
    try {
      const found = await post("/api/explorer", this.request());
      if (this.asked === asked) this.show(found);
    } catch (error) {
      this.moves.pop();
      toast(refusalText(error), "error");
    }
  }

  show(found) {
    const { turn, over, opening, book, moves } = found;
    this.board.show({ rule: this.rule, moves: this.moves, turn: over ? null : turn, rings: moves.map((row) => row.move) });
    this.title.textContent = opening ? nameOf(opening) : this.moves.length ? this.text() : w("tab.openings");
    this.judged.textContent = book ? this.judgement(book) : this.moves.length ? "" : w("openings.book.count", { n: found.book_positions });
    const head = ["openings.move", "openings.library", "openings.matches", "openings.book"].map((key) => h("th", { scope: "col", text: w(key) }));
    replace(this.table, moves.length
      ? h("table", { class: "explorer-table" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, moves.slice(0, 30).map((row) => this.row(row))))
      : h("p", { class: "help", text: w("openings.none") }));
  }

  row({ move, library, matches, book, opening }) {
    const name = cellName(move, SIZE, SIZE);
    return h("tr", { onclick: () => this.play(move), data: { move: name } },
      h("td", {}, h("button", { type: "button", class: "open-game", text: opening ? `${name} ${nameOf(opening)}` : name })),
      h("td", {}, scoreBar(library)), h("td", {}, scoreBar(matches)), h("td", { class: "number", text: book ? shortJudgement(book) : "", title: book ? this.judgement(book) : "" }));
  }

  judgement({ value, winner }) {
    return winner ? w("openings.proven", { color: colorName(winner) }) : w("openings.value", { percent: percent(value) });
  }

  async judge() {
    const at = this.text();
    this.judged.textContent = w("openings.judging");
    const { value, best } = await post("/api/explorer/judge", this.request());
    if (at === this.text()) this.judged.textContent = w("openings.engine", { cell: cellName(best, SIZE, SIZE), percent: percent(value) });
  }

  async playOn() {
    const { id } = await post("/api/games", { settings: { rule: this.rule }, moves: this.moves });
    this.navigate(`#/play/${id}`);
  }

  named(openings) {
    const pick = (opening) => () => { this.moves = [...opening.moves]; this.look(); };
    replace(this.list, h("details", {}, h("summary", { text: w("openings.list") }), h("div", { class: "row wrap opening-list" },
      openings.map((opening) => h("button", { type: "button", class: "chip", onclick: pick(opening), text: nameOf(opening) })))));
  }
}

const shortJudgement = ({ value, winner }) => (winner ? w("openings.proven", { color: colorName(winner) }) : percent(value));

/** Black wins, draws, white wins as one bar with the number of games. */
function scoreBar(counts) {
  if (!counts) return null;
  const { black, draws, white } = counts, all = black + draws + white;
  const part = (name, n) => h("span", { class: `${name} share-${Math.round(20 * n / Math.max(1, all))}` });
  return h("div", { class: "score", title: `${w("openings.score")}: ${black} – ${draws} – ${white}` },
    h("span", { class: "score-count", text: all }), h("span", { class: "score-bar", role: "img", "aria-label": `${black} – ${draws} – ${white}` },
      part("b", black), part("d", draws), part("w", white)));
}
