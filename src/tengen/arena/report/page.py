"""The page of a report: tables, pictures and games to replay in one HTML file without any reference outside."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from html import escape
from importlib import resources

from tengen.arena.report.facts import Facts
from tengen.arena.score import FAULTS, Interval, Score
from tengen.records import GameRecord

REPLAY_GAMES = 240
"""How many games the page carries; the record files hold them all."""


def page(facts: Facts, pictures: list[tuple[str, str, bytes]], title: str = "") -> str:
    """`pictures`: name, caption and SVG of each chart."""
    variant = facts.collection.variant
    title = title or f"Tengen arena: {len(facts.players)} players on {variant}"
    body = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{facts.ratings.games} games on {escape(str(variant))}. {_first_move(facts)}</p>",
        *(f'<p class="note">{escape(note)}</p>' for note in facts.collection.notes),
        "<h2>Ratings</h2>", _ratings(facts),
        "<h2>Cross table</h2>", _cross(facts),
        "<h2>Charts</h2>", *(_picture(*picture) for picture in pictures),
        "<h2>Games</h2>", _replay(facts),
    ]  # fmt: skip
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>\n<style>{_asset('report.css')}</style></head><body><main>",
            *body,
            f"</main><script>{_asset('replay.js')}</script></body></html>\n",
        ]
    )


def _asset(name: str) -> str:
    return resources.files("tengen.arena.report").joinpath(name).read_text(encoding="utf-8")


def _first_move(facts: Facts) -> str:
    first, draws = facts.ratings.first_move, facts.ratings.draw_rate
    return (
        f"The first move is worth {_span(first)} Elo; equal players draw {100 * draws.value:.0f} % of their games. "
        "Intervals are 95 %."
    )


def _span(interval: Interval) -> str:
    return f"{interval.value:+.0f} ({interval.low:+.0f} to {interval.high:+.0f})"


def _ratings(facts: Facts) -> str:
    head = "#|player|Elo|95 %|bootstrap 95 %|games|score|draws|lost by fault|ms per move|LOS"
    rows = []
    for i, r in enumerate(facts.ratings.ratings):
        boot = f"{r.bootstrap.low:+.0f} to {r.bootstrap.high:+.0f}" if r.bootstrap else ""
        los = f"{facts.ratings.los[i][i + 1]:.1%}" if i + 1 < len(facts.players) else ""
        rows.append([
            str(i + 1), r.player, f"{r.elo.value:+.0f}", f"{r.elo.low:+.0f} to {r.elo.high:+.0f}", boot, str(r.games),
            f"{r.score:.1%}", f"{r.draws:.1%}", str(r.faults), f"{1000 * r.seconds:.1f}", los,
        ])  # fmt: skip
    return _table(head.split("|"), rows, text_columns={1})


def _cross(facts: Facts) -> str:
    head = ["#", "player", *(str(i + 1) for i in range(len(facts.players)))]
    rows = []
    for i, a in enumerate(facts.players):
        cells = ["·" if a == b else _cell(facts.cross.get((a, b))) for b in facts.players]
        rows.append([str(i + 1), facts.labels[a], *cells])
    return _table(head, rows, text_columns={1}) + "<p>Wins, draws and losses of the row.</p>"


def _cell(score: Score | None) -> str:
    return f"+{score.wins} ={score.draws} −{score.losses}" if score else ""


def _table(head: list[str], rows: list[list[str]], text_columns: set[int]) -> str:
    def line(cells: list[str], tag: str) -> str:
        kinds = (' class="text"' if i in text_columns else "" for i in range(len(cells)))
        return "".join(f"<{tag}{kind}>{escape(c)}</{tag}>" for c, kind in zip(cells, kinds, strict=True))

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{line(head, "th")}</tr></thead><tbody>{body}</tbody></table></div>'


def _picture(name: str, caption: str, svg: bytes) -> str:
    data = base64.b64encode(svg).decode()
    image = f'<img alt="{escape(name)}: {escape(caption)}" src="data:image/svg+xml;base64,{data}">'
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def _replay(facts: Facts) -> str:
    games = [_game(record, facts) for record in chosen_games(facts.collection.records)]
    variant = facts.collection.variant
    data = script_json({"width": variant.width, "height": variant.height, "games": games})
    carried = f"{len(games)} of {facts.ratings.games} games; losses by a fault come first."
    return (
        f'<p>{carried}</p><div id="replay"><select id="game" size="12" aria-label="game"></select>'
        '<div class="boardside"><svg id="board" role="img" aria-label="board"></svg><p id="status"></p>'
        '<p><button id="first">|◀</button> <button id="back">◀</button> <button id="next">▶</button> '
        '<button id="last">▶|</button> '
        '<input id="ply" type="range" min="0" value="0" aria-label="move"></p></div></div>'
        f'<script type="application/json" id="games">{data}</script>'
    )


def script_json(data: object) -> str:
    """JSON that may stand inside a <script> element: without any `<`, names such as `<!--<script>` cannot end it."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def chosen_games(records: list[GameRecord], most: int = REPLAY_GAMES) -> list[GameRecord]:
    """Faults first, then the same number from every pairing, as far as the page's room goes."""
    if len(records) <= most:
        return sorted(records, key=lambda record: record.termination not in FAULTS)
    faults = [record for record in records if record.termination in FAULTS][: most // 2]
    taken = {id(record) for record in faults}
    groups: dict[frozenset[str], list[GameRecord]] = defaultdict(list)
    for record in records:
        if id(record) not in taken:
            groups[frozenset((record.black, record.white))].append(record)
    share = max(1, (most - len(faults)) // max(len(groups), 1))
    return (faults + [record for group in groups.values() for record in group[:share]])[:most]


def _game(record: GameRecord, facts: Facts) -> dict[str, object]:
    return {
        "black": facts.labels.get(record.black, record.black), "white": facts.labels.get(record.white, record.white),
        "moves": list(record.moves), "opening": record.opening, "winner": str(record.result),
        "end": record.termination.value, "detail": record.detail, "pair": record.pair,
        "values": list(record.values),
    }  # fmt: skip
