// The opening explorer without a server: how games went on from a position, and what the book thinks of it. The answers
// are those of tengen.web.library_routes, for 15x15 and five in a row.

import { parseCell } from "../cells.js";
import { Refused } from "../refused.js";
import { columns, hasColumns } from "./assets.js";
import { lowerBound, Positions, readColumns } from "./positions.js";
import { COLORS } from "./rules.js";
import { ENGINE } from "./seats.js";

const SIDE = 15, INDEXED_MOVES = 30, NO_MOVE = 65_535, SCALE = 10_000, JUDGE_SECONDS = 0.5;
const BOOK_RULE = "freestyle";

export class Explorer {
  #book = null;
  #matches = null;
  #positions = new Map();

  /** `shelf` has the games of the library; `machine` the searches. */
  constructor(rules, shelf, machine) {
    Object.assign(this, { rules, shelf, machine });
    this.routes = [
      ["GET", /^\/api\/explorer\/openings$/, async () => (await this.book()).openings],
      ["POST", /^\/api\/explorer$/, (match, body) => this.explore(body)],
      ["POST", /^\/api\/explorer\/judge$/, (match, body) => this.judge(body)],
    ];
  }

  async book() {
    this.#book ??= readColumns(await columns("book.bin"));
    return this.#book;
  }

  async matches() {
    this.#matches ??= hasColumns("matches.bin") ? readColumns(await columns("matches.bin")) : { keys: [], games: 0 };
    return this.#matches;
  }

  async positions(rule) {
    const { starts, ...book } = await this.book(), variant = { width: SIDE, height: SIDE, k: 5, rule };
    const images = () => this.rules.set({ variant, setup: null, moves: [] }).symmetries();
    if (!this.#positions.has(rule)) this.#positions.set(rule, new Positions(images(), book[`numbers-${rule}`], BigInt(starts[rule])));
    return this.#positions.get(rule);
  }

  /** The classical opening of a game's first three stones, or null. */
  async opening({ width, height, k, rule }, moves) {
    if (width !== SIDE || height !== SIDE || k !== 5 || moves.length < 3) return null;
    const positions = await this.positions(rule), key = positions.key(moves.slice(0, 3));
    return (await this.book()).openings.find((opening) => positions.key(opening.moves) === key) ?? null;
  }

  async explore(request) {
    const { variant, moves } = this.#asked(request), { rule } = variant;
    const state = this.rules.set({ variant, setup: null, moves }).state();
    const positions = await this.positions(rule), found = new Map(), key = positions.key(moves);
    const row = (standard) => found.get(standard) ?? found.set(standard, { library: null, matches: null, book: null, opening: null }).get(standard);
    for (const [standard, counts] of await this.#played(variant, positions, key)) row(standard).library = counts;
    for (const [standard, counts] of await this.#counted(key)) row(standard).matches = counts;
    for (const [standard, judged] of await this.#bookMoves(rule, positions, moves)) row(standard).book = judged;
    const shown = await Promise.all([...found].map(([standard, one]) => this.#shown(variant, positions, moves, standard, one)));
    const sign = moves.length % 2 ? -1 : 1, { games } = await this.matches(), book = await this.book();
    shown.sort((a, b) => order(a, sign) - order(b, sign) || worth(a, sign) - worth(b, sign));
    return { turn: COLORS[state.turn], over: Boolean(state.result), opening: await this.opening(variant, moves),
      book: rule === BOOK_RULE ? this.#look(book, positions, moves) : null, moves: shown, book_positions: book.keys.length, match_games: games };
  }

  async #shown(variant, positions, moves, standard, one) {
    const move = positions.fromStandard(moves, standard);
    return { move, ...one, opening: moves.length === 2 ? await this.opening(variant, [...moves, move]) : null };
  }

  #asked({ width = SIDE, height = SIDE, k = 5, rule = BOOK_RULE, moves: text = "" }) {
    if (width !== SIDE || height !== SIDE || k !== 5) throw new Refused(422, "the explorer knows 15x15 and five in a row");
    return { variant: { width, height, k, rule }, moves: (text.match(/[a-z]\d+/gi) ?? []).map((name) => parseCell(name, width, height)) };
  }

  /** How the games of the library went on. */
  async #played(variant, positions, key) {
    const counts = new Map();
    for (const { moves, winner, setup, variant: own } of await this.shelf.entries()) {
      if (!winner || setup || Object.keys(variant).some((name) => own[name] !== variant[name])) continue;
      const step = positions.path(moves.slice(0, INDEXED_MOVES)).find(([at]) => at === key);
      if (!step) continue;
      const sum = counts.get(step[1]) ?? counts.set(step[1], { black: 0, draws: 0, white: 0 }).get(step[1]);
      sum[winner === "draw" ? "draws" : winner] += 1;
    }
    return counts;
  }

  /** How the games of matches went on. */
  async #counted(key) {
    const { keys, moves, black, draws, white } = await this.matches(), rows = [];
    for (let i = lowerBound(keys, key); keys[i] === key; i++) rows.push([moves[i], { black: black[i], draws: draws[i], white: white[i] }]);
    return rows;
  }

  async #bookMoves(rule, positions, moves) {
    if (rule !== BOOK_RULE) return new Map();
    const book = await this.book(), found = new Map();
    positions.next(moves).forEach((key, cell) => {
      const row = lowerBound(book.keys, key);
      if (book.keys[row] !== key || moves.includes(cell)) return;
      found.set(positions.path([...moves, cell]).at(-1)[1], judged(book, row, (best) => positions.fromStandard([...moves, cell], best)));
    });
    return found;
  }

  #look(book, positions, moves) {
    const key = positions.key(moves), row = lowerBound(book.keys, key);
    return book.keys[row] === key ? judged(book, row, (best) => positions.fromStandard(moves, best)) : null;
  }

  async judge(request) {
    const { variant, moves } = this.#asked(request), { seats, searches, hashMegabytes } = this.machine;
    if (this.rules.outcome({ variant, setup: null, moves })) throw new Refused(422, "the game is over");
    const { player, options, network } = seats.resolve(ENGINE, JUDGE_SECONDS, variant);
    const job = { kind: "choose", position: { variant, setup: null, moves }, player, options, network, seconds: JUDGE_SECONDS, seed: 1, hashMegabytes };
    const { value, move } = await searches.ask(job);
    return { value: (moves.length % 2 ? -1 : 1) * (value ?? 0), best: move, winner: null };
  }
}

function judged({ values, best, winners }, row, turned) {
  return { value: values[row] / SCALE, best: best[row] === NO_MOVE ? null : turned(best[row]), winner: COLORS[winners[row]] ?? null };
}

const total = (counts) => (counts ? counts.black + counts.draws + counts.white : 0);
/** The most played moves come first, then the best. */
const order = ({ library, matches }) => -(total(library) + total(matches));
const worth = ({ book }, sign) => (book ? -sign * book.value : 2);
