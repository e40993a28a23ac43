// Small form parts: labelled fields, choices as buttons, and the choice of a player.

import { h, replace } from "./dom.js";
import { levelName, playerHelp, t } from "./i18n.js";
import { isRated, levelsFor, networks, players, rules, sizes } from "./api.js";
import { modelCard } from "./modelcard.js";
import { misfit, specOptions, withOption } from "./networks.js";

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

/** A select of levels and players. `seat` is `human`, `level:NAME` or a spec; a spec can also be typed. Networks are
 * chosen from a list; what cannot play `variant` is grey and says why. */
export class SeatPicker {
  constructor({ label, seat, variant, human = false, none = null, brief = false, onchange }) {
    Object.assign(this, { seat, variant, human, none, brief, onchange });
    this.select = h("select", { "aria-label": label, onchange: () => this.picked(this.select.value) });
    this.model = h("select", { class: "model", "aria-label": t("new.network"),
      onchange: () => this.change(withOption(this.seat, "model", this.model.value)) });
    this.spec = h("input", { type: "text", class: "spec", maxlength: 200, spellcheck: "false", "aria-label": t("new.spec"),
      placeholder: "minimax:depth=3", onchange: () => this.change(this.spec.value.trim() || Object.keys(players())[0]) });
    this.card = h("div", {});
    this.help = h("p", { class: "help" });
    this.options = h("p", { class: "help options" });
    this.more = h("details", { class: "options" }, h("summary", { text: t("new.options") }), this.spec, this.options);
    this.element = h("div", { class: "seat-picker" }, this.select, this.model, this.card, this.help, this.more);
    this.render();
  }

  get name() {
    return this.seat && this.seat !== "human" && !this.seat.startsWith("level:") ? this.seat.split(":")[0] : "";
  }

  render() {
    const levels = levelsFor(this.variant.width).map((level) => [`level:${level.name}`,
      this.brief ? levelName(level.name) : levelText(level, this.variant)]);
    const named = Object.keys(players()).map((name) => [PLAYER + name, name, this.unfit(name)]);
    replace(this.select,
      this.none ? h("option", { value: "", text: this.none }) : null,
      this.human ? h("option", { value: "human", text: t("new.human") }) : null,
      group(t("new.levels"), levels), group(t("new.players"), named));
    this.select.value = this.name ? PLAYER + this.name : this.seat;
    const player = players()[this.name];
    this.spec.value = this.name ? this.seat : "";
    this.help.textContent = player ? playerHelp(this.name, player) : "";
    this.help.hidden = !player;
    this.options.textContent = player ? optionsText(player) : "";
    this.more.hidden = !player;
    this.renderModels(player);
  }

  renderModels(player) {
    const own = networksOf(this.name);
    this.model.hidden = !player || !("model" in player.options) || !own.length;
    this.card.hidden = this.model.hidden || this.brief;
    if (this.model.hidden) return;
    replace(this.model, own.map((network) => h("option", { value: network.name, disabled: Boolean(misfit(network, this.variant)),
      text: networkText(network, misfit(network, this.variant)) })));
    this.model.value = specOptions(this.seat).model ?? player.options.model.default;
    const chosen = own.find((network) => network.name === this.model.value);
    replace(this.card, chosen ? modelCard(chosen) : null);
  }

  /** Why none of a player's networks can play this board, or "". */
  unfit(name) {
    const own = networksOf(name);
    if (!("model" in players()[name].options) || own.some((network) => !misfit(network, this.variant))) return "";
    return t("new.unfit");
  }

  picked(value) {
    if (!value.startsWith(PLAYER)) return this.change(value);
    const name = value.slice(PLAYER.length), player = players()[name];
    const usual = player.options.model?.default;
    const fitting = networksOf(name).filter((network) => !misfit(network, this.variant)).map((network) => network.name);
    const other = usual && fitting.length && !fitting.includes(usual);
    return this.change(other ? withOption(name, "model", fitting.at(-1)) : name);
  }

  change(seat) {
    this.seat = seat;
    this.render();
    this.onchange?.(seat);
  }
}

const networksOf = (player) => networks().filter((network) => network.player === player);

function networkText(network, why) {
  const size = network.size_free ? t("new.any-size") : `${network.width} × ${network.height}`;
  const plays = `${network.name} · ${size} · ${t(`rule.${network.rule}`)}`;
  return why ? `${plays} (${t(`new.misfit.${why}`)})` : plays;
}

function optionsText({ options }) {
  return Object.entries(options).map(([key, option]) => `${key}=${option.default}`).join(", ");
}

const group = (label, options) => h("optgroup", { label }, options.map(([value, text, why = ""]) =>
  h("option", { value, text: why ? `${text} (${why})` : text, disabled: Boolean(why) })));

export function levelText(level, variant) {
  return isRated(level, variant) ? `${levelName(level.name)} · ${Math.round(level.elo)}` : levelName(level.name);
}
