// What the rules say of a position, asked of the core on the page's own thread.

import { THREAT } from "../../../engine/tengen.js";

export const COLORS = ["black", "white"];

/** A command that cannot be carried out; `code` lets the page say it in the reader's language. */
export class GameError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Rules {
  #engine;

  constructor(engine) {
    this.#engine = engine;
  }

  /** Sets the board up; an impossible variant, set-up or move throws. */
  set({ variant, setup, moves }) {
    const stones = setup ? { black: setup.black, white: setup.white, turn: setup.turn === "white" ? 1 : 0 } : {};
    this.#engine.newBoard({ ...variant, ...stones });
    this.#engine.play(...moves);
    return this.#engine;
  }

  outcome(position) {
    const { result, line } = this.set(position).state();
    if (!result) return null;
    return result === "draw" ? { winner: null, termination: "full", line: [] } : { winner: result, termination: "five", line };
  }

  turn(position) {
    return COLORS[this.set(position).state().turn];
  }

  /** Refuses a move that cannot be played, as the server words it. */
  check(position, move) {
    const engine = this.set(position), cells = engine.width * engine.height;
    if (!(move >= 0 && move < cells)) throw new GameError("off-board", "that cell is off the board");
    const occupied = engine.cells()[move] !== 2;
    try {
      engine.play(move);
    } catch (error) {
      throw new GameError(occupied ? "occupied" : "forbidden", error.message);
    }
  }

  /** The verdict on a move, by looks at the position and at the one it leads to. */
  judge(position, move, before, after) {
    return this.set(position).judge(move, before, after);
  }

  forbidden(position) {
    return Object.fromEntries(this.set(position).forbidden());
  }

  /** Standing fours and open threes of both sides, by the cells that would complete them. */
  threats(position) {
    const engine = this.set(position);
    return Object.fromEntries(COLORS.map((color, side) => {
      const numbers = engine.threats(side);
      const cells = (threat) => numbers.flatMap((n, cell) => (n === threat ? [cell] : []));
      return [color, { five: cells(THREAT.FIVE), open_four: cells(THREAT.OPEN_FOUR) }];
    }));
  }
}
