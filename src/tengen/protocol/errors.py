"""What an external engine can do wrong. The message says what happened, `termination` how a referee counts it."""

from __future__ import annotations

from typing import ClassVar

from tengen.rules import Termination


class EngineError(RuntimeError):
    """The engine did not give a move that counts. By the time this is raised its process has been killed."""

    termination: ClassVar[Termination] = Termination.CRASH


class EngineCrash(EngineError):
    """It could not be started, exited, closed its output, or refused the game with ERROR."""


class EngineTimeout(EngineError):
    """It did not answer in time, the referee's tolerance included."""

    termination: ClassVar[Termination] = Termination.TIME


class EngineIllegal(EngineError):
    """It answered with a cell that is occupied, off the board or forbidden."""

    termination: ClassVar[Termination] = Termination.ILLEGAL


class EngineMemory(EngineError):
    """Its processes together, or the files it keeps, grew past what the referee allows."""

    termination: ClassVar[Termination] = Termination.MEMORY
