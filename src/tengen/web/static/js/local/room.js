// A room: one game, the pages that look at it, and the player that thinks in it. It obeys the commands of
// tengen.web.messages and says what tengen.web.events lists, as tengen.web.room does on the server.

import { Desk } from "./desk.js";
import { ROOT } from "./game.js";
import { COLORS, GameError } from "./rules.js";
import { HUMAN } from "./seats.js";

const PACE_MS = 250;

export class Room {
  /** `machine`: { searches, seats, hashMegabytes }; `save(room)` keeps the game. */
  constructor(game, machine, save) {
    Object.assign(this, { game, machine, save, pages: new Set(), thinking: null, paused: false, news: null, flag: null });
    this.desk = new Desk(this, machine);
  }

  // Pages come and go

  join(page) {
    this.pages.add(page);
    page({ type: "game", game: this.game.shown(), status: this.#status(), review: this.desk.progress });
    if (this.game.cursor !== ROOT || this.#machinesOnly() || !this.game.humansTurn) this.#oneUpdate(() => this.#continue());
  }

  /** Nobody looking: no clock runs and nothing is searched. */
  leave(page) {
    this.pages.delete(page);
    if (this.pages.size) return;
    this.#pauseClock();
    this.#stopThinking();
    this.desk.stopAll();
    this.save(this);
  }

  tell(event) {
    for (const page of this.pages) page(event);
  }

  dirty() {
    this.game.touched = Date.now() / 1000;
    this.save(this);
  }

  /** Throws GameError when it cannot; the game is then as it was. */
  obey(command) {
    const handler = HANDLERS[command.type];
    if (!handler) throw new GameError("bad-message", `unknown command '${command.type}'`);
    this.#oneUpdate(() => handler.call(this, command));
  }

  /** Gathers what happens inside and tells it in one message. */
  #oneUpdate(act) {
    const news = this.news = { added: [], removed: [], decision: null, changed: false, moved: false };
    try {
      act();
    } finally {
      this.news = null;
      if (news.changed) {
        this.dirty();
        const { added, removed, decision } = news;
        this.tell({ type: "update", added, removed, decision, status: this.#status() });
      }
    }
    if (news.moved) this.desk.follow();
  }

  changed(moved = true) {
    this.news.changed = true;
    this.news.moved ||= moved;
    return this.news;
  }

  // Commands

  play({ node, move }) {
    if (node !== this.game.cursor) throw new GameError("stale", "the position has changed; look again");
    if (this.thinking) throw new GameError("thinking", "it is the other side's turn; stop the player first");
    if (this.game.swap2?.choosing) throw new GameError("choose-first", "the opening waits for a choice of colour");
    this.#place(move);
  }

  #place(move) {
    const mover = this.game.turn;
    const node = this.game.play(move);
    this.game.clock.moved(mover);
    this.changed().added.push(this.game.row(node.id));
    this.#continue();
  }

  moveAbout(act, runClock) {
    this.refuseInOpening();
    act();
    this.#stopThinking();
    this.#pauseClock();
    this.changed();
    if (runClock) this.#runClock();
  }

  think({ spec = "" }) {
    if (this.game.outcome()) throw new GameError("over", "the game is over");
    this.paused = false;
    if (!this.thinking) this.#startThinking(spec || this.#seatToThink());
  }

  stop() {
    this.paused = true;
    this.#stopThinking();
    this.changed(false);
  }

  resign() {
    const people = COLORS.filter((color) => this.game.settings[color] === HUMAN);
    this.#stopThinking();
    this.game.end(people.length === 1 ? people[0] : this.game.turn, "resign");
    this.changed();
  }

  choose({ choice, value = null }) {
    const { swap2 } = this.game;
    if (!swap2?.choosing) throw new GameError("no-choice", "there is nothing to choose now");
    Object.assign(this.game.settings, swap2.choose(choice) ?? {});
    this.changed().decision = { choice, move: null, value };
    this.#continue();
  }

  remove({ node }) {
    this.refuseInOpening();
    if (this.game.path().includes(node)) this.#stopThinking();
    const gone = this.game.delete(node);
    this.changed().removed.push(...gone);
  }

  seat({ black, white, seconds }) {
    this.refuseInOpening();
    for (const seat of [black, white]) this.machine.seats.check(seat, this.game.variant);
    this.#stopThinking();
    Object.assign(this.game.settings, { black, white, seconds });
    this.paused = false;
    this.changed(false);
    this.#continue();
  }

  refuseInOpening() {
    if (this.#opening) throw new GameError("in-opening", "finish the swap2 opening first");
  }

  // Who thinks in the room

  get #opening() {
    return Boolean(this.game.swap2 && !this.game.swap2.done);
  }

  #machinesOnly() {
    return COLORS.every((color) => this.game.settings[color] !== HUMAN);
  }

  /** The machine to move, or the other seat's machine, or the strongest level between people. */
  #seatToThink() {
    const { turn, settings } = this.game, rest = COLORS.find((color) => color !== turn);
    return [settings[turn], settings[rest]].find((seat) => seat !== HUMAN) ?? this.machine.seats.strongest(this.game.variant);
  }

  /** The machine answers if it is its turn at the end of the line. */
  #continue() {
    this.#runClock();
    const { game } = this;
    if (this.paused || !this.pages.size || this.thinking || game.outcome() || !game.atTip || game.humansTurn) return;
    try {
      this.#startThinking(this.#opening ? game.swap2.mover : game.settings[game.turn]);
    } catch (error) {
      this.#cannotThink("bad-player", error.message);
    }
  }

