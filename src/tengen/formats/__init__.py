"""Games as other programs write them: SGF, piskvork's psq and position text. All speak `GameTree`."""

from tengen.formats.files import load_games, parse_games, save_game
from tengen.formats.tree import GameTree, Node, Suggestion

__all__ = ["GameTree", "Node", "Suggestion", "load_games", "parse_games", "save_game"]
