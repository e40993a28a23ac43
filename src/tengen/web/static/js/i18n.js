// Two languages. `t("play.undo")` gives the text; {name} in a text is filled from the second argument, and
// {name|game|games} gives the first word for one and the second for any other number.

import en from "./lang/en.js";
import zh from "./lang/zh.js";
import { pref } from "./prefs.js";

const LANGUAGES = { en, zh };

export function t(key, values = {}) {
  return fill(LANGUAGES[pref("lang")]?.[key] ?? en[key] ?? key, values);
}

export function fill(text, values) {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (all, name, one, many) => {
    if (!(name in values)) return all;
    return one === undefined ? values[name] : Number(values[name]) === 1 ? one : many;
  });
}

export const has = (key) => key in en;

/** A level's name for people; names we have no word for are shown as they are. */
export function levelName(name) {
  return has(`level.${name}`) ? t(`level.${name}`) : name.replace(/-/g, " ").replace(/^./, (c) => c.toUpperCase());
}

/** `human`, `level:club` or `minimax:depth=3` for people. */
export function seatName(seat) {
  if (seat === "human") return t("seat.human");
  return seat.startsWith("level:") ? levelName(seat.slice(6)) : seat;
}

/** `6x6 k=4 freestyle` for people. */
export function variantText(variant) {
  const [, width, height, k, rule] = variant.match(/^(\d+)x(\d+)(?: k=(\d+))? (\S+)$/) ?? [];
  if (!rule) return variant;
  return [`${width} × ${height}`, k ? t("rule.inrow", { k }) : "", t(`rule.${rule}`)].filter(Boolean).join(" · ");
}

export const colorName = (color) => t(`color.${color}`);

/** An error from the server in the reader's language, if we know its code. */
export const errorText = (code, message) => (has(`error.${code}`) ? t(`error.${code}`, { message }) : message);

/** What kind of player this is; a player we have no words for is described by the server. */
export const playerHelp = (name, { help }) => (has(`player.${name}`) ? t(`player.${name}`) : help);
