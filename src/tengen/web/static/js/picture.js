// A picture of the board as it stands, marks included.

const KEPT = ["fill", "stroke", "stroke-width", "opacity", "fill-opacity", "stroke-opacity", "font-size", "font-weight",
  "font-family", "text-anchor", "dominant-baseline", "stroke-linecap", "stroke-dasharray", "stroke-linejoin"];

/** A self-contained copy: what the style sheets say is written into it. */
export function boardSvg(board) {
  const copy = board.svg.cloneNode(true);
  const originals = board.svg.querySelectorAll("*"), copies = copy.querySelectorAll("*");
  originals.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of KEPT) copies[i].setAttribute(name, style.getPropertyValue(name));
    copies[i].removeAttribute("class");
  });
  const { totalWidth: width, totalHeight: height } = board.geometry;
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.removeAttribute("style");
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

export async function boardPng({ text, width, height }, scale = 2) {
  const image = new Image(width * scale, height * scale);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
