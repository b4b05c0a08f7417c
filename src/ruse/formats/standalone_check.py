"""Check an optimal solution of a two-player zero-sum game, with nothing but Python's standard library.

    python check.py                         check the strategies on the tables at the end of this file
    python check.py --rules FILE.py[:NAME]  also derive the tables anew from the rules in that file, and compare
    python check.py --rules ruse            also derive them from the rules of the installed package ruse

The tables hold the whole game tree in preorder, one row for each state: the payoff to the first side at an end, the
moves of chance with their probabilities, or the number of the information set of the side that moves. Each information
set has its side, its position, its moves and the probabilities with which that side's strategy makes them (null where
the strategy says nothing because its own earlier moves never lead there).

What is checked, in exact fractions:
1. The tables are a game tree. Probabilities of chance are at least 0 and sum to 1, and both sides have perfect recall:
   all states of an information set follow the same earlier moves of the side that moves there.
2. The strategies are strategies: probabilities are at least 0 and sum to 1.
3. The first side's strategy guarantees the lower bound against a best response, and the second side's strategy concedes
   at most the upper bound. So the value of the game lies between the bounds, and equal bounds are the value.

Without --rules this proves the bounds for the tables. That the tables are the game is what --rules shows.
Exit status: 0 if all of it holds, 1 if not.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import inspect
import json
import sys
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

CHANCE, END = -1, -2  # turns, as rules call them
START = (-1, -1)  # the sequence of a side that has not moved; others are (information set, number of the move)
METHODS = ("start", "turn", "moves", "odds", "play", "knows", "payoff")

Sequence = tuple[int, int]
Ends = list[tuple[Fraction, tuple[Sequence, Sequence]]]  # payoff times probability of chance, last moves of both sides
Parents = dict[int, Sequence]  # information set -> the last earlier move of its side; earlier sets come first


class Wrong(Exception):
    """What does not hold."""


class InformationSet(NamedTuple):
    side: int
    position: str
    moves: list[str]
    odds: list[Fraction] | None


class Tables(NamedTuple):
    about: dict[str, Any]  # title, name and parameters of the game, its sides, the bounds
    sets: list[InformationSet]
    nodes: list[Any]  # a text: payoff at an end; a number: information set; a list of [move, probability]: chance


def read(text: str) -> Tables:
    """Read the tables: a line about the game, one line for each information set, one line for each state."""
    first, _, rest = text.strip().partition("\n")
    about = json.loads(first)
    if hashlib.sha256(rest.encode()).hexdigest() != about["sha256"]:
        raise Wrong("the tables are not as they were written: their checksum differs")
    rows = [json.loads(line) for line in rest.splitlines()]
    many = about["information_sets"]
    sets = [
        InformationSet(side, position, moves, None if odds is None else [Fraction(share) for share in odds])
        for side, position, moves, odds in rows[:many]
    ]
    return Tables(about, sets, rows[many:])


def walk(tables: Tables) -> tuple[Ends, Parents]:
    """Walk the tree once: all ends, and what each information set follows."""
    ends: Ends = []
    parents: Parents = {}
    waiting = [(Fraction(1), (START, START))]  # for states whose row is still to come, the next one last
    for row in tables.nodes:
        if not waiting:
            raise Wrong("the tree has more rows than states")
        odds, last = waiting.pop()
        if isinstance(row, str):
            ends.append((odds * Fraction(row), last))
        elif isinstance(row, int):
            if not 0 <= row < len(tables.sets) or tables.sets[row].side not in (0, 1):
                raise Wrong(f"there is no information set {row}")
            here = tables.sets[row]
            if parents.setdefault(row, last[here.side]) != last[here.side]:
                raise Wrong(f"imperfect recall at {here.position}: two different histories of the side that moves")
            for move in reversed(range(len(here.moves))):
                after = ((row, move), last[1]) if here.side == 0 else (last[0], (row, move))
                waiting.append((odds, after))
        else:
            shares = [Fraction(share) for _, share in row]
            if sum(shares) != 1 or min(shares) < 0:
                raise Wrong(f"the probabilities of a chance move sum to {sum(shares)}")
            waiting.extend((odds * share, last) for share in reversed(shares))
    if waiting or len(parents) < len(tables.sets):
        raise Wrong("the tree ends too early, or never comes to an information set")
    return ends, parents


def plan(tables: Tables, parents: Parents, side: int) -> dict[Sequence, Fraction]:
    """The probability with which a side's strategy makes all the moves of each of its sequences."""
    weights: dict[Sequence, Fraction] = {START: Fraction(1)}
    for number, last in parents.items():
        here = tables.sets[number]
        if here.side != side:
            continue
        odds = here.odds
        if odds is None:
            if weights[last]:
                raise Wrong(f"the strategy says nothing at {here.position}, and it comes there")
            odds = [Fraction(0)] * len(here.moves)
        elif len(odds) != len(here.moves) or sum(odds) != 1 or min(odds) < 0:
            raise Wrong(f"the strategy's probabilities at {here.position} are none")
        for move, share in enumerate(odds):
            weights[number, move] = weights[last] * share
    return weights


