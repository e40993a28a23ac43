// The study desk of a game: live analysis, hints, threats, review. It looks at the game and never moves in it; what is
// proven is kept in the notes of the nodes, whoever found it. What tengen.web.study_desk is on the server.

import { ROOT } from "./game.js";
import { COLORS, GameError } from "./rules.js";
import { ENGINE } from "./seats.js";

const FRAME_MS = 120;
const HINT_SECONDS = 1;
const LIVE = ["a", "b"];
const CLAIM = 0.99;
/** Players that tell what they think while they think. */
const STREAMS = [ENGINE, "alphazero"];

export class Desk {
  /** `room` tells pages and is told of changes; `machine` has the searches and what they may take. */
  constructor(room, machine) {
    Object.assign(this, { room, machine, slots: new Map(), specs: [], lines: 5, progress: null });
  }

  get game() { return this.room.game; }

  // Live analysis follows the cursor

  analyse(specs, lines = 5) {
    for (const spec of specs) this.machine.seats.resolve(spec, 1, this.game.variant);
    Object.assign(this, { specs, lines });
    if (specs.length && !this.game.outcome()) this.game.helped += 1;
    this.stop(...LIVE);
    this.follow();
  }

  follow() {
    if (!this.specs.length) return;
    this.stop(...LIVE, "proof");
    if (this.game.outcome()) return;
    const node = this.game.cursor, live = { proof: this.game.nodes.get(node).note?.proof ?? null, latest: {} };
    LIVE.slice(0, this.specs.length).forEach((slot, i) => this.#live(slot, this.specs[i], node, live));
    if (!live.proof) this.#startProof(node, live);
  }

  #startProof(node, live) {
    const done = (proof) => {
      live.proof = proof;
      if (proof && this.game.nodes.has(node)) this.#proved(node, proof);
      for (const slot of Object.keys(live.latest)) this.#tellFrame(slot, node, live);
    };
    this.#start("proof", { kind: "prove", position: this.game.position(node) }, { done, quiet: true });
  }

  #live(slot, seat, node, live) {
    const { player, options, network } = this.machine.seats.resolve(seat, 1, this.game.variant);
    const position = this.game.position(node), { hashMegabytes } = this.machine;
    let told = 0, later = null;
    const tell = () => { told = performance.now(); later = null; this.#tellFrame(slot, node, live); };
    const frame = (report) => {
      live.latest[slot] = report;
      if (performance.now() - told >= FRAME_MS) tell();
      else later ??= setTimeout(tell, FRAME_MS);
    };
    if (STREAMS.includes(player)) {
      this.#start(slot, { kind: "analyse", position, player, network, lines: this.lines, hashMegabytes }, { frame, done: frame });
      return;
    }
    const chosen = ({ move, value }) => frame({ lines: [{ move, value: value ?? 0, pv: [move] }], nodes: 0, seconds: 0, depth: 0, once: true });
    this.#start(slot, { kind: "choose", position, player, options, seconds: 1, seed: 1, hashMegabytes }, { done: chosen });
  }

