"""Strategies of a game with hidden roles in a few sentences, with shares counted from the strategies themselves.

What the spies say and how often, when they sabotage, how they guess, and how well a rule of thumb would; which missions
the good side sends after the reports that such spies bring about. Shares are those of plays in which both sides follow
their strategies. All deals are alike, so the spies sit on the first seats; what they do not know is dealt, and all
weights sum to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ruse.core import rationals
from ruse.core.types import Tables
from ruse.games.hidden_roles.evaluator import RolesEvaluator
from ruse.games.hidden_roles.notation import lie_by_roles, number_word, role_name
from ruse.games.hidden_roles.options import reports_in_words, teams_alike
from ruse.games.hidden_roles.roles import EVIL, SPY, Seats
from ruse.games.hidden_roles.rules import (
    GOOD,
    NONE,
    POINTING,
    PRIVATE,
    ROUND,
    SPIES,
    UNKNOWN,
    VOUCH,
    Done,
    HiddenRoles,
    RolesPlay,
    Words,
)
from ruse.games.hidden_roles.ways import Way
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.table import COUNTS, LAST, near_the_end


@dataclass
class MissionWithSpies:
    """A mission with spies aboard."""

    score: tuple[int, int]
    aboard: tuple[int, ...]  # the kinds of the spies aboard, sorted
    weight: Fraction
    failed: Fraction  # of it
    free: bool  # whether they had a choice


@dataclass
class CourseOfPlay:
    lies: list[tuple[Words, Fraction]] = field(default_factory=list)  # one of each class
    played: list[MissionWithSpies] = field(default_factory=list)
    guessed: list[list[Way]] = field(default_factory=list)  # the ways of each of the spies' last guesses


def course(evaluator: RolesEvaluator) -> CourseOfPlay:
    """Of exact strategies, in fractions; else in floats."""
    plays = CourseOfPlay(evaluator.stored_lies())
    seen = evaluator.seen(evaluator.first)
    starts: list[tuple[Words | None, Fraction]] = [*plays.lies] or [(None, Fraction(1))]
    for lie, share in starts:
        groups = evaluator.after_lie(seen, lie)
        total = sum(way.weight for ways in groups.values() for way in ways)
        for ways in groups.values():
            _walk(evaluator, [replace(way, weight=way.weight * share / total) for way in ways], plays)
    return plays


def _walk(evaluator: RolesEvaluator, ways: Sequence[Way], plays: CourseOfPlay) -> None:
    """What follows ways that are alike to the spies; of missions that look alike to them, one stands for all."""
    state = ways[0].state
    if evaluator.game.table.is_over(state.score):
        if evaluator.game.guesses(state):
            plays.guessed.append(list(ways))
        return
    classes: dict[str, list[list[Way]]] = {}
    for sent in evaluator.coming(ways).values():
        classes.setdefault(sent[0].seen[SPIES].text, []).append(sent)
    for alike in classes.values():
        first = [replace(way, weight=way.weight * len(alike)) for way in alike[0]]
        for after in _results(evaluator, first, plays):
            _walk(evaluator, after, plays)


def _results(evaluator: RolesEvaluator, ways: Sequence[Way], plays: CourseOfPlay) -> Iterator[list[Way]]:
    """A mission, and what the spies may see of it."""
    state = ways[0].state
    groups: dict[str, list[Way]] = {}
    if state.out is None:
        for way in ways:
            groups.setdefault(way.seen[SPIES].text, []).append(way)
    else:
        game = evaluator.game
        aboard = tuple(sorted(ways[0].deal[seat] for seat in state.out if ways[0].deal[seat] in game.cast.known))
        total = failed = Fraction(0)
        for way in ways:
            for cards, share in evaluator.sabotaged(way.seen[SPIES], state.score, len(aboard)).items():
                left = evaluator.over(replace(way, weight=way.weight * share), cards)
                groups.setdefault(left.seen[SPIES].text, []).append(left)
                total += Fraction(left.weight)
                failed += Fraction(left.weight) * (not left.state.done[-1].passed)
        free = len(evaluator.strategies.useful_sabotages(state.score, len(aboard))) > 1
        plays.played.append(MissionWithSpies(state.score, aboard, total, failed, free))
    yield from ([way for way in group if way.weight] for group in groups.values() if any(way.weight for way in group))


MOST_REPORTS = 6  # kinds of reports that are listed
MOST_MIXED = 4  # missions that are named of a mixture
PLAIN = 10**9  # denominators above this are those of rounded odds

Rule = Callable[[RolesPlay, int], Fraction]  # a score for each seat that may be named; the highest is


def outline(game: HiddenRoles, tables: Tables, side: int) -> list[str]:
    """What a side does."""
    exact = all(share.denominator < PLAIN for table in tables for odds in table.values() for share in odds.values())
    evaluator = RolesEvaluator(game, tables, exact)
    plays = course(evaluator)
    return _good(evaluator, plays) if side == GOOD else _spies(evaluator, plays)


# The spies.


def _spies(evaluator: RolesEvaluator, plays: CourseOfPlay) -> list[str]:
    lines = [_lies(evaluator.game, plays)] if plays.lies else []
    for score in sorted({mission.score for mission in plays.played if mission.free}):
        lines.append(_sabotage(evaluator.game, score, [mission for mission in plays.played if mission.score == score]))
    lines.append(
        f"Once a side has {near_the_end(evaluator.game.table)}, spies aboard always sabotage: "
        f"a {LAST[evaluator.game.table.spy_points]} failure wins, and they can guess later."
    )
    return [*lines, *_guess(evaluator, plays)]


def _lies(game: HiddenRoles, plays: CourseOfPlay) -> str:
    reports = [f"{lie_by_roles(game, lie)} ({_percent_and_exact(share)})" for lie, share in plays.lies[:MOST_REPORTS]]
    left = sum((share for _, share in plays.lies[MOST_REPORTS:]), Fraction(0))
    begin = "Reports" if game.talk == PRIVATE else "Where the spies point"
    others = f"; something else ({_percent_and_exact(left)})" if left else ""
    return f"{begin}: {'; or '.join(reports)}{others}."


def _sabotage(game: HiddenRoles, score: tuple[int, int], played: Sequence[MissionWithSpies]) -> str:
    """How often spies aboard fail a mission, by who is aboard where that matters."""
    kinds: dict[tuple[int, ...], list[MissionWithSpies]] = {}
    for mission in played:
        if mission.free:
            kinds.setdefault(mission.aboard, []).append(mission)
    shares = {aboard: _failed(ones) for aboard, ones in kinds.items()}
    when = f"Mission {sum(score) + 1}, at {score[0]} to {score[1]}"
    if len(set(shares.values())) == 1:
        return f"{when}: {_often(next(iter(shares.values())))}."
    cases = [f"with {_aboard(game, aboard)} aboard {_often(share)}" for aboard, share in sorted(shares.items())]
    return f"{when}: {'; '.join(cases)}."


def _failed(played: Sequence[MissionWithSpies]) -> Fraction:
    return sum((mission.failed for mission in played), Fraction(0)) / sum(
        (mission.weight for mission in played), Fraction(0)
    )


def _aboard(game: HiddenRoles, kinds: Sequence[int]) -> str:
    names = [role_name(game.cast.kinds[kind]) for kind in kinds if game.cast.kinds[kind] != SPY]
    plain = len(kinds) - len(names)
    names += [f"{number_word(plain)} {'spy' if plain == 1 else 'spies'}"] if plain else []
    return " and ".join(names)


def _often(share: Fraction) -> str:
    return "never sabotage" if not share else "always sabotage" if share == 1 else f"sabotage {_share(share)}"


# The last guess.


def _aboard_passed(known: RolesPlay, seat: int) -> Fraction:
    return Fraction(sum(mission.passed for mission in known.done if seat in mission.seats))


def _aboard_all(known: RolesPlay, seat: int) -> Fraction:
    return Fraction(sum(seat in mission.seats for mission in known.done))


def _meant(known: RolesPlay, seat: int) -> Fraction:
    """How often a seat is in what somebody said that the spies hear."""
    return Fraction(sum(seat in claim.seats for claim in known.said or () if claim is not None))


def _knows_one(known: RolesPlay, seat: int) -> Fraction:
    """Whether a seat points at a spy."""
    claim = (known.said or {seat: None})[seat]
    return Fraction(claim is not None and any((known.deal or ())[other] != UNKNOWN for other in claim.seats))


ANY = "any seat that may be good"
RULES: dict[str, Rule] = {
    ANY: lambda known, seat: Fraction(0),
    "who was aboard most missions": _aboard_all,
    "who was aboard fewest missions": lambda known, seat: -_aboard_all(known, seat),
    "who was aboard most missions that passed": _aboard_passed,
    "who was aboard fewest missions that passed": lambda known, seat: -_aboard_passed(known, seat),
    "who was on the first mission": lambda known, seat: Fraction(seat in known.done[0].seats),
    "who was not on the first mission": lambda known, seat: -Fraction(seat in known.done[0].seats),
}
OF_TALK: dict[str, dict[str, Rule]] = {
    NONE: {},
    PRIVATE: {
        "whom the spies' claims name": _meant,
        "whom the spies' claims do not name": lambda known, seat: -_meant(known, seat),
    },
    ROUND: {
        "who points at a spy": _knows_one,
        "whom most point at": _meant,
        "whom fewest point at": lambda known, seat: -_meant(known, seat),
    },
    VOUCH: {
        "who points at no spy": lambda known, seat: -_knows_one(known, seat),
        "whom most point at": _meant,
        "whom fewest point at": lambda known, seat: -_meant(known, seat),
    },
}


def _guess(evaluator: RolesEvaluator, plays: CourseOfPlay) -> list[str]:
    if evaluator.game.cast.hunted is None:
        return []
    hunted = role_name(evaluator.game.cast.kinds[evaluator.game.cast.hunted])
    total = sum((Fraction(way.weight) for ways in plays.guessed for way in ways), Fraction(0))
    if not total:
        points = COUNTS[evaluator.game.table.points].capitalize()
        return [f"{points} missions never pass, so nobody has to name {hunted}."]
    right = Fraction(
        sum(way.weight * evaluator.guesses(way).get(_seat(evaluator, way), 0) for ways in plays.guessed for way in ways)
    )
    hits = {
        name: _hits(evaluator, plays, rule) / total for name, rule in (RULES | OF_TALK[evaluator.game.talk]).items()
    }
    best = max(hits, key=lambda name: hits[name])
    lines = [
        f"The last guess: {_share(total)} of the games come to it, and it finds {hunted} in {_share(right / total)} of "
        f"these; naming {ANY} would in {_share(hits[ANY])}."
    ]
    if hits[best] > hits[ANY]:
        share = _share(hits[best])
        lines.append(
            f"A rule of thumb for it: name {best} (any, where several are alike); against this good side that is right "
            f"in {share}."
        )
    else:
        lines.append("No simple rule does better against this good side: the missions reveal nothing.")
    return lines


def _seat(evaluator: RolesEvaluator, way: Way) -> int:
    assert evaluator.game.cast.hunted is not None
    return way.deal.index(evaluator.game.cast.hunted)


def _hits(evaluator: RolesEvaluator, plays: CourseOfPlay, rule: Rule) -> Fraction:
    total = Fraction(0)
    for ways in plays.guessed:
        known = evaluator.game.knows(ways[0].state, 1)
        seats = [seat for seat, kind in enumerate(known.deal or ()) if kind == UNKNOWN]
        scores = {seat: rule(known, seat) for seat in seats}
        named = [seat for seat in seats if scores[seat] == max(scores.values())]
        total += sum((Fraction(way.weight) for way in ways if _seat(evaluator, way) in named), Fraction(0)) / len(named)
    return total


# The good side.


def _good(evaluator: RolesEvaluator, plays: CourseOfPlay) -> list[str]:
    game = evaluator.game
    reports = sorted(evaluator.reports(), key=lambda report: -report[1])
    lines = [_revealed(game)]
    for known, share in reports[:MOST_REPORTS]:
        text = reports_in_words(game, known)
        head = f"{text.rstrip('.')} ({rationals.percent(Fraction(share))} of the games)" if text else "Missions"
        lines.append(f"{head}: {_line(evaluator, known)}")
    if len(reports) > MOST_REPORTS:
        rest = sum((Fraction(share) for _, share in reports[MOST_REPORTS:]), Fraction(0))
        left = len(reports) - MOST_REPORTS
        lines.append(
            f"{left:,} more kinds of reports ({rationals.percent(rest)} of the games) have pages of their own."
        )
    won = sum((Fraction(way.weight) for ways in plays.guessed for way in ways), Fraction(0))
    if game.cast.hunted is not None and won:
        right = Fraction(
            sum(
                way.weight * evaluator.guesses(way).get(_seat(evaluator, way), 0)
                for ways in plays.guessed
                for way in ways
            )
        )
        hunted = role_name(game.cast.kinds[game.cast.hunted])
        lines.append(
            f"So {COUNTS[game.table.points]} missions pass in {_share(won)} of the games, and {hunted} is found out in "
            f"{_share(right / won)} of these."
        )
    return lines


def _revealed(game: HiddenRoles) -> str:
    """What those who see others may say, and when."""
    seers = [
        role_name(game.cast.kinds[kind])
        for kind in game.cast.sights
        if game.talk not in POINTING or game.cast.kinds[kind].sees == EVIL
    ]
    if not seers:
        return "Nobody on the good side knows more than the others."
    who = " and ".join(seers)
    says, tells, points = ("says", "tells", "points") if len(seers) == 1 else ("say", "tell", "point")
    if game.talk == PRIVATE:
        return (
            f"{who} {tells} the mediator everything before the first mission, and nobody else. The spies learn only "
            "where missions go."
        )
    if game.talk in POINTING:
        whom = "a spy" if game.talk == ROUND else "a seat not seen as a spy"
        return (
            f"In the one public round {who} {points} at {whom} with odds {rationals.write(game.truth)}, and otherwise "
            "at random, like other good seats. Nobody says anything else."
        )
    return f"{who} {says} nothing. The good side sends missions as if nobody knew anything, so it gives nothing away."


def _line(evaluator: RolesEvaluator, known: RolesPlay) -> str:
    """What is sent first, and then after the likeliest mission."""
    mixed = _mixed(evaluator, known)
    text = f"send {_missions_text(mixed)}."
    team = mixed[0][0][0]
    ways = [way for way in evaluator.ways(GOOD, known) if way.weight]
    results = evaluator.results(evaluator.out(GOOD, ways, team))
    for passed in (True, False):
        if not any(way.weight for way in results[passed]):
            continue
        after = known._replace(done=(*known.done, Done(team, passed, UNKNOWN)))
        text += f" If {letters(team)} {'passes' if passed else 'fails'}, {_missions_text(_mixed(evaluator, after))}."
    return text


def _mixed(evaluator: RolesEvaluator, known: RolesPlay) -> list[tuple[list[Seats], Fraction]]:
    """The missions that look alike, with how often one of them is sent."""
    odds = evaluator.missions(evaluator.finder.known(known, GOOD)) or {}
    classes = teams_alike(evaluator.game, evaluator.finder, known)
    shares = [(members, Fraction(sum(odds.get(team, 0) for team in members))) for members in classes]
    return sorted((entry for entry in shares if entry[1]), key=lambda entry: -entry[1])


def _missions_text(mixed: Sequence[tuple[list[Seats], Fraction]]) -> str:
    named = []
    for members, share in mixed[:MOST_MIXED]:
        teams = (
            " or ".join(letters(team) for team in members)
            if len(members) <= 3
            else f"{letters(members[0])} or one alike"
        )
        named.append(teams if share == 1 else f"{teams} ({rationals.percent(share)})")
    left = sum((share for _, share in mixed[MOST_MIXED:]), Fraction(0))
    return ", ".join(named) + (f", else another ({rationals.percent(left)})" if left else "")


def _share(share: Fraction) -> str:
    """58.59% (58/99); long fractions as percentages only."""
    percent, comma, exact = _percent_and_exact(share).partition(", ")
    return f"{percent} ({exact})" if comma else percent


def _percent_and_exact(share: Fraction) -> str:
    """A share for use within brackets: 58.59%, 58/99."""
    exact = rationals.write(share)
    return rationals.percent(share) if share in (0, 1) or len(exact) > 9 else f"{rationals.percent(share)}, {exact}"
