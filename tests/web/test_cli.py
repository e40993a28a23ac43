"""`tengen serve` and `tengen play`."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from urllib.parse import urlsplit

from tengen.cli.page_server import free_port, listen
from tests.web.conftest import Server


def tengen(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tengen", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload]


def test_a_taken_port_is_one_line_and_exit_code_2(server: Server) -> None:
    port = str(urlsplit(server.url).port)
    done = tengen("serve", "--port", port)
    assert done.returncode == 2
    assert port in done.stderr and done.stderr.count("\n") == 1


def test_play_takes_another_port_instead(server: Server) -> None:
    taken = urlsplit(server.url).port
    assert taken is not None
    assert free_port("127.0.0.1", taken) == 0


def test_a_host_that_is_not_ours_is_one_line(server: Server) -> None:
    done = tengen("serve", "--host", "203.0.113.7")
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_play_in_the_terminal() -> None:
    done = tengen("play", "--terminal", input="quit\n")
    assert "Traceback" not in done.stderr
    assert done.returncode == 0


def test_answers_are_not_held_back_for_an_acknowledgement() -> None:
    """The second half of an answer would wait 40 ms for the browser's acknowledgement of the first."""

    async def sent_at_once() -> bool:
        made = asyncio.get_running_loop().create_future()

        async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            made.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listen("127.0.0.1", 0)
        async with await asyncio.start_server(met, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.close()
            return bool(await made)

    assert asyncio.run(sent_at_once())
