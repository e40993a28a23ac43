"""The socket of a page: messages in are checked and obeyed one by one, messages out never block a game."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from tengen.registry import SpecError
from tengen.web.events import AnalysisNews, ErrorNews, Event
from tengen.web.game import GameError
from tengen.web.messages import COMMAND
from tengen.web.room import Room
from tengen.web.search_pool import Refused

MAX_MESSAGE = 4_096
MAX_WAITING = 400
MAX_WAITING_FRAMES = 16
RATE, BURST = 40.0, 80.0


class Page:
    """The sending half. A page that does not keep up first loses analysis frames, then its connection."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.queue: asyncio.Queue[str] = asyncio.Queue(MAX_WAITING)
        self.overrun = asyncio.Event()

    def tell(self, event: Event) -> None:
        if isinstance(event, AnalysisNews) and self.queue.qsize() > MAX_WAITING_FRAMES:
            return
        try:
            self.queue.put_nowait(event.model_dump_json())
        except asyncio.QueueFull:
            self.overrun.set()

    async def send_all(self) -> None:
        while not self.overrun.is_set():
            await self.socket.send_text(await self.queue.get())


class Throttle:
    """A token bucket: RATE messages a second, BURST at once."""

    def __init__(self) -> None:
        self.tokens, self.at = BURST, time.monotonic()

    def allows(self) -> bool:
        now = time.monotonic()
        self.tokens, self.at = min(BURST, self.tokens + RATE * (now - self.at)), now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


async def serve_page(socket: WebSocket, room: Room) -> None:
    """Runs until the page goes away."""
    await socket.accept()
    page = Page(socket)
    sender = asyncio.create_task(page.send_all())
    room.join(page.tell)
    try:
        await _listen(socket, page, room)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        room.leave(page.tell)
        sender.cancel()


async def _listen(socket: WebSocket, page: Page, room: Room) -> None:
    throttle = Throttle()
    while not page.overrun.is_set():
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if not throttle.allows():
            page.tell(error_event("too-fast", "too many messages; slow down"))
            continue
        if answer := obey_text(room, message.get("text")):
            page.tell(answer)


def obey_text(room: Room, text: Any) -> Event | None:
    """Carries out one message. Returns what to tell the page when it cannot be obeyed."""
    if not isinstance(text, str) or len(text) > MAX_MESSAGE:
        return error_event("bad-message", f"a message is a text of at most {MAX_MESSAGE} characters")
    try:
        room.obey(COMMAND.validate_json(text))
    except ValidationError as error:
        return error_event("bad-message", _first_fault(error))
    except GameError as error:
        return error_event(error.code, str(error))
    except Refused as error:
        return error_event("busy", str(error))
    except SpecError as error:
        return error_event("bad-player", str(error))
    return None


def error_event(code: str, message: str) -> Event:
    return ErrorNews(code=code, message=message[:MAX_MESSAGE])


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in fault["loc"])[:80]
    return f"{where}: {fault['msg']}" if where else fault["msg"]
