// The library: all games kept, searched, tagged, imported and exported; results against the levels.

import { h, replace } from "../dom.js";
import { levelName, seatName, t, variantText } from "../i18n.js";
import { del, get, post, refusalText } from "../api.js";
import { confirmDialog, openDialog, toast } from "../dialogs.js";
import { field, select } from "../forms.js";
import { download } from "../panels/records.js";
import { actionButton, once } from "../views/polling.js";
import { openingName, openingOptions } from "./names.js";
import { w } from "./words.js";

const RESULTS = ["won", "lost", "draw", "open"];
const SOURCES = ["play", "import", "tournament", "run"];
const CHUNK = 300_000;

export class LibraryView {
  constructor(navigate) {
    this.navigate = navigate;
    this.search = { player: "", result: "", opening: "", tag: "", source: "", since: "", until: "" };
    this.rows = [];
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.results = h("div", { class: "box wide", data: { testid: "results" } });
    this.form = h("div", { class: "library-search" });
    this.list = h("div", { class: "box wide", data: { testid: "games" } });
    this.element = h("div", { class: "page library" }, this.fault, this.results,
      h("div", { class: "box wide" }, this.form, h("div", { class: "row wrap" },
        h("button", { type: "button", onclick: () => importGames(() => this.load()), text: w("library.import") }),
        actionButton(w("library.export"), exportGames))), this.list);
    this.start();
  }

  async start() {
    replace(this.form, this.fields(await openingOptions()));
    await this.load();
  }

  fields(openings) {
    const set = (name) => (value) => { this.search[name] = value; this.load(); };
    const typed = (name, type) => {
      const input = h("input", { type, maxlength: 80, oninput: () => { clearTimeout(this.timer); this.timer = setTimeout(() => set(name)(input.value), 200); } });
      return input;
    };
    return [field(w("library.opponent"), typed("player", "search")),
      field(w("library.result"), select([["", w("library.anyresult")], ...RESULTS.map((r) => [r, w(`library.${r}`)])], "", set("result"))),
      field(w("library.opening"), select([["", w("library.anyopening")], ...openings], "", set("opening"))),
      field(w("library.source"), select([["", w("library.anysource")], ...SOURCES.map((s) => [s, w(`source.${s}`)])], "", set("source"))),
      field(w("library.tag"), typed("tag", "search")),
      field(w("library.from"), typed("since", "date")), field(w("library.to"), typed("until", "date"))];
  }

  query(offset) {
    const { since, until, ...rest } = this.search;
    const seconds = (day, days) => (day ? String(new Date(`${day}T00:00`).getTime() / 1000 + 86_400 * days) : "0");
    return new URLSearchParams({ ...rest, since: seconds(since, 0), until: seconds(until, 1), offset });
  }

  async load(offset = 0) {
    const asked = this.asked = {};
    try {
      const [found, results] = await Promise.all([get(`/api/library?${this.query(offset)}`), get("/api/library/results")]);
      if (this.asked !== asked) return;
      this.rows = offset ? [...this.rows, ...found.games] : found.games;
      this.fault.hidden = !found.damaged;
      this.fault.textContent = found.damaged ? w("library.damaged", { name: found.damaged }) : "";
      replace(this.results, this.resultsTable(results));
      replace(this.list, await this.table(found.total));
    } catch (error) {
      toast(refusalText(error), "error");
    }
  }

  resultsTable({ levels, elo }) {
    const [value, low, high] = (elo ?? []).map(Math.round);
    const score = ({ won, drawn, lost }) => `${won} – ${drawn} – ${lost}`;
    return [h("h2", { class: "minor", text: w("library.results") }),
      h("p", { class: elo ? "" : "help", text: elo ? w("library.elo", { elo: value, low, high }) : w("library.elo.few") }),
      levels.length ? h("div", { class: "scroll" }, h("table", { class: "games" },
        h("thead", {}, h("tr", {}, [w("library.level"), t("new.board"), w("library.score")].map((text) => h("th", { scope: "col", text })))),
        h("tbody", {}, levels.map((row) => h("tr", {}, h("td", { text: levelName(row.level) }), h("td", { text: variantText(row.variant) }), h("td", { text: score(row) })))))) : null];
  }

  async table(total) {
    if (!total) return h("p", { class: "help", text: w(Object.values(this.search).some(Boolean) ? "library.none" : "library.empty") });
    const heads = ["date", "players", "result", "opening", "moves"].map((name) =>
      h("th", { scope: "col", class: ["opening", "moves"].includes(name) ? "wide-only" : "", text: w(`library.${name}`) }));
    return [h("p", { class: "help", data: { testid: "count" }, text: w("library.count", { n: total }) }),
      h("table", { class: "games" }, h("thead", {}, h("tr", {}, heads, h("td", {}))), h("tbody", {}, await Promise.all(this.rows.map((row) => this.row(row))))),
      this.rows.length < total ? h("button", { type: "button", onclick: () => this.load(this.rows.length), text: w("library.more") }) : null];
  }

