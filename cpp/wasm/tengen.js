// The Tengen engine for JavaScript: rules, alphabeta, the solvers and tree search with line networks, as WebAssembly.
// Works in browsers, workers and Node. A search blocks its thread: run it in a worker, and end the worker to stop it.

export const RULES = ["freestyle", "standard", "renju", "caro"];
const [MIN_K, MAX_K, MAX_SIZE] = [3, 6, 22];
export const BLACK = 0, WHITE = 1, EMPTY = 2;
/** The threat numbers of `threats()` that a page shows. */
export const THREAT = { OPEN_FOUR: 11, FIVE: 12 };
/** Names of what a proof rests on, of the classes of moves and of the reasons for them, in the core's order. */
export const FORCES = ["five", "vcf", "vct"];
export const MARKS = ["best", "good", "lost", "inaccuracy", "mistake", "blunder", "missed-win", "allowed-win"];
export const WHYS = [
  "makes-five", "wins", "leaves-four", "leaves-three", "allows", "misses-five", "misses", "no-defence", "better",
];
export const KINDS = ["vcf", "vct", "defence", "forbidden"];
export const THEMES = ["short", "medium", "long", "one-solution", "counter-four", "block", "race"];
export const STATES = ["right", "solved", "wrong"];
export const IDEAS = [
  "five", "block-five", "double-four", "four", "counter-four", "block", "double-three", "three", "quiet",
];
/** Players that `choose` knows, by the core's numbers. */
export const PLAYERS = { random: 0, greedy: 1, weight: 2, minimax: 3, mcts: 4, person: 5 };
const RESULTS = [null, "black", "white", "draw"];
const FORBIDDEN = ["", "double three", "double four", "overline"];
const FAULTS = [
  "", "such a board is not supported", "the cell is off the board", "the cell is occupied", "the game is over",
  "there is no move to take back", "the position already holds a five",
];
const DEFAULTS = { nodes: 0, seconds: 0, depth: 0, lines: 1, hashMegabytes: 16, seed: 0, network: false };
const THINKING = { sims: 400, seconds: 0, lines: 1, memoryMegabytes: 64 };
/** The arrays of a line network in the core's order; the first two hold 16-bit integers, the others floats. */
const ARRAYS = [
  "table", "bias", "value_1", "value_1_bias", "value_1_black", "value_2", "value_2_bias", "value_3", "value_3_bias", "gate_1",
  "gate_1_bias", "gate_1_black", "gate_2", "gate_2_bias", "far", "far_bias",
];

export class EngineError extends Error {}

// Why a game is not supported, in the words of the server.
function noSuchGame({ width, height, k, rule }) {
  if (!RULES.includes(rule)) return `unknown rule '${rule}'; choose one of ${RULES.join(", ")}`;
  if (!(k >= MIN_K && k <= MAX_K)) return `k = ${k} is not supported; choose ${MIN_K} to ${MAX_K}`;
  if (Math.min(width, height) < k || Math.max(width, height) > MAX_SIZE) return `a ${width}x${height} board is not supported; sides go from k = ${k} to ${MAX_SIZE}`;
  return `${rule} is played with k = 5, not ${k}`;
}

export class Engine {
  #wasm;
  #onDepth = null;
  #read = () => this.#report();

