// A game judged move by move; mistakes to step through and to try again, with the answer hidden until asked for.

import { h, iconButton, replace } from "../dom.js";
import { colorName, t } from "../i18n.js";
import { cellName } from "../cells.js";
import { choices } from "../forms.js";
import { WinGraph } from "./graph.js";
import { CommentBox } from "./comment.js";
import { recordBar } from "./records.js";
import { TreeView } from "./treeview.js";

const SECONDS = { fast: 0.1, normal: 0.4, deep: 1.5 };
export const FAULTS = ["inaccuracy", "mistake", "blunder", "missed-win", "allowed-win"];
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??", "missed-win": "!", "allowed-win": "✕" };

export class ReviewPanel {
  constructor(view) {
    this.view = view;
    this.session = view.session;
    this.depth = "fast";
    this.retrying = null;
    this.graph = new WinGraph(this.session, { marks: true });
    this.tree = new TreeView(this.session);
    this.tree.showMarks = true;
    this.comment = new CommentBox(this.session);
    this.top = h("div", { class: "review-top" });
    this.verdict = h("div", { class: "verdict", data: { testid: "verdict" } });
    this.summary = h("div", { class: "summary", data: { testid: "summary" } });
    this.element = h("section", { class: "panel review", "aria-label": t("nav.review") },
      this.top, this.graph.element, this.verdict, this.summary, this.tree.element,
      this.comment.element, recordBar(view));
  }

  close() {
    this.tree.close();
  }

  update(kind, event) {
    if (!this.session.ready) return;
    if (kind === "retry") this.judged(event);
    if (kind === "update" && this.retrying && this.session.cursor !== this.retrying.before) this.retrying = null;
    replace(this.top, this.controls());
    this.graph.update();
    replace(this.verdict, this.retrying ? this.retryBox() : this.verdictBox());
    replace(this.summary, this.summaryTable());
    this.tree.update();
    this.comment.update();
  }

  line() {
    return this.session.tree.line(this.session.cursor);
  }

  reviewed() {
    return this.line().some((id) => this.session.tree.get(id).study?.mark);
  }

  running() {
    const { review } = this.session;
    return review && !review.finished && !["stopped", "failed"].includes(this.session.studies.review);
  }

  controls() {
    const { review } = this.session;
    if (this.line().length < 2) return h("p", { class: "help", text: t("review.none") });
    if (this.running()) {
      return [h("progress", { max: review.total, value: review.done, "aria-label": t("nav.review") }),
        h("div", { class: "row spread" }, h("span", { class: "help", text: t("review.progress", review) }),
          h("button", { type: "button", onclick: () => this.session.send("stop-study"), text: t("review.stop") }))];
    }
    const start = () => { delete this.session.studies.review; this.session.send("review",
      { seconds: SECONDS[this.depth] }); };
    return [choices(t("review.speed"), Object.keys(SECONDS).map((name) => [name, t(`review.${name}`)]), this.depth,
      (depth) => { this.depth = depth; }),
      h("button", { type: "button", class: this.reviewed() ? "" : "primary big", onclick: start,
        text: t(this.reviewed() ? "review.again" : "review.start") })];
  }

  // Going from mistake to mistake

  faults() {
    return this.line().filter((id) => FAULTS.includes(this.session.tree.get(id).study?.mark));
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

  verdictBox() {
    const node = this.session.tree.get(this.session.cursor);
    const mark = node.study?.mark;
    const steps = h("div", { class: "row" },
      iconButton("prev", t("review.prev"), () => this.nextFault(-1), { disabled: !this.faults().length }),
      iconButton("next", t("review.next"), () => this.nextFault(1),
        { key: "N", label: t("review.next"), disabled: !this.faults().length }));
    if (!mark) return this.reviewed() && !this.running() && !this.faults().length
      ? [h("p", { class: "help", text: t("review.clean") })] : [this.reviewed() ? steps : null];
    const isFault = FAULTS.includes(mark);
    return [h("div", { class: `verdict-line mark-${mark}` }, h("span", { class: "sign", text: SIGNS[mark] ?? "✓" }),
      h("strong", { text: `${node.depth}. ${this.name(node.move)}` }), h("span", { text: t(`mark.${mark}`) }),
      isFault ? h("span", { class: "cost", text: t("review.cost", { n: Math.round(50 * node.study.drop) }) }) : null),
      isFault ? h("button", { type: "button", class: "primary", onclick: () => this.retry(node), text: t("review.retry") })
        : null, steps];
  }

  name(cell) {
    return cellName(cell, this.session.settings.width, this.session.settings.height);
  }

  // Trying again

  retry(node) {
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

  retryBox() {
    const r = this.retrying;
    const turn = this.session.turnAt(r.before);
    const best = this.session.tree.get(r.before).study?.r?.best;
    return [h("p", { text: t("review.retry.ask", { color: colorName(turn), cell: this.name(r.played) }) }),
      this.retryResult(),
      h("div", { class: "row" },
        r.revealed ? h("span", { class: "answer", text: t("review.answer", { cell: this.name(best) }) })
          : h("button", { type: "button", onclick: () => { r.revealed = true; this.update(); this.view.refresh(); },
            text: t("review.reveal") }),
        h("button", { type: "button", class: "quiet", onclick: () => { this.retrying = null; this.session.go(r.node); },
          text: t("review.done") }))];
  }

  retryResult() {
    const { tried, result } = this.retrying;
    if (tried === null) return null;
    const cell = this.name(tried);
    if (!result) return h("p", { class: "help", text: t("review.checking", { cell }) });
    return h("p", { class: result.ok ? "retry-good" : "retry-bad", role: "status",
      text: t(result.ok ? "review.retry.good" : "review.retry.bad", { cell }) });
  }

  summaryTable() {
    if (!this.reviewed()) return null;
    const count = (color, mark) => this.line().filter((id) => {
      const node = this.session.tree.get(id);
      return node.study?.mark === mark && this.session.turnAt(node.parent) === color;
    }).length;
    const marks = ["best", "good", ...FAULTS].filter((mark) => count("black", mark) + count("white", mark));
    const rows = marks.map((mark) => h("tr", { class: `mark-${mark}` },
      h("td", { text: count("black", mark) }), h("th", { text: t(`mark.${mark}`) }),
        h("td", { text: count("white", mark) })));
    return h("table", { class: "counts" },
      h("thead", {}, h("tr", {}, h("th", { text: colorName("black") }), h("th", { text: "" }),
      h("th", { text: colorName("white") }))), h("tbody", {}, rows));
  }

  // What the board shows: never the answer, unless it was asked for

  preview() {
    if (this.retrying) return this.session.turnAt(this.retrying.before);
    return this.session.over || this.session.thinking ? null : this.session.status.turn;
  }

  overlays() {
    if (this.retrying) return this.retryOverlay();
    const node = this.session.tree.get(this.session.cursor);
    const mark = node.study?.mark;
    return mark ? { tags: [{ cell: node.move, mark, text: SIGNS[mark] ?? "✓" }] } : {};
  }

  retryOverlay() {
    const r = this.retrying;
    const best = this.session.tree.get(r.before).study?.r?.best ?? null;
    const tried = r.tried === null ? [] : [r.tried];
    return { ghosts: tried, ghostTurn: this.session.turnAt(r.before), hint: r.revealed ? best : null };
  }
}
