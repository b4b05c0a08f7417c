"""Compare what a game declares (ruse.core.declared) with its plain rules, for `ruse check`.

A small game is compared at every state, a larger one along random plays. Declarations beyond the rules, such as a
picture, cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from ruse.core.capabilities import Bulk, Memoryless, Open, Public, Ranged, Symmetric, payoff_range
from ruse.core.contract import checked
from ruse.core.declared import declares, provided, undeclared
from ruse.core.former_capabilities import SHOWN
from ruse.core.game import CHANCE, END, Game, GameError, State
from ruse.core.own import Own
from ruse.core.presentation import overridden
from ruse.core.registry import presentation
from ruse.core.walk import sampled_visits, visits
from ruse.forms import bidding_check
from ruse.forms.bidding import bidding_of
from ruse.forms.public_check import check_public
from ruse.forms.sequence_form import FormArrays, plain_form
from ruse.verify.array_check import check_along_plays
from ruse.verify.tree import VerifyError

SAMPLED = 10_000  # states of random plays
PRESENTATION = "Presentation"
EVERYWHERE, ALONG_PLAYS, NOT_COMPARED = "every state", "random plays", "not compared"


@dataclass(frozen=True)
class Declarations:
    """How each declared capability was compared, and which capabilities the game seems to have but does not declare."""

    compared: dict[str, str]
    undeclared: dict[str, tuple[str, ...]]  # with the methods that suggest each

    def sentences(self) -> Iterator[str]:
        for how, text in (
            (EVERYWHERE, "this agrees with the rules at every state"),
            (ALONG_PLAYS, "this agrees with the rules along random plays"),
            (NOT_COMPARED, "this cannot be compared with the rules"),
        ):
            if named := [name for name, comparison in self.compared.items() if comparison == how]:
                yield f"The game declares {', '.join(named)}; {text}."
        if self.undeclared:
            yield hint(self.undeclared)


def hint(lookalikes: dict[str, tuple[str, ...]]) -> str:
    """Explain how to declare what a game seems to have."""
    methods = ", ".join(dict.fromkeys(method for names in lookalikes.values() for method in names))
    capabilities = [name for name in lookalikes if name != PRESENTATION]
    line = f"provides = ({', '.join(capabilities)}{',' * (len(capabilities) == 1)})"
    sentences = [f"Not declared, and not used: {methods}."]
    if capabilities:
        sentences.append(
            f"If these are meant as capabilities, write {line} in the body of the class, with names from "
            "ruse.core.capabilities."
        )
    if shown := lookalikes.get(PRESENTATION):
        sentences.append(
            f"To show the game with {', '.join(shown)}, derive a class from ruse.core.presentation.Presentation, and "
            "set `presentation` to it in the body of the game's class."
        )
    return " ".join(sentences)


def lookalikes(game: Game) -> dict[str, tuple[str, ...]]:
    """Find capabilities whose methods a user's game has but does not declare, and methods of presentations likewise."""
    if not isinstance(game, Own):
        return {}
    capabilities = list(undeclared(game.rules))
    narrowest = [
        capability for capability in capabilities if not any(capability in other.__mro__[1:] for other in capabilities)
    ]
    named = {
        capability.__name__: tuple(_methods(game.rules, capability.methods or capability.optional))
        for capability in narrowest
    }
    shown = [] if overridden(type(presentation(game))) else _shown(game)
    return {**named, **({PRESENTATION: tuple(shown)} if shown else {})}


def _methods(thing: object, names: Iterable[str]) -> list[str]:
    return [name for name in names if callable(getattr(thing, name, None))]


def _shown(game: Own) -> list[str]:
    """The undeclared methods with names of a presentation's methods, current or former."""
    shown: list[str] = []
    for methods in SHOWN.values():
        for names in (list(methods), list(methods.values())):
            if _methods(game.rules, names) == names and not all(declares(game, name) for name in names):
                shown += [name for name in names if name not in shown]
    return shown