def guarantee(tables: Tables, ends: Ends, parents: Parents, side: int) -> Fraction:
    """The payoff to the first side if `side` follows its strategy and the other side makes a best response.

    Payoffs are collected under the responding side's last move. With perfect recall its best response is then found
    one information set at a time, later ones first: the best move there, added to the move that leads there.
    """
    weights, responding = plan(tables, parents, side), 1 - side
    payoffs: dict[Sequence, Fraction] = defaultdict(Fraction)
    for payoff, last in ends:
        payoffs[last[responding]] += weights[last[side]] * payoff
    best: Callable[[list[Fraction]], Fraction] = max if responding == 0 else min
    for number, parent in reversed(parents.items()):
        if tables.sets[number].side == responding:
            payoffs[parent] += best([payoffs[number, move] for move in range(len(tables.sets[number].moves))])
    return payoffs[START]


def check(tables: Tables) -> tuple[Fraction, Fraction]:
    """Both bounds, if they are those that the file claims."""
    ends, parents = walk(tables)
    bounds = guarantee(tables, ends, parents, 0), guarantee(tables, ends, parents, 1)
    for name, bound in zip(("lower", "upper"), bounds, strict=True):
        if bound != Fraction(tables.about[name]):
            raise Wrong(f"the {name} bound is {bound}, but the file claims {tables.about[name]}")
    return bounds


# The rules, where they are given.


def derive(game: Any) -> tuple[list[Any], list[tuple[int, Any, list[Any]]]]:
    """The rows of all states in preorder, and side, knowledge and moves of each information set, as first met."""
    nodes: list[Any] = []
    sets: list[tuple[int, Any, list[Any]]] = []
    numbers: dict[Any, int] = {}
    stack = [game.start()]
    while stack:
        state = stack.pop()
        turn = game.turn(state)
        if turn == END:
            nodes.append(str(Fraction(game.payoff(state))))
            continue
        moves = list(game.moves(state))
        if turn == CHANCE:
            drawn = [(move, Fraction(share)) for move, share in zip(moves, game.odds(state), strict=True) if share]
            nodes.append([[text_of(game, move), str(share)] for move, share in drawn])
            moves = [move for move, _ in drawn]
        else:
            knowledge = game.knows(state, turn)
            number = numbers.setdefault((turn, knowledge), len(sets))
            if number == len(sets):
                sets.append((turn, knowledge, moves))
            elif sets[number][2] != moves:
                raise Wrong(f"the rules offer different moves within the information set {knowledge!r}")
            nodes.append(number)
        stack.extend(game.play(state, move) for move in reversed(moves))
    return nodes, sets


def text_of(game: Any, move: Any) -> str | None:
    """A move as tables write it; None where the rules do not say."""
    if hasattr(game, "label"):
        return str(game.label(move))
    return move if isinstance(move, str) else None


def same_texts(mine: list[Any], theirs: list[Any]) -> bool:
    """Whether the tables name moves as the rules do, where these have texts."""
    return len(mine) == len(theirs) and all(a in (None, b) for a, b in zip(mine, theirs, strict=False))


def same_row(mine: Any, theirs: Any) -> bool:
    """Whether the rules and the tables have the same row for a state."""
    if isinstance(mine, list) and isinstance(theirs, list):
        shares, others = ([Fraction(share) for _, share in row] for row in (mine, theirs))
        return shares == others and same_texts([move for move, _ in mine], [move for move, _ in theirs])
    return type(mine) is type(theirs) and Fraction(mine) == Fraction(theirs)  # payoffs, or numbers


