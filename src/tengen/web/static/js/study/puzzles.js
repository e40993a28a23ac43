// The puzzle trainer: the opponent defends best, every winning move counts, a wrong move is shown its refutation.

import { h, redraw, replace } from "../dom.js";
import { colorName } from "../i18n.js";
import { get, post, refusalText } from "../api.js";
import { announce, openDialog, toast } from "../dialogs.js";
import { field, ruleOptions, select } from "../forms.js";
import { port } from "../port.js";
import { store, stored } from "../prefs.js";
import { knock } from "../sound.js";
import { actionButton } from "../views/polling.js";
import { LineChart } from "../chart.js";
import { StudyBoard } from "./board.js";
import { w } from "./words.js";

const WISH = "tengen.puzzles";
const KINDS = ["vcf", "vct", "defence", "forbidden"];
const STEPS = ["area", "idea", "move"];

export class PuzzlesView {
  constructor(navigate, [id]) {
    this.navigate = navigate;
    this.wish = { kind: "", rule: "", source: "", ...stored(WISH, {}) };
    this.board = new StudyBoard((cell) => this.play(cell));
    this.task = h("div", { class: "puzzle-task" });
    this.says = h("p", { class: "puzzle-says", role: "status", data: { testid: "says" } });
    this.buttons = h("div", { class: "row wrap" });
    this.standingBox = h("div", { class: "standing", data: { testid: "standing" } });
    this.element = h("div", { class: "game-view" }, this.board.element, h("aside", { class: "side" },
      h("section", { class: "panel puzzles", "aria-label": w("tab.puzzles") },
        this.task, this.says, this.buttons, this.standingBox, this.filters())));
    this.board.show({});
    this.load(id);
    get("/api/study/standing").then((standing) => this.showStanding(standing), (error) => this.failed(error));
  }

  filters() {
    const change = (name) => (value) => {
      this.wish[name] = value;
      store(WISH, this.wish);
      this.load();
    };
    return h("div", { class: "puzzle-filters" },
      field(w("puzzle.filter.kind"), select([["", w("puzzle.any")], ...KINDS.map((kind) => [kind, w(`kind.${kind}`)])],
        this.wish.kind, change("kind"))),
      field(w("puzzle.filter.rule"), select([["", w("puzzle.anyrule")], ...ruleOptions()],
        this.wish.rule, change("rule"))),
      field(w("puzzle.filter.source"), select([["", w("source.all")], ["own", w("source.own")]], this.wish.source, change("source"))),
      port.hasServer ? h("button", { type: "button", onclick: () => importPuzzles(() => this.load()), text: w("puzzle.import") }) : null);
  }

  // One puzzle

  async load(id) {
    const query = new URLSearchParams({ ...this.wish, avoid: this.puzzle?.id ?? "" });
    for (const key of ["kind", "rule"]) if (!this.wish[key]) query.delete(key);
    try {
      this.begin(await get(id ? `/api/study/puzzles/${encodeURIComponent(id)}` : `/api/study/puzzles/next?${query}`));
    } catch (error) {
      if (error.status === 404) this.say(w("puzzle.none"), "bad");
      else this.failed(error);
    }
  }

  begin(puzzle) {
    Object.assign(this, { puzzle, moves: [], phase: "solve", hints: 0, counted: false, clue: {}, refutation: [], waiting: false });
    history.replaceState(null, "", `#/study/puzzles/${puzzle.id}`);
    this.say(w("puzzle.start"));
    this.draw();
  }

  other() {
    return this.puzzle.turn === "black" ? "white" : "black";
  }

  async play(cell) {
    if (this.phase !== "solve" || this.waiting) return;
    const { puzzle } = this;
    this.waiting = true;
    this.moves.push(cell);
    knock();
    this.clue = {};
    this.draw();
    try {
      const answer = await post(`/api/study/puzzles/${puzzle.id}/answer`, { moves: this.moves, hints: this.hints, counts: !this.counted });
      if (this.puzzle === puzzle) this.answered(cell, answer);
    } catch (error) {
      this.moves.pop();
      this.failed(error);
    } finally {
      this.waiting = false;
      this.draw();
    }
  }

  answered(cell, { state, reply, refutation, loses, standing }) {
    if (standing) this.showStanding(standing);
    if (state !== "right") this.counted = true;
    if (state === "right") {
      this.moves.push(reply);
      this.say(w("puzzle.right", { color: colorName(this.other()), cell: this.board.name(reply) }), "good");
    } else if (state === "solved") {
      this.phase = "solved";
      this.say(this.puzzle.kind === "defence" ? w("puzzle.solved.defence") : w("puzzle.solved", { color: colorName(this.puzzle.turn) }), "good");
    } else {
      this.wrong(cell, refutation, loses);
    }
  }

  wrong(cell, refutation, loses) {
    this.phase = "wrong";
    this.refutation = refutation;
    const kind = loses ? "loses" : refutation.length ? "stopped" : "quiet";
    const values = { cell: this.board.name(cell), color: colorName(this.other()), reply: refutation.length ? this.board.name(refutation[0]) : "" };
    this.say(`${w(`puzzle.wrong.${kind}`, values)} ${w("puzzle.tomorrow")}`, "bad");
  }

