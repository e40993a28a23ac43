"""What an external engine can do wrong. A referee maps each to a way of losing; the message says what happened."""

from __future__ import annotations


class EngineError(RuntimeError):
    """The engine did not give a move that counts. By the time this is raised its process has been killed."""


class EngineCrash(EngineError):
    """It could not be started, exited, closed its output, or refused the game with ERROR."""


class EngineTimeout(EngineError):
    """It did not answer in time, the referee's tolerance included."""


class EngineIllegal(EngineError):
    """It answered with a cell that is occupied, off the board or forbidden."""


class EngineMemory(EngineError):
    """Its processes together, or the files it keeps, grew past what the referee allows."""
