"""Reasons for missions and sabotages: what passes and fails, who looks like a spy afterwards, and what is still needed.

Beliefs are those of a resistance that knows how optimal spies play (`Evaluator.suspects`). The next team is the one
that the resistance's strategy sends; where that has nothing to say, it is a best response.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts, Place, aboard, members, spy_splits
from ruse.games.resistance.evaluator import Evaluator, payoff
from ruse.games.resistance.rules import SPIES
from ruse.games.resistance.table import POINTS_TO_WIN, Table
from ruse.insight.reasons.model import ANSWERS, COST, REVEALS, Question, Reason
from ruse.insight.reasons.wording import Wording, count, listed, sentence

if TYPE_CHECKING:
    from ruse.games.resistance.view import ResistanceViewer

CLEAN, NEEDS, POINT, SUSPECTS = "clean", "needs", "point", "suspects"
NOTHING = Fraction(0)
LEAST_SHIFT = Fraction(1, 100)
RESULT = {"pass": "+", "sabotage": "-"}
DOING = {"pass": "passing", "sabotage": "sabotaging"}
AFTER = {"pass": "a pass", "sabotage": "a sabotage"}


def reasons(question: Question, viewer: ResistanceViewer) -> list[Reason]:
    place = Place.at(viewer.table, question.position, question.side)
    evaluator = viewer.evaluator_of(question.solution)
    with viewer.one_thread():
        if place.side == SPIES:
            return list(_of_spies(question, place, evaluator))
        return list(_of_resistance(question, place, evaluator))


def activity(position: str, move: str) -> str:
    return DOING.get(move, f"sending {move}")


# The spies.


def _of_spies(question: Question, place: Place, evaluator: Evaluator) -> Iterator[Reason]:
    table, number = place.table, len(place.read.done)
    if aboard(place.cells, place.spies, number) < table.sabotages[number]:
        inside = aboard(place.cells, place.spies, number)
        text = f"this mission fails only if {count(table.sabotages[number])} spies sabotage it, and only one is aboard"
        yield Reason(COST, sentence(text if inside else "none of you is aboard, so this mission passes"))
        return
    yield needs_of_spies(question.move, table, place.read.score, number)
    after = {move: place.cells.then(result) for move, result in RESULT.items()}
    if not any(POINTS_TO_WIN in cells.score for cells in after.values()):
        yield from filter(
            None, [_next_team(question, place, evaluator, after), _safer(question, place, evaluator, after)]
        )


def needs_of_spies(move: str, table: Table, score: tuple[int, int], number: int) -> Reason:
    """What a pass or a sabotage of a mission means for the points that are still needed."""
    passed, failed = score
    if failed == POINTS_TO_WIN - 1:
        return Reason(POINT, sentence("a sabotage is your third point and wins the game now"), {}, Fraction(2))
    if passed == POINTS_TO_WIN - 1:
        text = "the resistance has two points, so you lose at once if this mission passes"
        return Reason(POINT, sentence(text.replace("resistance", "other side")), {}, Fraction(2))
    left = len(table.missions) - number - 1
    need = POINTS_TO_WIN - failed - (move == "sabotage")
    numbers = {"need": Fraction(need), "left": Fraction(left)}
    if need == left:
        text = f"after {AFTER[move]} the other side has two points, so you must fail every mission that is left"
        return Reason(NEEDS, sentence(text), numbers, Fraction(1, 2), False)
    if move == "sabotage" and need + 1 == left:
        text = (
            f"after a pass the other side would have two points and you would have to fail every mission left; after a "
            f"sabotage you need only {count(need)} of the {count(left)}"
        )
        return Reason(NEEDS, sentence(text), numbers, Fraction(1, 4), True)
    if need == 1:
        text = f"after {AFTER[move]} you need only one of the {count(left)} missions left"
        return Reason(NEEDS, sentence(text), numbers, Fraction(1, 4), True)
    seats = table.missions[number + 1]
    numbers |= {"seats": Fraction(seats), "players": Fraction(table.players)}
    text = (
        f"after {AFTER[move]} you still need {count(need)} of the {count(left)} missions left, and the next one takes "
        f"{count(seats)} of the {count(table.players)} seats"
    )
    return Reason(NEEDS, sentence(text), numbers, Fraction(1, 20))


def failing(evaluator: Evaluator, cells: Cells, spies: Counts) -> Fraction:
    """How likely the next team has enough of these spies aboard for a sabotage."""
    table, number = evaluator.table, len(cells.results)
    odds = NOTHING
    for mission, share in evaluator.missions(cells).items():
        for split in spy_splits(cells, mission, spies):
            if sum(split.aboard) >= table.sabotages[number]:
                odds += share * Fraction(split.ways, members(cells.sizes, mission))
    return odds


def _next_team(question: Question, place: Place, evaluator: Evaluator, after: Mapping[str, Cells]) -> Reason | None:
    wording = question.wording
    odds = {move: failing(evaluator, cells, place.spies) for move, cells in after.items()}
    other = "pass" if question.move == "sabotage" else "sabotage"
    mine, theirs = odds[question.move], odds[other]
    numbers = {f"boarded:{move}": share for move, share in odds.items()}
    text = wording.does(f"after {AFTER[question.move]} the next team", "has", mine, _enough(place))
    if mine == theirs:
        if not any(move.cost for move in question.costs.moves.values()):
            text = wording.does("whatever you do, the next team", "has", mine, _enough(place))
            text += ", so you can fail that one" * (mine == 1)
            return Reason(ANSWERS, sentence(text), numbers, mine / 5)
        every = place.read.score[0] == POINTS_TO_WIN - 2 and question.move == "pass" and mine < 1
        return Reason(ANSWERS, sentence(text), numbers, Fraction(1, 4), False) if every else None
    text += f"; after {AFTER[other]}, {wording.often(theirs)}"
    return Reason(ANSWERS, sentence(text), numbers, 2 * abs(mine - theirs), mine > theirs)


def _enough(place: Place) -> str:
    """Whom the next team needs aboard to fail."""
    needed = place.table.sabotages[len(place.read.done) + 1]
    return "one of you aboard" if needed == 1 else f"{count(needed)} of you aboard"


def _safer(question: Question, place: Place, evaluator: Evaluator, after: Mapping[str, Cells]) -> Reason | None:
    """How suspicious the spies look after the move, and after the other one."""
    wording, move = question.wording, question.move
    other = "pass" if move == "sabotage" else "sabotage"
    here, there = (_by_seat(evaluator, place, after[name]) for name in (move, other))
    spies = place.read.spies or ()
    groups: dict[tuple[Fraction, Fraction], list[str]] = {}
    for seat in spies:
        groups.setdefault((here[seat], there[seat]), []).append(notation.seats([seat]))
    shares = max(groups, key=lambda shares: abs(shares[1] - shares[0]))
    shift, names = shares[0] - shares[1], groups[shares]
    if abs(shift) < LEAST_SHIFT:
        return None
    numbers = {
        f"{name}:{notation.seats([seat])}": share
        for seat in spies
        for name, share in (("after", here[seat]), ("otherwise", there[seat]))
    }
    looks = "each look" if len(names) > 1 else "looks"
    text = (
        f"after {AFTER[move]}, {listed(names)} {looks} {wording.points(abs(shift))} "
        f"{'more suspicious' if shift > 0 else 'safer'} to the resistance than after {AFTER[other]}: "
        f"{wording.percent(shares[0])} likely to be {'spies' if len(names) > 1 else 'a spy'}, not "
        f"{wording.percent(shares[1])}"
    )
    slips = {name: evaluator.suspects(cells).slips for name, cells in after.items()}
    if slips[move] != slips[other]:  # good spies never do one of them, so that nobody can say what it tells
        kind = "are each {} likely to be spies" if len(names) > 1 else "is {} likely to be a spy"
        text = (
            f"by the results alone, {listed(names)} {kind.format(wording.percent(shares[0]))} after {AFTER[move]}, and "
            f"{wording.percent(shares[1])} after {AFTER[other]}"
        )
    return Reason(REVEALS, sentence(text), numbers, abs(shift) * Fraction(3, 4), shift < 0)


def _by_seat(evaluator: Evaluator, place: Place, cells: Cells) -> list[Fraction]:
    """How likely each seat is a spy to the resistance; `cells` are those of the place, with a result or without."""
    likely = evaluator.suspects(cells).by_cell(cells)
    return [likely[place.cell_of(seat)] for seat in range(place.table.players)]


# The resistance.


def _of_resistance(question: Question, place: Place, evaluator: Evaluator) -> Iterator[Reason]:
    if len(question.costs.moves) == 1:
        size = place.table.missions[len(place.read.done)]
        text = f"all seats have the same record, so any team of {count(size)} is as good as {question.move}"
        yield Reason(COST, sentence(text), {"cost": NOTHING, "size": Fraction(size)})
        yield needs_of_resistance(place.table, place.read.score, len(place.read.done))
        return
    mission = place.counts(notation.read_seats(question.move, place.table))
    rival = None if question.rival is None else place.counts(notation.read_seats(question.rival, place.table))
    yield from filter(
        None,
        [
            _ends(question, place, evaluator, mission),
            None if rival is None else _clean(question, place, evaluator, mission, rival),
            _suspects(question, place, evaluator),
            _learned(question, place, evaluator, mission),
            needs_of_resistance(place.table, place.read.score, len(place.read.done)),
        ],
    )


def _ends(question: Question, place: Place, evaluator: Evaluator, mission: Counts) -> Reason | None:
    """How often the mission passes, and what that and a failure leave."""
    wording, out = question.wording, place.cells.send(mission)
    odds = evaluator.results(place.cells, mission)
    value = question.costs.moves[question.move].value
    for judge in (evaluator, Evaluator(place.table, ({}, question.solution.tables[SPIES]))):
        values = {result: payoff(judge.value(out.then(result))) for result in odds}
        if sum(odds[result] * values[result] for result in odds) == value:
            break
    else:
        return None
    numbers = {f"odds:{result}": odds.get(result, NOTHING) for result in "+-"}
    numbers |= {f"value:{result}": value for result, value in values.items()}
    if len(odds) == 1:
        text = f"the team {question.move} {'passes' if '+' in odds else 'fails'} for sure, if the spies play well"
        return Reason(ANSWERS, sentence(text), numbers, Fraction(1, 10))
    text = (
        f"the team {question.move} passes {wording.often(odds['+'])}; if it does, {wording.payoff_text(values['+'])}, "
        f"and if it fails, {wording.payoff_text(values['-'])}"
    )
    swing = sum((odds[result] * abs(values[result] - value) for result in odds), NOTHING)
    return Reason(ANSWERS, sentence(text), numbers, swing / 4)


def clean_share(evaluator: Evaluator, cells: Cells, mission: Counts) -> Fraction:
    """How likely too few spies are aboard a mission to fail it."""
    suspects, number = evaluator.suspects(cells), len(cells.results)
    share = NOTHING
    for spies in suspects.masses:
        for split in spy_splits(cells, mission, spies):
            if sum(split.aboard) < evaluator.table.sabotages[number]:
                ways = Fraction(split.ways, members(cells.sizes, mission))
                share += members(cells.sizes, spies) * suspects.odds(spies) * ways
    return share


def _clean(question: Question, place: Place, evaluator: Evaluator, mission: Counts, rival: Counts) -> Reason | None:
    number = len(place.read.done)
    mine, theirs = (clean_share(evaluator, place.cells, sent) for sent in (mission, rival))
    if mine == theirs:
        return None
    assert question.rival is not None
    text = clean_text(question, mine, theirs, place.table.sabotages[number])
    return Reason(CLEAN, text, {"clean": mine, "rival": theirs}, 2 * abs(mine - theirs), mine > theirs)


def clean_text(question: Question, mine: Fraction, theirs: Fraction, sabotages: int) -> str:
    """Compare how often the team of the question and its rival have too few spies to fail."""
    wording = question.wording
    kind = "free of spies" if sabotages == 1 else "without the two spies that it takes to fail"
    compared = wording.does(question.move, "is", mine, kind)
    return sentence(f"the team {compared}, and {question.rival} {wording.often(theirs)}")


def _suspects(question: Question, place: Place, evaluator: Evaluator) -> Reason | None:
    """Who goes, who stays at home, and how suspected they are."""
    likely = _by_seat(evaluator, place, place.cells)
    return suspected_team(question, {notation.seats([seat]): share for seat, share in enumerate(likely)})


def suspected_team(question: Question, odds: Mapping[str, Fraction]) -> Reason | None:
    """Compare the most suspected seat of the team with the least suspected one that stays at home."""
    wording = question.wording
    going = {name: share for name, share in odds.items() if name in question.move}
    staying = {name: share for name, share in odds.items() if name not in question.move}
    worst, best = max(going.values()), min(staying.values(), default=max(going.values()))
    most = max(odds.values())
    if most > worst >= best and (worst == best or not question.costs.moves[question.move].cost):
        left_out = [name for name, share in staying.items() if share == most]
        text = f"it leaves the most suspected at home: {_likely(wording, left_out, most)}"
        return Reason(
            SUSPECTS, sentence(text), {f"suspect:{name}": share for name, share in odds.items()}, most / 2, True
        )
    if worst == best:
        return None
    risky = [name for name, share in going.items() if share == worst]
    safe = [name for name, share in staying.items() if share == best]
    numbers = {f"suspect:{name}": share for name, share in odds.items()}
    compared = f"{_likely(wording, risky, worst)}, but {_likely(wording, safe, best)}"
    if worst < best:
        text = f"it sends the seats that are least suspected: {compared}"
        return Reason(SUSPECTS, sentence(text), numbers, (best - worst) / 2, True)
    text = f"it takes {listed(risky)} and leaves {listed(safe)} at home: {compared}"
    return Reason(SUSPECTS, sentence(text), numbers, (worst - best) / 2, False)


def _likely(wording: Wording, names: Sequence[str], share: Fraction) -> str:
    """Say how likely seats are spies: "a and b are each a spy 40% (2/5) of the time"."""
    single = len(names) == 1
    if share in (0, 1):
        kinds = ("certainly a spy", "certainly spies") if share else ("certainly not a spy", "not spies")
        kind = kinds[not single]
        return f"{listed(names)} {'is' if single else 'are'} {kind}"
    return f"{listed(names)} {'is' if single else 'are each'} a spy {wording.percent(share)} of the time"


def _learned(question: Question, place: Place, evaluator: Evaluator, mission: Counts) -> Reason | None:
    """How the suspicion of those aboard moves with the result."""
    wording = question.wording
    odds = evaluator.results(place.cells, mission)
    if len(odds) < 2 or POINTS_TO_WIN in place.cells.then("+").score or POINTS_TO_WIN in place.cells.then("-").score:
        return None
    sent = place.then(f"{question.move}?")
    before = _by_seat(evaluator, place, place.cells)
    passed, failed = (_by_seat(evaluator, sent, sent.cells.then(result)) for result in "+-")
    team = notation.read_seats(question.move, place.table)
    exposed = max(team, key=lambda seat: failed[seat] - passed[seat])
    clean, guilty = passed[exposed], failed[exposed]
    shift = guilty - clean
    if shift < LEAST_SHIFT:
        return None
    numbers = {"before": before[exposed], "passed": clean, "failed": guilty, "seat": Fraction(exposed)}
    alike = [notation.seats([seat]) for seat in team if (passed[seat], failed[seat]) == (clean, guilty)]
    text = f"either way you learn something: if it passes, {_likely(wording, alike, clean)}; if it fails, "
    each = "it is" if len(alike) == 1 else "each is"
    text += f"{each} {'certainly a spy' if guilty == 1 else f'a spy {wording.percent(guilty)} of the time'}"
    return Reason(REVEALS, sentence(text), numbers, shift * 2 * min(odds.values()))


def needs_of_resistance(table: Table, score: tuple[int, int], number: int) -> Reason:
    """How many of the missions that are left must pass."""
    passed, failed = score
    left = len(table.missions) - number
    need = POINTS_TO_WIN - passed
    numbers = {"need": Fraction(need), "left": Fraction(left)}
    if need == 1:
        text = "one more mission that passes wins the game"
        if failed < POINTS_TO_WIN - 1:
            text += f", and you have {count(min(left, POINTS_TO_WIN - failed))} tries"
            numbers["tries"] = Fraction(min(left, POINTS_TO_WIN - failed))
    elif need == left or failed == POINTS_TO_WIN - 1:
        text = f"{'both' if need == 2 else f'all {count(need)}'} missions that are still to come must pass"
    else:
        text = f"you need {count(need)} of the {count(left)} missions left to pass"
    return Reason(NEEDS, sentence(text), numbers, Fraction(1, 20) if need > 1 else Fraction(1, 8))
