"""The study desk of a game: live analysis, hints, threats, review. It looks at the game and never moves in
it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from tengen.rules import Color
from tengen.web.game import ROOT, Game, GameError
from tengen.web.judge import is_fault, judge
from tengen.web.messages import Event
from tengen.web.search_pool import Refused, SearchFailed, SearchPool, Stopped, Ticket
from tengen.web.seats import checked_player, resolve, strongest

Tell = Callable[[Event], None]
HINT_SECONDS = 1.0
RETRY_SECONDS = 1.0


class StudyDesk:
    """Each kind of study has one slot: a new request takes the place of the old one."""

    def __init__(self, game: Game, pool: SearchPool, tell: Tell, dirty: Callable[[], None]) -> None:
        self.game, self.pool, self.tell, self.dirty = game, pool, tell, dirty
        self.slots: dict[str, Ticket] = {}
        self.specs: tuple[str, ...] = ()
        self.seconds = 30.0
        self.sweep: dict[str, Any] | None = None
        """How far the review that is running has come, for a page that joins."""
        self._tasks: set[asyncio.Task[None]] = set()

    # Live analysis follows the cursor

    def analyse(self, specs: tuple[str, ...], seconds: float) -> None:
        width = self.game.settings.width
        self.specs = tuple(checked_player(s, width) for s in specs)
        self.seconds = seconds
        self.follow()

    def follow(self) -> None:
        """Analyses the position on show, if analysis is on."""
        for slot in ("a", "b"):
            self.stop(slot)
        if self.game.outcome() is not None:
            return
        for slot, seat in zip("ab", self.specs, strict=False):
            spec, _ = resolve(seat, self.seconds, self.game.settings.width)
            job = {"kind": "analyse", "spec": spec, "seconds": self.seconds}
            node = self.game.cursor
            self._start(slot, job, self.seconds, partial(self._analysed, slot, node))

    def _analysed(self, slot: str, node: int, frame: dict[str, Any]) -> None:
        if node != self.game.cursor or not frame.get("candidates"):
            return
        sign = 1 if self.game.turn == Color.BLACK else -1
        if slot == "a" and node in self.game.nodes:
            self.game.nodes[node].study["v"] = round(sign * frame["value"], 4)
        self.tell({"type": "analysis", "slot": slot, "node": node, "frame": frame})

    # One-off questions

    def hint(self) -> None:
        self._refuse_finished()
        level, node = strongest(self.game.settings.width), self.game.cursor
        job = {"kind": "choose", "spec": level.spec, "seconds": HINT_SECONDS}
        self._start("hint", job, HINT_SECONDS, None, lambda r: self.tell({"type": "hint", "node": node, **r}))

    def threats(self, seconds: float) -> None:
        self._refuse_finished()
        node = self.game.cursor
        job = {"kind": "threats", "spec": "solver", "seconds": seconds}
        self._start("threats", job, seconds, None, lambda r: self.tell({"type": "threats", "node": node, **r}))

    def retry(self, node: int, move: int) -> None:
        """Judges a second try at `node` without saying what the answer is, unless the try finds it."""
        if node not in self.game.nodes:
            raise GameError("no-node", "that move is no longer in the tree")
        before = self.game.nodes[node].study.get("r")
        if before is None:
            raise GameError("no-review", "review the game first")
        board = self.game.position(node).board()
        if not board.is_legal(move):
            raise GameError("illegal", "that move cannot be played there")
        mover = board.turn
        board.play(move)
        position = self.game.position(node)
        after = position.model_copy(update={"moves": (*position.moves, move)})
        job = {
            "kind": "judge",
            "spec": self._reviewer(""),
            "seconds": RETRY_SECONDS,
            "position": after.model_dump(),
        }
        self._start("retry", job, 2 * RETRY_SECONDS, None, lambda r: self._retried(node, move, mover, before, r))

    def _retried(self, node: int, move: int, mover: Color, before: dict[str, Any], after: dict[str, Any]) -> None:
        mark, drop = judge(before, after, mover, move)
        self.tell(
            {
                "type": "retry",
                "node": node,
                "move": move,
                "mark": mark,
                "drop": drop,
                "ok": not is_fault(mark),
            }
        )

    # Review of a whole line

    def review(self, seat: str, seconds: float) -> None:
        line = [ROOT, *self._line()]
        if len(line) < 2:
            raise GameError("nothing", "there are no moves to review")
        position = self.game.position(line[-1])
        job = {
            "kind": "review",
            "spec": self._reviewer(seat),
            "seconds": seconds,
            "position": position.model_dump(),
        }
        total = 2 * seconds * len(line) + 10
        self._start("review", job, total, lambda f: self._swept(line, f), lambda r: self._finished(line))
        self.sweep = {"done": 0, "total": len(line), "line": line}
        self.tell({"type": "review", **self.sweep})

    def _line(self) -> list[int]:
        """The path to the cursor and on along the newest branches."""
        path = self.game.path()
        at = self.game.cursor
        while children := self.game.nodes[at].children:
            at = children[-1]
            path.append(at)
        return path

    def _swept(self, line: list[int], frame: dict[str, Any]) -> None:
        ply = frame.pop("ply")
        node = self.game.nodes.get(line[ply])
        if node is None:
            return
        node.study["r"] = frame
        node.study["v"] = frame["value"]
        earlier = self.game.nodes.get(line[ply - 1]) if ply else None
        if earlier and (before := earlier.study.get("r")):
            mover = Color.BLACK if (ply % 2 == 1) == self._black_began() else Color.WHITE
            node.study["mark"], node.study["drop"] = judge(before, frame, mover, node.move)
        self.dirty()
        if self.sweep:
            self.sweep["done"] = ply + 1
        self.tell({"type": "review", "done": ply + 1, "total": len(line), "node": node.id, "study": node.study})

    def _finished(self, line: list[int]) -> None:
        self.tell({"type": "review", "done": len(line), "total": len(line), "finished": True})

    def _black_began(self) -> bool:
        return self.game.setup is None or self.game.setup.color == Color.BLACK

    def _reviewer(self, seat: str) -> str:
        width = self.game.settings.width
        return resolve(checked_player(seat, width), 0, width)[0] if seat else strongest(width).spec

    # Slots

    def stop(self, *slots: str) -> None:
        for slot in slots or tuple(self.slots):
            if ticket := self.slots.pop(slot, None):
                self.pool.stop(ticket)

    def stop_live(self) -> None:
        self.specs = ()
        self.stop("a", "b")

    def stop_all(self) -> None:
        self.stop_live()
        self.stop()

    def _refuse_finished(self) -> None:
        if self.game.outcome() is not None:
            raise GameError("over", "the game is over")

    def _start(self, slot: str, job: dict[str, Any], seconds: float, on_frame: Tell | None,
               on_result: Tell | None = None) -> None:  # fmt: skip
        self.stop(slot)
        job = {"position": self.game.position().model_dump(), **job}
        ticket = self.pool.submit(job, self.game.id, seconds, on_frame)
        self.slots[slot] = ticket
        if ahead := self.pool.ahead(ticket):
            self.tell({"type": "study", "slot": slot, "state": "queued", "ahead": ahead})
        task = asyncio.create_task(self._wait(slot, ticket, on_result or on_frame))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _wait(self, slot: str, ticket: Ticket, on_result: Tell | None) -> None:
        try:
            result = await ticket.answer
            if on_result:
                on_result(result)
            self.tell({"type": "study", "slot": slot, "state": "done"})
        except Stopped:
            if self.slots.get(slot) in (ticket, None):  # one whose place was taken needs no obituary
                self.tell({"type": "study", "slot": slot, "state": "stopped"})
        except (SearchFailed, Refused) as error:
            self.tell({"type": "study", "slot": slot, "state": "failed", "message": str(error)})
        finally:
            if slot == "review" and self.slots.get(slot) in (ticket, None):
                self.sweep = None
            if self.slots.get(slot) is ticket:
                del self.slots[slot]
