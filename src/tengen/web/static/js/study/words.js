// The words of the study room. They come with it, so that the first load of the page stays small.

import { pref } from "../prefs.js";
import en from "./lang-en.js";
import zh from "./lang-zh.js";

export function w(key, values = {}) {
  const text = (pref("lang") === "zh" ? zh : en)[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

/** A text that the server sends in every language. */
export const words = (text) => text[pref("lang")] ?? text.en;
