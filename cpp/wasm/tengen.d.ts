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

export interface Solution {
  found: boolean;
  /** No such win exists: nothing was cut off by a limit. */
  exhausted: boolean;
  nodes: number;
  moves: Move[];
}

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
  threats(color: Color): number[];
  search(options?: SearchOptions, onDepth?: (report: Report) => void): Report;
  clear(): void;
  solve(options?: { mode?: "vcf" | "vct"; attacker?: Color; nodes?: number; seconds?: number }): Solution;
}
