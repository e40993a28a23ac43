// Live analysis: what one or two players think of the position on show, and the wins the solver can prove.

import { h, iconButton, replace } from "../dom.js";
import { colorName, seatName, t } from "../i18n.js";
import { cellName, compact, percent } from "../cells.js";
import { levelsFor, seatFor } from "../api.js";
import { choices, SeatPicker, toggle } from "../forms.js";
import { guarded, store, stored } from "../prefs.js";
import { WinGraph } from "./graph.js";
import { CommentBox } from "./comment.js";
import { recordBar } from "./records.js";
import { TreeView } from "./treeview.js";

const KEY = "tengen.analyse";

export class AnalysePanel {
  constructor(view) {
    this.view = view;
    this.session = view.session;
    const { width } = view.shape();
    const levels = levelsFor(width);
    this.choice = { a: `level:${levels.at(-1)?.name}`, b: "", show: "moves", slot: "a", ...stored(KEY, {}) };
    for (const slot of ["a", "b"]) this.choice[slot] = seatFor(this.choice[slot], width);
    this.graph = new WinGraph(this.session);
    this.tree = new TreeView(this.session);
    this.comment = new CommentBox(this.session);
    this.live = h("div", { class: "live-row" });
    this.tables = h("div", { class: "opinions", data: { testid: "opinions" },
      onpointerleave: () => view.hovered(null) });
    this.forced = h("div", { class: "forced", data: { testid: "forced" } });
    this.element = h("section", { class: "panel analyse", "aria-label": t("nav.analyse") },
      this.live, this.pickers(width), this.shows(), this.tables, this.graph.element, this.forcedBox(), this.tree.element,
      this.comment.element, recordBar(view));
  }

  close() {
    this.tree.close();
    if (this.session.analysing.length) this.session.analyse([]);
  }

  pickers(width) {
    const picker = (slot, label,
      none) => new SeatPicker({ label, seat: this.choice[slot], width, none,
      onchange: (seat) => this.set({ [slot]: seat }) }).element;
    return h("div", { class: "two-columns" },
      h("div", { class: "field" }, h("span", { class: "label", text: t("analyse.player") }),
        picker("a", t("analyse.player"), null)),
      h("div", { class: "field" }, h("span", { class: "label", text: t("analyse.second") }),
        picker("b", t("analyse.second"), t("analyse.none"))));
  }

  shows() {
    return choices(t("analyse.show"), ["moves", "policy", "nothing"].map((name) => [name, t(`analyse.show.${name}`)]),
      this.choice.show, (show) => this.set({ show }));
  }

  forcedBox() {
    return h("div", { class: "box" }, h("div", { class: "box-head" }, h("h3", { text: t("analyse.threats") }),
      iconButton("threat", t("analyse.solve"), () => this.solve(), { key: "T", label: t("analyse.solve") })), this.forced);
  }

  set(changes) {
    Object.assign(this.choice, changes);
    store(KEY, this.choice);
    if (this.session.analysing.length && ("a" in changes || "b" in changes)) this.start();
    this.view.refresh();
    this.update();
  }

  start() {
    this.session.analyse([this.choice.a, this.choice.b].filter(Boolean));
  }

  toggleLive() {
    if (this.session.analysing.length) this.session.analyse([]);
    else this.start();
    this.update();
    this.view.refresh();
  }

  solve() {
    this.session.threats = null;
    this.session.studies.threats = "running";
    this.session.send("threats", { seconds: 4 });
    this.update();
  }

  update(kind) {
    if (!this.session.ready) return;
    replace(this.live, toggle(t("analyse.live"), this.session.analysing.length > 0, () => this.toggleLive()), this.speed());
    replace(this.tables, this.opinions());
    replace(this.forced, this.forcedLines());
    this.graph.update();
    this.comment.update();
    if (kind !== "analysis") this.tree.update();
    if (kind === "threats") this.forced.scrollIntoView({ block: "nearest" });
  }

  speed() {
    const frame = this.session.analysis.a;
    if (!frame) return null;
    const depth = frame.depth ? ` · ${t("analyse.depth", { d: frame.depth })}` : "";
    return h("span", { class: "speed",
      text: t("analyse.nodes", { n: compact(frame.nodes), s: frame.seconds.toFixed(1) }) + depth });
  }

  opinions() {
    if (this.session.over) return h("p", { class: "help", text: t("analyse.over") });
    if (!this.session.analysing.length) return h("p", { class: "help", text: t("analyse.off") });
    return [["a", "b"].slice(0, this.session.analysing.length).map((slot) => this.opinion(slot)), this.noMap()];
  }

  /** Says why the map asked for is not there. */
  noMap() {
    const frame = this.shownFrame();
    if (!frame || this.choice.show !== "policy" || hasValues(frame) || hasPolicy(frame)) return null;
    return h("p", { class: "help", text: t("analyse.no-map") });
  }

