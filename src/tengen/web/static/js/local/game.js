// A game as people play it: a tree of moves, a place in it, seats, an end. What tengen.web.game is on the server.

import { Clock } from "./clock.js";
import { COLORS, GameError } from "./rules.js";
import { Swap2 } from "./swap2.js";

export const ROOT = 0;
const MAX_NODES = 20_000;
const SETTINGS = { width: 15, height: 15, k: 5, rule: "freestyle", black: "human", white: "human", seconds: 1, clock: null,
  opening: "free" };

export const other = (color) => COLORS[1 - COLORS.indexOf(color)];

export class Game {
  constructor(rules, { id, settings = {}, setup = null }) {
    Object.assign(this, { rules, id, setup, settings: { ...SETTINGS, ...settings } });
    this.names = { black: "", white: "" };
    this.nodes = new Map([[ROOT, { id: ROOT, parent: -1, move: -1, children: [], note: null }]]);
    this.cursor = ROOT;
    this.ending = null;
    this.helped = 0;  // take-backs, hints and analyses: such a game does not count for a rating
    this.clock = new Clock(this.settings.clock);
    this.swap2 = this.settings.opening === "swap2" && !setup ? new Swap2(this.settings.black, this.settings.white) : null;
    this.created = Date.now() / 1000;
    this.touched = this.created;
    this.nextId = 1;
    rules.set(this.position(ROOT));  // refuses a set-up that cannot be played
  }

  get variant() {
    const { width, height, k, rule } = this.settings;
    return { width, height, k, rule };
  }

  // Where we are

  path(node = this.cursor) {
    const ids = [];
    for (let at = node; at !== ROOT; at = this.nodes.get(at).parent) ids.push(at);
    return ids.reverse();
  }

  position(node = this.cursor) {
    return { variant: this.variant, setup: this.setup, moves: this.path(node).map((id) => this.nodes.get(id).move) };
  }

  outcome() {
    if (this.ending?.node === this.cursor) return { winner: this.ending.winner, termination: this.ending.termination, line: [] };
    return this.rules.outcome(this.position());
  }

  get turn() { return this.turnAt(this.cursor); }

  turnAt(node) {
    const first = this.setup?.turn ?? "black";
    return this.path(node).length % 2 ? other(first) : first;
  }

  get humansTurn() {
    return this.swap2 && !this.swap2.done ? this.swap2.mover === "human" : this.settings[this.turn] === "human";
  }

  get atTip() { return !this.nodes.get(this.cursor).children.length; }

  // What people do

  /** Adds a move at the cursor, or enters the branch that already has it. Returns its node. */
  play(move) {
    if (this.outcome()) throw new GameError("over", "the game is over; go back or start a new one");
    this.rules.check(this.position(), move);
    this.cursor = this.#child(move);
    if (this.swap2 && !this.swap2.done) this.swap2.stonePlaced();
    return this.nodes.get(this.cursor);
  }

  go(node) {
    if (!this.nodes.has(node)) throw new GameError("no-node", "that move is no longer in the tree");
    this.cursor = node;
  }

  /** Back to where a person was to move: both plies against a machine, one between people. */
  undo() {
    const line = [ROOT, ...this.path()];
    for (let depth = line.length - 2; depth >= (this.swap2?.placed ?? 0); depth--)
      if (this.#personMovesAt(depth)) {
        this.ending = null;
        this.cursor = line[depth];
        this.helped += 1;
        return;
      }
    throw new GameError("no-undo", "there is no move to take back");
  }

