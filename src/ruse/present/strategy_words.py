"""Strategies as a person would say them: what to do in which situation, and how often.

A game's presentation says which situation a side is in (`situations`), from the finest description to the coarsest, and
what a move is called there. The finest that needs at most `MOST_LINES` lines is used. Where a line stands for several
positions with different odds, it says how often on average, weighted by how often play comes to each. Positions that
play never reaches are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ruse.core.capabilities import ByClass, Open
from ruse.core.game import Game
from ruse.core.presentation import Presentation, Situation, overridden
from ruse.core.registry import presentation
from ruse.core.types import Odds
from ruse.present.at_random import RandomDevice, draws
from ruse.present.frequency import do, joined
from ruse.solution.on_path import ReachedDecision, visits
from ruse.solution.strategy import Solution

MOST_LINES = 30  # of a side
MOST_CHARACTERS = 200  # of a line
MOST_SAID = 4  # moves of a line
MOST_NAMED = 10  # moves of one position
FAINT = Fraction(1, 200)  # odds that are not said


@dataclass(frozen=True)
class SpokenSection:
    """Lines under a heading."""

    heading: str
    lines: Sequence[str]


@dataclass(frozen=True)
class SpokenStrategy:
    """A side's strategy as a person would say it."""

    sections: Sequence[SpokenSection] = ()
    notes: Sequence[str] = ()
    """what a reader has to know, such as that some lines are averages"""

    @property
    def is_short(self) -> bool:
        """Whether people would read all of it."""
        lines = [line for section in self.sections for line in section.lines]
        return not any(note.startswith("…") for note in self.notes) and all(
            len(line) <= MOST_CHARACTERS for line in lines
        )


@dataclass
class _Met:
    """What play met in one situation."""

    order: float
    weight: float = 0.0
    odds: dict[str, Any] = field(default_factory=lambda: defaultdict(float))  # weighted by how often play comes here
    seen: set[tuple[tuple[str, Fraction], ...]] = field(default_factory=set)


def move_phrase(game: Game, position: str, move: str) -> str:
    """What a move at a position is called at the table, such as "check" for a call when there is nothing to pay."""
    return _phrase(presentation(game), position, move)


def _phrase(shown: Presentation[Any], position: str, move: str) -> str:
    if phrase := shown.move_phrase(position, move):
        return phrase
    gloss = shown.explain_move(position, move)
    return f"{move} ({gloss})" if gloss else move


def say_odds(game: Game, position: str, odds: Odds) -> str:
    """Say the odds of moves at a position: "check two times in three (2/3), otherwise bet (1/3)"."""
    likely = sorted(
        ((move_phrase(game, position, move), share) for move, share in odds.items() if share >= FAINT),
        key=lambda option: -option[1],
    )
    return do(likely[:MOST_NAMED]) + ", rarely another" * (len(likely) > MOST_NAMED)


def draw_odds(game: Game, position: str, odds: Odds) -> Sequence[RandomDevice]:
    """The ways to choose between the moves of a position at random, at a table."""
    return draws({move_phrase(game, position, move): share for move, share in odds.items()})


def strategies_in_words(solution: Solution) -> tuple[SpokenStrategy, SpokenStrategy] | None:
    """Both strategies as a person would say them; None for a game that has rules of another form, or too large."""
    game, shown = solution.game, presentation(solution.game)
    if not solution.written or "outline" in overridden(type(shown)):
        return None
    if not shown.rules_by_position:
        return _said_by_rules(solution, shown)
    if isinstance(game, ByClass | Open):
        return None
    met: tuple[list[ReachedDecision], list[ReachedDecision]] = ([], [])
    complete = True
    for turn, visit in visits(solution):
        if visit is None:
            complete = False
        else:
            met[turn].append(visit)
    if not complete and not all(met):
        return None
    described = [
        [_described(game, shown, side, visit) for visit in met[side] if len(visit.odds) > 1] for side in (0, 1)
    ]
    levels = max((len(situations) for sides in described for _, situations in sides), default=1)
    for level in range(levels):
        first, second = (_strategy(shown, of_side, level, complete) for of_side in described)
        if first.is_short and second.is_short:
            break
    return first, second