  opinion(slot) {
    const frame = this.session.analysis[slot];
    const seat = this.session.analysing[slot === "a" ? 0 : 1];
    const head = h("button", { type: "button", class: `opinion-head slot-${slot}`,
      "aria-pressed": String(this.choice.slot === slot), onclick: () => this.set({ slot }) },
      h("span", { text: seatName(seat) }),
        h("strong", { text: frame ? `${colorName("black")} ${percent(this.blackValue(frame.value))}` : "…" }));
    return h("div", { class: "opinion" }, head, this.trouble(slot), frame ? this.table(frame) : null);
  }

  trouble(slot) {
    const { studies, faults } = this.session;
    if (studies[slot] === "failed") return h("p", { class: "fault", text: faults[slot] });
    return studies[slot] === "queued" ? h("p", { class: "help", text: t("analyse.waiting") }) : null;
  }

  blackValue(value) {
    return this.session.status.turn === "black" ? value : -value;
  }

  table(frame) {
    const { width, height } = this.session.settings;
    const third = thirdTitle(frame);
    const rows = frame.candidates.slice(0, 6).map((c, i) => h("tr", {
      tabindex: "0", "aria-label": cellName(c.move, width, height), onpointerenter: () => this.view.hovered(c, this.session.status.turn),
        onpointerleave: () => this.view.hovered(null),
      onfocus: () => this.view.hovered(c, this.session.status.turn),
        onblur: (event) => event.relatedTarget && this.view.hovered(null), // a row that was only drawn again has none
        onclick: () => this.picked(c) },
      h("td", { text: i + 1 }), h("td", { class: "cell", text: cellName(c.move, width, height) }),
        h("td", { text: percent(c.value) }),
      third ? h("td", { text: thirdColumn(c, frame) }) : null,
      h("td", { class: "pv", text: c.pv.slice(1, 6).map((cell) => cellName(cell, width, height)).join(" ") })));
    const titles = ["", t("analyse.move"), t("analyse.value"), ...(third ? [third] : []), t("analyse.line")];
    const head = titles.map((text) => h("th", { text }));
    return h("table", { class: "candidates" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
  }

  /** A click plays the move; where taps are guarded the first one only shows its line. */
  picked(candidate) {
    if (!guarded() || this.shownMove === candidate.move) {
      this.session.play(candidate.move);
      return;
    }
    this.shownMove = candidate.move;
    this.view.hovered(candidate, this.session.status.turn);
  }

  forcedLines() {
    const { threats, studies } = this.session;
    if (!threats) return studies.threats === "running" ? h("p", { class: "help", text: t("analyse.solving") }) : null;
    const turn = this.session.status.turn, other = turn === "black" ? "white" : "black";
    const lines = [[threats.own, "own", turn], [threats.opponent, "opponent", other]].filter(([win]) => win);
    if (!lines.length) return h("p", { class: "help", text: t("analyse.no-threat") });
    return lines.map(([win, key, color]) => this.forcedLine(win, key, color));
  }

  forcedLine(win, key, color) {
    const { width, height } = this.session.settings;
    const show = () => this.view.board.draw("ghosts", win.moves, color);
    const hide = () => this.view.board.draw("ghosts", [], color);
    return h("button", { type: "button", class: `forced-line ${key}`, onpointerenter: show, onpointerleave: hide,
      onfocus: show, onblur: hide },
      h("strong", { text: t(`analyse.${key}`, { color: colorName(color), kind: t(`analyse.${win.kind}`) }) }),
      h("span", { class: "pv", text: win.moves.map((cell) => cellName(cell, width, height)).join(" ") }));
  }

  // What the board shows

  shownFrame() {
    return this.session.analysis[this.choice.slot] ?? this.session.analysis.a;
  }

  hoveredLine(frame) {
    const moves = [frame, this.session.analysis.a, this.session.analysis.b].flatMap((f) => f?.candidates ?? []);
    return moves.find((c) => c.move === this.hovering)?.pv ?? [];
  }

  candidate(rank) {
    return this.shownFrame()?.candidates[rank]?.move;
  }

  overlays() {
    const frame = this.shownFrame();
    if (!frame || this.choice.show === "nothing") return {};
    if (this.choice.show === "policy" && hasValues(frame)) return { heat: frame.values, signed: true };
    if (this.choice.show === "policy" && hasPolicy(frame)) return { heat: frame.policy };
    return { candidates: frame.candidates.slice(0, 9), ghosts: this.hoveredLine(frame),
      slot: this.session.analysis[this.choice.slot] ? this.choice.slot : "a" };
  }
}

/** A player without a search gives every cell a value of its own: Q-values. */
const hasValues = (frame) => Object.keys(frame.values ?? {}).length > 0;
const hasPolicy = (frame) => Object.keys(frame.policy ?? {}).length > 0;

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
