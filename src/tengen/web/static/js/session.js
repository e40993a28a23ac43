// One game as the page knows it: a tree, a place in it, and what the server says about that place.
// Navigation is shown at once and confirmed by the server; everything else waits for its word.

import { valueOf } from "./notes.js";
import { port } from "./port.js";
import { GameTree, ROOT } from "./tree.js";

const RETRY_MS = [300, 800, 2000, 4000];
const FULL_MS = 5000;
const OFFLINE = { code: "offline", message: "the server cannot be reached" };

export class Session extends EventTarget {
  constructor(id) {
    super();
    this.id = id;
    this.ready = false;
    this.connected = false;
    this.away = false;
    this.closed = false;
    this.tree = new GameTree();
    this.cursor = ROOT;
    this.settings = null;
    this.setup = null;
    this.status = {};
    this.thinking = null;
    this.analysis = {};
    this.analysing = [];
    this.lines = 5;
    this.hint = null;
    this.threats = null;
    this.review = null;
    this.studies = {};
    this.faults = {};
    this.attempts = 0;
    this.wanted = null;
    this.early = [];
    this.connect();
  }

  // The socket

  connect() {
    this.socket = port.socket(this.id);
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onopen = () => { this.attempts = 0; };
    this.socket.onclose = (event) => this.lost(event);
  }

  lost(event) {
    this.connected = false;
    if (this.closed) return;
    if (event.code === 1008) {
      this.emit("gone");
      return;
    }
    if (event.code === 1013) this.emit("error", { code: "busy", message: event.reason });
    if (this.early.splice(0).length) this.emit("error", OFFLINE);
    this.away = true;
    this.emit("connection");
    const wait = event.code === 1013 ? FULL_MS : RETRY_MS[Math.min(this.attempts++, RETRY_MS.length - 1)];
    setTimeout(() => this.closed || this.connect(), wait);
  }

  close() {
    this.closed = true;
    this.socket.close();
  }

