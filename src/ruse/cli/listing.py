"""`ruse games`: all games and contests in a list, or one of them."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from difflib import get_close_matches
from typing import Any

from ruse.present.console import print_json

NO_DEFAULT = str(inspect.Parameter.empty)


def games(given: argparse.Namespace) -> int:
    from ruse.contests.arena import CONTESTS
    from ruse.core import named_games
    from ruse.core import registry as known
    from ruse.core.registry import UnknownGame, parameters_of, summary

    if given.name in CONTESTS:
        return _page(given.name, given.json)
    if given.name is None:
        named_games.load_installed(known.names())
    elif (found := known.named(given.name)) is not None:
        return _tell_of(found, given.name, given.json)
    names = known.names()
    if given.name is not None:
        close = get_close_matches(given.name, [*names, *CONTESTS], 1)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        raise UnknownGame(f"expected a game or contest that `ruse games` lists, got {given.name!r}{meant}")
    if given.json:
        print_json({"games": [_described(name) for name in names], "contests": list(CONTESTS)})
        return 0
    for name in names:
        print(f"{name:<20} {summary(name)}")
        for one in parameters_of(name):
            print(f"{'':<20}   --{one.name + ' ' + one.hint:<22} {one.help}")
    print(f"\nContests for ruse evolve and ruse tournament: {', '.join(CONTESTS)}.")
    print("For more about one of them: ruse games NAME")
    return 0


def _described(name: str) -> dict[str, Any]:
    from ruse.core.registry import parameters_of, summary

    parameters = [one._asdict() for one in parameters_of(name)]
    return {"name": name, "summary": summary(name), "parameters": json.loads(json.dumps(parameters, default=str))}


def _tell_of(name: str, spelled: str, as_json: bool) -> int:
    """A game that is no contest: its rules and parameters."""
    from ruse.core.registry import rules_text

    found = {**_described(name), "rules": rules_text(name)}
    if as_json:
        print_json(found)
        return 0
    print("\n".join(dict.fromkeys((found["summary"], found["rules"]))).strip())
    for one in found["parameters"]:
        usual = "" if one["default"] in (None, "", [], NO_DEFAULT) else f" (default: {one['default']})"
        print(f"  --{one['name'] + ' ' + one['hint']:<22} {one['help']}{usual}")
    print(f"Next: ruse solve {spelled}, ruse play {spelled} or ruse explore {spelled}.")
    return 0


def _page(name: str, as_json: bool) -> int:
    """A contest: what was found, and the exact answer beside it."""
    from ruse.contests.arena.page import page
    from ruse.present.console import Progress

    with Progress(sys.stderr, "playing and solving") as progress:
        found = page(name, progress.report)
    if as_json:
        print_json(found.to_json())
    else:
        print(found.format())
    return 0
