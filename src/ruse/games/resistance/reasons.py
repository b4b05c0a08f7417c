"""Reasons for missions and sabotages: what passes and fails, who looks like a spy afterwards, and what is still needed.

Beliefs are those of a resistance that knows how optimal spies play (`Evaluator.suspects`). The next team is the one
that the resistance's strategy sends; where that has nothing to say, it is a best response.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.games.resistance import notation
from ruse.games.resistance.cells import Cells, Counts, Place, aboard, members, spy_splits
from ruse.games.resistance.evaluator import Evaluator, payoff
from ruse.games.resistance.rules import SPIES
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.insight.reasons.model import ANSWERS, COST, REVEALS, Question, Reason
from ruse.insight.reasons.wording import count, listed, sentence

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
        text = f"this mission fails only if {count(table.sabotages[number])} spies sabotage it, and {count(inside)} of you is aboard"
        yield Reason(COST, sentence(text if inside else "none of you is aboard, so this mission passes"), {})
        return
    passed, failed = place.read.score
    if passed == POINTS_TO_WIN - 1 or failed == POINTS_TO_WIN - 1:
        yield _last_point(question.move, passed, failed)
    else:
        yield _needs_of_spies(question, place)
    after = {move: place.cells.then(result) for move, result in RESULT.items()}
    if not any(POINTS_TO_WIN in cells.score for cells in after.values()):
        yield from filter(
            None, [_next_team(question, place, evaluator, after), _safer(question, place, evaluator, after)]
        )


def _last_point(move: str, passed: int, failed: int) -> Reason:
    if failed == POINTS_TO_WIN - 1:
        text = "a sabotage is your third point and wins the game now"
    else:
        text = "the resistance has two points, so you lose at once if this mission passes"
    return Reason(POINT, sentence(text), {}, Fraction(2))


def _needs_of_spies(question: Question, place: Place) -> Reason:
    """How many of the missions that are left must fail after the move, or what a second point of either side means."""
    table, number = place.table, len(place.read.done)
    failed = place.read.score[SPIES] + (question.move == "sabotage")
    left = len(table.missions) - number - 1
    need = POINTS_TO_WIN - failed
    numbers = {"need": Fraction(need), "left": Fraction(left)}
    if need == left:
        text = (
            f"after {AFTER[question.move]} the resistance has two points, so you must fail every mission that is left"
        )
        return Reason(NEEDS, sentence(text), numbers, Fraction(1, 2), False)
    if need == 1:
        text = f"after {AFTER[question.move]} you need only one of the {count(left)} missions left"
        return Reason(NEEDS, sentence(text), numbers, Fraction(1, 4), True)
    seats = table.missions[number + 1]
    numbers |= {"seats": Fraction(seats), "players": Fraction(table.players)}
    text = (
        f"after {AFTER[question.move]} you still need {count(need)} of the {count(left)} missions left, and the next one "
        f"takes {count(seats)} of the {count(table.players)} seats"
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
        return Reason(ANSWERS, sentence(f"{text}, just as after {AFTER[other]}"), numbers, NOTHING)
    text += f"; after {AFTER[other]}, {wording.often(theirs)}"
    return Reason(ANSWERS, sentence(text), numbers, abs(mine - theirs), mine > theirs)


def _enough(place: Place) -> str:
    """Whom the next team needs aboard to fail."""
    needed = place.table.sabotages[len(place.read.done) + 1]
    return "one of you aboard" if needed == 1 else f"{count(needed)} of you aboard"


def _safer(question: Question, place: Place, evaluator: Evaluator, after: Mapping[str, Cells]) -> Reason | None:
    """How suspicious the spies look after the move, and after the other one."""
    wording, move = question.wording, question.move
    other = "pass" if move == "sabotage" else "sabotage"
    before = _by_seat(evaluator, place, place.cells)
    here, there = (_by_seat(evaluator, place, after[name]) for name in (move, other))
    spies = place.read.spies or ()
    groups: dict[tuple[Fraction, Fraction, Fraction], list[int]] = {}
    for seat in spies:
        groups.setdefault((before[seat], here[seat], there[seat]), []).append(seat)
    told = max(groups, key=lambda shares: abs(shares[1] - shares[0]))
    shift = told[1] - told[0]
    if abs(shift) < LEAST_SHIFT:
        return None
    names = [notation.seats([seat]) for seat in groups[told]]
    numbers = {
        f"{name}:{notation.seats([seat])}": share
        for seat in spies
        for name, share in (("before", before[seat]), ("after", here[seat]), ("otherwise", there[seat]))
    }
    unexpected = evaluator.suspects(after[move]).slips > evaluator.suspects(place.cells).slips
    looks = "each look" if len(names) > 1 else "looks"
    text = (
        f"after {AFTER[move]}, {listed(names)} {looks} {wording.points(abs(shift))} "
        f"{'more suspicious' if shift > 0 else 'safer'} to the resistance: {wording.percent(told[1])} likely to be "
        f"{'spies' if len(names) > 1 else 'a spy'}, not {wording.percent(told[0])}"
    )
    if unexpected:
        text += ", going by the results alone because spies who play well never do this"
    elif told[2] != told[1]:
        text += f"; after {AFTER[other]} it is {wording.percent(told[2])}"
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
        yield _needs_of_resistance(place)
        return
    mission = place.counts(notation.read_seats(question.move, place.table))
    rival = None if question.rival is None else place.counts(notation.read_seats(question.rival, place.table))
    yield from filter(
        None,
        [
            _ends(question, place, evaluator, mission),
            None if rival is None else _clean(question, place, evaluator, mission, rival),
            _suspects(question, place, evaluator, mission),
            _learned(question, place, evaluator, mission),
            _needs_of_resistance(place),
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
        f"the team {question.move} passes {wording.often(odds['+'])}; if it does, {wording.worth(values['+'])}, and if "
        f"it fails, {wording.worth(values['-'])}"
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
    wording, number = question.wording, len(place.read.done)
    mine, theirs = (clean_share(evaluator, place.cells, sent) for sent in (mission, rival))
    if mine == theirs:
        return None
    assert question.rival is not None
    no_spy = "no spy is aboard" if place.table.sabotages[number] == 1 else "at most one spy is aboard"
    text = f"{no_spy} {question.move} {wording.often(mine)}, compared with {question.rival}: {wording.often(theirs)}"
    return Reason(CLEAN, sentence(text), {"clean": mine, "rival": theirs}, 2 * abs(mine - theirs), mine > theirs)


def _suspects(question: Question, place: Place, evaluator: Evaluator, mission: Counts) -> Reason | None:
    """Who goes, who stays at home, and how suspected they are."""
    wording = question.wording
    likely = evaluator.suspects(place.cells).by_cell(place.cells)
    going = {cell for cell, taken in enumerate(mission) if taken}
    staying = {cell for cell, (size, taken) in enumerate(zip(place.cells.sizes, mission, strict=True)) if size > taken}
    if not going or not staying or len(set(likely)) == 1:
        return None
    worst_aboard, best_ashore = max(likely[cell] for cell in going), min(likely[cell] for cell in staying)
    team = notation.read_seats(question.move, place.table)
    home = [seat for seat in range(place.table.players) if seat not in team]
    numbers = {f"suspect:{notation.seats([seat])}": likely[place.cell_of(seat)] for seat in range(place.table.players)}
    risky = [notation.seats([seat]) for seat in team if likely[place.cell_of(seat)] == worst_aboard]
    safe = [notation.seats([seat]) for seat in home if likely[place.cell_of(seat)] == best_ashore]
    if worst_aboard < best_ashore:
        text = (
            f"it sends the least suspected seats: {_is(risky)} a spy {wording.percent(worst_aboard)} of the time at most, "
            f"while {_is(safe)} {wording.percent(best_ashore)}"
        )
        return Reason(SUSPECTS, sentence(text), numbers, (best_ashore - worst_aboard) / 2, True)
    if worst_aboard == best_ashore:
        return None
    text = (
        f"it takes {listed(risky)}, a spy {wording.percent(worst_aboard)} of the time, and leaves {listed(safe)} at home, "
        f"a spy only {wording.percent(best_ashore)}"
    )
    return Reason(SUSPECTS, sentence(text), numbers, (worst_aboard - best_ashore) / 2, False)


def _is(names: list[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are each'}"


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
    told = max(team, key=lambda seat: failed[seat] - passed[seat])
    shift = failed[told] - passed[told]
    if shift < LEAST_SHIFT:
        return None
    numbers = {"before": before[told], "passed": passed[told], "failed": failed[told], "seat": Fraction(told)}
    alike = [notation.seats([seat]) for seat in team if (passed[seat], failed[seat]) == (passed[told], failed[told])]
    cleared = "cleared if it passes" if not passed[told] else f"{wording.percent(passed[told])} spies if it passes"
    guilty = "certainly spies if it fails" if failed[told] == 1 else f"{wording.percent(failed[told])} if it fails"
    are = "is" if len(alike) == 1 else "are"
    text = f"either way you learn something: {listed(alike)} {are} {cleared}, and {guilty}"
    if len(alike) == 1:
        text = text.replace(" spies if", " a spy if")
    if not passed[told] and failed[told] < 1:
        text = text.replace(f"{wording.percent(failed[told])} if it", f"{wording.percent(failed[told])} suspect if it")
    return Reason(REVEALS, sentence(text), numbers, shift * 2 * min(odds.values()))


def _needs_of_resistance(place: Place) -> Reason:
    passed, failed = place.read.score
    left = len(place.table.missions) - len(place.read.done)
    need = POINTS_TO_WIN - passed
    numbers = {"need": Fraction(need), "left": Fraction(left)}
    if need == 1:
        text = "one more mission that passes wins the game"
        if failed < POINTS_TO_WIN - 1:
            text += f", and you have {count(min(left, POINTS_TO_WIN - failed))} tries"
            numbers["tries"] = Fraction(min(left, POINTS_TO_WIN - failed))
    elif need == left or failed == POINTS_TO_WIN - 1:
        text = f"all {count(need)} missions that are still to come must pass"
    else:
        text = f"you need {count(need)} of the {count(left)} missions left to pass"
    return Reason(NEEDS, sentence(text), numbers, Fraction(1, 20) if need > 1 else Fraction(1, 8))
