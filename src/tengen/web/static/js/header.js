// The bar at the top: where we are, language, appearance, settings, help.

import { h, iconButton, iconOf, replace } from "./dom.js";
import { t } from "./i18n.js";
import { choices, toggle } from "./forms.js";
import { openDialog } from "./dialogs.js";
import { applyTheme, pref, setPref } from "./prefs.js";
import { showHelp } from "./keyboard.js";

const VIEWS = [["play", "play"], ["analyse", "search"], ["review", "eye"], ["watch", "swords"], ["tournaments", "cup"],
  ["train", "chart"], ["study", "book"]];

export function drawHeader(current) {
  const dark = document.documentElement.dataset.theme === "dark";
  const links = VIEWS.map(([name, icon]) => h("a",
    { href: `#/${name}`, "aria-current": name === current ? "page" : null, data: { view: name } },
    iconOf(icon), h("span", { text: t(`nav.${name}`) })));
  replace(document.getElementById("header"),
    h("a", { class: "brand", href: "#/play", "aria-label": "Tengen" },
      h("span", { class: "seal", "aria-hidden": "true" }, iconOf("seal", "0 0 24 33")), h("span", { class: "brand-name", text: "Tengen" })),
    h("nav", { "aria-label": t("nav.views") }, links),
    h("div", { class: "tools" },
      h("button", { type: "button", class: "text-button", lang: pref("lang") === "en" ? "zh" : "en",
        "aria-label": t("top.language.name"), title: t("top.language.name"),
        onclick: () => setPref("lang", pref("lang") === "en" ? "zh" : "en"), text: pref("lang") === "en" ? "" : t("top.language") },
        pref("lang") === "en" ? iconOf("chinese") : null),
      iconButton(dark ? "sun" : "moon", t("top.theme"), () => setPref("theme", dark ? "light" : "dark")),
      iconButton("help", t("top.help"), showHelp, { key: "?" }),
      iconButton("gear", t("top.settings"), showSettings)));
}

function showSettings() {
  const yesNo = (name) => toggle(t(`settings.${name}`), pref(name), (value) => setPref(name, value));
  const three = (name, options) => choices(t(`settings.${name}`), options.map((o) => [o, t(`settings.${o}`)]), pref(name),
    (value) => setPref(name, value));
  openDialog(t("settings.title"), h("div", { class: "stack" },
    three("theme", ["auto", "light", "dark"]), three("guard", ["auto", "on", "off"]),
    choices(t("settings.language"), [["en", "English"], ["zh", "中文"]], pref("lang"), (value) => setPref("lang", value)),
    yesNo("coordinates"), yesNo("numbers"), yesNo("forbidden"), yesNo("threats"), yesNo("sound")));
}

export { applyTheme };
