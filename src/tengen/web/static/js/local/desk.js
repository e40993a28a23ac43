// The study desk of a game: live analysis, hints, threats, review. It looks at the game and never moves in it; what is
// proven is kept in the notes of the nodes, whoever found it. What tengen.web.study_desk is on the server.

import { ROOT } from "./game.js";
import { carriedBack, carriedOn } from "../notes.js";
import { COLORS, GameError } from "./rules.js";
import { ENGINE } from "./seats.js";

const FRAME_MS = 120;
const HINT_SECONDS = 1;
const LIVE = ["a", "b"];
const CLAIM = 0.99, SURE = 0.9;
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
    const node = this.game.cursor, live = { proof: this.#known(node), latest: {}, doubted: new Set() };
    if (live.proof) this.#proved(node, live.proof);
    LIVE.slice(0, this.specs.length).forEach((slot, i) => this.#live(slot, this.specs[i], node, live));
    if (!live.proof) this.#startProof(node, live);
  }

  /** Of the position, or of a move that a player claims to win by: it may be quiet, which no solver begins with. */
  #startProof(node, live, claim = null) {
    const position = this.game.position(node), side = COLORS.indexOf(this.game.turnAt(node));
    const done = (found) => {
      live.proof = found && claim !== null ? carriedBack(found, claim, side) : found;
      if (live.proof && this.game.nodes.has(node)) this.#proved(node, live.proof);
      for (const slot of Object.keys(live.latest)) this.#tellFrame(slot, node, live);
    };
    const moves = claim === null ? position.moves : [...position.moves, claim];
    this.#start("proof", { kind: "prove", position: { ...position, moves } }, { done, quiet: true });
  }

  /** Puts each claim to win to the proof, once. */
  #doubt(node, live) {
    const best = live.latest.a?.lines[0];
    if (live.proof || this.slots.has("proof") || !(best?.value >= SURE) || live.doubted.has(best.move)) return;
    live.doubted.add(best.move);
    this.#startProof(node, live, best.move);
  }

  #live(slot, seat, node, live) {
    const { player, options, network } = this.machine.seats.resolve(seat, 1, this.game.variant);
    const position = this.game.position(node), { hashMegabytes } = this.machine;
    let told = 0, later = null;
    const tell = () => { told = performance.now(); later = null; this.#tellFrame(slot, node, live); };
    const frame = (report) => {
      live.latest[slot] = report;
      this.#doubt(node, live);
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

  /** What is proven of the position at `node`, by itself or by the position before it. */
  #known(node) {
    const { note, parent, move } = this.game.nodes.get(node);
    if (note?.proof || node === ROOT) return note?.proof ?? null;
    return carriedOn(this.game.nodes.get(parent).note?.proof, move, COLORS.indexOf(this.game.turnAt(parent)));
  }

  /** Keeps a proof that is new where it holds: a move into a win is a win. Verdicts heed it. */
  #proved(node, proof) {
    const proven = [];
    for (let at = node, found = proof; found && !this.game.nodes.get(at).note?.proof;) {
      const { look } = this.game.nodes.get(at).note ?? {}, { parent, move } = this.game.nodes.get(at);
      this.game.note(at, { proof: found, value: { number: 1, side: found.winner }, ...(look ? { look: provenLook(found) } : {}) });
      proven.push(at);
      if (at === ROOT) break;
      found = carriedBack(found, move, COLORS.indexOf(this.game.turnAt(parent)));
      at = parent;
    }
    if (!proven.length) return;
    const changed = [...proven, ...this.#judgeAgain(proven)];
    this.room.dirty();
    this.room.tell({ type: "notes", notes: Object.fromEntries(changed.map((at) => [at, this.game.nodes.get(at).note])) });
  }

  /** Judges anew the moves to these positions and away from them that were judged before; returns their nodes. */
  #judgeAgain(nodes) {
    const near = new Set(nodes.flatMap((node) => [node, ...this.game.nodes.get(node).children]));
    return [...near].filter((node) => {
      const { note, parent, move } = this.game.nodes.get(node), before = this.game.nodes.get(parent)?.note?.look;
      if (node === ROOT || !note?.verdict || !before || !note.look) return false;
      this.game.note(node, { verdict: this.game.rules.judge(this.game.position(parent), move, before, note.look) });
      return true;
    });
  }

  // One-off questions

  hint() {
    this.#refuseFinished();
    this.game.helped += 1;
    const node = this.game.cursor, proof = this.#known(node);
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
      const known = this.#known(node);
      if (known ?? own) this.#proved(node, known ?? own);
      this.room.tell({ type: "threats", node, own: own ?? (known?.winner === side ? known : null), opponent });
    };
    this.#start("threats", { kind: "threats", position: this.game.position(), seconds }, { done });
  }

  /** Judges a second try at `node` without saying what the answer is, unless the try finds it. */
  retry(node, move) {
    if (!this.game.nodes.has(node)) throw new GameError("no-node", "that move is no longer in the tree");
    const before = this.game.nodes.get(node).note?.look;
    if (!before) throw new GameError("no-review", "review the game first");
    const position = this.game.position(node);
    try {
      this.game.rules.check(position, move);
    } catch {
      throw new GameError("illegal", "that move cannot be played there");
    }
    const done = (verdict) => this.room.tell({ type: "retry", node, move, verdict, ok: ["best", "good", "lost"].includes(verdict.mark) });
    this.#start("retry", { kind: "retry", position, move, before, ...this.#engine() }, { done });
  }

  /** What values the positions of a review: the engine as the server uses it, with its network. */
  #engine() {
    return { network: this.machine.seats.resolve(ENGINE, 1, this.game.variant).network, hashMegabytes: this.machine.hashMegabytes };
  }

  // Review of a whole line

  review() {
    const line = [ROOT, ...this.#line()];
    if (line.length < 2) throw new GameError("nothing", "there are no moves to review");
    const total = line.length;
    const frame = (finding) => this.#swept(line, finding);
    const done = () => { this.progress = null; this.room.tell({ type: "review", done: total, total, sweep: 0, finished: true }); };
    const known = line.map((node, ply) => [ply, this.game.nodes.get(node).note?.proof]).filter(([, proof]) => proof?.line.length);
    this.#start("review", { kind: "review", position: this.game.position(line.at(-1)), known, ...this.#engine() }, { frame, done });
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
    if (kept !== look) this.#judgeAgain([node]);
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
  return provenLook(known);
}

const provenLook = (proof) => ({ value: { number: 1, side: proof.winner }, best: proof.line[0] ?? null, line: proof.line, proof });

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
