// Live analysis: what one or two players think of the position on show, and the wins the solver can prove.

import { h, iconButton, redraw, replace } from "../dom.js";
import { colorName, t } from "../i18n.js";
import { cellName, compact } from "../cells.js";
import { proofOf, winnerOf } from "../notes.js";
import { proofText } from "../reasons.js";
import { hasBrowserEngine, levelsFor, seatFor } from "../api.js";
import { choices, field, number, SeatPicker, toggle } from "../forms.js";
import { BROWSER_ENGINE } from "../port.js";
import { guarded, store, stored } from "../prefs.js";
import { WinGraph } from "./graph.js";
import { hasPolicy, hasValues, Opinion } from "./opinion.js";
import { CommentBox } from "./comment.js";
import { recordBar } from "./records.js";
import { TreeView } from "./treeview.js";

const KEY = "tengen.analyse";
/** An analysis in a tab that nobody looks at stops after this time and goes on when somebody does. */
const UNSEEN_MS = 60_000;

export class AnalysePanel {
  constructor(view) {
    this.view = view;
    this.session = view.session;
    const variant = this.session.settings ?? view.shape();
    const levels = levelsFor(variant.width);
    this.choice = { a: `level:${levels.at(-1)?.name}`, b: "", show: "moves", slot: "a", lines: 5, live: true, ...stored(KEY, {}) };
    for (const slot of ["a", "b"]) this.choice[slot] = seatFor(this.choice[slot], variant);
    this.eager = view.eager && this.choice.live;
    view.eager = false;
    this.seats = h("div", {});
    this.graph = new WinGraph(this.session);
    this.tree = new TreeView(this.session);
    this.comment = new CommentBox(this.session);
    this.live = h("div", { class: "live-row" });
    this.browser = h("div", {});
    this.browserSwitch();
    this.speed = h("span", { class: "speed" });
    this.noMap = h("p", { class: "help", text: t("analyse.no-map"), hidden: true });
    this.opinions = ["a", "b"].map((slot) => new Opinion(this.session, slot, {
      choose: () => this.set({ slot }),
      hover: (pointed) => view.hovered(pointed, this.session.status.turn),
      pick: (candidate) => this.picked(candidate),
    }));
    this.tables = h("div", { class: "opinions", data: { testid: "opinions" } });
    this.forced = h("div", { class: "forced", data: { testid: "forced" } });
    this.onSeen = () => this.seen();
    document.addEventListener("visibilitychange", this.onSeen);
    this.element = h("section", { class: "panel analyse", "aria-label": t("nav.analyse") },
      this.live, this.seats, this.browser, h("div", { class: "show-row" }, this.shows(), this.linesField()), this.tables, this.graph.element, this.forcedBox(), this.tree.element,
      this.comment.element, recordBar(view));
  }

  /** Called when the tab is hidden or shown. */
  seen() {
    clearTimeout(this.unseen);
    if (document.hidden && this.session.analysing.length) {
      this.unseen = setTimeout(() => { this.resting = true; this.session.analyse([]); this.update(); }, UNSEEN_MS);
    } else if (!document.hidden && this.resting) {
      this.resting = false;
      this.start();
      this.update();
    }
  }

  close() {
    clearTimeout(this.unseen);
    document.removeEventListener("visibilitychange", this.onSeen);
    this.tree.close();
    if (this.session.analysing.length) this.session.analyse([]);
  }

