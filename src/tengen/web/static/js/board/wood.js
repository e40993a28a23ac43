// A straight-grained wooden surface, drawn once by noise: no picture to load, the same on every visit.

const WIDTH = 900, HEIGHT = 160;
const PALE = [236, 200, 138], DARK = [205, 155, 88];
let cached = null;

/** A data URL of the wood. */
export function woodTexture() {
  cached ??= paint();
  return cached;
}

function paint() {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext("2d");
  const image = context.createImageData(WIDTH, HEIGHT);
  const wide = noise(23, 7), fine = noise(257, 11), pores = noise(2411, 5), sway = noise(9, 3);
  for (let y = 0; y < HEIGHT; y++) {
    const bend = 26 * sway(y / HEIGHT);
    for (let x = 0; x < WIDTH; x++) {
      const u = (x + bend * (0.4 + x / WIDTH)) / (WIDTH + 60);
      const rings = 0.5 + 0.5 * Math.sin(46 * u + 9 * wide(u));
      const tone = 0.34 * rings + 0.36 * fine(u) + 0.3 * wide(u * 0.7 + 0.1);
      const pore = pores(u) > 0.86 ? 0.16 * fine((u * 3 + y / HEIGHT) % 1) : 0;
      paintPixel(image.data, 4 * (y * WIDTH + x), Math.min(1, 0.9 * tone + pore));
    }
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL("image/jpeg", 0.88);
}

function paintPixel(data, at, tone) {
  for (let i = 0; i < 3; i++) data[at + i] = PALE[i] + (DARK[i] - PALE[i]) * tone;
  data[at + 3] = 255;
}

/** Smooth noise on [0, 1) with `knots` random values; the same seed gives the same wood. */
function noise(knots, seed) {
  const values = Array.from({ length: knots + 2 },
    (_, i) => fraction(Math.sin((i + 1) * 127.1 + seed * 311.7) * 43758.5453));
  return (u) => {
    const x = Math.max(0, Math.min(0.99999, u)) * knots;
    const i = Math.floor(x), f = x - i, w = f * f * (3 - 2 * f);
    return values[i] * (1 - w) + values[i + 1] * w;
  };
}

const fraction = (x) => x - Math.floor(x);
