// Small form parts: labelled fields, choices as buttons, and the choice of a player.

import { h, replace } from "./dom.js";
import { levelName, playerHelp, t } from "./i18n.js";
import { levelsFor, networks, players, rules, sizes } from "./api.js";

let ids = 0;

export function field(label, control, help) {
  const id = control.id || `field-${++ids}`;
  control.id = id;
  return h("div", { class: "field" }, h("label", { for: id, text: label }), control,
    help ? h("p", { class: "help", text: help }) : null);
}

export function select(options, value, onchange) {
  const element = h("select", { onchange: () => onchange?.(element.value) },
    options.map(([key, text]) => h("option", { value: key, text, selected: key === value })));
  return element;
}

/** Exclusive choices shown side by side: [[value, text, title?]]. */
export function choices(label, options, value, onchange) {
  const name = `choice-${++ids}`;
  const radios = options.map(([key, text, title]) => h("label", { class: "choice", title },
    h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchange(key) }),
      h("span", { text })));
  return h("fieldset", { class: "choices" }, h("legend", { text: label }), h("div", { class: "choice-row" }, radios));
}

export function toggle(label, value, onchange) {
  const input = h("input", { type: "checkbox", role: "switch", checked: value, onchange: () => onchange(input.checked) });
  return h("label", { class: "toggle" }, input, h("span", { class: "track" }), h("span", { text: label }));
}

export function number(value, min, max, step, onchange) {
  const input = h("input", { type: "number", min, max, step, value, inputmode: "decimal",
    onchange: () => onchange?.(Math.max(min, Math.min(max, Number(input.value) || min))) });
  return input;
}

/** Rules and usual board sizes, as the server lists them. */
export const ruleOptions = () => rules().map((rule) => [rule, t(`rule.${rule}`)]);
export const sizeOptions = () => sizes().usual.map((n) => [String(n), `${n} × ${n}`]);

const PLAYER = "player:";

/** A select of levels and players. `seat` is `human`, `level:NAME` or a spec; a spec can also be typed. */
export class SeatPicker {
  constructor({ label, seat, width, human = false, none = null, onchange }) {
    Object.assign(this, { seat, width, human, none, onchange });
    this.select = h("select", { "aria-label": label, onchange: () => this.picked(this.select.value) });
    this.spec = h("input", { type: "text", class: "spec", maxlength: 200, spellcheck: "false", "aria-label": t("new.spec"),
      placeholder: "minimax:depth=3", onchange: () => this.typed() });
    this.help = h("p", { class: "help" });
    this.options = h("p", { class: "help options" });
    this.more = h("details", { class: "options" }, h("summary", { text: t("new.options") }), this.options);
    this.element = h("div", { class: "seat-picker" }, this.select, this.spec, this.help, this.more);
    this.render();
  }

  setWidth(width) {
    this.width = width;
    this.render();
  }

  render() {
    const levels = levelsFor(this.width).map((level) => [`level:${level.name}`, levelText(level)]);
    const named = Object.keys(players()).map((name) => [PLAYER + name, name]);
    replace(this.select,
      this.none ? h("option", { value: "", text: this.none }) : null,
      this.human ? h("option", { value: "human", text: t("new.human") }) : null,
      group(t("new.levels"), levels), group(t("new.players"), named));
    const isSpec = this.seat && this.seat !== "human" && !this.seat.startsWith("level:");
    this.select.value = isSpec ? PLAYER + this.seat.split(":")[0] : this.seat;
    this.spec.hidden = !isSpec;
    if (isSpec) this.spec.value = this.seat;
    const name = isSpec ? this.seat.split(":")[0] : "";
    const player = players()[name];
    this.help.textContent = player ? playerHelp(name, player) : "";
    this.help.hidden = !player;
    this.options.textContent = player ? optionsText(player) : "";
    this.more.hidden = !this.options.textContent;
  }

  picked(value) {
    this.seat = value.startsWith(PLAYER) ? value.slice(PLAYER.length) : value;
    this.render();
    this.onchange?.(this.seat);
  }

  typed() {
    this.seat = this.spec.value.trim() || Object.keys(players())[0];
    this.render();
    this.onchange?.(this.seat);
  }
}

function optionsText({ options }) {
  const listed = Object.entries(options).map(([key, option]) => `${key}=${option.default}`).join(", ");
  const names = networks().map((network) => network.name).join(", ");
  const models = "model" in options && names ? t("new.models", { names }) : "";
  return [listed, models].filter(Boolean).join(" · ");
}

const group = (label, options) => h("optgroup", { label }, options.map(([value, text]) => h("option", { value, text })));

export function levelText(level) {
  return level.elo === null ? levelName(level.name) : `${levelName(level.name)} · ${Math.round(level.elo)}`;
}
