// The card of a network: its size, and what it sees by itself, beside the same network before it learned.

import { h } from "./dom.js";
import { t } from "./i18n.js";

const KINDS = ["five", "block", "open_four", "open_three", "double"];
const WAYS = ["policy", "search", "untrained"];

export function modelCard(network) {
  const tactics = network.tactics ?? {};
  const ways = WAYS.filter((way) => KINDS.some((kind) => `${way}/${kind}` in tactics));
  return h("div", { class: "model-card", data: { testid: "model-card" } },
    network.parameters ? h("p", { class: "help", text: t("card.parameters", { n: network.parameters.toLocaleString("en") }) }) : null,
    ways.length ? h("details", {}, h("summary", { text: t("card.tactics") }), table(tactics, ways),
      h("p", { class: "help", text: t("card.tactics.help") })) : null);
}

function table(tactics, ways) {
  const cell = (way, kind) => h("td", { text: percent(tactics[`${way}/${kind}`]) });
  return h("table", { class: "tactics" },
    h("thead", {}, h("tr", {}, h("td", {}), ways.map((way) => h("th", { scope: "col", text: t(`card.${way}`) })))),
    h("tbody", {}, KINDS.map((kind) => h("tr", {}, h("th", { scope: "row", text: t(`card.${kind}`) }),
      ways.map((way) => cell(way, kind))))));
}

const percent = (value) => (value === undefined ? "–" : `${Math.round(value)} %`);
