// Cells and people's names for them: h8 = letter from the left, number from the bottom.

export const letter = (col) => String.fromCharCode(97 + col);

export function cellName(cell, width, height) {
  return letter(cell % width) + (height - Math.floor(cell / width));
}

export function parseCell(text, width, height) {
  const match = /^([a-z])(\d{1,2})$/i.exec(text.trim());
  if (!match) return null;
  const col = match[1].toLowerCase().charCodeAt(0) - 97;
  const row = height - Number(match[2]);
  return col < width && row >= 0 && row < height ? row * width + col : null;
}

/** The dots players orient themselves by. */
export function starPoints(width, height) {
  if (width < 9 || height < 9) return width % 2 && height % 2 ? [[(width - 1) / 2, (height - 1) / 2]] : [];
  const edge = (n) => (n < 13 ? 2 : 3);
  const [x, y] = [edge(width), edge(height)];
  const points = [[x, y], [width - 1 - x, y], [x, height - 1 - y], [width - 1 - x, height - 1 - y]];
  if (width % 2 && height % 2) points.push([(width - 1) / 2, (height - 1) / 2]);
  return points;
}

/** Only what is certain, 1 or -1, is shown as 100 or 0 %. */
export function percent(value) {
  const share = Math.round(50 + 50 * value);
  return `${Math.abs(value) >= 1 ? share : Math.max(1, Math.min(99, share))}%`;
}

export function compact(number) {
  if (number < 1000) return String(number);
  if (number < 10_000) return `${(number / 1000).toFixed(1)}k`;
  return number < 1e6 ? `${Math.round(number / 1000)}k` : `${(number / 1e6).toFixed(1)}M`;
}
