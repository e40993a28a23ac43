// The two players of a game: who they are, whose turn it is, how much time they have.

import { h, iconButton, replace } from "../dom.js";
import { colorName, seatName, t } from "../i18n.js";
import { isRated, levelOf } from "../api.js";
import { eloText } from "./newgame.js";
import { changeSeat } from "./seats.js";

export class PlayersCard {
  /** `editable`: people may change who plays. */
  constructor(session, { editable = false } = {}) {
    Object.assign(this, { session, editable });
    this.element = h("div", { class: "players" });
    this.timer = setInterval(() => this.tick(), 200);
    this.update();
  }

  close() {
    clearInterval(this.timer);
  }

  update() {
    if (!this.session.ready) return;
    this.clocks = {};
    replace(this.element, this.row("black"), this.row("white"), this.state());
    this.tick();
  }

  row(color) {
    const { settings, status, over } = this.session;
    const seat = settings[color], level = levelOf(seat, settings.width);
    this.clocks[color] = h("span", { class: "clock", hidden: !status.clock });
    const opening = (status.swap2?.stage ?? "done") !== "done";
    const acts = opening ? (status.swap2.mover === "human") === (seat === "human") : status.turn === color;
    return h("div", { class: `player ${acts && !over ? "to-move" : ""}`, data: { color } },
      h("span", { class: `dot ${color}`, role: "img", "aria-label": colorName(color) }),
      h("div", { class: "player-who" }, h("span", { class: "player-name", text: this.name(color) }),
        level && isRated(level, settings) ? h("span", { class: "elo", text: t("new.elo", { elo: eloText(level) }) }) : null),
      this.clocks[color], this.editable ? this.changeButton(color) : null);
  }

  name(color) {
    const seat = this.session.settings[color], people = this.session.humanColors.length;
    return this.session.nameOf(color) || (seat === "human" && people === 2 ? colorName(color) : seatName(seat));
  }

  changeButton(color) {
    const opening = (this.session.status.swap2?.stage ?? "done") !== "done";
    return iconButton("swap", t("seat.change", { color: colorName(color) }), () => changeSeat(this.session, color),
      { disabled: opening, class: "icon-button small" });
  }

  state() {
    const line = h("div", { class: "state", data: { testid: "state" } },
      h("span", { class: "state-text", text: this.stateText() }));
    if (this.session.thinking) {
      this.elapsed = h("span", { class: "elapsed" });
      line.append(h("span", { class: "dots", "aria-hidden": "true" }), this.elapsed,
        iconButton("stop", t("play.stop"), () => this.session.send("stop"), { key: "Esc", label: t("play.stop"), data: { testid: "stop" } }));
    } else {
      this.elapsed = null;
    }
    if (this.session.over) line.classList.add("over");
    return line;
  }

  stateText() {
    const { status, thinking } = this.session;
    if (!this.session.connected) return t("play.lost-connection");
    if (status.outcome) return outcomeText(this.session);
    if (thinking?.queued) return t("play.queued", { n: thinking.ahead });
    if (thinking) return t("play.thinking", { name: seatName(thinking.seat) });
    const opening = status.swap2?.stage ?? "done";
    if (opening !== "done") return status.swap2.mover === "human"
      ? t(`swap2.${opening}`) : t("swap2.wait");
    if (status.paused && !this.session.myTurn) return t("play.paused");
    return this.session.myTurn && this.session.humanColors.length === 1 ? t("play.your-turn")
      : t("play.turn", { color: colorName(status.turn) });
  }

  tick() {
    const { thinking, status } = this.session;
    if (this.elapsed && thinking && !thinking.queued) {
      const spent = (performance.now() - thinking.since) / 1000;
      this.elapsed.textContent = `${spent.toFixed(1)} / ${Number(thinking.seconds.toFixed(1))} s`;
    }
    if (!status.clock || !this.clocks) return;
    for (const color of ["black", "white"]) {
      const used = status.clock.running === color ? (performance.now() - status.at) / 1000 : 0;
      const left = Math.max(0, status.clock[color] - used);
      this.clocks[color].textContent = clockText(left);
      this.clocks[color].classList.toggle("hurry", left < 20);
    }
  }
}

function clockText(seconds) {
  if (seconds < 10) return seconds.toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

export function outcomeText(session) {
  const { winner, termination } = session.status.outcome;
  if (!winner) return t(session.stones().length < session.settings.width * session.settings.height ? "over.dead"
    : "over.full");
  const mine = session.humanColors;
  if (mine.length === 1 && mine[0] === winner && termination === "five") return t("over.you-win");
  return t(`over.${["five", "resign", "time"].includes(termination) ? termination : "illegal"}`,
    { color: colorName(winner) });
}