  retry() {
    this.moves.pop();
    Object.assign(this, { phase: "solve", refutation: [], clue: {} });
    this.say(w("puzzle.start"));
    this.draw();
  }

  async hint() {
    const step = STEPS[Math.min(2, this.clue.step ?? 0)];
    const clue = await post(`/api/study/puzzles/${this.puzzle.id}/hint`, { moves: this.moves, step });
    this.hints += 1;
    this.clue = { ...clue, shown: step, step: (this.clue.step ?? 0) + 1 };
    this.say(step === "idea" ? w(`idea.${clue.idea}`) : w(`hint.${step}`, { cell: this.board.name(clue.cells[0]) }));
    this.draw();
  }

  /** Giving up counts as a failed try. */
  async showSolution() {
    const { solutions, line } = await get(`/api/study/puzzles/${this.puzzle.id}/solution`);
    if (!this.counted) await this.giveUp();
    Object.assign(this, { phase: "shown", moves: [], refutation: this.puzzle.kind === "defence" ? solutions.slice(0, 1) : line });
    this.say(w("puzzle.shown"));
    this.draw();
  }

  async giveUp() {
    this.counted = true;
    this.showStanding(await post(`/api/study/puzzles/${this.puzzle.id}/give-up`));
  }

  // What is shown

  draw() {
    const { puzzle, moves, phase, clue } = this;
    if (!puzzle) return;
    this.board.show({ ...puzzle, moves, first: puzzle.turn, turn: phase === "solve" && !this.waiting ? puzzle.turn : null,
      ghosts: this.refutation, hint: clue.shown === "move" ? clue.cells[0] : null, area: clue.shown === "area" ? clue.cells : [] });
    this.element.dataset.phase = phase;
    redraw(this.task, [puzzle.id, document.documentElement.lang], () => [
      h("h2", { text: w(`puzzle.${puzzle.kind}`, { color: colorName(puzzle.turn) }) }),
      h("p", { class: "help", text: w(`goal.${puzzle.kind}`) }),
      h("p", { class: "help", text: [w("puzzle.rating", puzzle), ...puzzle.themes.map((theme) => w(`theme.${theme}`))].join(" · ") })]);
    redraw(this.buttons, [phase, this.clue.step ?? 0, this.puzzle.id], () => this.buttonsFor(phase));
  }

  buttonsFor(phase) {
    const step = this.clue.step ?? 0;
    const next = (kind) => actionButton(w("puzzle.next"), () => this.load(), kind);
    const solution = actionButton(w("puzzle.solution"), () => this.showSolution(), "quiet");
    if (phase === "solve") {
      return [actionButton(w(step ? "puzzle.hint.n" : "puzzle.hint", { n: step + 1 }), () => this.hint()), solution, this.counted ? next("") : null];
    }
    if (phase === "wrong") return [actionButton(w("puzzle.again"), async () => this.retry(), "primary"), solution, next("")];
    return [next("primary")];
  }

  say(text, kind = "") {
    this.says.textContent = text;
    this.says.className = `puzzle-says ${kind}`;
    announce(text);
  }

  failed(error) {
    toast(refusalText(error), "error");
  }

  showStanding({ rating, deviation, streak, solved, tried, due, curve }) {
    const fact = (name, value) => h("div", { class: "fact" }, h("span", { class: "help", text: w(name) }), h("strong", { text: value }));
    const points = curve.map(([, value], i) => [i + 1, value]);
    replace(this.standingBox, h("div", { class: "facts" },
      fact("puzzle.yours", `${Math.round(rating)} ± ${Math.round(1.96 * deviation)}`), fact("puzzle.streak", streak),
      fact("puzzle.solvedcount", `${solved} / ${tried}`), fact("puzzle.due", due)),
      points.length > 1 ? new LineChart(w("puzzle.curve"), [{ name: w("puzzle.curve"), points }]).element : null);
  }
}

/** A person's own puzzles: proved by the server, line by line. */
function importPuzzles(done) {
  const text = h("textarea", { rows: 8, maxlength: 400000, spellcheck: "false", "aria-label": w("puzzle.import") });
  const file = h("input", { type: "file", accept: ".jsonl,.txt", class: "unseen", "aria-label": w("puzzle.import.file"), onchange: async () => { text.value = await file.files[0].text(); } });
  const report = h("div", { role: "status", data: { testid: "import-report" } });
  const go = actionButton(w("puzzle.import.go"), async () => {
    const { added, bad } = await post("/api/study/puzzles", { text: text.value });
    replace(report, h("p", { text: w("puzzle.import.done", { n: added }) }),
      bad.length ? [h("p", { class: "fault", text: w("puzzle.import.bad", { n: bad.length }) }), h("pre", { class: "log", text: bad.join("\n") })] : null);
    if (added) done();
  }, "primary");
  openDialog(w("puzzle.import"), [h("p", { class: "help", text: w("puzzle.import.help") }), text, report,
    h("div", { class: "row end" }, file, h("button", { type: "button", onclick: () => file.click(), text: w("puzzle.import.file") }), go)]);
}
