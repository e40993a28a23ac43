"use strict";
(() => {
  const data = JSON.parse(document.getElementById("games").textContent);
  const byId = (id) => document.getElementById(id);
  const [list, board, status, slider] = ["game", "board", "status", "ply"].map(byId);
  const CELL = 20;
  let game = null;
  let ply = 0;

  const draw = (name, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    board.append(node);
  };
  const x = (move) => CELL * (1.5 + (move % data.width));
  const y = (move) => CELL * (1 + Math.floor(move / data.width));
  const cellName = (move) =>
    String.fromCharCode(97 + (move % data.width)) + (data.height - Math.floor(move / data.width));

  function drawGrid() {
    board.setAttribute("viewBox", `0 0 ${CELL * (data.width + 1.5)} ${CELL * (data.height + 1.5)}`);
    for (let col = 0; col < data.width; col++) {
      draw("line", { x1: x(col), x2: x(col), y1: y(0), y2: y((data.height - 1) * data.width), stroke: "#8a6d3b" });
      draw("text", { x: x(col), y: CELL * (data.height + 1) }, String.fromCharCode(65 + col));
    }
    for (let row = 0; row < data.height; row++) {
      const left = row * data.width;
      draw("line", { x1: x(left), x2: x(left + data.width - 1), y1: y(left), y2: y(left), stroke: "#8a6d3b" });
      draw("text", { x: CELL * 0.6, y: y(left) }, data.height - row);
    }
  }

  function drawStones() {
    game.moves.slice(0, ply).forEach((move, i) => {
      const black = i % 2 === 0;
      const last = i === ply - 1;
      draw("circle", { cx: x(move), cy: y(move), r: CELL * 0.45, fill: black ? "#1d1d1d" : "#fafafa",
        stroke: last ? "#c8553d" : "#555", "stroke-width": last ? 2.5 : 0.7 });
      draw("text", { x: x(move), y: y(move), fill: i < game.opening ? "#999" : black ? "#fff" : "#000" }, i + 1);
    });
  }

  function describe() {
    const value = game.values[ply - 1 - game.opening];
    const parts = [`${game.black} (black) – ${game.white} (white)`];
    if (ply) parts.push(`move ${ply}: ${cellName(game.moves[ply - 1])}` + (ply <= game.opening ? " (opening)" : ""));
    if (value !== undefined && value !== null) parts.push(`its evaluation ${value.toFixed(2)}`);
    if (ply === game.moves.length) {
      parts.push((game.winner === "draw" ? "draw" : `${game.winner} wins`) + ` (${game.end})`);
      if (game.detail) parts.push(game.detail);
    }
    status.textContent = parts.join(" · ");
  }

  function show(to) {
    ply = Math.max(0, Math.min(game.moves.length, to));
    slider.value = ply;
    board.replaceChildren();
    drawGrid();
    drawStones();
    describe();
  }

  function open(number) {
    game = data.games[number];
    slider.max = game.moves.length;
    show(game.moves.length);
  }

  data.games.forEach((item, number) => {
    const result = item.winner === "draw" ? "½–½" : item.winner === "black" ? "1–0" : "0–1";
    const end = ["five", "full"].includes(item.end) ? "" : ` [${item.end}]`;
    list.add(new Option(`${item.black} – ${item.white}  ${result}  ${item.moves.length} moves${end}`, number));
  });
  list.addEventListener("change", () => open(Number(list.value)));
  slider.addEventListener("input", () => show(Number(slider.value)));
  byId("first").addEventListener("click", () => show(0));
  byId("back").addEventListener("click", () => show(ply - 1));
  byId("next").addEventListener("click", () => show(ply + 1));
  byId("last").addEventListener("click", () => show(game.moves.length));
  document.addEventListener("keydown", (event) => {
    if (event.target === list || event.target === slider) return;
    if (event.key === "ArrowLeft") show(ply - 1);
    if (event.key === "ArrowRight") show(ply + 1);
  });
  list.selectedIndex = 0;
  open(0);
})();