def compare(game: Game, whole: bool) -> Declarations:
    """Compare all that a game declares with its rules. Raises GameError if they contradict each other."""
    compared: dict[str, str] = {}
    for capability in provided(game):
        check = next((check for known, check in CHECKS.items() if known in capability.__mro__), None)
        if check is None:
            compared[capability.__name__] = NOT_COMPARED
            continue
        try:
            compared[capability.__name__] = check(game, whole)
        except (GameError, VerifyError) as error:
            raise GameError(f"{game.title} declares {capability.__name__}, but: {error}") from error
    return Declarations(compared, lookalikes(game))


def _states(game: Game, whole: bool) -> Iterator[State]:
    rules = checked(game)
    visited = visits(rules) if whole else sampled_visits(rules, SAMPLED, Random(0))
    return (visit.state for visit in visited)


def _how(whole: bool) -> str:
    return EVERYWHERE if whole else ALONG_PLAYS


def _symmetric(game: Game, whole: bool) -> str:
    return _how(whole)  # ruse.core.walk.check has renamed labels at every state that it visited


def _public(game: Any, whole: bool) -> str:
    check_public(game, whole)
    if (bidding := bidding_of(game)) is not None:
        bidding_check.along_plays(game, bidding)
    return _how(whole)


def _bulk(game: Any, whole: bool) -> str:
    if not whole:
        check_along_plays(game)
        return ALONG_PLAYS
    from ruse.forms.vectorised import bulk_form

    if _payoffs(bulk_form(game)) != _payoffs(plain_form(game)):
        raise GameError("its array rules and its rules give different information sets or payoffs")
    return EVERYWHERE


def _payoffs(form: FormArrays) -> dict[tuple[Hashable, Hashable], Fraction]:
    """The payoff of each pair of sequences, by the information set and the move that a sequence ends with."""
    names: list[list[Hashable]] = []
    for side in (0, 1):
        named: list[Hashable] = [None]
        for knowledge, moves in zip(form.knowledge[side], form.moves[side], strict=True):
            named += [(knowledge, move) for move in moves]
        names.append(named)
    entries = zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True)
    paid: dict[tuple[Hashable, Hashable], Fraction] = {}
    for row, column, payoff in entries:
        paid[names[0][row], names[1][column]] = Fraction(payoff, form.denominator)
    return paid


def _ranged(game: Any, whole: bool) -> str:
    least, most = payoff_range(game)
    rules = checked(game)
    for state in _states(game, whole):
        if rules.turn(state) == END and not least <= rules.payoff(state) <= most:
            raise GameError(
                f"its payoffs range from {least} to {most}, but the payoff at {state!r} is {rules.payoff(state)}"
            )
    return _how(whole)


def _open(game: Any, whole: bool) -> str:
    """Check that states of one board have the same future, and that the side to move knows the board."""
    rules = checked(game)
    follows: dict[Hashable, Hashable] = {}
    boards: dict[tuple[int, Hashable], Hashable] = {}
    for state in _states(game, whole):
        board, turn = game.board(state), rules.turn(state)
        future: Hashable
        if turn == END:
            future = (turn, rules.payoff(state))
        else:
            moves = rules.moves(state)
            odds = tuple(rules.odds(state)) if turn == CHANCE else ()
            after = tuple(game.board(rules.play(state, move)) for move in moves)
            future = (turn, tuple(map(rules.label, moves)), odds, after)
        if follows.setdefault(board, future) != future:
            raise GameError(f"states of the board {board!r} have different futures, for example {state!r}")
        if turn in (0, 1) and boards.setdefault((turn, rules.knows(state, turn)), board) != board:
            raise GameError(f"{rules.sides[turn]} does not know which board it is at {state!r}")
    return _how(whole)


CHECKS: dict[type, Callable[[Any, bool], str]] = {
    Symmetric: _symmetric,
    Public: _public,
    Bulk: _bulk,
    Ranged: _ranged,
    Memoryless: _open,
    Open: _open,
}