  /** The way `undo` came, along the newest branches. */
  redo() {
    if (this.atTip) throw new GameError("no-redo", "there is no move to play again");
    let depth = this.path().length;
    while (!this.atTip) {
      this.cursor = this.nodes.get(this.cursor).children.at(-1);
      depth += 1;
      if (this.#personMovesAt(depth)) return;
    }
  }

  /** `loser` resigns or runs out of time. */
  end(loser, termination) {
    if (this.outcome()) throw new GameError("over", "the game is already over");
    this.ending = { node: this.cursor, winner: other(loser), termination };
    this.clock.pause();
  }

  /** Removes a move and everything after it. Returns the ids that are gone. */
  delete(node) {
    if (node === ROOT || !this.nodes.has(node)) throw new GameError("no-node", "that move is not in the tree");
    const { parent } = this.nodes.get(node);
    if (this.path().includes(node)) this.cursor = parent;
    const siblings = this.nodes.get(parent).children;
    siblings.splice(siblings.indexOf(node), 1);
    const gone = [];
    for (const queue = [node]; queue.length;) {
      const at = queue.pop();
      gone.push(at);
      queue.push(...this.nodes.get(at).children);
      this.nodes.delete(at);
    }
    return gone;
  }

  note(node, facts) {
    const at = this.nodes.get(node);
    at.note = { ...at.note, ...facts };
  }

  /** Adds a branch that is known to be legal, as it was stored. */
  attach([id, parent, move, note]) {
    if (id === ROOT) {
      this.nodes.get(ROOT).note = note;
      return;
    }
    this.nodes.set(id, { id, parent, move, children: [], note });
    this.nodes.get(parent).children.push(id);
    this.nextId = Math.max(this.nextId, id + 1);
  }

  #child(move) {
    const here = this.nodes.get(this.cursor);
    const known = here.children.find((id) => this.nodes.get(id).move === move);
    if (known !== undefined) {
      here.children = [...here.children.filter((id) => id !== known), known];  // redo follows the branch played last
      return known;
    }
    if (this.nodes.size >= MAX_NODES) throw new GameError("tree-full", `a game holds at most ${MAX_NODES} moves in all its branches`);
    const id = this.nextId++;
    this.attach([id, here.id, move, null]);
    return id;
  }

  #personMovesAt(depth) {
    const { black, white } = this.settings;
    if (black !== "human" && white !== "human") return true;
    const first = this.setup?.turn ?? "black";
    return this.settings[depth % 2 ? other(first) : first] === "human";
  }

  // How it is shown and kept

  row(node) {
    const { id, parent, move, note } = this.nodes.get(node);
    return [id, parent, move, note];
  }

  shown() {
    const { id, settings, setup, names, cursor, created } = this;
    return { id, settings, setup, names, cursor, created, nodes: [...this.nodes.keys()].map((node) => this.row(node)) };
  }

  status() {
    const outcome = this.outcome(), position = this.position();
    const { black, white, seconds } = this.settings;
    return {
      cursor: this.cursor, turn: this.turn, outcome, forbidden: outcome ? {} : this.rules.forbidden(position),
      threats: outcome ? {} : this.rules.threats(position), clock: this.clock.shown(), swap2: this.swap2?.shown() ?? null,
      seats: { black, white, seconds }, ending: this.ending,
    };
  }

  /** The form in which the library keeps it; `Game.restored` is the inverse. */
  stored() {
    const children = [...this.nodes.values()].filter((node) => node.children.length > 1).map((node) => [node.id, node.children]);
    const { ending, touched, nextId, swap2, helped, source } = this;
    return { ...this.shown(), children, ending, touched, nextId, helped, source, swap2: swap2 && { ...swap2 }, left: this.clock.shown() };
  }

  static restored(rules, data) {
    const game = new Game(rules, data);
    for (const row of data.nodes) game.attach(row);
    for (const [id, children] of data.children) game.nodes.get(id).children = children;
    Object.assign(game, { names: data.names, cursor: data.cursor, ending: data.ending, created: data.created, touched: data.touched,
      nextId: data.nextId, helped: data.helped ?? 0, source: data.source });
    if (data.left) game.clock.left = { black: data.left.black, white: data.left.white };
    if (data.swap2) Object.assign(game.swap2, data.swap2);
    return game;
  }
}
