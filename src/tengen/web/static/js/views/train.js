// Training runs: curves while they learn, sample games, and a form that starts an experiment.

import { h, replace } from "../dom.js";
import { t, variantText } from "../i18n.js";
import { catalogue, get, post } from "../api.js";
import { field, number } from "../forms.js";
import { format, LineChart } from "../chart.js";
import inChinese from "../lang/experiments-zh.js";
import { pref } from "../prefs.js";
import { actionButton, gameList, once, Polling } from "./polling.js";

const REFRESH_MS = 3000, FRESH_MS = 700;

/** Which metrics share a chart; the rest of a run's metrics are drawn one by one below. Each has a sentence of help. */
const CHARTS = [
  ["loss", /^loss|_loss$/, {}],
  ["rate", /^(rate|learning_rate|lr)$/, { log: true }],
  ["kl", /^kl$/, {}],
  ["epsilon", /^epsilon$/, { range: [0, 1] }],
  ["reward", /^reward/, {}],
  ["length", /^length$/, {}],
  ["results", /^(black_wins|white_wins|draws)$/, { range: [0, 1] }],
  ["speed", /_per_second$/, { log: true }],
  ["rest", /(?!)/, {}],
];
const STRENGTH = /^ladder\//;
const MOST_COMPARED = 3;
const HIDDEN = /^(iteration|seconds|cpu_seconds|workers_cpu_seconds|games|positions|play_seconds|learn_seconds|steps)$|^ladder/;

