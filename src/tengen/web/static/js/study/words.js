// The words of the study room.

import { fill } from "../i18n.js";
import { pref } from "../prefs.js";
import en from "./lang-en.js";
import zh from "./lang-zh.js";

export function w(key, values = {}) {
  return fill((pref("lang") === "zh" ? zh : en)[key] ?? en[key] ?? key, values);
}

/** A text that the server sends in every language. */
export const words = (text) => text[pref("lang")] ?? text.en;
