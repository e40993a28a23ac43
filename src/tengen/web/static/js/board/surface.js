// The board without stones: wood, grid, star points, coordinates, and the paints that stones use.

import { s } from "../dom.js";
import { letter, starPoints } from "../cells.js";
import { CELL } from "./geometry.js";
import { woodTexture } from "./wood.js";

export function paints() {
  return s("defs", {},
    gradient("paint-black", "34%", "28%", [["0", "#77777c"], [".22", "#47474c"], [".6", "#212124"], ["1", "#09090b"]]),
    gradient("paint-white", "36%", "30%", [["0", "#ffffff"], [".5", "#f8f5ef"], [".8", "#e6e1d6"], ["1", "#bfb8a9"]]),
    gradient("paint-shadow", "50%", "50%", [["0", "#2a1800", ".62"], [".72", "#2a1800", ".48"], ["1", "#2a1800", "0"]]),
    gradient("paint-gloss", "50%", "50%", [["0", "#fff", ".5"], ["1", "#fff", "0"]]),
    s("linearGradient", { id: "paint-light", x1: "0", y1: "0", x2: "1", y2: "1" },
      stop("0", "#fff", ".18"), stop(".5", "#fff", "0"), stop("1", "#3a1d00", ".14")));
}

function gradient(id, fx, fy, stops) {
  return s("radialGradient", { id, cx: "50%", cy: "50%", r: "58%", fx, fy }, stops.map((row) => stop(...row)));
}

const stop = (offset, color, opacity = "1") => s("stop", { offset, "stop-color": color, "stop-opacity": opacity });

export function surface(geometry, coordinates) {
  const { totalWidth: width, totalHeight: height } = geometry;
  return s("g", { class: "surface", "aria-hidden": "true" },
    s("image", { href: woodTexture(), width, height, preserveAspectRatio: "none" }),
    s("rect", { width, height, fill: "url(#paint-light)" }),
    s("rect", { x: 0.75, y: 0.75, width: width - 1.5, height: height - 1.5, class: "edge" }),
    grid(geometry), stars(geometry), coordinates ? names(geometry) : null);
}

function grid({ width, height, margin }) {
  const right = margin + (width - 1) * CELL, bottom = margin + (height - 1) * CELL;
  let path = "";
  for (let col = 0; col < width; col++) path += `M${margin + col * CELL} ${margin}V${bottom}`;
  for (let row = 0; row < height; row++) path += `M${margin} ${margin + row * CELL}H${right}`;
  return s("g", {}, s("path", { d: path, class: "grid" }),
    s("rect", { x: margin, y: margin, width: right - margin, height: bottom - margin, class: "grid border" }));
}

function stars({ width, height, margin }) {
  return s("g", {}, starPoints(width, height).map(([col, row]) =>
    s("circle", { cx: margin + col * CELL, cy: margin + row * CELL, r: 3.8, class: "star" })));
}

function names({ width, height, margin, totalWidth, totalHeight }) {
  const label = (x, y, text) => s("text", { x, y, class: "coordinate", text });
  const columns = Array.from({ length: width }, (_, col) => letter(col));
  const across = columns.flatMap((text, col) =>
    [label(margin + col * CELL, 15, text), label(margin + col * CELL, totalHeight - 15, text)]);
  const down = Array.from({ length: height }, (_, row) => [
    label(14, margin + row * CELL, height - row), label(totalWidth - 14, margin + row * CELL, height - row)]);
  return s("g", {}, across, down);
}