export class TrainView {
  constructor(navigate, name) {
    Object.assign(this, { navigate, compared: new Set(), rows: new Map() });
    this.name = name;
    this.list = h("div", { class: "cards" });
    this.detail = h("div", { class: "stack" });
    this.formBox = h("div", {});
    this.sweeps = h("div", { class: "charts", data: { testid: "sweeps" } });
    this.polling = new Polling(() => this.refresh(), REFRESH_MS);
    this.element = h("div", { class: "page training" }, h("h1", { text: t("train.title") }), this.polling.fault, this.list,
      this.detail, this.formBox, this.sweeps);
    this.showSweeps();
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
      this.form(experiments), available ? "" : h("p", { class: "help", text: t("train.missing") }));
    if (this.name) await this.refreshDetail();
    if (this.name && !this.polling.closed && !this.detail.querySelector(".chart-line")) this.askSoon();
  }

  /** Trainings with several seeds and settings: a line with its band for each variant. */
  async showSweeps() {
    const sweeps = await get("/api/sweeps").catch(() => []);
    replace(this.sweeps, sweeps.filter((sweep) => sweep.curves.length).map(({ name, finished, total, curves }) =>
      new LineChart(t("chart.sweep", { name, finished, total }), curves,
        { range: [0, 100], unit: "%", axis: t("chart.games"), help: t("chart.sweep.help") }).element));
  }

  /** A run that was just started is asked about more often until there is something to see. */
  askSoon() {
    const run = this.rows.get(this.name);
    if (!run || run.running) setTimeout(() => this.polling.closed || this.polling.now(), FRESH_MS);
  }

  drawList() {
    const cards = this.runs.map((run) => h("a",
      { class: "card", href: `#/train/${run.name}`, "aria-current": run.name === this.name ? "true" : null },
      h("strong", { text: run.name }),
        h("span", { class: run.running ? "live" : "help", text: stateText(run) }),
      h("span", { class: "help",
        text: `${t("train.iteration")} ${run.last.iteration ?? 0}${run.last.games ? ` · ${t("train.games-played", { n: format(run.last.games) })}` : ""}` })));
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
    const { log, ours, running, stage } = this.rows.get(this.name);
    const shown = [this.name, ...this.compared].map((name) => [name, this.rows.get(name).metrics.length]);
    const news = JSON.stringify([shown, log, ours, running, stage, this.games.length, this.runs.map((run) => run.name)]);
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
    const opened = (kind) => this.detail.querySelector(`details.${kind}`)?.open;
    const rest = this.charts(), strength = this.strength(data);
    const first = strength || !rest.length ? [strength, this.stage(data)] : [rest.shift(), this.stage(data)];
    replace(this.detail,
      h("div", { class: "row spread wrap" }, h("h2", { text: this.name }), h("div", { class: "row" },
        data.ours ? actionButton(t("train.stop"), stop) : null,
        data.playable ? actionButton(t("train.play"), () => this.playNetwork(), data.running ? "" : "primary") : null)),
      h("p", { class: data.running ? "live" : "help", data: { testid: "run-state" }, text: summary(data) }),
      strength || data.running ? null : h("p", { class: "help", text: t("train.no-ladder") }),
      others.length ? this.comparison(others) : null,
      h("div", { class: "charts first", data: { testid: "charts" } }, first),
      rest.length ? h("details", { class: "more-charts", open: opened("more-charts") },
        h("summary", { text: t("train.more", { n: rest.length }) }), h("div", { class: "charts" }, rest)) : null,
      h("div", { class: "box wide" }, h("h3", { text: t("train.games") }), this.gameList()),
      h("details", { class: "box wide config", open: opened("config") }, h("summary", { text: t("train.config") }),
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

  /** What counts: the score against fixed opponents, with its 95 % interval. Until it is measured the first of the other
   * curves stands in its place. */
  strength(data) {
    const keys = keysOf(data.metrics).filter((key) => STRENGTH.test(key));
    if (!keys.length) return null;
    return new LineChart(t("chart.ladder"), this.series(keys, interval), { range: [0, 100], unit: "%",
      axis: t("train.iteration"), help: t("chart.ladder.help") }).element;
  }

  /** From the first seconds on one sees a run move: the stage it is in. */
  stage({ running, stage, metrics }) {
    if (!running || !stage.points.length || metrics.length > 1) return null;
    return new LineChart(t("chart.stage", { stage: t(`stage.${stage.stage.replace(" ", "-")}`) }),
      [{ name: stage.stage, points: [[0, 0], ...stage.points] }],
      { range: [0, stage.total], axis: t("chart.seconds"), help: t("chart.stage.help") }).element;
  }

  charts() {
    const keys = keysOf(this.rows.get(this.name).metrics).filter((key) => !HIDDEN.test(key));
    const charts = [], used = new Set();
    for (const [title, pattern, options] of CHARTS) {
      const matching = keys.filter((key) => pattern.test(key));
      matching.forEach((key) => used.add(key));
      if (matching.length) charts.push(this.chart(t(`chart.${title}`), matching, title, options));
    }
    for (const key of keys) if (!used.has(key)) charts.push(this.chart(key.replace(/_/g, " "), [key], "rest"));
    return charts;
  }

  chart(title, keys, help, options = {}) {
    return new LineChart(title, this.series(keys), { ...options, axis: t("train.iteration"), help: t(`chart.${help}.help`) }).element;
  }

  series(keys, band = null) {
    return [this.name, ...this.compared].flatMap((name) => keys.map((key) => {
      const rows = this.rows.get(name).metrics.filter((row) => key in row);
      return { name: this.compared.size ? `${name} ${label(key)}` : label(key),
        points: rows.map((row) => [row.iteration, row[key]]),
        band: band && rows.map((row) => [row.iteration, ...band(row, key)]) };
    }));
  }

  /** The server makes a file of the network; then a game against it begins on the board it learned. */
  async playNetwork() {
    const { seat, ...variant } = await post(`/api/runs/${encodeURIComponent(this.name)}/network`);
    const settings = { ...variant, black: "human", white: seat, seconds: 1 };
    const { id } = await post("/api/games", { settings });
    await catalogue(true);
    this.navigate(`#/play/${id}`);
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
    const cost = h("p", { class: "cost", data: { testid: "cost" } });
    const choose = (name) => {
      const chosen = experiments.find((experiment) => experiment.name === name);
      request.experiment = name;
      about.textContent = chosen ? aboutText(chosen) : "";
      cost.textContent = chosen ? costText(chosen) : "";
    };
    const option = ({ name, missing }) => h("option", { value: name, selected: name === request.experiment,
      disabled: missing.length > 0, text: missing.length ? `${name} (${t("train.needs", { files: missing.join(", ") })})` : name });
    const chosen = h("select", { onchange: () => choose(chosen.value) }, experiments.map(option));
    const start = async () => {
      const lines = settings.value.split("\n").map((line) => line.trim()).filter(Boolean);
      const { name } = await post("/api/runs", { ...request, settings: lines });
      this.navigate(`#/train/${name}`);
    };
    choose(request.experiment);
    return h("form", { class: "box wide stack", onsubmit: (event) => event.preventDefault() },
      h("h2", { text: t("train.new") }),
      h("div", { class: "form-grid" },
        field(t("train.experiment"), chosen),
        field(t("train.minutes"), number(request.minutes, 0.1, 10000, 0.1, (n) => { request.minutes = n; })),
        field(t("train.set"), settings)), cost, about,
      h("div", { class: "row" }, once(h("button", { type: "submit", class: "primary", text: t("train.start") }), start)));
  }
}

const keysOf = (metrics) => [...new Set(metrics.flatMap((row) => Object.keys(row)))];
const label = (key) => key.replace(/^ladder\//, t("train.against"));

/** Wilson's 95 % interval of a score in per cent. */
function interval(row, key) {
  const [wins, draws, losses] = ["wins", "draws", "losses"].map((part) => row[key.replace("ladder/", `ladder_${part}/`)] ?? 0);
  const games = wins + draws + losses, z = 1.96;
  if (!games) return [row[key], row[key]];
  const rate = row[key] / 100, middle = (rate + z * z / (2 * games)) / (1 + z * z / games);
  const half = z / (1 + z * z / games) * Math.sqrt(Math.max(0, rate * (1 - rate)) / games + z * z / (4 * games * games));
  return [100 * Math.max(0, middle - half), 100 * Math.min(1, middle + half)];
}

function stateText(run) {
  if (run.running) return t("tour.running");
  return run.spent >= 1 ? t("train.finished") : t("train.updated", { ago: ago(run.updated) });
}

/** What a run has done so far, in one line. */
function summary({ running, spent, last }) {
  const facts = [running ? t("train.share", { n: Math.min(99, Math.floor(100 * spent)) })
    : spent >= 1 ? t("train.finished") : t("tour.stopped")];
  if (last.iteration) facts.push(t("train.iterations", { n: last.iteration }));
  if (last.games) facts.push(t("train.games-played", { n: format(last.games) }));
  if (last.seconds) facts.push(t("train.took", { n: format(last.seconds / 60) }));
  return facts.join(" · ");
}

const aboutText = ({ name, about }) => (pref("lang") === "zh" && inChinese[name]) || about;

function costText({ method, board, budget, opponents }) {
  const limits = Object.entries(budget).filter(([, n]) => n).map(([key, n]) => t(`train.cost.${key}`, { n: format(n) }));
  const parts = [t("train.cost.what", { method, board: variantText(board) }), limits.length ? t("train.cost.until", { limits: limits.join(t("train.cost.or")) }) : "",
    opponents.length ? t("train.cost.measured", { opponents: opponents.join(", ") }) : ""];
  return parts.filter(Boolean).join(" ");
}

function ago(seconds) {
  const passed = Math.max(0, Date.now() / 1000 - seconds);
  const [name, size] = [["days", 86400], ["hours", 3600], ["minutes", 60]].find((unit) => passed >= unit[1]) ?? ["seconds", 1];
  return t(`ago.${name}`, { n: Math.floor(passed / size) });
}
