// Tournaments: started here, watched while they run, with cross table, ratings and games.

import { h, iconButton, replace, s } from "../dom.js";
import { seatName, t } from "../i18n.js";
import { get, levelsFor, post, seatFor } from "../api.js";
import { field, number, ruleOptions, select, SeatPicker, sizeOptions } from "../forms.js";
import { ticks } from "../chart.js";
import { actionButton, gameList, once, Polling, resultText } from "./polling.js";

const REFRESH_MS = 1500;

export class TournamentsView {
  constructor(navigate, id) {
    Object.assign(this, { navigate, id });
    this.body = h("div", { class: "stack" }, h("p", { class: "help", text: t("common.loading") }));
    this.form = id ? null : new TournamentForm((request) => this.start(request));
    this.polling = new Polling(() => this.refresh(), REFRESH_MS);
    this.element = h("div", { class: "page tournaments" },
      h("div", { class: "row spread" }, h("h1", { text: t("tour.title") }),
      id ? h("a", { href: "#/tournaments", class: "back", text: `← ${t("tour.title")}` }) : null),
      this.polling.fault, this.body, this.form?.element);
  }

  close() {
    this.polling.close();
  }

  async refresh() {
    const data = await get(this.id ? `/api/tournaments/${this.id}` : "/api/tournaments");
    if (this.polling.closed) return;
    const text = JSON.stringify(data);
    if (text === this.shown) return;
    this.shown = text;
    replace(this.body, this.id ? this.one(data) : this.list(data));
  }

  async start(request) {
    const { id } = await post("/api/tournaments", request);
    this.navigate(`#/tournaments/${id}`);
  }

  list(rows) {
    if (!rows.length) return h("p", { class: "help", text: t("tour.none") });
    return h("div", { class: "cards" }, rows.map((row) => h("a", { class: "card", href: `#/tournaments/${row.id}` },
      h("strong", { text: row.name || row.players.map((player) => nameOf(row, player)).join(" · ") }),
      h("span", { class: "help", text: `${row.size} × ${row.size} · ${t(`rule.${row.rule}`)}` }),
      h("progress", { max: row.total, value: row.done }),
      h("span", { class: "help", text: `${t(`tour.${row.state}`)} · ${t("tour.progress", row)}` }))));
  }

  one(data) {
    const act = (name) => async () => { await post(`/api/tournaments/${this.id}/${name}`); await this.polling.now(); };
    const button = data.state === "running" ? actionButton(t("tour.stop"), act("stop"))
      : data.done < data.total ? actionButton(t("tour.resume"), act("resume"), "primary") : null;
    return [
      h("div", { class: "box wide" },
        h("div", { class: "row spread" },
          h("h2", { text: data.name || `${data.size} × ${data.size} · ${t(`rule.${data.rule}`)}` }),
          h("div", { class: "row" }, button,
            data.done ? h("a", { class: "button", href: `/api/tournaments/${this.id}/report`, target: "_blank",
            rel: "noopener", text: t("tour.report") }) : null)),
        h("progress", { max: data.total, value: data.done }),
        h("p", { class: "help", data: { testid: "progress" },
          text: `${t(`tour.${data.state}`)} · ${t("tour.progress", data)}` }),
        data.state === "failed" ? h("pre", { class: "log", text: data.log }) : null),
      data.ratings.length ? h("div", { class: "box wide" }, h("h3", { text: t("tour.rating") }),
        h("p", { class: "help", text: t(data.on_scale ? "tour.on-scale" : "tour.around-zero") }), ratingChart(data))
        : null,
      data.standings.length ? h("div", { class: "box wide" }, h("h3", { text: t("tour.cross") }), crossTable(data)) : null,
      data.latest.length ? h("div", { class: "box wide" }, h("h3", { text: t("tour.latest") }), this.games(data))
        : null,
    ];
  }

  games(data) {
    const side = (color, player) => h("span", { class: "row" }, h("span", { class: `dot ${color}` }),
      h("span", { class: "short", text: nameOf(data, player), title: player }));
    return gameList("tournaments", this.id, data.latest, (row) => [side("black", row.black), side("white", row.white),
      h("span", { class: "help", text: `${resultText(row.winner)} · ${row.moves}` })], this.navigate);
  }
}

/** The name people chose for a player: a level by its name, a spec as it was typed. */
function nameOf({ seats }, player) {
  return seatName(seats[player] ?? seats[player.split("@")[0]] ?? player);
}

