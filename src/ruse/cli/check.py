"""`ruse check`: check that the rules of a game are valid and that its declarations are true."""

from __future__ import annotations

import argparse
import sys

from ruse import start
from ruse.cli.commands import game_of
from ruse.core import clock
from ruse.present.console import print_json

MOST_SAMPLED = 20_000  # states at which the rules of a game are checked that is too large to walk


def check(given: argparse.Namespace) -> int:
    from ruse.core.capabilities import Bulk, Memoryless
    from ruse.core.contract import checked
    from ruse.core.game import GameError
    from ruse.core.interrupts import answering
    from ruse.core.registry import presentation
    from ruse.core.size_estimate import MOST_FOR_DRAWS, walkable
    from ruse.core.sizes import CountedSizes
    from ruse.core.walk import check
    from ruse.present.console import Progress
    from ruse.reproduce.paper_sizes import sizes
    from ruse.solving.declarations import compare

    game = game_of(given)
    try:
        with (
            Progress(sys.stderr, "checking the rules at every state"),
            clock.deadline(given.time, start.first_moment),
            answering(given.time),
        ):
            whole = walkable(checked(game), MOST_FOR_DRAWS)
            notes = check(game, None if whole else MOST_SAMPLED)
            declared = compare(game, whole)
            least = game.nodes() if isinstance(game, Bulk) else MOST_FOR_DRAWS
            counted = whole or presentation(game).size_report() is not None
            size = sizes(game) if counted else CountedSizes(game, least)
    except GameError as error:
        if given.json:
            print_json({"game": game.name, "keeps": False, "reason": str(error)})
        else:
            print(f"{game.title}: ruse cannot solve this game: {error}")
        return 1
    looked = (
        "at every state"
        if whole
        else f"at {MOST_SAMPLED:,} states of random games, because there are too many to check them all"
    )
    if not whole and not isinstance(game, Memoryless):
        notes = ("no infinite game was found, but ruse did not check every line of play", *notes)
    if given.json:
        more = {"declared": declared.compared, "undeclared": list(declared.undeclared), "size": size.to_json()}
        print_json({"game": game.name, "keeps": True, "whole": whole, "notes": notes, **more})
    else:
        print(f"{game.title}: the rules are valid (checked {looked}).")
        for sentence in (*(f"Note: {note}." for note in notes), *declared.sentences()):
            print(sentence)
        print(size.text().partition("\n")[2])
    return 0
