"""The table of a game with hidden roles as it is drawn for those who play."""

from __future__ import annotations

from collections.abc import Sequence

from ruse.games.hidden_roles.beliefs import called, cast_told, hidden_roles, roles_told
from ruse.games.hidden_roles.options import reports_in_words
from ruse.games.hidden_roles.roles import Claim
from ruse.games.hidden_roles.rules import GOOD, SPIES, UNKNOWN, HiddenRoles, Play
from ruse.games.resistance.notation import listed
from ruse.games.resistance.notation import seats as letters
from ruse.games.resistance.picture import KINDS, SAYS
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.play.pictures import Cell, Grid, Picture
from ruse.play.session import Session

UNHEARD = Cell("", "you do not hear it")


def picture(session: Session, knowledge: Play) -> Picture:
    """A row a seat: what it said, and + - ? for missions that passed, failed or are under way with it aboard."""
    game = session.solution.game
    assert isinstance(game, HiddenRoles)
    table = game.table
    shown = session.states[-1] if session.over else knowledge
    deal = shown.deal or (UNKNOWN,) * table.players
    results = [(mission.seats, "-+"[mission.passed]) for mission in knowledge.done]
    results += [] if knowledge.out is None else [(knowledge.out, "?")]
    heads = [Cell("mission"), *([Cell("said")] if shown.said else [])]
    heads += [Cell(str(number + 1)) for number in range(len(table.missions))]
    rows = [[Cell("seats sent"), *[Cell("")] * bool(shown.said), *(Cell(str(size)) for size in table.missions)]]
    if max(table.sabotages) > 1:
        fails = (Cell(str(count)) for count in table.sabotages)
        rows.append([Cell("sabotages to fail"), *[Cell("")] * bool(shown.said), *fails])
    for seat in range(table.players):
        said = [_said(game, shown.said[seat])] if shown.said else []
        marks = [_mark(mark if seat in team else ".") for team, mark in results]
        left = [Cell("", "not yet")] * (len(table.missions) - len(marks))
        rows.append([_head(game, seat, deal[seat]), *said, *marks, *left])
    return Picture(_lines(game, session, knowledge, deal), Grid("", heads, rows))


def _lines(game: HiddenRoles, session: Session, knowledge: Play, deal: Sequence[int]) -> list[str]:
    table, (passed, failed) = game.table, knowledge.score
    lines = [f"Points: good {passed}, spies {failed}; three win."]
    number = len(knowledge.done)
    if POINTS_TO_WIN not in knowledge.score:
        size, fails = table.missions[number], table.sabotages[number]
        go = "is out" if knowledge.out is not None else "comes next"
        needed = "1 sabotage fails it" if fails == 1 else f"{fails} sabotages are needed to fail it"
        lines.append(f"Mission {number + 1} of {len(table.missions)} {go}: {size} {_seats(size)}, {needed}.")
    elif game.guesses(knowledge):
        hunted = called(game.cast.kinds[game.cast.hunted or 0])
        who = "" if knowledge.named is None else f" They named {letters([knowledge.named])}."
        lines.append(f"Three missions have passed; the spies win after all if they name {hunted}.{who}")
    if heard := reports_in_words(game, knowledge):
        lines.insert(0, heard)
    if session.side == SPIES and not session.over:
        who = "spies" if len(game.spies(deal)) > 1 else "spy"
        lines.insert(0, f"You are the {who}: {roles_told(game, deal, game.cast.known)}.")
    elif session.over:
        lines.insert(0, f"The roles were: {hidden_roles(game, GOOD, deal)}.")
    else:
        lines.insert(0, f"{table.players} seats: {cast_told(game)}.")
    return lines


def _seats(count: int) -> str:
    return "seat goes" if count == 1 else "seats go"


def _head(game: HiddenRoles, seat: int, kind: int) -> Cell:
    letter = letters([seat])
    if kind == UNKNOWN or kind == game.cast.quiet:
        return Cell(letter, f"seat {letter}", "seat")
    role = game.cast.kinds[kind]
    return Cell(f"{letter} {called(role)}", f"seat {letter}", "spy" if role.evil else "seat")


def _said(game: HiddenRoles, claim: Claim | None) -> Cell:
    if claim is None:
        return UNHEARD
    if claim.kind != game.cast.quiet:
        name, seen = called(game.cast.kinds[claim.kind]), listed(letters(claim.seats)) if claim.seats else "nobody"
        return Cell(f"{name}: {letters(claim.seats)}", f"says: I am {name} and see {seen}")
    return (
        Cell(f"→ {letters(claim.seats)}", f"points at {letters(claim.seats)}") if claim.seats else Cell("–", "nothing")
    )


def _mark(mark: str) -> Cell:
    return Cell(mark, SAYS[mark], KINDS[mark])
