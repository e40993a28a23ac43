// A game clock: two times in seconds that run down in turn. `left` is null for a game without a clock.

const now = () => performance.now() / 1000;

export class Clock {
  constructor(setting, left = null) {
    this.left = setting ? left ?? { black: setting.seconds, white: setting.seconds } : null;
    this.increment = setting?.increment ?? 0;
    this.side = null;
    this.since = 0;
  }

  run(side) {
    if (!this.left || this.side === side) return;
    this.pause();
    this.side = side;
    this.since = now();
  }

  pause() {
    if (this.left && this.side) this.left[this.side] = this.remaining(this.side);
    this.side = null;
  }

  /** `side` has moved: its time stops and the increment is added. */
  moved(side) {
    if (!this.left || this.side !== side) return;
    this.pause();
    this.left[side] += this.increment;
  }

  remaining(side) {
    return this.left ? Math.max(0, this.left[side] - (this.side === side ? now() - this.since : 0)) : Infinity;
  }

  shown() {
    if (!this.left) return null;
    return { black: this.remaining("black"), white: this.remaining("white"), increment: this.increment, running: this.side };
  }
}