def _said_by_rules(solution: Solution, shown: Presentation[Any]) -> tuple[SpokenStrategy, SpokenStrategy] | None:
    """The rules of a game that has its own, if its presentation can say them."""
    sides = []
    for side in (0, 1):
        heading, lines = shown.say_rules(solution.tables[side], side)
        if not lines:
            return None
        more = [f"… and {len(lines) - MOST_LINES:,} more rules"] if len(lines) > MOST_LINES else []
        sides.append(SpokenStrategy([SpokenSection(heading, lines[:MOST_LINES])], more))
    first, second = sides
    return first, second


def _described(
    game: Game, shown: Presentation[Any], side: int, visit: ReachedDecision
) -> tuple[ReachedDecision, Sequence[Situation]]:
    situations = shown.situations(visit.knowledge, side)
    return visit, situations or [plain_situation(game, visit.position)]


def _strategy(
    shown: Presentation[Any],
    described: Sequence[tuple[ReachedDecision, Sequence[Situation]]],
    level: int,
    complete: bool,
) -> SpokenStrategy:
    met: dict[str, dict[str, _Met]] = {}
    for visit, situations in described:
        situation = situations[min(level, len(situations) - 1)]
        case = met.setdefault(situation.heading, {}).setdefault(situation.when, _Met(situation.order))
        _count(case, visit, _named(shown, visit, situation))
    return _said(met, complete)


def _named(shown: Presentation[Any], visit: ReachedDecision, situation: Situation) -> dict[str, Fraction]:
    """The odds by what moves are called."""
    odds: dict[str, Fraction] = {}
    for move, share in visit.odds.items():
        if callable(situation.names):
            name = situation.names(move)
        else:
            name = (situation.names or {}).get(move) or _phrase(shown, visit.position, move)
        odds[name] = odds.get(name, Fraction(0)) + share
    return odds


def _count(met: _Met, visit: ReachedDecision, odds: Mapping[str, Fraction]) -> None:
    met.weight += visit.weight
    met.seen.add(tuple(sorted((name, share) for name, share in odds.items() if share)))
    for name, share in odds.items():
        met.odds[name] += visit.weight * float(share)


def _said(met: Mapping[str, Mapping[str, _Met]], complete: bool) -> SpokenStrategy:
    sections, averaged, left, more = [], False, MOST_LINES, 0
    for heading, cases in met.items():
        by_advice: dict[str, list[str]] = {}
        for when, case in sorted(cases.items(), key=lambda entry: entry[1].order):
            average = len(case.seen) > 1
            averaged |= average
            by_advice.setdefault(_advice(case, average), []).append(when)
        lines = [
            f"{_joined(whens)}: {advice}." if any(whens) else f"{_capital(advice)}."
            for advice, whens in by_advice.items()
        ]
        more += max(0, len(lines) - left)
        sections += [SpokenSection(heading, lines[:left])] * (left > 0)
        left -= len(lines[:left])
    notes = ["“On average” is over all positions of that kind, as often as play comes to them."] if averaged else []
    if more:
        notes.append(f"… and {more:,} more lines.")
    if not complete:
        notes.append("Only the positions that play comes to first are in these sentences.")
    return SpokenStrategy(sections, notes)


def _advice(case: _Met, average: bool) -> str:
    if not average:
        ((*options,),) = case.seen
    else:
        options = [(name, Fraction(share / case.weight).limit_denominator(10**6)) for name, share in case.odds.items()]
    likely = sorted((option for option in options if option[1] >= FAINT), key=lambda option: -option[1])
    alike = len({share for _, share in likely}) == 1
    most = len(likely) if alike else MOST_SAID
    advice = do(likely[:most])
    if len(likely) > most:
        advice += ", rarely another"
    return advice + (", on average" if average and len(likely) > 1 else "")


def _capital(advice: str) -> str:
    """Begin with a capital, unless a move that is no word, such as g or r1, comes first."""
    first = advice.partition(" ")[0]
    return advice if first.isupper() or len(first) == 1 or not first.isalpha() else f"{advice[:1].upper()}{advice[1:]}"


def _joined(whens: Sequence[str]) -> str:
    return joined([when for when in whens if when]) if any(whens) else ""


def plain_situation(game: Game, position: str) -> Situation:
    """The situation of a position in a game that does not say: by its steps and by what is written after @."""
    head, *steps = position.removeprefix(game.title).split("/")
    seen = [step for step in steps if step != "?"]
    heading = f"After {', '.join(seen)}" if seen else "At first"
    return Situation(heading, f"With {head.removeprefix('@')}" if head.startswith("@") else "")
