// What a person prefers, kept by the browser. Listeners hear every change.

const KEY = "tengen.prefs";
const DEFAULTS = {
  lang: navigator.language?.toLowerCase().startsWith("zh") ? "zh" : "en",
  theme: "auto",
  coordinates: true,
  numbers: false,
  guard: "auto",
  sound: false,
  forbidden: true,
  threats: true,
};
const listeners = new Set();
let values = { ...DEFAULTS, ...stored(KEY, {}) };

export function stored(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs only the memory of it.
  }
}

export const pref = (name) => values[name];

export function setPref(name, value) {
  values = { ...values, [name]: value };
  store(KEY, values);
  for (const listener of listeners) listener(name, value);
}

export function onPref(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Is a first tap only a question? By default on touch screens. */
export function guarded() {
  return pref("guard") === "on" || (pref("guard") === "auto" && matchMedia("(pointer: coarse)").matches);
}

export function applyTheme() {
  const dark = pref("theme") === "dark" || (pref("theme") === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  return dark;
}
