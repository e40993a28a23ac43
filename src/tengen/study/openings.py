"""The 26 classical openings: a stone in the middle, one beside it, a third within two lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tengen.rules import Move, Variant, parse_moves
from tengen.study.positions import key_of

_DIRECT = """
d1 h10 Kansei 寒星|d2 i10 Keigetsu 溪月|d3 j10 Sosei 疏星|d4 i9 Kagetsu 花月|d5 j9 Zangetsu 残月|d6 i8 Ugetsu 雨月
d7 j8 Kinsei 金星|d8 h7 Shogetsu 松月|d9 i7 Kyugetsu 丘月|d10 j7 Shingetsu 新月|d11 h6 Zuisei 瑞星|d12 i6 Sangetsu 山月
d13 j6 Yusei 游星
"""
_INDIRECT = """
i1 j10 Chosei 长星|i2 j9 Kyogetsu 峡月|i3 j8 Kosei 恒星|i4 j7 Suigetsu 水月|i5 j6 Ryusei 流星|i6 i8 Ungetsu 云月
i7 i7 Hogetsu 浦月|i8 i6 Rangetsu 岚月|i9 h7 Gingetsu 银月|i10 h6 Myojo 明星|i11 g7 Shagetsu 斜月|i12 g6 Meigetsu 名月
i13 f6 Suisei 彗星
"""


@dataclass(frozen=True, slots=True)
class Opening:
    code: str
    """d for direct (white beside the first stone in line), i for indirect (diagonally)."""
    moves: tuple[Move, ...]
    """On 15x15."""
    en: str
    zh: str


@cache
def openings() -> tuple[Opening, ...]:
    both = (("h8h9", _DIRECT), ("h8i9", _INDIRECT))
    return tuple(_opening(start, row) for start, table in both for row in table.strip().replace("\n", "|").split("|"))


def _opening(start: str, row: str) -> Opening:
    code, third, en, zh = row.split()
    return Opening(code, tuple(parse_moves(start + third, 15, 15)), en, zh)


@cache
def _by_key(variant: Variant) -> dict[int, Opening]:
    return {key_of(variant, opening.moves): opening for opening in openings()}


def opening_of(variant: Variant, moves: tuple[Move, ...]) -> Opening | None:
    """The name of a game's first three stones, whichever way the board is turned; None where there is none."""
    if (variant.width, variant.height, variant.k) != (15, 15, 5) or len(moves) < 3:
        return None
    return _by_key(variant).get(key_of(variant, moves[:3]))