  #tellFrame(slot, node, live) {
    const report = live.latest[slot];
    if (!report || node !== this.game.cursor || !this.specs.length) return;
    const turn = COLORS.indexOf(this.game.turnAt(node));
    const frame = frameOf(report, live.proof, turn, this.lines);
    if (slot === "a" && !live.proof) this.game.note(node, { value: { number: frame.value, side: turn } });
    this.room.tell({ type: "analysis", slot, node, frame });
  }

  #proved(node, proof) {
    this.game.note(node, { proof, value: { number: 1, side: proof.winner } });
    this.room.dirty();
  }

  // One-off questions

  hint() {
    this.#refuseFinished();
    this.game.helped += 1;
    const node = this.game.cursor, proof = this.game.nodes.get(node).note?.proof;
    const tell = ({ move, pv }) => this.room.tell({ type: "hint", node, move, pv });
    if (proof?.line.length) return tell({ move: proof.line[0], pv: proof.line });
    const { player, options, network } = this.machine.seats.resolve(ENGINE, HINT_SECONDS, this.game.variant);
    const job = { kind: "choose", position: this.game.position(), player, options, network, seconds: HINT_SECONDS, seed: 1 };
    this.#start("hint", { ...job, hashMegabytes: this.machine.hashMegabytes }, { done: tell });
  }

  threats(seconds = 2) {
    this.#refuseFinished();
    this.game.helped += 1;
    const node = this.game.cursor, side = COLORS.indexOf(this.game.turn);
    const done = ({ own, opponent }) => {
      if (!this.game.nodes.has(node)) return;
      const known = this.game.nodes.get(node).note?.proof;
      if (own && !known) this.#proved(node, own);
      this.room.tell({ type: "threats", node, own: own ?? (known?.winner === side ? known : null), opponent });
    };
    this.#start("threats", { kind: "threats", position: this.game.position(), seconds }, { done });
  }

  /** Judges a second try at `node` without saying what the answer is, unless the try finds it. */
  retry(node, move) {
    if (!this.game.nodes.has(node)) throw new GameError("no-node", "that move is no longer in the tree");
    if (!this.game.nodes.get(node).note?.look) throw new GameError("no-review", "review the game first");
    const position = this.game.position(node);
    try {
      this.game.rules.check(position, move);
    } catch {
      throw new GameError("illegal", "that move cannot be played there");
    }
    const done = (verdict) => this.room.tell({ type: "retry", node, move, verdict, ok: ["best", "good", "lost"].includes(verdict.mark) });
    this.#start("retry", { kind: "retry", position, move, hashMegabytes: this.machine.hashMegabytes }, { done });
  }

  // Review of a whole line

  review() {
    const line = [ROOT, ...this.#line()];
    if (line.length < 2) throw new GameError("nothing", "there are no moves to review");
    const total = line.length, { hashMegabytes } = this.machine;
    const frame = (finding) => this.#swept(line, finding);
    const done = () => { this.progress = null; this.room.tell({ type: "review", done: total, total, sweep: 0, finished: true }); };
    this.#start("review", { kind: "review", position: this.game.position(line.at(-1)), hashMegabytes }, { frame, done });
    this.progress = { type: "review", done: 0, total, sweep: 0, line, finished: false };
    this.room.tell(this.progress);
  }

  /** The path to the cursor and on along the newest branches. */
  #line() {
    const path = this.game.path();
    for (let at = this.game.cursor; this.game.nodes.get(at).children.length; path.push(at)) at = this.game.nodes.get(at).children.at(-1);
    return path;
  }

  #swept(line, { ply, sweep, look, verdict }) {
    const node = line[ply];
    if (!this.game.nodes.has(node)) return;
    const known = this.game.nodes.get(node).note?.proof, kept = withKnownProof(known, look);
    this.game.note(node, { value: kept.value, look: kept, proof: known ?? kept.proof ?? undefined, verdict: verdict ?? undefined });
    this.room.dirty();
    const news = { type: "review", done: sweep ? line.length : ply + 1, total: line.length, sweep, finished: false };
    this.progress = { ...news, line };
    this.room.tell({ ...news, node, note: this.game.nodes.get(node).note });
  }

  // Slots: a new request takes the place of the old one

  stop(...slots) {
    for (const slot of slots.length ? slots : [...this.slots.keys()]) {
      const search = this.slots.get(slot);
      if (!search) continue;
      this.slots.delete(slot);
      search.stop();
      if (slot === "review") this.progress = null;
      if (slot !== "proof" && !LIVE.includes(slot)) this.room.tell({ type: "study", slot, state: "stopped", code: "", message: "" });
    }
  }

  stopAll() {
    this.specs = [];
    this.stop();
  }

  #start(slot, job, { frame, done, quiet = false }) {
    this.stop(slot);
    const tell = (state, fault = {}) => quiet || this.room.tell({ type: "study", slot, state, code: "", message: "", ...fault });
    const end = (then) => { if (this.slots.get(slot) === search) this.slots.delete(slot); then(); };
    const search = this.machine.searches.start(job, {
      frame,
      done: (result) => end(() => { done?.(result); tell("done"); }),
      failed: (message) => end(() => { if (slot === "review") this.progress = null; tell("failed", { code: "player-failed", message }); }),
    });
    this.slots.set(slot, search);
  }

  #refuseFinished() {
    if (this.game.outcome()) throw new GameError("over", "the game is over");
  }
}

/** A proof found by an analysis outlives a review that did not find it. */
function withKnownProof(known, look) {
  if (!known?.line.length || look.proof) return look;
  return { value: { number: 1, side: known.winner }, best: known.line[0], line: known.line, proof: known };
}

const claimed = (value) => Math.max(-CLAIM, Math.min(CLAIM, value));

/** A report of the engine as pages show it. The proven move comes first; where all is lost every move loses. */
function frameOf({ lines, nodes, seconds, depth, policy = {}, once = false }, proof, turn, most) {
  const found = lines.map(({ move, value, visits = 0, prior = null, pv }) => ({ move, value: claimed(value), visits, prior, pv: pv.slice(0, 16), proof: null }));
  const candidates = proof?.line.length ? withProof(found, proof, turn) : found;
  const value = candidates[0]?.value ?? 0;
  return { candidates: candidates.slice(0, most), value, nodes, seconds, depth, policy, values: {}, proof, live: !once };
}

function withProof(found, proof, turn) {
  const wins = proof.winner === turn;
  const first = { move: proof.line[0], value: wins ? 1 : -1, visits: 0, prior: null, pv: proof.line.slice(0, 16), proof };
  const rest = found.filter(({ move }) => move !== first.move);
  return [first, ...(wins ? rest : rest.map((one) => ({ ...one, value: -1 })))];
}
