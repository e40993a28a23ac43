// The page with the board: one game, seen in the mode of play, analysis, review or watching.

import { h, replace } from "../dom.js";
import { colorName, errorText, has, t } from "../i18n.js";
import { post, refusalText } from "../api.js";
import { cellName } from "../cells.js";
import { announce, toast } from "../dialogs.js";
import { guarded, pref, store, stored } from "../prefs.js";
import { knock } from "../sound.js";
import { Session } from "../session.js";
import { BoardView } from "../board/view.js";
import { NewGamePanel } from "../panels/newgame.js";
import { PlayPanel } from "../panels/play.js";
import { SetupPanel } from "../panels/setup.js";
import { AnalysePanel } from "../panels/analyse.js";
import { ReviewPanel } from "../panels/review.js";
import { WatchPanel } from "../panels/watch.js";
import { EvalBar } from "../panels/evalbar.js";
import { StepBar } from "../panels/steps.js";
import { recordBar } from "../panels/records.js";

const PANELS = { play: PlayPanel, analyse: AnalysePanel, review: ReviewPanel, watch: WatchPanel };
const LAST = "tengen.last";

export class GameView {
  constructor(navigate) {
    this.navigate = navigate;
    this.session = null;
    this.mode = "play";
    this.board = new BoardView({ guarded, label: t("board.label"), on: {
      play: (cell) => this.clicked(cell),
      move: (cell) => announce(this.describe(cell)),
      ask: (cell) => this.showConfirm(cell),
      leave: () => this.hovered(null),
    } });
    this.evalBar = new EvalBar();
    this.steps = new StepBar(() => this.shownSession());
    this.chip = h("div", { class: "rule-chip", data: { testid: "rule" } });
    this.confirm = h("button",
      { type: "button", class: "primary confirm", hidden: true,
      onclick: () => this.board.asked !== null && this.board.place(this.board.asked) });
    this.panelBox = h("aside", { class: "side" });
    this.away = h("p", { class: "fault away", role: "alert" });
    this.holdStill();
    this.title = h("h1", { class: "unseen" });
    this.element = h("div", { class: "game-view" }, this.title,
      h("div", { class: "board-side" },
        h("div", { class: "board-row" }, this.evalBar.element, h("div", { class: "board-frame" }, this.board.svg)),
        h("div", { class: "under-board" }, this.steps.element, this.chip, this.confirm)), this.panelBox);
  }

  /** `#/MODE/ID`; without an id the last game is taken up again, or a new one offered. */
  show(mode, id) {
    this.mode = mode;
    if (mode === "watch" && id) this.watched = id;
    this.title.textContent = t(`nav.${mode}`);
    const wanted = id || (mode === "watch" ? this.watched : this.session?.id ?? stored(LAST, null));
    if (wanted && !id) history.replaceState(null, "", `#/${mode}/${wanted}`);
    if (wanted && this.session?.id === wanted) this.showPanel();
    else if (wanted) this.join(wanted);
    else this.showPanel();
  }

  join(id) {
    this.session?.close();
    this.session = new Session(id);
    this.session.addEventListener("change", ({ detail }) => this.changed(detail));
    this.showPanel();
  }

  leave() {
    if (this.session?.analysing.length) this.session.analyse([]);
  }

  /** After a change of language everything is built again. */
  rebuild() {
    this.board.svg.setAttribute("aria-label", t("board.label"));
    this.steps.build();
    this.title.textContent = t(`nav.${this.mode}`);
    this.showPanel();
  }

  // Games

  /** One game at a time, however often a button is pressed. */
  async create(request, mode = "play") {
    if (this.creating) return null;
    this.creating = true;
    try {
      const { id } = await post("/api/games", request);
      this.open(id, mode);
      return id;
    } catch (error) {
      toast(refusalText(error), "error");
      return null;
    } finally {
      this.creating = false;
    }
  }

  open(id, mode = this.mode === "watch" ? "play" : this.mode) {
    this.offering = false;
    this.navigate(`#/${mode}/${id}`);
  }

  newGame() {
    this.offering = true;
    this.setMode("play");
    this.showPanel();
  }

  /** From the stones of the game on show, once they are there. */
  setUp() {
    if (this.joining) return this.session.whenReady(() => this.setUp());
    this.usePanel(new SetupPanel(this));
    this.board.svg.scrollIntoView({ block: "nearest" });
  }