def compare(tables: Tables, game: Any) -> None:
    """Raise Wrong if the rules make other tables. Texts are compared where the rules have them."""
    nodes, sets = derive(game)
    if len(nodes) != len(tables.nodes) or len(sets) != len(tables.sets):
        mine = f"{len(nodes):,} states and {len(sets):,} information sets"
        theirs = f"{len(tables.nodes):,} states and {len(tables.sets):,} information sets"
        raise Wrong(f"the rules have {mine}, the tables {theirs}")
    for number, (mine, theirs) in enumerate(zip(nodes, tables.nodes, strict=True)):
        if not same_row(mine, theirs):
            raise Wrong(f"state {number} is {mine} by the rules, but {theirs} in the tables")
    for (side, knowledge, moves), here in zip(sets, tables.sets, strict=True):
        texts = [text_of(game, move) for move in moves]
        has_texts = hasattr(game, "title") and hasattr(game, "format_position")
        position = game.title + game.format_position(knowledge) if has_texts else here.position
        if side != here.side or position != here.position or not same_texts(texts, here.moves):
            raise Wrong(f"the information set {here.position} is another one by the rules")


def load_rules(spelled: str, about: dict[str, Any]) -> Any:
    """The game of a file, or of the installed package ruse, with the parameters that the tables were made for."""
    if spelled == "ruse":
        from ruse.core.registry import find
        from ruse.forms.reductions import reduce

        game = find(about["name"], about["parameters"])
        return reduce(game) if about["by_class"] else game
    if about["by_class"]:
        raise Wrong("the tables are those of the game by class; compare them with --rules ruse")
    place, name = (spelled, "") if spelled.endswith(".py") else (spelled.rpartition(":")[0], spelled.rpartition(":")[2])
    path = Path(place)
    spec = importlib.util.spec_from_file_location("rules_of_the_game", path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise Wrong(f"there is no file of rules {place!r}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    if name:
        candidates = [getattr(module, name)] if hasattr(module, name) else []
    else:
        candidates = [
            attribute
            for attribute in vars(module).values()
            if isinstance(attribute, type)
            and attribute.__module__ == spec.name
            and all(hasattr(attribute, rule) for rule in METHODS)
        ]
    if len(candidates) != 1:
        raise Wrong(f"expected one game in {place}, got {len(candidates)}; name it as FILE.py:NAME")
    asked = inspect.signature(candidates[0]).parameters
    given = {
        key: Fraction(value) if "Fraction" in f"{asked[key].annotation!r} {asked[key].default!r}" else value
        for key, value in about["parameters"].items()
        if key in asked
    }
    return candidates[0](**given)


def main(text: str) -> int:
    parser = argparse.ArgumentParser(description="Check the strategies and bounds in this file, in exact fractions.")
    parser.add_argument("--rules", metavar="FILE.py[:NAME]", help="derive the tables from these rules, and compare")
    given = parser.parse_args()
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    try:
        try:
            tables = read(text)
            lower, upper = check(tables)
        except (ValueError, TypeError, LookupError, ZeroDivisionError, AttributeError) as error:
            raise Wrong(f"the tables cannot be read: {error!r}") from error
        if given.rules is not None:
            try:
                compare(tables, load_rules(given.rules, tables.about))
            except (Exception, SystemExit) as error:  # whatever somebody's rules raise
                raise Wrong(str(error) if isinstance(error, Wrong) else f"the rules fail: {error!r}") from error
    except Wrong as error:
        print(f"NOT proved: {error}.", file=sys.stderr)
        return 1
    first, second = ({"first": "Player 1", "second": "Player 2"}.get(side, side) for side in tables.about["sides"])
    print(f"{tables.about['title']}: {len(tables.nodes):,} states, {len(tables.sets):,} information sets")
    print(f"{lower} <= value <= {upper} (payoff to {first})")
    print(f"The strategy of {first} guarantees at least {lower}; that of {second} concedes at most {upper}.")
    if given.rules is None:
        print("This proves the tables in this file; --rules FILE.py (or --rules ruse) compares them with the rules.")
    else:
        print(f"The tables are those of the rules in {given.rules}.")
    return 0


TABLES = r"""
"""

if __name__ == "__main__":
    sys.exit(main(TABLES))
