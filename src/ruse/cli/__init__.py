"""The command line."""

from ruse.cli.program import main

__all__ = ["main"]
