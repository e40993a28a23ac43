// The swap2 opening: three stones, then the other side picks a colour or places two more and lets the
// first pick. `first` and `second` are seats.

import { GameError } from "./rules.js";

export class Swap2 {
  constructor(first, second) {
    Object.assign(this, { first, second, stage: "place3", placed: 0 });
  }

  get done() { return this.stage === "done"; }
  get mover() { return ["place3", "choose2"].includes(this.stage) ? this.first : this.second; }
  get choosing() { return this.stage.startsWith("choose"); }

  stonePlaced() {
    this.placed += 1;
    if (this.stage === "place3" && this.placed === 3) this.stage = "choose";
    else if (this.stage === "place2" && this.placed === 5) this.stage = "choose2";
  }

  /** The seats { black, white } once the colours are settled, null when two more stones come. */
  choose(choice) {
    if (!this.choosing || (choice === "more" && this.stage === "choose2"))
      throw new GameError("no-choice", `'${choice}' cannot be chosen now`);
    if (choice === "more") {
      this.stage = "place2";
      return null;
    }
    const [chooser, rest] = this.stage === "choose" ? [this.second, this.first] : [this.first, this.second];
    this.stage = "done";
    return choice === "black" ? { black: chooser, white: rest } : { black: rest, white: chooser };
  }

  shown() {
    return { stage: this.stage, mover: this.mover, placed: this.placed };
  }
}