  setMode(mode) {
    this.navigate(this.session ? `#/${mode}/${this.session.id}` : `#/${mode}`);
    if (mode === this.mode) this.showPanel();
  }

  /** Board and rule of the game on show, or of the one that would be started. */
  shape() {
    const { width, height, k, rule } = this.panel?.shape?.()
      ?? (this.offering || !this.session?.ready ? this.wishes() : this.session.settings);
    return { width, height, k, rule };
  }

  /** The game on the board, if there is one and nothing else is being chosen or set up. */
  shownSession() {
    return this.offering || this.panel?.choosing || this.panel?.placed || !this.session?.ready ? null : this.session;
  }

  /** A game was asked for and has not come in yet. */
  get joining() {
    return Boolean(this.session) && !this.session.ready && !this.offering;
  }

  /** The server is gone and nothing else says so: where there are players, the line below them does. */
  saysAway() {
    const { session, panel } = this;
    return Boolean(session?.away) && !this.offering && !(panel.players && session.ready);
  }

  wishes() {
    return (this.form ?? new NewGamePanel({})).settings();
  }

  // Panels

  showPanel() {
    if (this.mode === "watch"
      && (!this.session || this.session.id !== this.watched)) return this.usePanel(new WatchPanel(this, true));
    if (this.mode === "analyse" && !this.session && !this.offering) return this.analyseEmpty();
    if (this.mode === "review" && !this.session && !this.offering) return this.usePanel(new EmptyReview(this));
    if (!this.session || this.offering) return this.offer();
    return this.usePanel(new PANELS[this.mode](this));
  }

  /** Analysis needs no game: an empty board to place stones on, analysed at once. */
  async analyseEmpty() {
    const { width, height, k, rule } = this.wishes();
    this.eager = true;
    await this.create({ settings: { width, height, k, rule } }, "analyse");
  }

  offer() {
    const start = (settings) => this.create({ settings });
    const back = this.session ? () => { this.offering = false; this.showPanel(); } : null;
    this.form = new NewGamePanel({ start, changed: () => this.refresh(), back, records: recordBar(this, ["open", "setup"]) });
    this.usePanel(this.form);
  }

  usePanel(panel) {
    this.panel?.close?.();
    this.panel = panel;
    replace(this.panelBox, this.away, panel.element);
    panel.update?.("panel");
    this.refresh();
  }

  changed(detail) {
    if (detail.kind === "gone") return this.gone();
    if (detail.kind === "error" || detail.state === "failed") toast(errorText(detail.code, detail.message), "error");
    if (detail.kind === "game") store(LAST, this.session.id);
    if (detail.kind === "update" && detail.added?.length) this.heard(detail.added[0]);
    if (this.postponed) this.postponed.push(detail);
    else this.panel?.update?.(detail.kind, detail);
    this.refresh();
  }

