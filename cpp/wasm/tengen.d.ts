export type Rule = "freestyle" | "standard" | "renju" | "caro";
export type Result = "black" | "white" | "draw";
/** 0 black, 1 white. */
export type Color = 0 | 1;
/** row * width + column, row 0 at the top. */
export type Move = number;

export const RULES: readonly Rule[];
export const BLACK: 0;
export const WHITE: 1;
export const EMPTY: 2;

export interface Setup {
  width?: number;
  height?: number;
  k?: number;
  rule?: Rule;
  black?: Move[];
  white?: Move[];
  turn?: Color;
}

export interface SearchOptions {
  nodes?: number;
  seconds?: number;
  depth?: number;
  /** How many moves get an exact value, 1 to 10. */
  lines?: number;
  hashMegabytes?: number;
  seed?: number;
  /** The network of `loadNetwork` values positions; without it the engine's tables do. */
  network?: boolean;
}

export interface Line {
  move: Move;
  /** Plies to a proven win, negative to a proven loss, 0 when nothing is proven. */
  win: number;
  /** For the side to move, from -1 to 1. */
  value: number;
  pv: Move[];
}

export interface Report {
  depth: number;
  selectiveDepth: number;
  nodes: number;
  seconds: number;
  lines: Line[];
}

export interface ThinkOptions {
  /** Simulations, 400 if left out; 0: no limit. */
  sims?: number;
  seconds?: number;
  lines?: number;
  memoryMegabytes?: number;
}

export interface Thought {
  depth: number;
  /** Simulations done. */
  nodes: number;
  seconds: number;
  value: number;
  lines: (Line & { visits: number; prior: number })[];
}

export interface Solution {
  found: boolean;
  /** No such win exists: nothing was cut off by a limit. */
  exhausted: boolean;
  nodes: number;
  moves: Move[];
}

export type Force = "five" | "vcf" | "vct";
export type Mark = "best" | "good" | "lost" | "inaccuracy" | "mistake" | "blunder" | "missed-win" | "allowed-win";
export type Why =
  | "makes-five" | "wins" | "leaves-four" | "leaves-three" | "allows" | "misses-five" | "misses" | "no-defence" | "better";
export type PlayerName = "random" | "greedy" | "weight" | "minimax" | "mcts" | "person";

export interface Proof {
  winner: Color;
  line: Move[];
  force: Force;
  /** How many moves the winner still needs. */
  moves: number;
}

export interface Look {
  value: { number: number; side: Color };
  best: Move | null;
  line: Move[];
  proof: Proof | null;
}

export interface Verdict {
  mark: Mark;
  /** The value the move cost its player, from 0 to 2. */
  drop: number;
  reason: { why: Why; line: Move[]; instead: boolean; shape: Move[]; moves: number; force: Force | null } | null;
}

export interface Finding {
  ply: number;
  sweep: number;
  look: Look;
  verdict: Verdict | null;
}

export const THREAT: { OPEN_FOUR: number; FIVE: number };
export const FORCES: readonly Force[];
export const MARKS: readonly Mark[];
export const WHYS: readonly Why[];
export type Kind = "vcf" | "vct" | "defence" | "forbidden";
export const KINDS: readonly Kind[];
export const THEMES: readonly string[];
export type State = "right" | "solved" | "wrong";
export const STATES: readonly State[];
export const IDEAS: readonly string[];
export const PLAYERS: Readonly<Record<PlayerName, number>>;

export class EngineError extends Error {}

export class Engine {
  static load(source: BufferSource | WebAssembly.Module | Response | Promise<Response>): Promise<Engine>;
  readonly width: number;
  readonly height: number;
  newBoard(setup?: Setup): void;
  play(...moves: Move[]): void;
  undo(): void;
  state(): { turn: Color; stones: number; ply: number; result: Result | null; line: Move[] };
  cells(): (0 | 1 | 2)[];
  forbidden(): Map<Move, string>;
  symmetries(): Move[][];
  near(radius: number): Move[];
  threats(color: Color): number[];
  search(options?: SearchOptions, onDepth?: (report: Report) => void): Report;
  clear(): void;
  /** Takes the bytes of a line network's .safetensors file. */
  loadNetwork(file: BufferSource, options?: { policyTemperature?: number }): void;
  think(options?: ThinkOptions, onReport?: (thought: Thought) => void): Thought;
  choose(
    player: PlayerName,
    options?: { seed?: number; nodes?: number; seconds?: number; depth?: number; sees?: number; reads?: number },
  ): Move;
  prove(effort: number): Proof | null;
  win(effort: number, attacker: Color): Proof | null;
  review(moves: Move[], options?: { hashMegabytes?: number; network?: boolean; known?: [ply: number, proof: Proof][] }): Generator<Finding[]>;
  retry(move: Move, before: Look, options?: { hashMegabytes?: number; network?: boolean }): Verdict;
  judge(move: Move, before: Look, after: Look): Verdict;
  answerPuzzle(
    move: Move,
    options?: { known?: boolean; defence?: boolean },
  ): { state: State; reply: Move | null; refutation: Move[]; loses: boolean };
  puzzleLine(): Move[];
  idea(move: Move, options?: { defence?: boolean }): string;
  mine(): { kind: Kind; choices: number; line: Move[]; solutions: Move[]; themes: string[] } | null;
  puzzleRating(
    shares: [elo: number, found: number][],
    puzzle: { attacks: number; choices: number; solutions: number },
  ): number;
  rate(
    person: { value: number; deviation: number; volatility: number },
    puzzle: number,
    solved: boolean,
  ): { value: number; deviation: number; volatility: number };
  estimate(rows: { elo: number; won: number; drawn: number; lost: number }[]): [number, number, number] | null;
  repeat(before: { step: number; due: number } | null, solved: boolean, now: number): { step: number; due: number } | null;
  budget(left: number, increment?: number): number;
  solve(options?: { mode?: "vcf" | "vct"; attacker?: Color; nodes?: number; seconds?: number }): Solution;
}
