"""`ruse games`: list all games and contests, or describe one of them."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from typing import Any

from ruse.present.console import print_json

NO_DEFAULT = str(inspect.Parameter.empty)


def games(given: argparse.Namespace) -> int:
    from ruse.contests.arena import CONTESTS
    from ruse.core import named_games
    from ruse.core import registry as known
    from ruse.core.parameters import did_you_mean
    from ruse.core.registry import UnknownGame, parameters_of, summary

    if given.name in CONTESTS:
        return _describe_contest(given.name, given.json)
    if given.name is None:
        named_games.load_installed(known.names())
    elif (own_name := known.named(given.name)) is not None:
        return _describe_game(own_name, given.name, given.json)
    names = known.names()
    if given.name is not None:
        hint = did_you_mean(given.name, [*names, *CONTESTS]) or "; `ruse games` lists them"
        raise UnknownGame(f"unknown game or contest {given.name!r}{hint}")
    if given.json:
        print_json({"games": [_described(name) for name in names], "contests": list(CONTESTS)})
        return 0
    for name in names:
        print(f"{name:<20} {summary(name)}")
        for parameter in parameters_of(name):
            print(f"{'':<20}   --{parameter.name + ' ' + parameter.hint:<22} {parameter.help}")
    print(f"\nContests for ruse evolve and ruse tournament: {', '.join(CONTESTS)}.")
    print("For more about one of them: ruse games NAME")
    return 0


def _described(name: str) -> dict[str, Any]:
    from ruse.core.registry import parameters_of, summary

    parameters = [parameter._asdict() for parameter in parameters_of(name)]
    return {"name": name, "summary": summary(name), "parameters": json.loads(json.dumps(parameters, default=str))}


def _describe_game(name: str, spelled: str, as_json: bool) -> int:
    """Print the rules and parameters of a game."""
    from ruse.core.registry import rules_text

    description = {**_described(name), "rules": rules_text(name)}
    if as_json:
        print_json(description)
        return 0
    print("\n".join(dict.fromkeys((description["summary"], description["rules"]))).strip())
    for parameter in description["parameters"]:
        usual = "" if parameter["default"] in (None, "", [], NO_DEFAULT) else f" (default: {parameter['default']})"
        print(f"  --{parameter['name'] + ' ' + parameter['hint']:<22} {parameter['help']}{usual}")
    print(f"Next: ruse solve {spelled}, ruse play {spelled} or ruse explore {spelled}.")
    return 0


def _describe_contest(name: str, as_json: bool) -> int:
    """Print the results of a contest beside its exact answer."""
    from ruse.contests.arena.page import page
    from ruse.present.console import Progress

    with Progress(sys.stderr, "playing and solving") as progress:
        contest_page = page(name, progress.report)
    if as_json:
        print_json(contest_page.to_json())
    else:
        print(contest_page.format())
    return 0
