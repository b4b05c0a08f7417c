"""The program `ruse`: read the command line, run the command, report errors.

Results go to stdout, everything else to stderr.

Exit status 0: done; 1: the answer is no, or the input is wrong; 2: wrong usage of the command line.
Heavy modules are imported where they are used, so that `ruse --help` is instant.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from itertools import pairwise

from ruse.cli.commands import UsageError
from ruse.cli.parser import parser
from ruse.core.game import RuseError
from ruse.present.screen import columns, fold, forgive, on_screen
from ruse.start import STOPPED, forget_unusable_folders, listening

WITH_VALUE = (
    "--out",
    "--plot",
    "--log",
    "--checkpoint",
    "--solver",
    "--from",
    "--record",
    "--seat",
    "--role",
    "--model",
    "--resume",
    "--side",
    "--at",
    "--game",
    "--slip",
    "--csv",
    "--parquet",
    "--rules",
    "--where",
    "--only",
    "--metric",
    "--near",
    "--item",
    "--against",
    "--risk",
    "--report",
    "--site",
)  # options whose value may look like a game
OF_GAMES = (
    "solve",
    "check",
    "score",
    "insight",
    "metrics",
    "exploit",
    "export",
    "play",
    "bot",
    "explore",
    "studio",
    "sizes",
    "games",
    "sweep",
    "balance",
)  # commands that take one


NEGATIVE = re.compile(r"-\.?\d", re.ASCII)  # how a number below 0 begins, and no option
FILES = (".efg", ".nfg", ".ruse")  # whose games have no parameters


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        from ruse.core.named_games import only_here

        with listening(), only_here():
            return _main(arguments)
    except (KeyboardInterrupt, ImportError, SystemError) as error:
        if not _is_interrupt(error):
            raise
        print("ruse: stopped before the end; no solution was written", file=sys.stderr)
        return STOPPED


def _columns() -> int:
    """The width to wrap messages to: that of the terminal, or none if stderr is a file."""
    return columns(sys.stderr) if sys.stderr.isatty() else sys.maxsize


def _is_interrupt(error: BaseException | None) -> bool:
    """Whether an error is Ctrl-C, or what compiled modules turn Ctrl-C into while Python imports them."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _main(arguments: Sequence[str] | None) -> int:
    forget_unusable_folders()
    reader = parser()
    sys.stdin = sys.stdin or io.StringIO()  # the caller may have closed them
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        forgive(stream)  # a terminal without █ still gets the answer
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        known = read(reader, given)
        with on_screen(getattr(known, "json", False)):
            status: int = known.run(known)
            sys.stdout.flush()
    except UsageError as error:
        reader.error(str(error))
    except RuseError as error:
        if "--debug" in given:
            traceback.print_exc()
        print("\n".join(fold(f"ruse: {error}", _columns())), file=sys.stderr)
        return 1
    except MemoryError:
        print("ruse: not enough memory; use smaller parameters, or --solver mccfr", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        print(f"ruse: {place}{error.strerror or error}", file=sys.stderr)
        return 1
    return status


def read(reader: argparse.ArgumentParser, given: Sequence[str]) -> argparse.Namespace:
    """Parse a command line, with the parameters of its game. Raises UsageError."""
    words, parameters = _own_parameters(_negatives_joined(given))
    known, rest = reader.parse_known_args(words)
    if rest and not getattr(known, "takes_parameters", False):
        raise UsageError(f"unrecognized arguments: {' '.join(rest)}")
    known.parameters = parameters | _parameters(rest)
    return known


def _negatives_joined(words: Sequence[str]) -> list[str]:
    """Write `--target -1/12` as `--target=-1/12`: argparse takes a word that begins with a dash for an option."""
    joined: list[str] = []
    for word in words:
        last = joined[-1] if joined else ""
        if NEGATIVE.match(word) and last.startswith("--") and "=" not in last:
            joined[-1] = f"{last}={word}"
        else:
            joined.append(word)
    return joined


def _own_parameters(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Take a game's own parameters, `--players 7` or `--players=7`, out of a command line that names the game."""
    from ruse.core.registry import parameters_of

    game = _named_in(words)
    if game is None and words[:1] == ["companion"]:
        from ruse.explorer.companion import default_game

        game = default_game()
    if game is None:
        return words, {}
    names = {f"--{parameter.name}" for parameter in parameters_of(game)}
    mine: list[str] = []
    others: list[str] = []
    left = iter(words)
    for word in left:
        name, equals, _ = word.partition("=")
        (mine if name in names else others).append(word)
        if name in names and not equals:
            mine.extend(value for value in [next(left, None)] if value is not None)
    return others, _parameters(mine)


def _named_in(words: list[str]) -> str | None:
    """The name of the first game on a command line; a user's own game is imported."""
    from ruse.core import named_games
    from ruse.core.own import NAME
    from ruse.core.registry import elsewhere, games, named, taken

    for last, word in pairwise(words):
        if last in WITH_VALUE or word.startswith("-"):
            continue
        if word in games():
            return word
        if word in elsewhere() or word.startswith("openspiel:") or word.endswith(FILES) or words[0] not in OF_GAMES:
            return None
        if named_games.is_spelled(word) or (NAME.fullmatch(word) and word in named_games.installed(taken())):
            return named(word)
    return None


def _parameters(words: Sequence[str]) -> dict[str, str]:
    """`--players 7 --missions=2,3,2,3,3` as a dict."""
    values: dict[str, str] = {}
    left = iter(words)
    for word in left:
        name, equals, value = word.partition("=")
        if not name.startswith("--") or len(name) == 2:
            raise UsageError(f"unrecognized argument: {word}")
        if not equals:
            following = next(left, None)
            if following is None or following.startswith("--"):
                raise UsageError(f"argument {name}: expected a value")
            value = following
        if name[2:] in values:
            raise UsageError(f"argument {name}: given twice")
        values[name[2:]] = value
    return values


if __name__ == "__main__":
    sys.exit(main())
