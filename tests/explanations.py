"""Print explanations of moves over six games, with the positions as players see them, for people to rate.

    python tests/explanations.py [--moves N] [--seed K]

Each entry has the position and its picture in words, a right or a wrong move, and what ruse says about it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import zip_longest
from random import Random
from typing import Any

import ruse
from ruse.core.game import PositionError
from ruse.insight import insight
from ruse.insight.costs import REFERENCE, costs, costs_of
from ruse.insight.reasons import Explainer
from ruse.play.shown import picture_at
from ruse.solution.strategy import Solution
from ruse.solving.pipeline import solve

GAMES: dict[str, Callable[[], Any]] = {
    "The Resistance, 7 players": lambda: ruse.games.resistance(7),
    "The Resistance, 5 players": lambda: ruse.games.resistance(5),
    "Kuhn poker": ruse.games.kuhn,
    "Leduc poker": ruse.games.leduc,
    "Liar's dice, one die of four faces each": lambda: ruse.games.liars_dice(4),
    "Avalon, 5 players": lambda: ruse.games.avalon(5),
}


def positions(solution: Solution, random: Random) -> Iterator[tuple[int, str]]:
    """Positions of the stored strategies where somebody has to choose, in random order, the sides by turns."""
    listed = [[(side, position) for position in table] for side, table in enumerate(solution.tables)]
    for positions_of_side in listed:
        random.shuffle(positions_of_side)
    for pair in zip_longest(*listed):
        yield from filter(None, pair)


def entries(name: str, count: int, random: Random) -> Iterator[str]:
    """Right moves and wrong ones by turns, at positions that play reaches where there are enough."""
    solution = solve(GAMES[name]())
    try:
        made = insight(solution)
        found = costs_of(made)
    except ruse.RuseError:
        made, found = None, costs(solution)
    explainer = Explainer(found)
    told = 0
    for side, position in positions(solution, random):
        if told == count:
            return
        try:
            view = explainer.viewer.at(position, side)
            there = found.at(position, side)
            if view.turn != side or len(there.moves) < 2 or not (view.reached or there.basis == REFERENCE):
                continue
            moves = explainer.asked(position, side)
        except PositionError:
            continue
        wanted = told % 2 if len(moves) > 1 else 0
        if told % 2 and len(moves) == 1 and random.random() < 0.8:
            continue
        habits = () if made is None else made.moves(position, side)
        explanation = explainer.explain(position, moves[wanted], side, habits)
        picture = "\n".join(f"    {line}" for line in picture_at(solution, view, explainer.viewer).text())
        head = f"{name}. You are {solution.game.sides[side]}, at {position}"
        question = f"Why {'' if explanation.right else 'not '}{explanation.move}?"
        yield f"{head}\n{picture}\n  {question}\n  {explanation.text}"
        told += 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Print explanations of moves for people to rate.")
    parser.add_argument("--moves", type=int, default=40, help="how many explanations")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random, number = Random(given.seed), 0
    for place, name in enumerate(GAMES):
        share = given.moves * (place + 1) // len(GAMES) - given.moves * place // len(GAMES)
        for text in entries(name, share, random):
            number += 1
            print(f"{number}. {text}\n")


if __name__ == "__main__":
    main()