  async row(game) {
    const open = async () => {
      const { id } = await post(`/api/library/${game.id}/open`);
      this.navigate(`#/play/${id}`);
    };
    const day = new Date(1000 * game.played);
    const name = (seat) => seatName(seat) || "–";
    return h("tr", { data: { game: game.id } }, h("td", { text: new Intl.DateTimeFormat(document.documentElement.lang).format(day) }),
      h("td", {}, opener(`${name(game.black)} – ${name(game.white)}`, open),
        h("div", { class: "help" }, game.tags.map((tag) => h("span", { class: "tag-chip", text: tag })),
          [variantText(game.variant), game.helped ? w("library.helped") : "", game.note].filter(Boolean).join(" · "))),
      h("td", { text: resultOf(game) }), h("td", { class: "wide-only", text: game.opening ? await openingName(game.opening) : "" }),
      h("td", { class: "number wide-only", text: game.moves }),
      h("td", {}, h("button", { type: "button", class: "quiet", "aria-label": w("library.edit"), title: w("library.edit"), onclick: () => annotate(game, () => this.load()), text: "#" })));
  }
}

async function exportGames() {
  const text = await get("/api/library/export"), day = new Date().toISOString().slice(0, 10);
  download(`tengen-library-${day}.sgf`, new Blob([text], { type: "application/x-go-sgf" }));
}

function opener(text, action) {
  return once(h("button", { type: "button", class: "open-game", title: w("library.openit"), text }), action);
}

function resultOf({ winner }) {
  if (winner === "draw") return w("library.draw");
  return winner ? t("over.five", { color: t(`color.${winner}`) }) : w("library.open");
}

function annotate(game, done) {
  const tags = h("input", { type: "text", maxlength: 200, value: game.tags.join(" ") });
  const note = h("textarea", { rows: 4, maxlength: 4000, value: game.note });
  const save = actionButton(w("library.save"), async () => {
    await post(`/api/library/${game.id}/note`, { tags: tags.value, note: note.value });
    close();
    done();
  }, "primary");
  const remove = () => { close(); confirmDialog(w("library.delete.ask"), async () => { await del(`/api/library/${game.id}`); done(); }); };
  const close = openDialog(w("library.edit"), [field(w("library.tags"), tags), field(w("library.note"), note),
    h("div", { class: "row spread" }, h("button", { type: "button", class: "quiet", onclick: remove, text: w("library.delete") }), save)]);
}

// Import: large files go to the server in pieces, cut between games.

function importGames(done) {
  const report = h("div", { role: "status", data: { testid: "import-report" } });
  const bar = h("progress", { max: 1, value: 0, hidden: true });
  const file = h("input", { type: "file", accept: ".sgf,.psq,.txt,.pos", multiple: true, class: "unseen", "aria-label": w("library.import"),
    onchange: () => take().catch((error) => { report.textContent = refusalText(error); }) });
  const take = async () => {
    const sum = { new: 0, double: 0, bad: [] };
    const batches = await pieces([...file.files]);
    bar.hidden = false;
    bar.max = batches.length;
    for (const [i, files] of batches.entries()) {
      add(sum, await post("/api/library/import", { files }));
      bar.value = i + 1;
      show(sum);
    }
    done();
  };
  const add = (sum, found) => { sum.new += found.new; sum.double += found.doubles; sum.bad.push(...found.bad); };
  const show = (sum) => replace(report, h("p", { text: w("library.imported", { new: sum.new, double: sum.double, bad: sum.bad.length }) }),
    sum.bad.length ? h("pre", { class: "log", text: sum.bad.join("\n") }) : null);
  const matches = actionButton(w("library.matches"), async () => {
    const sum = { new: 0, double: 0, bad: [] };
    add(sum, await post("/api/library/matches"));
    show(sum);
    done();
  });
  openDialog(w("library.import"), [h("p", { class: "help", text: w("library.import.help") }), bar, report,
    h("div", { class: "row end wrap" }, file, matches, h("button", { type: "button", class: "primary", onclick: () => file.click(), text: w("puzzle.import.file") }))]);
}

/** Files in batches below the size of a request. */
async function pieces(files) {
  const batches = [[]];
  let size = 0;
  for (const file of files) {
    const text = await file.text();
    for (const part of split(text)) {
      if (size + part.length > CHUNK && batches.at(-1).length) { batches.push([]); size = 0; }
      batches.at(-1).push({ name: file.name, text: part });
      size += part.length;
    }
  }
  return batches;
}

/** A text of at most CHUNK characters stays whole; a longer SGF collection is cut between its games. */
export function split(text, most = CHUNK) {
  if (text.length <= most || !text.trimStart().startsWith("(")) return [text];
  const parts = [];
  let depth = 0, start = 0, end = 0;
  for (const { 0: token, index } of text.matchAll(/\[(?:\\[^]|[^\]\\])*\]|[()]/g)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    if (token !== ")" || depth) continue;
    if (index + 1 - start > most && end > start) { parts.push(text.slice(start, end)); start = end; }
    end = index + 1;
  }
  return [...parts, text.slice(start)];
}
