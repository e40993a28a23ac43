// Training runs: curves while they learn, sample games, and a form that starts an experiment.

import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { get, post } from "../api.js";
import { field, number, select } from "../forms.js";
import { format, LineChart } from "../chart.js";
import { actionButton, gameList, once, Polling } from "./polling.js";

const REFRESH_MS = 3000;

/** Which metrics share a chart; the rest of a run's metrics are drawn one by one below. */
const CHARTS = [
  ["loss", /^loss|_loss$/, {}],
  ["ladder", /^ladder\//, { range: [0, 100], unit: "%" }],
  ["rate", /^(rate|learning_rate|lr)$/, { log: true }],
  ["kl", /^kl$/, {}],
  ["epsilon", /^epsilon$/, { range: [0, 1] }],
  ["reward", /^reward/, {}],
  ["length", /^length$/, {}],
  ["results", /^(black_wins|white_wins|draws)$/, { range: [0, 1] }],
  ["speed", /_per_second$/, { log: true }],
];
const MOST_COMPARED = 3;
const HIDDEN = /^(iteration|seconds|games|positions|play_seconds|learn_seconds|steps)$|^ladder_/;

export class TrainView {
  constructor(navigate, name) {
    Object.assign(this, { navigate, compared: new Set(), rows: new Map() });
    this.name = name;
    this.list = h("div", { class: "cards" });
    this.detail = h("div", { class: "stack" });
    this.formBox = h("div", {});
    this.polling = new Polling(() => this.refresh(), REFRESH_MS);
    this.element = h("div", { class: "page training" }, h("h1", { text: t("train.title") }), this.polling.fault, this.list,
      this.detail, this.formBox);
  }

  close() {
    this.polling.close();
  }

  async refresh() {
    const { runs, experiments, available } = await get("/api/runs");
    if (this.polling.closed) return;
    this.runs = runs;
    this.drawList();
    if (!this.formBox.childElementCount) replace(this.formBox,
      available ? this.form(experiments) : h("p", { class: "help", text: t("train.missing") }));
    if (this.name) await this.refreshDetail();
  }

  drawList() {
    const cards = this.runs.map((run) => h("a",
      { class: "card", href: `#/train/${run.name}`, "aria-current": run.name === this.name ? "true" : null },
      h("strong", { text: run.name }),
        h("span", { class: run.running ? "live" : "help",
        text: run.running ? t("tour.running") : t("train.updated", { ago: ago(run.updated) }) }),
      h("span", { class: "help",
        text: `${t("train.iteration")} ${run.last.iteration ?? 0}${run.last.games ? ` · ${format(run.last.games)} ${t("tour.record")}` : ""}` })));
    replace(this.list, cards.length ? cards : h("p", { class: "help", text: t("train.none") }));
  }

  async refreshDetail() {
    const known = this.runs.some((run) => run.name === this.name);
    if (!known) return this.drawLog(await get(`/api/runs/${this.name}/log`));
    for (const name of [this.name, ...this.compared]) await this.load(name);
    if (!this.games || this.rows.get(this.name).last.iteration !== this.gamesAt) {
      this.gamesAt = this.rows.get(this.name).last.iteration;
      this.games = await get(`/api/runs/${this.name}/games`);
    }
    if (!this.polling.closed && this.isNews()) this.draw();
    return null;
  }

  /** Charts are drawn again only for something new, so that a reading under the pointer stays. */
  isNews() {
    const { log, ours } = this.rows.get(this.name);
    const shown = [this.name, ...this.compared].map((name) => [name, this.rows.get(name).metrics.length]);
    const news = JSON.stringify([shown, log, ours, this.games.length, this.runs.map((run) => run.name)]);
    const changed = news !== this.news;
    this.news = news;
    return changed;
  }

  /** Only what is new is asked for. */
  async load(name) {
    const old = this.rows.get(name);
    const after = old?.metrics.at(-1)?.iteration ?? -1;
    const data = await get(`/api/runs/${name}?after=${after}`);
    if (old) data.metrics = [...old.metrics, ...data.metrics];
    this.rows.set(name, data);
  }

  drawLog({ running, log, failed }) {
    replace(this.detail, h("div", { class: "box wide" }, h("h2", { text: this.name }),
      h("p", { class: "help", text: running ? t("common.loading") : failed ? t("tour.failed") : "" }),
      h("pre", { class: "log", text: log })));
  }

  draw() {
    const data = this.rows.get(this.name);
    const stop = async () => { await post(`/api/runs/${this.name}/stop`); await this.polling.now(); };
    const others = this.runs.filter((run) => run.name !== this.name);
    const opened = this.detail.querySelector("details.config")?.open;
    replace(this.detail,
      h("div", { class: "row spread" }, h("h2", { text: this.name }), h("div", { class: "row" },
        data.ours ? actionButton(t("train.stop"), stop) : null)),
      others.length ? this.comparison(others) : null,
      h("div", { class: "charts", data: { testid: "charts" } }, this.charts()),
      h("div", { class: "box wide" }, h("h3", { text: t("train.games") }), this.gameList()),
      h("details", { class: "box wide config", open: opened }, h("summary", { text: t("train.config") }),
        h("pre", { class: "log", text: JSON.stringify(data.config, null, 2) })),
      data.log ? h("details", { class: "box wide" }, h("summary", { text: t("train.log") }),
        h("pre", { class: "log", text: data.log })) : null);
  }

  /** Other runs to draw into the same charts. */
  comparison(others) {
    const chip = ({ name }) => h("button", { type: "button", class: "chip", text: name,
      "aria-pressed": String(this.compared.has(name)), onclick: () => this.compare(name),
      disabled: !this.compared.has(name) && this.compared.size >= MOST_COMPARED });
    return h("div", { class: "row wrap", role: "group", "aria-label": t("train.compare") },
      h("span", { class: "help", text: t("train.compare") }), others.map(chip));
  }

  compare(name) {
    if (!this.compared.delete(name)) this.compared.add(name);
    this.polling.now();
  }

  charts() {
    const keys = [...new Set(this.rows.get(this.name).metrics.flatMap((row) => Object.keys(row)))];
    const charts = [], used = new Set();
    for (const [title, pattern, options] of CHARTS) {
      const matching = keys.filter((key) => pattern.test(key));
      matching.forEach((key) => used.add(key));
      if (matching.length) charts.push(new LineChart(t(`chart.${title}`), this.series(matching), options).element);
    }
    for (const key of keys) if (!used.has(key)
      && !HIDDEN.test(key)) charts.push(new LineChart(key.replace(/_/g, " "), this.series([key])).element);
    return charts;
  }

  series(keys) {
    return [this.name, ...this.compared].flatMap((name) => keys.map((key) => ({
      name: this.compared.size ? `${name} ${key}` : key.replace(/^ladder[._/]/, ""),
      points: this.rows.get(name).metrics.filter((row) => key in row).map((row) => [row.iteration, row[key]]),
    })));
  }

  gameList() {
    const dot = (winner) => (winner ? h("span", { class: `dot ${winner}`, role: "img",
      "aria-label": t("over.five", { color: t(`color.${winner}`) }) }) : h("span", { text: "½" }));
    return gameList("runs", this.name, this.games, (game) => [
      h("span", { text: `${t("train.iteration")} ${game.iteration}` }),
      h("span", { class: "help", text: `${game.width} × ${game.height} · ${game.moves}` }), dot(game.winner)], this.navigate);
  }

  form(experiments) {
    const names = experiments.map((experiment) => experiment.name);
    const request = { experiment: names.includes("quick") ? "quick" : names[0], minutes: 5 };
    const settings = h("textarea", { rows: 2, spellcheck: "false", placeholder: "learn.batch=256" });
    const about = h("p", { class: "help", data: { testid: "about" } });
    const choose = (name) => {
      request.experiment = name;
      about.textContent = experiments.find((experiment) => experiment.name === name)?.about ?? "";
    };
    const start = async () => {
      const lines = settings.value.split("\n").map((line) => line.trim()).filter(Boolean);
      const { name } = await post("/api/runs", { ...request, settings: lines });
      this.navigate(`#/train/${name}`);
    };
    choose(request.experiment);
    return h("form", { class: "box wide stack", onsubmit: (event) => event.preventDefault() },
      h("h2", { text: t("train.new") }),
      h("div", { class: "form-grid" },
        field(t("train.experiment"), select(names.map((name) => [name, name]), request.experiment, choose)),
        field(t("train.minutes"), number(request.minutes, 0.1, 10000, 0.1, (n) => { request.minutes = n; })),
        field(t("train.set"), settings)), about,
      h("div", { class: "row" }, once(h("button", { type: "submit", class: "primary", text: t("train.start") }), start)));
  }
}

function ago(seconds) {
  const passed = Math.max(0, Date.now() / 1000 - seconds);
  const [name, size] = [["days", 86400], ["hours", 3600], ["minutes", 60]].find((unit) => passed >= unit[1]) ?? ["seconds", 1];
  return t(`ago.${name}`, { n: Math.floor(passed / size) });
}
