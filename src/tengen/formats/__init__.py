"""Games as other programs write them: SGF, Piskvork's psq and position text, all as `GameTree`."""

from tengen.formats.files import format_game, load_games, parse_games, save_game
from tengen.formats.tree import GameTree, Node, Suggestion

__all__ = ["GameTree", "Node", "Suggestion", "format_game", "load_games", "parse_games", "save_game"]