  pickers(variant) {
    const picker = (slot, label,
      none) => new SeatPicker({ label, seat: this.choice[slot], variant, none, brief: true,
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

  linesField() {
    return field(t("analyse.lines"), number(this.choice.lines, 1, 10, 1, (n) => this.set({ lines: Math.round(n) })));
  }

  forcedBox() {
    return h("div", { class: "box" }, h("div", { class: "box-head" }, h("h2", { class: "minor", text: t("analyse.threats") }),
      iconButton("threat", t("analyse.solve"), () => this.solve(), { key: "T", label: t("analyse.solve") })), this.forced);
  }

  set(changes) {
    Object.assign(this.choice, changes);
    store(KEY, this.choice);
    if (this.session.analysing.length && ("a" in changes || "b" in changes || "lines" in changes)) this.start();
    this.view.refresh();
    this.update();
  }

  start() {
    this.session.analyse([this.choice.a, this.choice.b].filter(Boolean), this.choice.lines);
  }

  toggleLive() {
    const on = !this.session.analysing.length;
    if (on) this.start();
    else this.session.analyse([]);
    this.set({ live: on });
  }

  solve() {
    this.session.whenReady(() => this.searchForced());
  }

  searchForced() {
    this.session.threats = null;
    this.session.studies.threats = "running";
    this.session.send("threats", { seconds: 4 });
    this.update();
  }

  update(kind) {
    if (!this.session.ready) return;
    if (this.eager) { this.eager = false; this.start(); }
    const { width, height, k, rule } = this.session.settings;
    redraw(this.seats, [width, height, k, rule], () => this.pickers(this.session.settings));
    redraw(this.live, this.session.analysing.length > 0, () => [this.liveSwitch(), this.speed]);
    this.speed.textContent = this.speedText();
    this.updateOpinions();
    replace(this.forced, this.forcedLines());
    this.graph.update();
    this.comment.update();
    if (kind !== "analysis") this.tree.update();
    if (kind === "threats") this.forced.scrollIntoView({ block: "nearest" });
  }

  /** With a server: search in this browser instead. The page connects again, and its analysis goes on. */
  browserSwitch() {
    if (!hasBrowserEngine()) return;
    const change = (on) => { store(BROWSER_ENGINE, on); this.session.socket.close(); };
    this.browser.append(toggle(t("analyse.browser"), stored(BROWSER_ENGINE, false), change));
  }

  liveSwitch() {
    return toggle(t("analyse.live"), this.session.analysing.length > 0, () => this.toggleLive());
  }

  speedText() {
    const frame = this.session.analysis.a;
    if (!frame) return "";
    const depth = frame.depth ? ` · ${t("analyse.depth", { d: frame.depth })}` : "";
    return t("analyse.nodes", { n: compact(frame.nodes), s: frame.seconds.toFixed(1) }) + depth;
  }

  updateOpinions() {
    const { session } = this, seats = session.analysing;
    redraw(this.tables, [session.over, seats.length], () => this.opinionParts());
    seats.forEach((seat, i) => this.opinions[i].update(seat, this.choice.slot === this.opinions[i].slot));
    this.noMap.hidden = !this.lacksMap();
  }

  opinionParts() {
    if (this.session.over) return h("p", { class: "help", text: t("analyse.over") });
    if (!this.session.analysing.length) return h("p", { class: "help", text: t("analyse.off") });
    return [this.opinions.slice(0, this.session.analysing.length).map((opinion) => opinion.element), this.noMap];
  }

  /** Is a map asked for that this player does not give? */
  lacksMap() {
    const frame = this.shownFrame();
    return frame && this.choice.show === "policy" && !hasValues(frame) && !hasPolicy(frame);
  }

  /** A click plays the move; where taps are guarded the first one only shows its line. */
  picked(candidate) {
    if (!guarded() || this.shownMove === candidate.move) {
      this.session.play(candidate.move);
      return;
    }
    this.shownMove = candidate.move;
    this.view.hovered(() => candidate, this.session.status.turn);
  }

  forcedLines() {
    const { threats, studies } = this.session;
    const turn = this.session.status.turn, other = turn === "black" ? "white" : "black";
    const known = proofOf(this.session.tree.get(this.session.cursor));
    const own = threats?.own ?? (winnerOf(known) === turn ? known : null);
    const lost = winnerOf(known) === other ? known : null;
    const lines = [[own, "own", turn], [lost, "lost", other], [lost ? null : threats?.opponent, "opponent", other]]
      .filter(([win]) => win?.line.length);
    const waits = { running: "analyse.solving", queued: "analyse.waiting" }[studies.threats];
    if (!threats && !lines.length) return waits ? h("p", { class: "help", text: t(waits) }) : null;
    if (!lines.length) return h("p", { class: "help", text: t("analyse.no-threat") });
    return lines.map(([win, key, color]) => this.forcedLine(win, key, color));
  }

  forcedLine(win, key, color) {
    const { width, height } = this.session.settings;
    const first = key === "lost" ? this.session.status.turn : color;
    const show = () => this.view.board.draw("ghosts", win.line, first);
    const hide = () => this.view.board.draw("ghosts", [], first);
    return h("button", { type: "button", class: `forced-line ${key}`, onpointerenter: show, onpointerleave: hide,
      onfocus: show, onblur: hide },
      h("strong", { text: t(`analyse.${key}`, { color: colorName(color), kind: t(`analyse.${win.force}`), n: win.moves }) }),
      h("span", { class: "help", text: proofText(win) }),
      h("span", { class: "pv", text: win.line.map((cell) => cellName(cell, width, height)).join(" ") }));
  }

  // What the board shows

  shownFrame() {
    return this.session.analysis[this.choice.slot] ?? this.session.analysis.a;
  }

  hoveredLine(frame) {
    const moves = [frame, this.session.analysis.a, this.session.analysis.b].flatMap((f) => f?.candidates ?? []);
    const pointed = this.hovering?.()?.move;
    return moves.find((c) => c.move === pointed)?.pv ?? [];
  }

  candidate(rank) {
    return this.shownFrame()?.candidates[rank]?.move;
  }

  overlays() {
    const frame = this.shownFrame();
    if (!frame) return {};
    const ghosts = this.hoveredLine(frame);
    if (this.choice.show === "nothing") return { ghosts };
    if (this.choice.show === "policy" && hasValues(frame)) return { heat: frame.values, signed: true, ghosts };
    if (this.choice.show === "policy" && hasPolicy(frame)) return { heat: frame.policy, ghosts };
    const slot = this.session.analysis[this.choice.slot] ? this.choice.slot : "a";
    const rival = this.session.analysis[slot === "a" ? "b" : "a"]?.candidates[0]?.move;
    return { candidates: frame.candidates.slice(0, 9), ghosts, slot, rival };
  }
}