/** Points with whiskers: rating and its 95 % interval. */
function ratingChart(data) {
  const { ratings } = data;
  const low = Math.min(...ratings.map((r) => r.low)), high = Math.max(...ratings.map((r) => r.high));
  const pad = Math.max(20, 0.06 * (high - low)), from = low - pad, to = high + pad;
  const small = matchMedia("(max-width: 820px)").matches;
  const [width, left] = small ? [400, 138] : [720, 190];
  const rowHeight = 30, height = ratings.length * rowHeight + 26;
  const x = (elo) => left + ((elo - from) / (to - from)) * (width - left - 74);
  const grid = ticks(from, to, small ? 3 : 6).map((v) => [s("line", { x1: x(v), x2: x(v), y1: 4, y2: height - 22, class: "chart-grid" }),
    s("text", { x: x(v), y: height - 6, class: "chart-x", text: v })]);
  const rows = ratings.map((r, i) => {
    const y = i * rowHeight + 18;
    return [s("text", { x: left - 12, y: y + 4, class: "rating-name", text: short(nameOf(data, r.player), small ? 16 : 26) }),
      s("line", { x1: x(r.low), x2: x(r.high), y1: y, y2: y, class: "whisker" }),
      s("circle", { cx: x(r.value), cy: y, r: 5.5, class: "rating-dot" }),
      s("text", { x: width - 4, y: y + 4, class: "rating-value",
        text: `${Math.round(r.value)} ± ${Math.round((r.high - r.low) / 2)}` })];
  });
  return s("svg", { viewBox: `0 0 ${width} ${height}`, class: "rating-chart", role: "img", "aria-label": t("tour.rating") },
    grid, rows);
}

function crossTable(data) {
  const { standings, cross } = data;
  const names = standings.map((row) => row.player);
  const score = new Map(cross.map((row) => [`${row.player}|${row.opponent}`, [row.wins, row.draws, row.losses]]));
  const cell = (a, b) => {
    if (a === b) return h("td", { class: "self", text: "·" });
    const found = score.get(`${a}|${b}`);
    if (!found) return h("td", { text: "" });
    const [w, d, l] = found, share = (w + d / 2) / (w + d + l);
    return h("td", { class: share > 0.55 ? "ahead" : share < 0.45 ? "behind" : "level", title: `+${w} =${d} −${l}`,
      text: `${w + d / 2} / ${w + d + l}` });
  };
  return h("div", { class: "scroll" }, h("table", { class: "cross" },
    h("thead", {}, h("tr", {}, h("th", { text: t("tour.player") }), h("th", { text: t("tour.score") }),
      names.map((_, i) => h("th", { text: i + 1 })))),
    h("tbody", {}, standings.map(({ player: name, points, games }, i) => h("tr", {},
      h("th", { scope: "row", text: `${i + 1}. ${short(nameOf(data, name), 34)}`, title: name }),
      h("td", { text: games ? `${points} / ${games}` : "" }), names.map((other) => cell(name, other)))))));
}

const short = (name, length) => (name.length > length ? `${name.slice(0, length - 1)}…` : name);

class TournamentForm {
  constructor(start) {
    this.start = start;
    const levels = levelsFor(9).map((level) => `level:${level.name}`);
    this.request = { name: "", players: levels.slice(1, 4), size: 9, rule: "freestyle", games: 10, seconds: 0.1 };
    this.element = h("form", { class: "box wide stack", onsubmit: (event) => event.preventDefault() });
    this.render();
  }

  render() {
    const { request } = this;
    const name = h("input", { type: "text", maxlength: 80, value: request.name,
      onchange: () => { request.name = name.value; } });
    replace(this.element, h("h2", { text: t("tour.new") }),
      h("div", { class: "form-grid" }, field(t("tour.name"), name),
        field(t("new.board"), select(sizeOptions(), String(request.size), (n) => this.reshape({ size: Number(n) }))),
        field(t("new.rule"), select(ruleOptions(), request.rule, (rule) => this.reshape({ rule }))),
        field(t("tour.games"), number(request.games, 2, 1000, 2, (n) => { request.games = Math.round(n); })),
        field(t("tour.seconds"), number(request.seconds, 0.02, 30, 0.01, (n) => { request.seconds = n; }), t("seat.seconds.help"))),
      h("span", { class: "label help", text: t("tour.players") }),
      h("div", { class: "entrants" }, request.players.map((seat, i) => this.entrant(seat, i))),
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => { request.players.push("random"); this.render(); },
        text: t("tour.add") }),
        once(h("button", { type: "submit", class: "primary", text: t("tour.start") }), () => this.start(request))));
  }

  variant() {
    return { width: this.request.size, height: this.request.size, k: 5, rule: this.request.rule };
  }

  reshape(changes) {
    Object.assign(this.request, changes);
    this.request.players = this.request.players.map((seat) => seatFor(seat, this.variant()));
    this.render();
  }

  entrant(seat, i) {
    const { players } = this.request;
    const picker = new SeatPicker({ label: `${t("tour.player")} ${i + 1}`, seat, variant: this.variant(),
      onchange: (value) => { players[i] = value; } });
    return h("div", { class: "entrant" }, picker.element,
      players.length > 2 ? iconButton("close", t("common.close"), () => { players.splice(i, 1); this.render(); }) : null);
  }
}