  /** A panel is not redrawn between press and release: the click would miss the button that was pressed. */
  holdStill() {
    const release = () => setTimeout(() => {
      const waiting = this.postponed ?? [];
      this.postponed = null;
      for (const detail of waiting) this.panel?.update?.(detail.kind, detail);
    });
    this.panelBox.addEventListener("pointerdown", () => { this.postponed ??= []; });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => this.postponed && release());
  }

  gone() {
    store(LAST, null);
    this.session.close();
    this.session = null;
    toast(t("error.gone"), "error");
    this.navigate("#/play");
    this.showPanel();
  }

  heard([, parent, move]) {
    knock();
    const { width, height } = this.session.settings;
    const color = this.session.turnAt(parent);
    announce(t("board.played", { color: colorName(color), cell: cellName(move, width, height) }));
  }

  // The board

  refresh() {
    const { board } = this;
    this.away.textContent = this.saysAway() ? t("play.lost-connection") : "";
    const { width, height, k, rule } = this.shape();
    board.shape(width, height, pref("coordinates"));
    this.chip.textContent = `${width} × ${height} · ${t(`rule.${rule}`)} · ${t("rule.inrow", { k })}`;
    const session = this.shownSession();
    this.steps.update();
    const mine = session?.myTurn && session.humanColors.length === 1 && !session.over;
    document.title = mine ? `${t("play.your-turn")} · Tengen` : "Tengen";
    const stones = this.panel?.placed?.() ?? this.panel?.shownStones?.() ?? session?.stones() ?? [];
    board.showStones(stones, pref("numbers"));
    board.draw("last", this.panel?.placed ? null : stones.findLast((stone) => stone.number)?.cell ?? null, pref("numbers"));
    board.draw("line", session?.status.outcome?.line ?? []);
    board.draw("forbidden", (pref("forbidden") && session?.status.forbidden) || {}, forbiddenText);
    const showThreats = pref("threats") && ["analyse", "review"].includes(this.mode) && !this.panel?.retrying;
    board.draw("threats", (showThreats && session?.status.threats) || {});
    this.evalBar.update(this.mode === "play" || this.panel?.retrying ? null : session);
    board.setPreview(this.previewColor(session));
    this.drawOverlays(session);
  }

  drawOverlays(session) {
    const o = (session && this.panel?.overlays?.()) || {};
    const turn = session?.status.turn ?? "black";
    this.board.draw("heat", o.heat ?? {}, Boolean(o.signed));
    const hovered = (candidate) => this.hovered(candidate && (() => candidate), turn);
    this.board.draw("candidates", o.candidates ?? [], o.slot ?? "a", hovered, o.rival ?? null);
    this.board.draw("area", o.area ?? []);
    this.board.draw("hint", o.hint ?? null);
    this.resting = [o.ghosts ?? [], o.ghostTurn ?? turn];
    this.board.draw("ghosts", ...this.resting);
    this.board.showTags(o.tags ?? []);
  }

  /** The line of the move under the pointer. `pointed` gives it, as a row's move changes during an analysis; or null. */
  hovered(pointed, turn) {
    this.panel.hovering = pointed;
    const pv = pointed?.()?.pv;
    this.board.draw("ghosts", ...(pv ? [pv, turn] : this.resting ?? [[], turn]));
  }

  previewColor(session) {
    if (this.panel?.preview) return this.panel.preview();
    if (!session) return this.mode === "play" && !this.joining ? "black" : null;
    const choosing = session.status.swap2?.stage.startsWith("choose");
    return session.over || session.thinking || choosing ? null : session.status.turn;
  }

  async clicked(cell) {
    if (this.panel?.play?.(cell)) return;
    const reason = this.shownSession()?.status.forbidden?.[cell];
    if (reason) toast(forbiddenText(reason), "error");
    else if (this.session?.ready && !this.offering) this.session.play(cell);
    else if (this.mode === "play" && !this.joining) await this.startWith(cell);
  }

  /** A click on the board before a game: it starts one, and is its first move. */
  async startWith(cell) {
    const settings = this.form.settings(true);
    const first = settings.black === "human" && settings.opening === "free" ? [cell] : [];
    await this.create({ settings, moves: first });
  }

  showConfirm(cell) {
    this.confirm.hidden = cell === null || !guarded();
    this.steps.element.classList.toggle("aside", !this.confirm.hidden);
    if (cell === null) return;
    const { width, height } = this.shape();
    this.confirm.textContent = t("play.confirm", { cell: cellName(cell, width, height) });
  }

  describe(cell) {
    const { width, height } = this.shape();
    const name = cellName(cell, width, height);
    const stone = this.session?.ready ? this.session.stones().find((x) => x.cell === cell) : null;
    const reason = this.session?.status.forbidden?.[cell];
    if (reason) return t("board.forbidden", { cell: name, reason: forbiddenText(reason) });
    return stone ? t("board.stone", { cell: name, color: colorName(stone.color) }) : t("board.empty", { cell: name });
  }
}

class EmptyReview {
  constructor(view) {
    this.element = h("section", { class: "panel review", "aria-label": t("nav.review") },
      h("p", { class: "help", text: t("review.none") }), recordBar(view, ["open"]),
      h("button", { type: "button", class: "primary", onclick: () => view.newGame(), text: t("play.new") }));
  }

  play() {
    return true;
  }

  preview() {
    return null;
  }
}

function forbiddenText(reason) {
  const key = `forbidden.${reason.replace(/ /g, "-")}`;
  return has(key) ? t(key) : t("forbidden.other", { reason });
}
