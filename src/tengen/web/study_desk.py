"""The study desk of a game: live analysis, hints, threats, review. It looks at the game and never moves in it.

What is proven is kept in the notes of the game's nodes, whoever found it: all kinds of study read and feed them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from tengen.rules import Move, Value
from tengen.study.proofs import Proof
from tengen.study.verdicts import Look
from tengen.web.events import (
    AnalysisFrame,
    AnalysisNews,
    Chosen,
    Event,
    HintNews,
    NotesNews,
    RetryNews,
    ReviewNews,
    StudyNews,
    ThreatsNews,
)
from tengen.web.game import ROOT, Game, GameError
from tengen.web.notes import note_json
from tengen.web.proof_notes import judge_again, keep_proof, known_proof
from tengen.web.search_jobs import (
    AnalyseJob,
    AnyJob,
    ChooseJob,
    Retried,
    RetryJob,
    Reviewed,
    ReviewJob,
    ThreatsFound,
    ThreatsJob,
)
from tengen.web.search_pool import Refused, SearchFailed, SearchPool, Stopped, Ticket
from tengen.web.seats import ENGINE, checked_player, resolve

Tell = Callable[[Event], None]
Hear = Callable[[dict[str, Any]], None]
HINT_SECONDS = 1.0
RETRY_SECONDS = 20.0
SWEEP_SECONDS = 15.0
"""The longest a review may take for one position before it counts as hung."""
LIVE = ("a", "b")


class StudyDesk:
    """Each kind of study has one slot: a new request takes the place of the old one."""

    def __init__(self, game: Game, pool: SearchPool, tell: Tell, dirty: Callable[[], None]) -> None:
        self.game, self.pool, self.tell, self.dirty = game, pool, tell, dirty
        self.slots: dict[str, Ticket] = {}
        self.specs: tuple[str, ...] = ()
        self.lines = 5
        self.progress: ReviewNews | None = None
        """How far the review that is running has come, for a page that joins."""
        self._tasks: set[asyncio.Task[None]] = set()

    # Live analysis follows the cursor

    def analyse(self, specs: tuple[str, ...], lines: int) -> None:
        self.specs = tuple(checked_player(s, self.game.variant) for s in specs)
        if specs and self.game.outcome() is None:
            self.game.helped += 1
        self.lines = lines
        self.stop(*LIVE)
        self.follow()

    def follow(self) -> None:
        """Analyses the position on show, if analysis is on."""
        if not self.specs:
            return
        self.stop(*LIVE)
        if self.game.outcome() is not None:
            return
        node = self.game.cursor
        if proof := known_proof(self.game, node):
            self._proved(node, proof)
        for slot, seat in zip(LIVE, self.specs, strict=False):
            spec, _ = resolve(seat, 0, self.game.variant)
            job = AnalyseJob(spec=spec, position=self.game.position(), lines=self.lines, proof=proof)
            self._start(slot, job, None, partial(self._analysed, slot, node))

    def _analysed(self, slot: str, node: int, data: dict[str, Any]) -> None:
        frame = AnalysisFrame.model_validate(data)
        if node != self.game.cursor or node not in self.game.nodes or not frame.candidates:
            return
        note = self.game.nodes[node].note
        if frame.proof:
            self._proved(node, frame.proof)
        if slot == "a" and not note.proof:
            note.value = Value(frame.value, self.game.turn)
        self.tell(AnalysisNews(slot=slot, node=node, frame=frame))

    def _proved(self, node: int, proof: Proof) -> None:
        """Keeps a proof that is new, and tells what else it changes."""
        if self.game.nodes[node].note.proof:
            return
        changed = keep_proof(self.game, node, proof)
        self.dirty()
        self.tell(NotesNews(notes={at: note_json(self.game.nodes[at].note) for at in changed}))

    # One-off questions

    def hint(self) -> None:
        self._refuse_finished()
        self.game.helped += 1
        node, proof = self.game.cursor, known_proof(self.game, self.game.cursor)
        if proof and proof.line:
            self.tell(HintNews(node=node, move=proof.line[0], pv=proof.line))
            return
        job = ChooseJob(spec=ENGINE, seconds=HINT_SECONDS, position=self.game.position())
        self._start("hint", job, HINT_SECONDS, None, partial(self._hinted, node))

    def _hinted(self, node: int, data: dict[str, Any]) -> None:
        chosen = Chosen.model_validate(data)
        assert chosen.move is not None
        self.tell(HintNews(node=node, move=chosen.move, pv=chosen.pv))

    def threats(self, seconds: float) -> None:
        self._refuse_finished()
        self.game.helped += 1
        job = ThreatsJob(seconds=seconds, position=self.game.position())
        self._start("threats", job, seconds, None, partial(self._threatened, self.game.cursor))

    def _threatened(self, node: int, data: dict[str, Any]) -> None:
        found = ThreatsFound.model_validate(data)
        if node not in self.game.nodes:
            return
        if proof := known_proof(self.game, node) or found.own:
            self._proved(node, proof)
        known = self.game.nodes[node].note.proof
        own = found.own or (known if known and known.winner == self.game.turn_at(node) else None)
        self.tell(ThreatsNews(node=node, own=own, opponent=found.opponent))

    def retry(self, node: int, move: Move) -> None:
        """Judges a second try at `node` without saying what the answer is, unless the try finds it."""
        if node not in self.game.nodes:
            raise GameError("no-node", "that move is no longer in the tree")
        before = self.game.nodes[node].note.look
        if before is None:
            raise GameError("no-review", "review the game first")
        position = self.game.position(node)
        if not position.board().is_legal(move):
            raise GameError("illegal", "that move cannot be played there")
        job = RetryJob(spec=ENGINE, position=position, move=move, before=before)
        self._start("retry", job, RETRY_SECONDS, None, partial(self._retried, node, move))

    def _retried(self, node: int, move: Move, data: dict[str, Any]) -> None:
        verdict = Retried.model_validate(data).verdict
        self.tell(RetryNews(node=node, move=move, verdict=verdict, ok=not verdict.mark.is_fault))

    # Review of a whole line

    def review(self) -> None:
        line = [ROOT, *self._line()]
        if len(line) < 2:
            raise GameError("nothing", "there are no moves to review")
        proofs = {ply: self.game.nodes[node].note.proof for ply, node in enumerate(line)}
        known = {ply: proof for ply, proof in proofs.items() if proof and proof.line}
        job = ReviewJob(spec=ENGINE, position=self.game.position(line[-1]), known=known)
        finished = partial(self._finished, line)
        self._start("review", job, SWEEP_SECONDS * len(line), partial(self._swept, line), finished)
        self.progress = ReviewNews(done=0, total=len(line), line=line)
        self.tell(self.progress)

    def _line(self) -> list[int]:
        """The path to the cursor and on along the newest branches."""
        path = self.game.path()
        at = self.game.cursor
        while children := self.game.nodes[at].children:
            at = children[-1]
            path.append(at)
        return path

    def _swept(self, line: list[int], data: dict[str, Any]) -> None:
        found = Reviewed.model_validate(data)
        node = self.game.nodes.get(line[found.ply])
        if node is None:
            return
        node.note.saw(self._with_known_proof(node.note.proof, found.look))
        node.note.verdict = found.verdict
        if node.note.look != found.look:
            judge_again(self.game, [node.id])
        self.dirty()
        news = ReviewNews(done=found.ply + 1 if found.sweep == 0 else len(line), total=len(line), sweep=found.sweep,
                          node=node.id, note=note_json(node.note))  # fmt: skip
        self.progress = news.model_copy(update={"line": line, "node": None, "note": None})
        self.tell(news)

    def _with_known_proof(self, known: Proof | None, look: Look) -> Look:
        """A proof found by an analysis outlives a review that did not find it."""
        if known is None or look.proof or not known.line:
            return look
        return Look.proven(known)

    def _finished(self, line: list[int], data: dict[str, Any]) -> None:
        self.tell(ReviewNews(done=len(line), total=len(line), finished=True))

    # Slots

    def stop(self, *slots: str) -> None:
        for slot in slots or tuple(self.slots):
            if ticket := self.slots.pop(slot, None):
                self.pool.stop(ticket)

    def stop_live(self) -> None:
        self.specs = ()
        self.stop(*LIVE)

    def stop_all(self) -> None:
        self.stop_live()
        self.stop()

    def _refuse_finished(self) -> None:
        if self.game.outcome() is not None:
            raise GameError("over", "the game is over")

    def _start(self, slot: str, job: AnyJob, seconds: float | None, on_frame: Hear | None,
               on_result: Hear | None = None) -> None:  # fmt: skip
        self.stop(slot)
        ticket = self.pool.submit(job, self.game.id, seconds, on_frame, on_turn=partial(self._tell_turn, slot))
        self.slots[slot] = ticket
        if ticket.worker is None:
            self._tell_turn(slot)
        task = asyncio.create_task(self._wait(slot, ticket, on_result or on_frame))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _tell_turn(self, slot: str) -> None:
        """Whether a study still waits for a process; one that begins at once says so by what it finds."""
        if ticket := self.slots.get(slot):
            state: Literal["queued", "running"] = "running" if ticket.worker else "queued"
            self.tell(StudyNews(slot=slot, state=state, ahead=self.pool.ahead(ticket)))

    async def _wait(self, slot: str, ticket: Ticket, on_result: Hear | None) -> None:
        try:
            result = await ticket.answer
            if on_result:
                on_result(result)
            self.tell(StudyNews(slot=slot, state="done"))
        except Stopped:
            if self.slots.get(slot) in (ticket, None):  # one whose place was taken needs no obituary
                self.tell(StudyNews(slot=slot, state="stopped"))
        except (SearchFailed, Refused) as error:
            self.tell(StudyNews(slot=slot, state="failed", code=error.code, message=str(error)))
        finally:
            if slot == "review" and self.slots.get(slot) in (ticket, None):
                self.progress = None
            if self.slots.get(slot) is ticket:
                del self.slots[slot]
