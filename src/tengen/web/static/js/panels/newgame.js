// The form that starts a game: opponent, colour, board and rule at a glance, the rest one click away.

import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { isRated, levelsFor, rowLengths, seatFor, sizes } from "../api.js";
import { choices, field, number, ruleOptions, select, SeatPicker } from "../forms.js";
import { port } from "../port.js";
import { store, stored } from "../prefs.js";

const KEY = "tengen.newgame";
const CLOCKS = [["0", 0, 0], ["1+2", 60, 2], ["3+2", 180, 2], ["5+5", 300, 5], ["10+0", 600, 0], ["30+0", 1800, 0]];

export class NewGamePanel {
  /** `start(settings)` begins a game; `changed(settings)` hears of every change; `back` exists when there is a game to
   * go back to; `records` are the buttons that open a game instead. */
  constructor({ start, changed, back, records }) {
    Object.assign(this, { start, changed, back, records });
    this.form = { opponent: "", color: "black", width: 15, height: 15, rule: "freestyle", k: 5, clock: "0", opening: "free",
      seconds: 1, ...stored(KEY, {}) };
    this.fixOpponent();
    this.element = h("section", { class: "panel new-game", "aria-label": t("new.title") });
    this.render();
  }

  /** A newcomer meets a beginner. */
  fixOpponent() {
    const levels = levelsFor(this.form.width);
    const usual = levels.length ? `level:${levels[Math.min(1, levels.length - 1)].name}` : "random";
    this.form.opponent = seatFor(this.form.opponent || usual, this.form);
  }

  set(changes) {
    Object.assign(this.form, changes);
    if (this.form.rule === "renju") this.form.k = 5;
    this.fixOpponent();
    store(KEY, this.form);
    this.changed?.(this.settings());
  }

  render() {
    const { form } = this;
    replace(this.element,
      h("h2", { text: t("new.title") }),
      this.lessonOffer(),
      this.opponent(),
      choices(t("new.color"), [["black", t("color.black")], ["white", t("color.white")], ["random", t("new.random")]],
        form.color, (color) => this.set({ color })),
      this.boards(),
      this.rules(),
      this.more(),
      h("button", { type: "button", class: "primary big", onclick: () => this.start(this.settings(true)),
        text: t("new.start") }),
      this.back ? h("button", { type: "button", class: "quiet", onclick: this.back, text: t("new.cancel") }) : null,
      this.records);
  }

  /** Who has neither played here nor seen a lesson is offered the first one. */
  lessonOffer() {
    if (!port.hasServer || this.back || stored("tengen.last", null) || stored("tengen.newcomer", "") === "seen") return null;
    const no = () => { store("tengen.newcomer", "seen"); this.render(); };
    return h("p", { class: "newcomer", data: { testid: "newcomer" } }, t("newcomer.offer"), " ",
      h("a", { href: "#/study/lessons/five", text: t("newcomer.go") }), " ",
      h("button", { type: "button", class: "quiet", onclick: no, text: t("newcomer.no") }));
  }

  opponent() {
    const picker = new SeatPicker({ label: t("new.opponent"), seat: this.form.opponent, variant: this.form, human: true,
      onchange: (opponent) => { this.set({ opponent }); this.render(); } });
    picker.select.id = "opponent";
    return h("div", { class: "field" }, h("label", { for: "opponent", text: t("new.opponent") }), picker.element,
      h("p", { class: "help", text: this.opponentHelp() }));
  }

  opponentHelp() {
    const level = levelsFor(this.form.width).find((l) => `level:${l.name}` === this.form.opponent);
    if (!level) return "";
    const budget = t("new.budget", { s: level.seconds });
    if (!isRated(level, this.form)) return `${t("new.unrated")} · ${budget}`;
    return `${t("new.elo", { elo: eloText(level) })} · ${budget}${t("new.stop")}${t("new.scale")}`;
  }

  boards() {
    const { width, height } = this.form;
    const { least, most, usual: offered } = sizes();
    const usual = width === height && offered.includes(width);
    const options = [...offered.map((n) => [n, `${n}`, `${n} × ${n}`]), ["other", t("new.custom")]];
    const pick = (n) => { this.set(n === "other" ? { width: 12, height: 10 } : { width: n, height: n }); this.render(); };
    const box = choices(t("new.board"), options, usual ? width : "other", pick);
    const side = (name) => field(t(`new.${name}`),
      number(this.form[name], Math.max(least, this.form.k), most, 1,
      (n) => { this.set({ [name]: Math.round(n) }); this.render(); }));
    return usual ? box : h("div", {}, box, h("div", { class: "row" }, side("width"), side("height")));
  }

  rules() {
    return field(t("new.rule"), select(ruleOptions(), this.form.rule, (rule) => { this.set({ rule }); this.render(); }),
      t(`rule.${this.form.rule}.help`, { k: this.form.k }));
  }

  more() {
    const clocks = CLOCKS.map(([key, seconds, increment]) => [key,
      seconds ? `${t("new.minutes", { n: seconds / 60 })}${increment ? ` ${t("new.increment", { n: increment })}` : ""}`
      : t("new.noclock")]);
    const openings = [["free", t("new.free")], ["swap2", t("new.swap2")]];
    const ks = rowLengths().map((k) => [String(k), String(k)]);
    const details = h("details", { class: "more", open: this.opened ?? this.isUnusual(),
      ontoggle: () => { this.opened = details.open; } }, h("summary", { text: t("new.more") }),
      h("div", { class: "two-columns" },
        field(t("new.clock"), select(clocks, this.form.clock, (clock) => this.set({ clock }))),
        field(t("new.opening"), select(openings, this.form.opening,
          (opening) => { this.set({ opening }); this.render(); })),
        field(t("new.k"), select(ks, String(this.form.k),
          (k) => { this.set({ k: Number(k),
          rule: Number(k) !== 5 && this.form.rule === "renju" ? "freestyle" : this.form.rule }); this.render(); })),
        field(t("new.seconds"), number(this.form.seconds, 0.05, 60, 0.05, (seconds) => this.set({ seconds })),
          this.form.opponent.startsWith("level:") ? t("seat.seconds.help") : "")),
      this.form.opening === "swap2" ? h("p", { class: "help", text: t("new.swap2.help") }) : null);
    return details;
  }

  isUnusual() {
    return this.form.k !== 5 || this.form.clock !== "0" || this.form.opening !== "free";
  }

  /** Settings for the server; a random colour is drawn only when the game really starts. */
  settings(final = false) {
    const f = this.form;
    const black = f.color === "random" && final ? Math.random() < 0.5 : f.color !== "white";
    const [, seconds, increment] = CLOCKS.find(([key]) => key === f.clock) ?? CLOCKS[0];
    return {
      width: f.width, height: f.height, k: f.k, rule: f.rule, opening: f.opening, seconds: f.seconds,
      black: black ? "human" : f.opponent, white: black ? f.opponent : "human",
      clock: seconds ? { seconds, increment } : null,
    };
  }
}

export function eloText(level) {
  const elo = Math.round(level.elo);
  return level.error ? `${elo} ± ${Math.round(level.error)}` : String(elo);
}
