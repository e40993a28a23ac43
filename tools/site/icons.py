"""The icon of the page as PNG, for systems that take no SVG: a black stone on the centre of a wooden board."""

from __future__ import annotations

import struct
import zlib

import numpy as np

WOOD, LINE, STONE, WHITE = (220, 176, 106), (107, 74, 30), (27, 27, 30), (255, 255, 255)
SAMPLES = 4


def icon_png(side: int, bleed: bool = False) -> bytes:
    """As static/icon.svg, which is 64 wide. With `bleed` the wood fills the square, for systems that cut a shape."""
    fine = side * SAMPLES
    at = (np.arange(fine) + 0.5) * 64 / fine
    x, y = np.meshgrid(at, at)
    image = np.zeros((fine, fine, 4))
    corner = np.maximum(np.abs(x - 32), np.abs(y - 32))
    rounded = np.hypot(np.maximum(np.abs(x - 32) - 20, 0), np.maximum(np.abs(y - 32) - 20, 0)) <= 12
    paint(image, (corner <= 32) if bleed else rounded, WOOD)
    paint(image, (np.abs(x - 32) <= 1.25) & (np.abs(y - 32) <= 26), LINE)
    paint(image, (np.abs(y - 32) <= 1.25) & (np.abs(x - 32) <= 26), LINE)
    paint(image, np.hypot(x - 32, y - 32) <= 19, STONE)
    paint(image, np.hypot(x - 26, y - 25) <= 6, WHITE, 0.22)
    small = image.reshape(side, SAMPLES, side, SAMPLES, 4).mean(axis=(1, 3))
    return png(np.round(small).astype(np.uint8))


def paint(image: np.ndarray, where: np.ndarray, color: tuple[int, int, int], opacity: float = 1.0) -> None:
    over = np.array([*color, 255.0])
    image[where] = image[where] * (1 - opacity) + over * opacity


def png(pixels: np.ndarray) -> bytes:
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
