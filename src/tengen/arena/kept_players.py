"""Players that are kept from game to game, so that a network is loaded once and not for every game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tengen.players.base import Player, Reusable, close_player
from tengen.registry import create, parse_spec

IDLE_PLAYERS = 8
"""How many players wait for their next game; the one that waited longest goes first."""


class KeptPlayers:
    """Players by spec. A player that is not `Reusable` is made for its game and closed after it."""

    def __init__(self, idle: int = IDLE_PLAYERS) -> None:
        self._most = idle
        self._idle: list[tuple[str, Reusable]] = []
        self._playing: list[Player] = []

    @contextmanager
    def borrowed(self, spec: str, seed: int) -> Iterator[Player]:
        """A player as if it had just been made with this seed, or with the seed that its spec names."""
        player = self._take(spec, seed)
        self._playing.append(player)
        try:
            yield player
        finally:
            self._playing.remove(player)
            self._give_back(spec, player)

    def _take(self, spec: str, seed: int) -> Player:
        for i, (name, player) in enumerate(self._idle):
            if name == spec:
                del self._idle[i]
                player.new_game(parse_spec(spec)[1].get("seed", seed))
                return player
        return create(spec, seed=seed)

    def _give_back(self, spec: str, player: Player) -> None:
        if not isinstance(player, Reusable):
            close_player(player)
            return
        self._idle.append((spec, player))
        if len(self._idle) > self._most:
            close_player(self._idle.pop(0)[1])

    def close(self) -> None:
        """Ends all of them, those at play too. May be called from another thread when the process is to end."""
        for player in (*self._playing, *(player for _, player in self._idle)):
            close_player(player)
        self._idle.clear()