  #startThinking(seat) {
    const { game } = this, node = game.cursor;
    const { player, options, seconds, network } = this.machine.seats.resolve(seat, game.settings.seconds, game.variant);
    const { clock } = game;
    const left = clock.left ? game.rules.set(game.position()).budget(clock.remaining(game.turn), clock.increment) : Infinity;
    const budget = Math.min(seconds, left), seed = Math.floor(Math.random() * 2 ** 31);
    const job = { kind: this.#opening ? "open" : "choose", position: game.position(), player, options, network, seconds: budget, seed,
      stage: game.swap2?.stage, swap2: this.machine.seats.about.swap2 };
    const thought = { seat, seconds: budget, ahead: 0, queued: false, color: game.turn };
    const search = this.machine.searches.start({ ...job, hashMegabytes: this.machine.hashMegabytes }, {
      done: (answer) => setTimeout(() => this.#answered(thought, node, answer), this.#machinesOnly() ? PACE_MS : 0),
      failed: (message) => this.#searchFailed(thought, message),
    });
    this.thinking = { thought, search };
    this.changed(false);
  }

  #stopThinking() {
    if (!this.thinking) return;
    this.thinking.search.stop();
    this.thinking = null;
    if (this.news) this.news.changed = true;
  }

  #answered(thought, node, answer) {
    if (this.thinking?.thought !== thought || this.game.cursor !== node) return;
    this.thinking = null;
    this.#oneUpdate(() => {
      if (answer.choice) return this.choose(answer);
      this.changed().decision = { ...answer, choice: null };
      this.#keepOpinion(node, answer);
      return this.#place(answer.move);
    });
  }

  /** What players think of their chances, for those who watch; a person's opponent keeps it to itself. */
  #keepOpinion(node, { value }) {
    if (!this.#machinesOnly() || value === null || this.game.nodes.get(node).note?.proof) return;
    this.game.note(node, { value: { number: value, side: COLORS.indexOf(this.game.turn) } });
  }

  #searchFailed(thought, message) {
    if (this.thinking?.thought !== thought) return;
    this.thinking = null;
    this.#cannotThink("player-failed", message);
  }

  #cannotThink(code, message) {
    this.paused = true;
    this.tell({ type: "thinking", thinking: null, paused: true });
    this.tell({ type: "error", code, message });
  }

  // Clock and status

  #runClock() {
    const { game } = this, { clock } = game, opening = this.#opening;
    if (!clock.left || !this.pages.size || game.outcome() || !game.atTip || game.cursor === ROOT || opening) {
      this.#pauseClock();
      return;
    }
    clock.run(game.turn);
    clearTimeout(this.flag);
    this.flag = setTimeout(() => this.#timeUp(), 1000 * clock.remaining(game.turn) + 10);
    if (this.news) this.news.changed = true;
  }

  #pauseClock() {
    clearTimeout(this.flag);
    this.game.clock.pause();
  }

  #timeUp() {
    const { side } = this.game.clock;
    if (!side || this.game.outcome()) return;
    this.#oneUpdate(() => {
      this.#stopThinking();
      this.game.end(side, "time");
      this.changed();
    });
  }

  #status() {
    return { ...this.game.status(), thinking: this.thinking?.thought ?? null, paused: this.paused };
  }
}

const HANDLERS = {
  play(c) { this.play(c); },
  go(c) { if (c.node !== this.game.cursor) this.moveAbout(() => this.game.go(c.node)); },
  undo() { this.moveAbout(() => this.game.undo(), true); },
  redo() { this.moveAbout(() => this.game.redo(), true); },
  think(c) { this.think(c); },
  stop() { this.stop(); },
  hint() { this.desk.hint(); },
  resign() { this.resign(); },
  choose(c) { this.choose(c); },
  delete(c) { this.remove(c); },
  seats(c) { this.seat(c); },
  analyse(c) { this.desk.analyse(c.specs ?? [], c.lines); },
  threats(c) { this.desk.threats(c.seconds); },
  review() { this.desk.review(); },
  retry(c) { this.desk.retry(c.node, c.move); },
  "stop-study"() { this.desk.stop("review", "hint", "threats", "retry"); },
};