  // `source`: the bytes of tengen.wasm, a compiled module, or a Response that brings them.
  static async load(source) {
    const engine = new Engine();
    const imports = { tengen: { progress: () => engine.#onDepth?.(engine.#read()) }, wasi_snapshot_preview1: wasi(engine) };
    engine.#wasm = (await instantiate(source, imports)).exports;
    engine.#wasm._initialize();
    return engine;
  }

  get memory() { return this.#wasm.memory; }

  // Starts anew: an empty board, or one with stones set up.
  newBoard({ width = 15, height = width, k = 5, rule = "freestyle", black = [], white = [], turn = BLACK } = {}) {
    if (this.#wasm.tengen_new_board(width, height, k, RULES.indexOf(rule))) throw new EngineError(noSuchGame({ width, height, k, rule }));
    this.width = width;
    this.height = height;
    if (!black.length && !white.length && turn === BLACK) return;
    this.#buffer().set([...black, ...white]);
    check(this.#wasm.tengen_set_up(black.length, white.length, turn));
  }

  play(...moves) { for (const move of moves) check(this.#wasm.tengen_play(move)); }

  undo() { check(this.#wasm.tengen_undo()); }

  // { turn, stones, ply, result: null | "black" | "white" | "draw", line: winning cells }
  state() {
    this.#wasm.tengen_state();
    const [turn, stones, ply, result, length] = this.#buffer();
    return { turn, stones, ply, result: RESULTS[result], line: [...this.#buffer().slice(5, 5 + length)] };
  }

  // One number per cell: BLACK, WHITE or EMPTY.
  cells() {
    this.#wasm.tengen_cells();
    return [...this.#buffer().slice(0, this.width * this.height)];
  }

  // Map from each cell that black may not play (renju) to the reason.
  forbidden() {
    this.#wasm.tengen_forbidden();
    const numbers = this.#buffer();
    const pairs = new Map();
    for (let i = 0; i < numbers[0]; i++) pairs.set(numbers[1 + 2 * i], FORBIDDEN[numbers[2 + 2 * i]]);
    return pairs;
  }

  // Where each cell goes under every turn and reflection of the board, the identity first.
  symmetries() {
    this.#wasm.tengen_symmetries();
    const reader = this.#reader(), cells = this.width * this.height;
    return Array.from({ length: reader.next() }, () => Array.from({ length: cells }, () => reader.next()));
  }

  // The legal moves within `radius` of a stone, or the centre of an empty board.
  near(radius) {
    this.#wasm.tengen_near(radius);
    return this.#reader().list();
  }

  // The threat a stone of `color` would make on each cell, as the core numbers them.
  threats(color) {
    this.#wasm.tengen_threats(color);
    return [...this.#buffer().slice(0, this.width * this.height)];
  }

  // { depth, selectiveDepth, nodes, seconds, lines: [{ move, win, value, pv }] }, best line first. `win` is the number of
  // plies to a proven win (negative: to a proven loss), 0 when nothing is proven. `onDepth` sees each finished depth.
  search(options = {}, onDepth = null) {
    const { nodes, seconds, depth, lines, hashMegabytes, seed, network } = { ...DEFAULTS, ...options };
    if (this.state().result) throw new EngineError("the game is over");
    if (network) this.#needNetwork();
    return this.#searched(onDepth, () => this.#report(), () => this.#wasm.tengen_search(hashMegabytes, seed, nodes, seconds, depth, lines, network));
  }

  // Forgets earlier searches.
  clear() { this.#wasm.tengen_clear(); }

  // Takes the line network of a .safetensors file, for `think`, and for `search` where it is asked for. A card of the network may ask for a flatter policy.
  loadNetwork(file, { policyTemperature = 1 } = {}) {
    const { k, rule, channels, hidden, arrays } = networkFile(file);
    const size = arrays.reduce((sum, { length }) => sum + length, 0), start = this.#wasm.tengen_network_file(size);
    let at = start;
    for (const array of arrays) {
      new Uint8Array(this.#wasm.memory.buffer, at, array.length).set(array);
      at += array.length;
    }
    if (!this.#wasm.tengen_network(k, RULES.indexOf(rule), channels, hidden, policyTemperature))
      throw new EngineError(String.fromCharCode(...this.#reader().list()));
  }

  #needNetwork() {
    if (!this.#wasm.tengen_network_fits()) throw new EngineError("no network is loaded that plays this game");
  }

  // Tree search with the network that was loaded: { depth, nodes (simulations), seconds, value, lines: [{ move, win, value,
  // visits, prior, pv }] }, the move to play first. Without simulations (0) and seconds it goes on until something is
  // proven. `onReport` sees what is known every tenth of a second.
  think(options = {}, onReport = null) {
    const { sims, seconds, lines, memoryMegabytes } = { ...THINKING, ...options };
    if (this.state().result) throw new EngineError("the game is over");
    this.#needNetwork();
    return this.#searched(onReport, () => this.#reader().thought(), () => this.#wasm.tengen_think(sims, seconds, lines, memoryMegabytes));
  }

  // Seconds to spend on the next move with `left` seconds on the game's clock.
  budget(left, increment = 0) { return this.#wasm.tengen_budget(left, increment); }

  // A forced win: mode "vcf" (fours only) or "vct" (threes and fours). { found, exhausted, nodes, moves }
  solve({ mode = "vcf", attacker = this.state().turn, nodes = 1e6, seconds = 0 } = {}) {
    this.#wasm.tengen_solve(mode === "vct" ? 1 : 0, attacker, nodes, seconds);
    const numbers = this.#buffer();
    return {
      found: !!numbers[0], exhausted: !!numbers[1], nodes: wide(numbers, 2), moves: [...numbers.slice(5, 5 + numbers[4])],
    };
  }

  // A move of a simple player. `nodes` are playouts of "mcts", `depth` is of "minimax", `sees`, `reads` and `nodes` say how
  // well a "person" plays.
  choose(player, { seed = 0, nodes = 0, seconds = 0, depth = 0, sees = 0.5, reads = 0 } = {}) {
    if (!(player in PLAYERS)) throw new EngineError(`there is no player '${player}'`);
    if (this.state().result) throw new EngineError("the game is over");
    return this.#wasm.tengen_choose(PLAYERS[player], seed, nodes, seconds, depth, sees, reads);
  }

  // A proven win of either side, or null: { winner, line, force, moves }. Efforts are nodes.
  prove(effort) {
    this.#wasm.tengen_prove(effort, effort);
    return this.#reader().proofOrNull();
  }

  // A proven win of `attacker` if it were its turn now, or null.
  win(effort, attacker) {
    this.#wasm.tengen_win(effort, effort, attacker);
    return this.#reader().proofOrNull();
  }

  // The findings of a review of `moves`, played from the board on: { ply, sweep, look, verdict }. Each replaces the one
  // before it of the same ply. An empty list means that a position was looked at and nothing is new.
  // `known` are proofs found before, [ply, proof] each.
  *review(moves, { hashMegabytes = DEFAULTS.hashMegabytes, network = false, known = [] } = {}) {
    if (network) this.#needNetwork();
    this.#buffer().set([...moves, ...known.flatMap(([ply, proof]) => [ply, ...proofNumbers(proof)])]);
    this.#wasm.tengen_review(moves.length, known.length, hashMegabytes, network);
    while (this.#wasm.tengen_review_step()) yield this.#reader().findings();
  }

  // The verdict on a move that could be played on the board, of which a review had the look `before`: { mark, drop, reason }.
  retry(move, before, { hashMegabytes = DEFAULTS.hashMegabytes, network = false } = {}) {
    if (network) this.#needNetwork();
    this.#buffer().set(lookNumbers(before));
    this.#wasm.tengen_retry(move, hashMegabytes, network);
    return this.#reader().verdict();
  }

  // The same by looks at the board and at what the move makes of it.
  judge(move, before, after) {
    this.#buffer().set([...lookNumbers(before), ...lookNumbers(after)]);
    this.#wasm.tengen_judge(move);
    return this.#reader().verdict();
  }

  // Judges a move in a puzzle: { state, reply, refutation, loses }. `known`: it solves it; `defence`: it is to stop a win.
  answerPuzzle(move, { known = false, defence = false } = {}) {
    this.#wasm.tengen_puzzle(move, known, defence);
    const reader = this.#reader();
    const [state, reply, loses] = [reader.next(), reader.next(), reader.next()];
    return { state: STATES[state], reply: reply < 0 ? null : reply, refutation: reader.list(), loses: !!loses };
  }

  // The forced win that is left, fours first; empty when there is none.
  puzzleLine() {
    this.#wasm.tengen_puzzle_line();
    return this.#reader().list();
  }

  // What a move does, in a word.
  idea(move, { defence = false } = {}) { return IDEAS[this.#wasm.tengen_idea(move, defence)]; }

  // The puzzle in the position, or null: { kind, choices, line, solutions, themes }.
  mine() {
    this.#wasm.tengen_mine();
    const reader = this.#reader();
    if (!reader.next()) return null;
    const [kind, choices, line, solutions] = [reader.next(), reader.next(), reader.list(), reader.list()];
    return { kind: KINDS[kind], choices, line, solutions, themes: reader.list().map((theme) => THEMES[theme]) };
  }

  // How hard a puzzle is; `shares` are [rating of a level, how often it finds a solution].
  puzzleRating(shares, { attacks, choices, solutions }) {
    this.#buffer().set(shares.flat().map((number) => Math.round(1000 * number)));
    return this.#wasm.tengen_puzzle_rating(shares.length, attacks, choices, solutions);
  }

  // A person's rating after a puzzle.
  rate({ value, deviation, volatility }, puzzle, solved) {
    this.#wasm.tengen_rate(value, deviation, volatility, puzzle, solved);
    const reader = this.#reader();
    return { value: reader.double(), deviation: reader.double(), volatility: reader.double() };
  }

  // A person's rating by results against rated opponents, [elo, low, high], or null for too few games.
  estimate(rows) {
    this.#buffer().set(rows.flatMap(({ elo, won, drawn, lost }) => [Math.round(1000 * elo), 2 * won + drawn, won + drawn + lost]));
    this.#wasm.tengen_estimate(rows.length);
    const reader = this.#reader();
    return reader.next() ? [reader.double(), reader.double(), reader.double()] : null;
  }

  // When a puzzle comes back, { step, due } in seconds since 1970, or null.
  repeat(before, solved, now) {
    this.#wasm.tengen_repeat(before?.step ?? -1, before?.due ?? 0, solved, now);
    const reader = this.#reader();
    return reader.next() ? { step: reader.next(), due: reader.double() } : null;
  }

  #searched(onReport, read, search) {
    this.#onDepth = onReport;
    this.#read = read;
    try {
      search();
    } finally {
      this.#onDepth = null;
    }
    return read();
  }

  #buffer() { return new Int32Array(this.#wasm.memory.buffer, this.#wasm.tengen_buffer(), 1 << 16); }

  #reader() { return new Reader(this.#buffer()); }

  #report() {
    const numbers = this.#buffer();
    const report = { depth: numbers[0], selectiveDepth: numbers[1], nodes: wide(numbers, 2), seconds: numbers[4] / 1000, lines: [] };
    for (let i = 6, left = numbers[5]; left > 0; left--) {
      const [move, win, value, length] = numbers.slice(i, i + 4);
      report.lines.push({ move, win, value: value / 1e6, pv: [...numbers.slice(i + 4, i + 4 + length)] });
      i += 4 + length;
    }
    return report;
  }
}

// Reads what the core wrote, one number behind the other.
class Reader {
  constructor(numbers) {
    this.numbers = numbers;
    this.at = 0;
  }

  next() { return this.numbers[this.at++]; }

  double() {
    const both = new Int32Array([this.next(), this.next()]);
    return new Float64Array(both.buffer)[0];
  }

  list() {
    const length = this.next();
    this.at += length;
    return [...this.numbers.slice(this.at - length, this.at)];
  }

  thought() {
    const depth = this.next(), nodes = wide(this.numbers, this.at);
    this.at += 2;
    const seconds = this.next() / 1000, value = this.double();
    const lines = Array.from({ length: this.next() }, () => ({
      move: this.next(), win: this.next(), value: this.double(), visits: this.next(), prior: this.double(), pv: this.list(),
    }));
    return { depth, nodes, seconds, value, lines };
  }

  proof() {
    const [winner, force, moves] = [this.next(), this.next(), this.next()];
    return { winner, line: this.list(), force: FORCES[force], moves };
  }

  proofOrNull() { return this.next() ? this.proof() : null; }

  look() {
    const [number, side, best] = [this.double(), this.next(), this.next()];
    return { value: { number, side }, best: best < 0 ? null : best, line: this.list(), proof: this.proofOrNull() };
  }

  verdict() {
    const [mark, drop] = [MARKS[this.next()], this.double()];
    return { mark, drop, reason: this.next() ? this.reason() : null };
  }

  reason() {
    const [why, instead, moves, force] = [this.next(), this.next(), this.next(), this.next()];
    return { why: WHYS[why], line: this.list(), instead: !!instead, shape: this.list(), moves, force: FORCES[force] ?? null };
  }

  findings() {
    return Array.from({ length: this.next() }, () => {
      const [ply, sweep] = [this.next(), this.next()];
      return { ply, sweep, look: this.look(), verdict: this.next() ? this.verdict() : null };
    });
  }
}

const proofNumbers = ({ winner, force, moves, line }) => [winner, FORCES.indexOf(force), moves, line.length, ...line];
const lookNumbers = ({ value: { number, side }, best, line, proof }) => [...new Int32Array(new Float64Array([number]).buffer), side,
  best ?? -1, line.length, ...line, ...(proof ? [1, ...proofNumbers(proof)] : [0])];

function check(fault) {
  if (!fault) return;
  throw new EngineError(FAULTS[fault] ?? `the cell is forbidden for black: ${FORBIDDEN[fault - FAULTS.length + 1]}`);
}

/** A line network's file: eight bytes of length, a header in JSON, the arrays. */
function networkFile(file) {
  const bytes = new Uint8Array(file.buffer ?? file, file.byteOffset ?? 0, file.byteLength);
  try {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    const { __metadata__: about, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    if (about.format !== "tengen-lines" || about.version !== "1") throw new EngineError("this is no line network of version 1");
    const arrays = ARRAYS.map((name, i) => {
      const { dtype, data_offsets: [from, to] } = header[name];
      if (dtype !== (i < 2 ? "I16" : "F32")) throw new EngineError(`'${name}' has numbers of a wrong kind`);
      return bytes.subarray(8 + length + from, 8 + length + to);
    });
    return { k: Number(about.k), rule: about.rule, channels: Number(about.channels), hidden: Number(about.hidden), arrays };
  } catch (error) {
    throw error instanceof EngineError ? error : new EngineError("this is no line network, or it is cut short");
  }
}

function wide(numbers, i) { return (numbers[i] >>> 0) + 2 ** 32 * numbers[i + 1]; }

async function instantiate(source, imports) {
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  const bytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source) ? source : await (await source).arrayBuffer();
  return (await WebAssembly.instantiate(bytes, imports)).instance;
}

// The few system calls the core needs: a clock, and nowhere to write.
function wasi(engine) {
  return {
    clock_time_get: (id, precision, out) => {
      new DataView(engine.memory.buffer).setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    fd_close: () => 0, fd_seek: () => 0, fd_write: () => 0,
  };
}
