"""Reasons at a table with roles: how clean a team is, what the next team will be, and who Merlin may be.

All numbers are those of the views: what a side may believe of an opponent who follows the stored strategy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

from ruse.core.game import PositionError
from ruse.games.hidden_roles.notation import read, role_name
from ruse.games.hidden_roles.rules import HiddenRoles, RolesPlay
from ruse.games.resistance import notation
from ruse.games.resistance.evaluator import payoff
from ruse.games.resistance.reasons import CLEAN, DOING, clean_text, needs_of_resistance, needs_of_spies, suspected_team
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.insight.reasons.generic import cost_reason, fits, swing
from ruse.insight.reasons.model import ANSWERS, COST, Question, Reason
from ruse.insight.reasons.play import Answer
from ruse.insight.reasons.wording import listed, sentence
from ruse.present.model import View
from ruse.present.nodes import as_fraction

if TYPE_CHECKING:
    from ruse.games.hidden_roles.view import HiddenRolesViewer

NAMED = "named"
NOTHING = Fraction(0)
NAMING = "name-"


def activity(move: str) -> str:
    if move.startswith(NAMING):
        return f"naming {move.removeprefix(NAMING)}"
    if "=" in move:
        return f"saying {move}"
    return DOING.get(move) or (f"sending {move}" if move.isalpha() else move)


def reasons(question: Question, viewer: HiddenRolesViewer) -> list[Reason]:
    side, known = read(viewer.game, question.position, question.side)
    view = question.look(question.position)
    if known.said is None:
        return []
    if question.move.startswith(NAMING):
        return list(_named(question, viewer.game, view))
    if question.move in DOING:
        return list(_of_spies(question, viewer, known, view))
    if question.move.isalpha():
        return list(_of_good(question, viewer, side, known, view))
    return []


def _named(question: Question, game: HiddenRoles, view: View) -> Iterator[Reason]:
    """How likely each seat has the role that the spies hunt."""
    wording = question.wording
    role = role_name(game.cast.kinds[game.cast.hunted or 0])
    odds = {seat.name: share.odds for seat in view.seats for name, share in seat.roles.items() if name == role.lower()}
    odds = odds or {seat.name: share.odds for seat in view.seats for share in list(seat.roles.values())[:1]}
    seat = question.move.removeprefix(NAMING)
    others = {name: share for name, share in odds.items() if name != seat and share}
    numbers = {f"role:{name}": share for name, share in odds.items()}
    text = wording.does(f"seat {seat}", "is", odds[seat], role)
    best = max(others, key=lambda name: others[name], default=None)
    if best is not None:
        text += f"; seat {wording.does(best, 'is', others[best], role)}"
    gap = odds[seat] - others.get(best or "", NOTHING)
    yield Reason(NAMED, sentence(text), numbers, Fraction(2), None if not gap else gap > 0)


def _of_spies(question: Question, viewer: HiddenRolesViewer, known: RolesPlay, view: View) -> Iterator[Reason]:
    """What the next team will be after a pass and after a sabotage, and how many points are still needed."""
    game, number = viewer.game, len(known.done)
    yield needs_of_spies(question.move, game.table, known.score, number)
    after = {option.move: option.after for option in view.options if option.after is not None}
    shares = {move: _boarded(question, viewer, after[move], number + 1) for move in DOING if move in after}
    mine, other = shares.get(question.move), next((move for move in shares if move != question.move), None)
    if mine is None or other is None or (theirs := shares[other]) is None:
        return
    numbers = {"boarded": mine, "otherwise": theirs}
    wording, enough = question.wording, "enough of you aboard to fail"
    text = wording.does(f"after {DOING[question.move]} the next team", "has", mine, enough)
    text += f"; after {DOING[other]}, {wording.often(theirs)}" if mine != theirs else f", just as after {DOING[other]}"
    yield Reason(ANSWERS, sentence(text), numbers, abs(mine - theirs), None if mine == theirs else mine > theirs)


def _boarded(question: Question, viewer: HiddenRolesViewer, position: str, number: int) -> Fraction | None:
    """How likely the next team has enough spies aboard, as the spies see it; None if no team follows."""
    with suppress(PositionError):
        view = question.look(position)
        spies = {seat.name for seat in view.seats if seat.spy == 1}
        if number < len(viewer.table.missions) and view.options:  # a team that is out, or that passes at once
            needed = viewer.table.sabotages[number]
            return sum((option.odds for option in view.options if len(spies & set(option.move)) >= needed), NOTHING)
    return None


def _of_good(
    question: Question, viewer: HiddenRolesViewer, side: int, known: RolesPlay, view: View
) -> Iterator[Reason]:
    sure = _known_spies(question, viewer, side, known, view)
    suspected = None if sure else _suspects(question, view)
    yield from filter(None, [sure, suspected])
    if suspected is None or any(seat.spy not in (0, 1) for seat in view.seats):
        yield from filter(None, [_ends(question, viewer, side, known, view)])
        yield from filter(None, [None if sure else _clean(question, viewer, side, known)])
    elif (shot := _ends(question, viewer, side, known, view)) is not None and "found" in shot.numbers:
        yield shot
    if (found := _found_in_the_end(question, viewer, known, view)) is not None:
        yield found
    elif viewer.game.cast.hunted is None or known.score[0] < POINTS_TO_WIN - 1:
        yield needs_of_resistance(viewer.table, known.score, len(known.done))


def _found_in_the_end(question: Question, viewer: HiddenRolesViewer, known: RolesPlay, view: View) -> Reason | None:
    """How often the spies find whom they hunt where the good side knows them all, so that nothing else can go wrong."""
    hunted, table = viewer.game.cast.hunted, viewer.table
    clean = {seat.name for seat in view.seats if seat.spy == 0}
    left = table.missions[len(known.done) :]
    safe = set(question.move) <= clean and len(clean) == table.players - table.spies and max(left) <= len(clean)
    if hunted is None or not safe or len(left) < POINTS_TO_WIN - known.score[0] or abs(question.value) == 1:
        return None
    hit, role = (1 - question.value) / 2, role_name(viewer.game.cast.kinds[hunted])
    text = question.wording.does("your third point is then sure, but the seat that the spies name", "is", hit, role)
    return Reason(ANSWERS, sentence(text), {"found": hit}, Fraction(1))


def _ends(question: Question, viewer: HiddenRolesViewer, side: int, known: RolesPlay, view: View) -> Reason | None:
    """How often the mission passes, and what that and a failure leave."""
    wording = question.wording
    after = next((option.after for option in view.options if option.move == question.move), None)
    if after is None:
        return None
    if (shot := _shot(question, viewer, after)) is not None:
        return shot
    answers = results(viewer, side, known, question.move)
    if not fits(question, answers):
        return None
    numbers = {f"odds:{answer.label}": answer.odds for answer in answers}
    numbers |= {f"value:{answer.label}": wording.to_me(answer.value) for answer in answers if answer.value is not None}
    if len(answers) == 1:
        fails = [seat.name for seat in view.seats if seat.spy == 1 and seat.name in question.move]
        clean = all(seat.spy == 0 for seat in view.seats if seat.name in question.move)
        because = f"because {_are_spies(fails)} for sure" if fails else "because no spy is aboard" if clean else ""
        ends = "passes" if answers[0].label == "+" else "fails"
        text = f"the team {question.move} {ends}, {because or 'if the spies play well'}"
        return Reason(ANSWERS, sentence(text), numbers, Fraction(1, 10))
    text = (
        f"the team {question.move} passes {wording.often(numbers['odds:+'])}; if it does, "
        f"{wording.payoff_text(numbers['value:+'])}, and if it fails, {wording.payoff_text(numbers['value:-'])}"
    )
    return Reason(ANSWERS, sentence(text), numbers, swing(question, answers) / 4)


def _are_spies(names: Sequence[str]) -> str:
    return f"{listed(names)} {'is a spy' if len(names) == 1 else 'are spies'}"


def _known_spies(
    question: Question, viewer: HiddenRolesViewer, side: int, known: RolesPlay, view: View
) -> Reason | None:
    """The cost of a team where the good side knows spies and wins whatever it does; None elsewhere."""
    spies = [seat.name for seat in view.seats if seat.spy == 1]
    if not spies or question.value != 1 or any(move.cost for move in question.costs.moves.values()):
        return None
    cost, aboard = cost_reason(question), [name for name in spies if name in question.move]
    if len(aboard) < viewer.table.sabotages[len(known.done)]:
        text = f"you know that {_are_spies(spies)}: {cost.text[:1].lower()}{cost.text[1:]}"
        return Reason(COST, sentence(text), cost.numbers, cost.strength)
    text = f"{_are_spies(aboard)}, so {question.move} fails; you can afford it"
    safe = next((team for team in question.costs.moves if clean_share(viewer, side, known, team) == 1), None)
    text += f", but {safe} is safe" if safe else f", because {cost.text[:1].lower()}{cost.text[1:]}"
    return Reason(COST, sentence(text), cost.numbers, cost.strength)


def results(viewer: HiddenRolesViewer, side: int, known: RolesPlay, team: str) -> list[Answer]:
    """How a mission may end, with the odds to the good side and the value then."""
    evaluator = viewer.evaluator
    ways = [way for way in evaluator.ways(side, known) if way.weight]
    ended = evaluator.results(evaluator.out(side, ways, notation.read_seats(team, viewer.table)))
    total, answers = sum(way.weight for way in ways), []
    for passed, label in ((True, "+"), (False, "-")):
        mass = sum(way.weight for way in ended[passed])
        if mass:
            value = payoff(as_fraction(evaluator.value(side, ended[passed]) / mass))
            answers.append(Answer(label, as_fraction(mass / total), value, []))
    return answers


def _shot(question: Question, viewer: HiddenRolesViewer, after: str) -> Reason | None:
    """Say what a third point is worth where the spies then name a seat; None if they do not."""
    hunted, there = viewer.game.cast.hunted, question.look(after)
    if hunted is None or not any(option.move.startswith(NAMING) for option in there.options):
        return None
    hit = (1 - question.value) / 2
    role = role_name(viewer.game.cast.kinds[hunted])
    named = question.wording.does("which", "is", hit, role)
    text = f"a third point does not end the game: the spies then name a seat, {named}"
    return Reason(ANSWERS, sentence(text), {"found": hit}, Fraction(1))


def clean_share(viewer: HiddenRolesViewer, side: int, known: RolesPlay, team: str) -> Fraction:
    """How likely too few spies are aboard a team to fail it."""
    seats, needed = notation.read_seats(team, viewer.table), viewer.table.sabotages[len(known.done)]
    ways = [way for way in viewer.evaluator.ways(side, known) if way.weight]
    clean = [way.weight for way in ways if len(set(viewer.game.spies(way.deal)) & set(seats)) < needed]
    return as_fraction(sum(clean)) / as_fraction(sum(way.weight for way in ways)) if clean else NOTHING


def _clean(question: Question, viewer: HiddenRolesViewer, side: int, known: RolesPlay) -> Reason | None:
    rival = question.rival
    if rival is None or not rival.isalpha():
        return None
    mine, theirs = (clean_share(viewer, side, known, team) for team in (question.move, rival))
    if mine == theirs:
        return None
    text = clean_text(question, mine, theirs, viewer.table.sabotages[len(known.done)])
    return Reason(CLEAN, text, {"clean": mine, "rival": theirs}, 2 * abs(mine - theirs), mine > theirs)


def _suspects(question: Question, view: View) -> Reason | None:
    odds = {seat.name: seat.spy for seat in view.seats}
    return suspected_team(question, odds)
