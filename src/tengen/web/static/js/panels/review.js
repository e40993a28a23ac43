// A game judged move by move, with reasons; mistakes to step through and to try again, the answer hidden until asked for.

import { h, iconButton, redraw, replace } from "../dom.js";
import { colorName, t } from "../i18n.js";
import { cellName } from "../cells.js";
import { accuracy, dropOf, forBlack, isFault, markOf, proofOf, turningPoint } from "../notes.js";
import { reasonText } from "../reasons.js";
import { WinGraph } from "./graph.js";
import { CommentBox } from "./comment.js";
import { LinePlayer } from "./lineplayer.js";
import { recordBar } from "./records.js";
import { TreeView } from "./treeview.js";
import { port } from "../port.js";
import { actionButton } from "../views/polling.js";

const MARKS = ["best", "good", "lost", "inaccuracy", "mistake", "blunder", "missed-win", "allowed-win"];
const SIGNS = { best: "✓", good: "✓", lost: "·", inaccuracy: "?!", mistake: "?", blunder: "??", "missed-win": "!",
  "allowed-win": "✕" };

/** Classes that the fall of the value makes; where a win comes or goes, what it cost before counts for little. */
const BY_VALUE = ["inaccuracy", "mistake", "blunder"];

export class ReviewPanel {
  constructor(view) {
    this.view = view;
    this.session = view.session;
    this.retrying = null;
    this.graph = new WinGraph(this.session, { marks: true });
    this.tree = new TreeView(this.session);
    this.tree.showMarks = true;
    this.comment = new CommentBox(this.session);
    this.lineBox = new LinePlayer(this.session, () => view.refresh());
    this.top = h("div", { class: "review-top" });
    this.verdict = h("div", { class: "verdict", data: { testid: "verdict" } });
    this.summary = h("div", { class: "summary", data: { testid: "summary" } });
    this.element = h("section", { class: "panel review", "aria-label": t("nav.review") },
      this.top, this.graph.element, this.verdict, this.lineBox.element, this.summary, this.tree.element,
      this.comment.element, recordBar(view));
  }

  close() {
    this.tree.close();
  }

  update(kind, event) {
    if (!this.session.ready) return;
    if (kind === "retry") this.judged(event);
    if (kind === "update") this.moved();
    redraw(this.top, this.controlState(), () => this.controls());
    this.updateProgress();
    this.graph.update();
    redraw(this.verdict, this.verdictState(), () => (this.retrying ? this.retryBox() : this.verdictBox()));
    redraw(this.summary, this.summaryState(), () => this.summaryTable());
    this.tree.update();
    this.comment.update();
  }

  /** Another position is on show: a line and a second try belong to the one before. */
  moved() {
    if (this.lineAt !== this.session.cursor) this.lineBox.close();
    if (this.retrying && this.session.cursor !== this.retrying.before) this.retrying = null;
  }

  line() {
    return this.session.tree.line(this.session.cursor);
  }

  nodes() {
    return this.line().slice(1).map((id) => this.session.tree.get(id));
  }

  reviewed() {
    return this.nodes().some((node) => markOf(node));
  }

  running() {
    const { review } = this.session;
    return Boolean(review) && !review.finished && !["stopped", "failed"].includes(this.session.studies.review);
  }

  // Starting and how far it has come

  controlState() {
    return [this.running(), this.reviewed(), this.line().length < 2];
  }

  controls() {
    if (this.line().length < 2) return h("p", { class: "help", text: t("review.none") });
    if (this.running()) {
      this.bar = h("progress", { max: 1, value: 0, "aria-label": t("nav.review") });
      this.far = h("span", { class: "help" });
      return [this.bar, h("div", { class: "row spread" }, this.far,
        h("button", { type: "button", onclick: () => this.session.send("stop-study"), text: t("review.stop") }))];
    }
    const start = () => { delete this.session.studies.review; this.session.send("review"); };
    const practise = this.reviewed()
      ? actionButton(t("review.practise"), async () => (await import("../study/mistakes.js")).practise(this.session.id)) : null;
    return h("div", { class: "row wrap" },
      h("button", { type: "button", class: this.reviewed() ? "" : "primary big", onclick: start,
        text: t(this.reviewed() ? "review.again" : "review.start") }), practise);
  }