  send(type, fields = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type, ...fields }));
    else this.emit("error", OFFLINE);
  }

  /** Does it now, or as soon as the game has come in: what is pressed while the page opens is not lost. */
  whenReady(act) {
    if (this.ready) act();
    else this.early.push(act);
  }

  emit(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent("change", { detail: { kind, ...detail } }));
  }

  // What the server says

  receive(event) {
    const handlers = {
      game: () => this.onGame(event),
      update: () => this.onUpdate(event),
      thinking: () => this.onThinking(event),
      analysis: () => { if (event.node === this.cursor) this.onAnalysis(event); },
      hint: () => { if (event.node === this.cursor) this.hint = event; },
      threats: () => { if (event.node === this.cursor) this.threats = event; },
      review: () => this.onReview(event),
      notes: () => this.onNotes(event),
      study: () => { this.studies[event.slot] = event.state; this.faults[event.slot] = event; },
      error: () => this.onError(event),
    };
    handlers[event.type]?.();
    if (event.decision) this.emit("decision", event.decision);
    this.emit(event.type, event);
    if (event.type === "game") for (const act of this.early.splice(0)) act();
  }

  onGame({ game, status, review }) {
    this.ready = this.connected = true;
    this.away = false;
    this.settings = game.settings;
    this.setup = game.setup;
    this.names = game.names;
    this.created = game.created;
    this.tree = new GameTree(game.nodes);
    this.cursor = game.cursor;
    this.wanted = null;
    this.review = review;
    this.studies = {};
    this.setStatus(status);
    if (this.analysing.length) this.send("analyse", { specs: this.analysing, lines: this.lines });
  }

  onThinking({ thinking, paused }) {
    this.setThinking(thinking);
    this.status.paused = paused;
  }

  /** While a navigation of ours is under way, older news about the cursor is passed over. */
  onUpdate({ added, removed, status }) {
    for (const row of added) this.tree.add(row);
    if (removed.length) this.tree.remove(removed);
    if (this.wanted !== null && this.wanted !== status.cursor && !added.length && this.tree.get(this.wanted)) return;
    this.wanted = null;
    const moved = this.cursor !== status.cursor;
    this.cursor = status.cursor;
    this.settings = { ...this.settings, ...status.seats };
    this.setStatus(status);
    if (moved) this.forgetStudy();
  }

  /** A navigation that was refused is asked for again when it came too fast, else forgotten. */
  onError({ code }) {
    if (this.wanted === null) return;
    if (code === "too-fast") setTimeout(() => this.wanted !== null && this.send("go", { node: this.wanted }), 300);
    else this.wanted = null;
  }

  setStatus(status) {
    this.status = { ...status, at: performance.now() };
    this.ending = status.ending ?? null;
    this.setThinking(status.thinking);
  }

  /** The clock of a thought starts when it begins, not with every word about it. */
  setThinking(thinking) {
    const same = thinking && this.thinking && !this.thinking.queued && this.thinking.seat === thinking.seat
      && this.thinking.color === thinking.color && this.thinking.cursor === this.cursor;
    this.thinking = thinking && { ...thinking, cursor: this.cursor, since: same ? this.thinking.since : performance.now() };
  }

  onAnalysis({ slot, node, frame }) {
    this.analysis[slot] = { node, ...frame };
    this.studies[slot] = "running";
    const at = this.tree.get(node);
    if (frame.proof) at.note = { ...at.note, proof: frame.proof };
    if (slot === "a") at.note = { ...at.note, value: valueOf(frame.value, this.status.turn) };
  }

  onReview(event) {
    if (event.line) {
      this.review = { line: event.line, total: event.total, done: 0, sweep: 0 };
      delete this.studies.review;
    }
    if (event.note) {
      const node = this.tree.get(event.node);
      if (node) node.note = event.note;
    }
    if (this.review) Object.assign(this.review, { done: event.done, sweep: event.sweep, finished: event.finished });
  }

  onNotes({ notes }) {
    for (const [id, note] of Object.entries(notes)) {
      const node = this.tree.get(Number(id));
      if (node) node.note = note;
    }
  }

  forgetStudy() {
    this.analysis = {};
    this.hint = null;
    this.threats = null;
  }

  // What people ask for

  play(cell) {
    this.send("play", { node: this.cursor, move: cell });
  }

  go(node) {
    if (node === this.cursor || !this.tree.get(node)) return;
    this.cursor = node;
    this.status = { ...this.status, cursor: node, turn: this.turnAt(node), outcome: null, forbidden: {} };
    this.wanted = node;
    this.forgetStudy();
    this.emit("update");
    this.send("go", { node });
  }

  step(by) {
    const line = this.tree.line(this.cursor);
    const at = line.indexOf(this.cursor);
    this.go(line[Math.max(0, Math.min(line.length - 1, at + by))]);
  }

  analyse(specs, lines = this.lines) {
    this.analysing = specs;
    this.lines = lines;
    this.analysis = {};
    this.send("analyse", { specs, lines });
    this.emit("analysing");
  }

  // What follows from the tree

  turnAt(node) {
    const began = this.setup?.turn === "white" ? 1 : 0;
    return (this.tree.get(node).depth + began) % 2 ? "white" : "black";
  }

  /** Stones at the cursor: [{cell, color, number}], set-up stones numbered 0. */
  stones(node = this.cursor) {
    const began = this.setup?.turn === "white" ? 1 : 0;
    const placed = ["black", "white"].flatMap((color) =>
      (this.setup?.[color] ?? []).map((cell) => ({ cell, color, number: 0 })));
    const played = this.tree.moves(node).map((cell,
      i) => ({ cell, color: (i + began) % 2 ? "white" : "black", number: i + 1 }));
    return [...placed, ...played];
  }

  /** The name a record gives to a side that no machine plays, or "". */
  nameOf(color) {
    return this.settings?.[color] === "human" ? this.names?.[color] ?? "" : "";
  }

  get humanColors() {
    return ["black", "white"].filter((color) => this.settings?.[color] === "human");
  }

  get over() {
    return Boolean(this.status.outcome);
  }

  get myTurn() {
    const opening = this.status.swap2;
    if (opening && opening.stage !== "done") return opening.mover === "human";
    return this.settings?.[this.status.turn] === "human";
  }
}
