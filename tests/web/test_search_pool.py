"""Searches in processes: stopped at once, replaced when they die, bounded."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import time
from collections.abc import Awaitable, Callable

import pytest

from tengen.rules import Variant
from tengen.web.messages import Position
from tengen.web.search_jobs import AnalyseJob, ChooseJob
from tengen.web.search_pool import Refused, SearchFailed, SearchPool, Stopped

POSITION = Position(variant=Variant(9), moves=(40,))
QUICK = ChooseJob(spec="random", seconds=0.1, position=POSITION)
LONG = ChooseJob(spec="mcts:playouts=0", seconds=60, position=POSITION)


def with_pool(test: Callable[[SearchPool], Awaitable[None]], **options: int) -> None:
    async def run() -> None:
        pool = SearchPool(1, **options)
        await pool.start()
        try:
            await test(pool)
        finally:
            await pool.close()

    asyncio.run(run())


def test_a_job_is_answered() -> None:
    async def test(pool: SearchPool) -> None:
        decision = await pool.submit(QUICK, "me", 1).answer
        assert decision["move"] in range(81) and decision["move"] != 40

    with_pool(test)


async def seconds_to_stop(pool: SearchPool) -> float:
    ticket = pool.submit(LONG, "me", 60)
    await asyncio.sleep(0.3)
    worker, started = ticket.worker, time.perf_counter()
    pool.stop(ticket)
    with pytest.raises(Stopped):
        await ticket.answer
    while worker is not None and worker.ticket is ticket:
        await asyncio.sleep(0.005)
    return time.perf_counter() - started


def test_a_stop_frees_the_worker_within_200_ms() -> None:
    """The median of several tries, because other programs may hold the processor."""

    async def test(pool: SearchPool) -> None:
        await pool.submit(QUICK, "me", 1).answer
        tries = [await seconds_to_stop(pool) for _ in range(5)]
        assert statistics.median(tries) < 0.2, tries
        assert (await asyncio.wait_for(pool.submit(QUICK, "me", 1).answer, 20))["move"] != 40

    with_pool(test)


def test_a_dead_worker_is_replaced() -> None:
    async def test(pool: SearchPool) -> None:
        ticket = pool.submit(LONG, "me", 60)
        await asyncio.sleep(0.3)
        os.kill(pool.workers[0].process.pid, signal.SIGKILL)
        with pytest.raises(SearchFailed) as error:
            await asyncio.wait_for(ticket.answer, 20)
        assert error.value.code == "died"
        await asyncio.wait_for(pool.submit(QUICK, "me", 1).answer, 30)

    with_pool(test)


def test_a_players_fault_is_one_line() -> None:
    async def test(pool: SearchPool) -> None:
        won = Position(variant=Variant(9), moves=(0, 9, 1, 10, 2, 11, 3, 12, 4))
        with pytest.raises(SearchFailed) as error:
            await asyncio.wait_for(pool.submit(QUICK.model_copy(update={"position": won}), "me", 1).answer, 30)
        assert "\n" not in str(error.value) and error.value.code == "player-failed"
        await asyncio.wait_for(pool.submit(QUICK, "me", 1).answer, 30)

    with_pool(test)


def test_queue_and_clients_are_bounded() -> None:
    async def test(pool: SearchPool) -> None:
        tickets = [pool.submit(LONG, "a", 60), pool.submit(LONG, "a", 60), pool.submit(LONG, "b", 60)]
        with pytest.raises(Refused, match="at most 2"):
            pool.submit(QUICK, "a", 1)
        with pytest.raises(Refused, match="busy"):
            pool.submit(QUICK, "c", 1)
        assert [pool.ahead(t) for t in tickets] == [0, 0, 1]
        for ticket in tickets:
            pool.stop(ticket)
        await asyncio.wait_for(pool.submit(QUICK, "c", 1).answer, 30)

    with_pool(test, max_queue=2, max_client=2)


def test_endless_jobs_share_a_process_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three analyses without end on one process: each of them goes on saying something."""
    monkeypatch.setattr("tengen.web.search_pool.TURN_SECONDS", 0.6)

    async def test(pool: SearchPool) -> None:
        heard: dict[str, int] = {"a": 0, "b": 0, "c": 0}
        job = AnalyseJob(spec="alphabeta", position=POSITION)

        def hear(name: str) -> None:
            heard[name] += 1

        tickets = [pool.submit(job, name, None, lambda frame, name=name: hear(name)) for name in heard]
        deadline = time.perf_counter() + 60
        while min(heard.values()) < 3 and time.perf_counter() < deadline:
            await asyncio.sleep(0.1)
        assert min(heard.values()) >= 3, heard
        before = heard["a"]
        while heard["a"] == before and time.perf_counter() < deadline:  # the first is taken up again
            await asyncio.sleep(0.1)
        assert heard["a"] > before
        for ticket in tickets:
            pool.stop(ticket)
        await asyncio.wait_for(pool.submit(QUICK, "d", 1).answer, 30)

    with_pool(test)