  updateProgress() {
    const { review } = this.session;
    if (!this.running() || !this.bar) return;
    this.bar.max = review.total;
    this.bar.value = review.done;
    this.far.textContent = this.session.studies.review === "queued" ? t("analyse.waiting")
      : review.sweep ? t("review.deeper") : t("review.progress", review);
  }

  // Going from mistake to mistake

  faults() {
    return this.nodes().filter((node) => isFault(markOf(node))).map((node) => node.id);
  }

  nextFault(step) {
    const line = this.line(), faults = this.faults();
    if (!faults.length) return;
    const at = line.indexOf(this.session.cursor);
    const next = step > 0 ? faults.find((id) => line.indexOf(id) > at) ?? faults[0]
      : faults.findLast((id) => line.indexOf(id) < at) ?? faults.at(-1);
    this.retrying = null;
    this.session.go(next);
  }

  verdictState() {
    const node = this.session.tree.get(this.session.cursor);
    return [this.retrying, node.id, node.note?.verdict ?? null, this.faults(), this.running(), this.reviewed(),
      this.lineBox.open];
  }

  verdictBox() {
    const node = this.session.tree.get(this.session.cursor);
    const mark = markOf(node), none = !this.faults().length;
    const steps = h("div", { class: "row" },
      iconButton("prev", t("review.prev"), () => this.nextFault(-1), { disabled: none }),
      iconButton("next", t("review.next"), () => this.nextFault(1), { key: "N", label: t("review.next"), disabled: none }));
    if (!mark) return this.reviewed() && !this.running() && none
      ? [h("p", { class: "help", text: t("review.clean") })] : [this.reviewed() ? steps : null];
    return [this.verdictLine(node, mark), this.why(node), isFault(mark) ? this.faultButtons(node) : null, steps];
  }

  verdictLine(node, mark) {
    const cost = BY_VALUE.includes(mark) ? Math.round(50 * dropOf(node)) : 0;
    return h("div", { class: `verdict-line mark-${mark}` }, h("span", { class: "sign", text: SIGNS[mark] }),
      h("strong", { text: `${node.depth}. ${this.name(node.move)}` }), h("span", { text: t(`mark.${mark}`) }),
      cost ? h("span", { class: "cost", text: t("review.cost", { n: cost }) }) : null);
  }

  why(node) {
    const before = proofOf(this.session.tree.get(node.parent));
    const text = reasonText(node.note.verdict.reason, this.session.turnAt(node.parent), this.session.settings, { before });
    return text ? h("p", { class: "why", data: { testid: "why" }, text }) : null;
  }

  faultButtons(node) {
    const line = node.note.verdict.reason?.line ?? [];
    const lineButton = line.length ? h("button", { type: "button", onclick: () => this.showLine(node), text: t("review.line") }) : null;
    return h("div", { class: "row" },
      h("button", { type: "button", class: "primary", onclick: () => this.retry(node), text: t("review.retry") }), lineButton);
  }

  /** The reason's line on the board: what should have been played, or how the opponent now wins. */
  showLine(node) {
    const { reason } = node.note.verdict;
    const mover = this.session.turnAt(node.parent);
    const at = reason.instead ? node.parent : node.id;
    this.lineAt = at;
    if (this.session.cursor !== at) this.session.go(at);
    this.lineBox.show(reason.line, reason.instead ? mover : this.session.turnAt(node.id));
  }

  name(cell) {
    return cellName(cell, this.session.settings.width, this.session.settings.height);
  }

  // Trying again

  retry(node) {
    this.lineBox.close();
    this.retrying = { node: node.id, before: node.parent, played: node.move, tried: null, result: null, revealed: false };
    this.session.go(node.parent);
  }

  play(cell) {
    if (!this.retrying) return false;
    if (this.session.stones().some((stone) => stone.cell === cell)) return true;
    Object.assign(this.retrying, { tried: cell, result: null });
    this.session.send("retry", { node: this.retrying.before, move: cell });
    this.update();
    this.view.refresh();
    return true;
  }

  judged(event) {
    if (this.retrying && event.node === this.retrying.before
      && event.move === this.retrying.tried) this.retrying.result = event;
  }

