"""The `tengen` command. One module a command; a command's module is imported only when it is called."""

from tengen.cli.app import main

__all__ = ["main"]
