// The Tengen engine for JavaScript: rules, alphabeta and the solvers, compiled to WebAssembly.
// Works in browsers, workers and Node. A search blocks its thread: run it in a worker, and end the worker to stop it.

export const RULES = ["freestyle", "standard", "renju", "caro"];
export const BLACK = 0, WHITE = 1, EMPTY = 2;
const RESULTS = [null, "black", "white", "draw"];
const FORBIDDEN = ["", "double three", "double four", "overline"];
const FAULTS = [
  "", "such a board is not supported", "the cell is off the board", "the cell is occupied", "the game is over",
  "there is no move to take back", "the position already holds a five",
];
const DEFAULTS = { nodes: 0, seconds: 0, depth: 0, lines: 1, hashMegabytes: 16, seed: 0 };

export class EngineError extends Error {}

export class Engine {
  #wasm;
  #onDepth = null;

  // `source`: the bytes of tengen.wasm, a compiled module, or a Response that brings them.
  static async load(source) {
    const engine = new Engine();
    const imports = { tengen: { progress: () => engine.#onDepth?.(engine.#report()) }, wasi_snapshot_preview1: wasi(engine) };
    engine.#wasm = (await instantiate(source, imports)).exports;
    engine.#wasm._initialize();
    return engine;
  }

  get memory() { return this.#wasm.memory; }

  // Starts anew: an empty board, or one with stones set up.
  newBoard({ width = 15, height = width, k = 5, rule = "freestyle", black = [], white = [], turn = BLACK } = {}) {
    check(this.#wasm.tengen_new_board(width, height, k, RULES.indexOf(rule)));
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

  // The threat a stone of `color` would make on each cell, as the core numbers them.
  threats(color) {
    this.#wasm.tengen_threats(color);
    return [...this.#buffer().slice(0, this.width * this.height)];
  }

  // { depth, selectiveDepth, nodes, seconds, lines: [{ move, win, value, pv }] }, best line first. `win` is the number of
  // plies to a proven win (negative: to a proven loss), 0 when nothing is proven. `onDepth` sees each finished depth.
  search(options = {}, onDepth = null) {
    const { nodes, seconds, depth, lines, hashMegabytes, seed } = { ...DEFAULTS, ...options };
    if (this.state().result) throw new EngineError("the game is over");
    this.#onDepth = onDepth;
    try {
      this.#wasm.tengen_search(hashMegabytes, seed, nodes, seconds, depth, lines);
    } finally {
      this.#onDepth = null;
    }
    return this.#report();
  }

  // Forgets earlier searches.
  clear() { this.#wasm.tengen_clear(); }

  // A forced win: mode "vcf" (fours only) or "vct" (threes and fours). { found, exhausted, nodes, moves }
  solve({ mode = "vcf", attacker = this.state().turn, nodes = 1e6, seconds = 0 } = {}) {
    this.#wasm.tengen_solve(mode === "vct" ? 1 : 0, attacker, nodes, seconds);
    const numbers = this.#buffer();
    return {
      found: !!numbers[0], exhausted: !!numbers[1], nodes: wide(numbers, 2), moves: [...numbers.slice(5, 5 + numbers[4])],
    };
  }

  #buffer() { return new Int32Array(this.#wasm.memory.buffer, this.#wasm.tengen_buffer(), 1 << 14); }

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

function check(fault) {
  if (!fault) return;
  throw new EngineError(FAULTS[fault] ?? `the cell is forbidden for black: ${FORBIDDEN[fault - FAULTS.length + 1]}`);
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
