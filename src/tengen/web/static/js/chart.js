// Line charts for training: several series, axes with round numbers, a reading under the pointer.

import { h, replace, s } from "./dom.js";

const WIDTH = 420, HEIGHT = 200, LEFT = 48, RIGHT = 10, TOP = 10, BOTTOM = 32;

const FEW = 15, WHISKER = 12;

/** `series`: [{name, points: [[x, y]], band?: [[x, low, high]]}]. `axis` names the unit of x; `help` says in a sentence
 * what is drawn. */
export class LineChart {
  constructor(title, series, { unit = "", range = null, log = false, axis = "", help = "" } = {}) {
    Object.assign(this, { title, unit, range, log, axis });
    this.svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": title });
    this.reading = h("span", { class: "chart-reading" });
    this.element = h("figure", { class: "chart-box" }, h("figcaption", {}, h("strong", { text: title }), this.reading),
      help ? h("p", { class: "help", text: help }) : null, this.svg, h("div", { class: "legend" }));
    this.svg.addEventListener("pointermove", (event) => this.read(event));
    this.svg.addEventListener("pointerleave", () => this.draw(this.series));
    this.draw(series);
  }

  draw(series) {
    this.series = series.filter((line) => line.points.length);
    this.measure();
    const bands = this.series.map((line, i) => (line.band
      ? s("path", { d: this.band(line.band), class: `chart-band c${i % 8}` }) : null)).filter(Boolean);
    const lines = this.series.map((line, i) => s("path", { d: this.path(line.points), class: `chart-line c${i % 8}` }));
    const dots = this.series.flatMap((line, i) => (line.points.length > FEW ? [] : line.points.map(([x, y]) =>
      s("circle", { cx: this.px(x), cy: this.py(y), r: 3, class: `chart-dot c${i % 8}` }))));
    replace(this.svg, this.axes(), bands, lines, dots);
    replace(this.element.lastChild,
      this.series.length > 1 ? this.series.map((line, i) => h("span", { class: `key c${i % 8}`, text: line.name })) : []);
    const last = this.series[0]?.points.at(-1);
    this.reading.textContent = this.series.length === 1 && last ? format(last[1]) + this.unit : "";
  }

  measure() {
    const xs = this.series.flatMap((line) => line.points.map(([x]) => x));
    const ys = this.series.flatMap((line) => line.points.map(([, y]) => this.scale(y)));
    [this.x0, this.x1] = span(xs);
    [this.y0, this.y1] = this.range ?? padded(span(ys));
  }

  scale(y) {
    return this.log ? Math.log10(Math.max(1e-12, y)) : y;
  }

  px(x) {
    return LEFT + ((x - this.x0) / (this.x1 - this.x0)) * (WIDTH - LEFT - RIGHT);
  }

  py(y) {
    return HEIGHT - BOTTOM - ((this.scale(y) - this.y0) / (this.y1 - this.y0)) * (HEIGHT - TOP - BOTTOM);
  }

  path(points) {
    return points.map(([x, y], i) => `${i ? "L" : "M"}${this.px(x).toFixed(1)} ${this.py(y).toFixed(1)}`).join("");
  }

  /** There along the upper edge, back along the lower. */
  band(points) {
    if (points.length === 1) return this.whisker(points[0]);
    const back = points.map(([x, low]) => [x, low]).reverse();
    return `${this.path(points.map(([x, , high]) => [x, high]))}L${this.path(back).slice(1)}Z`;
  }

  /** The interval of a single point, as a bar one can see. */
  whisker([x, low, high]) {
    const left = (this.px(x) - WHISKER / 2).toFixed(1), [top, bottom] = [this.py(high).toFixed(1), this.py(low).toFixed(1)];
    return `M${left} ${top}h${WHISKER}V${bottom}h${-WHISKER}Z`;
  }

  axes() {
    const values = this.log ? logTicks(this.y0, this.y1) : ticks(this.y0, this.y1, 4);
    const horizontal = values.map((value) => {
      const y = this.py(value);
      return [s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y, class: "chart-grid" }),
        s("text", { x: LEFT - 6, y: y + 3.5, class: "chart-y", text: format(value) + this.unit })];
    });
    const whole = ticks(this.x0, this.x1, 5).filter((v) => Number.isInteger(v) || this.x1 - this.x0 < 1);
    const vertical = whole.map((v) => s("text", { x: this.px(v), y: HEIGHT - 16, class: "chart-x", text: format(v) }));
    const name = s("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 3, class: "chart-x", text: this.axis });
    return [horizontal, vertical, name];
  }

  read(event) {
    const box = this.svg.getBoundingClientRect();
    const wanted = this.x0 + ((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * (this.x1 - this.x0);
    const near = this.series.map((line) => line.points.reduce((best,
      p) => (Math.abs(p[0] - wanted) < Math.abs(best[0] - wanted) ? p : best)));
    if (!near.length) return;
    this.svg.querySelectorAll(".chart-mark").forEach((mark) => mark.remove());
    near.forEach(([x, y], i) => this.svg.append(s("circle",
      { cx: this.px(x), cy: this.py(y), r: 3.5, class: `chart-mark c${i % 8}` })));
    this.reading.textContent = `${format(near[0][0])}: ${near.map(([, y]) => format(y) + this.unit).join(" · ")}`;
  }
}

function span(values) {
  if (!values.length) return [0, 1];
  const low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  const half = Math.abs(low) / 2 || 0.5;
  return low === high ? [low - half, high + half] : [low, high];
}

const padded = ([low, high]) => [low - 0.05 * (high - low), high + 0.05 * (high - low)];

/** Round numbers between two ends. */
export function ticks(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((v) => v >= rough) ?? rough;
  const found = [];
  for (let v = Math.ceil(low / step) * step; v <= high + 1e-9
    && found.length < 20; v += step) found.push(Math.abs(v) < step / 1e6 ? 0 : v);
  return found;
}

/** 1, 2 and 5 of each power of ten between two exponents; only the powers when there are many. */
function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(low); power <= high; power++) {
    for (const digit of high - low > 2 ? [1] : [1, 2, 5]) {
      const exponent = power + Math.log10(digit);
      if (exponent >= low && exponent <= high) found.push(digit * 10 ** power);
    }
  }
  return found.length > 1 ? found : ticks(10 ** low, 10 ** high, 3);
}

export function format(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${(value / 1e6).toPrecision(3)}M`;
  if (size >= 10_000) return `${Math.round(value / 1000)}k`;
  if (size >= 100 || Number.isInteger(value)) return String(Math.round(value));
  return size && size < 0.01 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}