  best() {
    return this.session.tree.get(this.retrying.before).note?.look?.best ?? null;
  }

  retryBox() {
    const r = this.retrying, turn = this.session.turnAt(r.before), best = this.best();
    return [h("p", { text: t("review.retry.ask", { color: colorName(turn), cell: this.name(r.played) }) }),
      this.retryResult(),
      h("div", { class: "row" },
        r.revealed ? h("span", { class: "answer", text: best === null ? "" : t("review.answer", { cell: this.name(best) }) })
          : h("button", { type: "button", onclick: () => { r.revealed = true; this.update(); this.view.refresh(); },
            text: t("review.reveal") }),
        h("button", { type: "button", class: "quiet", onclick: () => { this.retrying = null; this.session.go(r.node); },
          text: t("review.done") }))];
  }

  retryResult() {
    const { tried, result, before } = this.retrying;
    if (tried === null) return null;
    const cell = this.name(tried);
    if (!result) return h("p", { class: "help", text: t("review.checking", { cell }) });
    const why = result.ok ? "" : reasonText(result.verdict.reason, this.session.turnAt(before), this.session.settings);
    return h("p", { class: result.ok ? "retry-good" : "retry-bad", role: "status",
      text: `${t(result.ok ? "review.retry.good" : "review.retry.bad", { cell })} ${why}`.trim() });
  }

  // Counts, accuracy and the turning point

  summaryState() {
    return this.nodes().map((node) => node.note?.verdict ?? null);
  }

  summaryTable() {
    if (!this.reviewed()) return null;
    const of = (color) => this.nodes().filter((node) => markOf(node) && this.session.turnAt(node.parent) === color);
    const [black, white] = [of("black"), of("white")];
    const count = (nodes, mark) => nodes.filter((node) => markOf(node) === mark).length;
    const marks = MARKS.filter((mark) => count(black, mark) + count(white, mark));
    const rows = marks.map((mark) => h("tr", { class: `mark-${mark}` }, h("td", { text: count(black, mark) }),
      h("th", { scope: "row", text: t(`mark.${mark}`) }), h("td", { text: count(white, mark) })));
    const share = (nodes) => { const n = accuracy(nodes); return n === null ? "–" : `${Math.round(n)}%`; };
    return [this.turning(), h("table", { class: "counts" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", text: colorName("black") }), h("td", { text: "" }),
        h("th", { scope: "col", text: colorName("white") }))),
      h("tbody", {}, h("tr", { class: "accuracy", data: { testid: "accuracy" } }, h("td", { text: share(black) }),
        h("th", { scope: "row", text: t("review.accuracy") }), h("td", { text: share(white) })), rows)),
      h("p", { class: "help", text: t("review.accuracy.help") })];
  }

  /** A move with the values before and after it for who moved. */
  swing(node) {
    const { tree } = this.session, sign = this.session.turnAt(node.parent) === "black" ? 1 : -1;
    const of = ({ note }) => sign * (forBlack(note?.look?.value ?? note?.value) ?? 0);
    return { node, before: of(tree.get(node.parent)), after: of(node) };
  }

  turning() {
    const node = turningPoint(this.nodes().map((one) => this.swing(one)));
    if (!node) return null;
    return h("button", { type: "button", class: "quiet turning", data: { testid: "turning" },
      onclick: () => this.session.go(node.id),
      text: t("review.turning", { n: node.depth, cell: this.name(node.move) }) });
  }

  // What the board shows: never the answer, unless it was asked for

  preview() {
    if (this.retrying) return this.session.turnAt(this.retrying.before);
    return this.session.over || this.session.thinking ? null : this.session.status.turn;
  }

  overlays() {
    if (this.retrying) return this.retryOverlay();
    if (this.lineBox.open) return { ghosts: this.lineBox.ghosts(), ghostTurn: this.lineBox.turn };
    const node = this.session.tree.get(this.session.cursor);
    const mark = markOf(node);
    return mark ? { tags: [{ cell: node.move, mark, text: SIGNS[mark] }] } : {};
  }

  retryOverlay() {
    const r = this.retrying;
    const tried = r.tried === null ? [] : [r.tried];
    return { ghosts: tried, ghostTurn: this.session.turnAt(r.before), hint: r.revealed ? this.best() : null };
  }
}
