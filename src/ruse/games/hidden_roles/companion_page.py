"""The companion with roles as a page that a server makes: all of the record is in its address, so nothing is kept.

Fields: `name-a` and so on, `seat`, `role` and `sees` of whoever asks, `said-a`, `team-1` and `cards-1`, `slip`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ruse.core.game import RuseError
from ruse.core.registry import presentation
from ruse.games.hidden_roles import notation
from ruse.games.hidden_roles.companion import RolesCompanion, solved
from ruse.games.hidden_roles.companion_record import RolesEvening
from ruse.games.hidden_roles.companion_terminal import findings, guess_told
from ruse.games.hidden_roles.notation import role_name
from ruse.games.hidden_roles.roles import Claim
from ruse.games.hidden_roles.rules import GOOD, NONE, POINTING, HiddenRoles
from ruse.games.resistance.companion_record import Round
from ruse.games.resistance.companion_terminal import percent, share, standing
from ruse.games.resistance.notation import read_seats
from ruse.games.resistance.notation import seats as letters
from ruse.solution.strategy import Solution

Change = Callable[[RolesEvening], RolesEvening]


@dataclass(frozen=True)
class Field:
    """Something to fill in: a text, or one of some choices."""

    name: str
    label: str
    value: str
    choices: Sequence[tuple[str, str]] = ()  # values, and what they mean


@dataclass(frozen=True)
class CompanionPage:
    """An evening as its address describes it, and all that follows from it."""

    model: str
    groups: Sequence[tuple[str, Sequence[Field]]]  # of fields, with a heading
    trouble: str  # why some of it is left out; nothing where it is not
    standing: str
    findings: Sequence[str]
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]  # a seat each: its name, and a share for each role, by the facts alone in brackets
    teams: Sequence[Sequence[str]]  # missions, with heads first


def page(solution: Solution, asked: Mapping[str, str]) -> CompanionPage:
    """What fields say, as far as that can be; the first that cannot is named."""
    game = solved(solution)
    evening, trouble = RolesEvening.begin_with(game), ""
    for change in _changes(game, asked):
        try:
            evening = change(evening)
        except RuseError as error:
            trouble = str(error)
            break
    companion = RolesCompanion(evening, solution)
    beliefs = companion.beliefs()
    heads = ["Spy", *map(str.capitalize, beliefs.seats[0].roles)]
    rows = []
    for seat, name in zip(beliefs.seats, evening.names, strict=True):
        pairs = [(seat.spy, seat.spy_by_facts), *((role.odds, role.by_facts) for role in seat.roles.values())]
        rows.append([f"{seat.name} {name}".removesuffix(f" {seat.name.upper()}"), *(_both(*pair) for pair in pairs)])
    standing_text = guess_told(companion) if companion.guessing else standing(evening, "good side")
    groups = _groups(game, evening, asked)
    return CompanionPage(
        presentation(game).model(), groups, trouble, standing_text, findings(companion), heads, rows, _teams(companion)
    )


def _both(odds: Fraction, facts: Fraction) -> str:
    return percent(odds) if odds == facts else f"{percent(odds)} ({percent(facts)})"


def _changes(game: HiddenRoles, asked: Mapping[str, str]) -> Iterator[Change]:
    """What the fields change, one after the other."""
    seats = [letters([seat]) for seat in range(game.table.players)]
    names = [asked.get(f"name-{seat}", "").strip() for seat in seats]
    if any(names):
        yield lambda evening: replace(evening, names=RolesEvening.begin_with(game, names).names).checked()
    if slip := asked.get("slip", "").strip():
        yield lambda evening: replace(evening, slip=share(slip)).checked()
    for number in range(1, len(game.table.missions) + 1):
        if team := asked.get(f"team-{number}", "").strip().lower().replace(" ", ""):
            cards = asked.get(f"cards-{number}", "").strip() or "0"
            yield _mission(game, team, int(cards) if cards.isascii() and cards.isdecimal() else -1)
    if (seat := asked.get("seat", "").strip()) and (role := asked.get("role", "").strip()):
        sees = " ".join(asked.get("sees", "").lower().replace(",", " ").split())
        yield lambda evening: evening.meet(f"{seat} {role} {sees}".strip())
    for seat in seats:
        if claim := asked.get(f"said-{seat}", "").strip():
            yield _report(seat, claim)


def _mission(game: HiddenRoles, team: str, cards: int) -> Change:
    return lambda evening: evening.with_round(Round(read_seats(team, game.table), cards))


def _report(seat: str, claim: str) -> Change:
    return lambda evening: evening.report(f"{seat} {notation.QUIET}" if claim == notation.QUIET else claim)


def _groups(game: HiddenRoles, evening: RolesEvening, asked: Mapping[str, str]) -> list[tuple[str, list[Field]]]:
    seats = [letters([seat]) for seat in range(game.table.players)]
    who = [("", "nobody in particular"), *((seat, name) for seat, name in zip(seats, evening.names, strict=True))]
    roles = [("", "not said"), *((role.name, role_name(role)) for role in game.cast.kinds)]
    sees = "Whom you see: bd, d=mordred"
    groups = [
        ("Names", [Field(f"name-{seat}", seat, asked.get(f"name-{seat}", "")) for seat in seats]),
        (
            "You",
            [
                Field("seat", "Your seat", asked.get("seat", ""), who),
                Field("role", "Your role", asked.get("role", ""), roles),
                Field("sees", sees, asked.get("sees", "")),
            ],
        ),
    ]
    missions = []
    for number, size in enumerate(game.table.missions, 1):
        missions.append(Field(f"team-{number}", f"Mission {number}, {size} go", asked.get(f"team-{number}", "")))
        cards = [(str(many), str(many)) for many in range(min(size, game.table.spies) + 1)]
        missions.append(Field(f"cards-{number}", "Sabotages", asked.get(f"cards-{number}", "0"), cards))
    groups.append(("Missions", missions))
    if game.talk != NONE:
        reports = []
        for number, seat in enumerate(seats):
            options = [(_value(game, number, claim), _short(game, claim)) for claim in _said(game, number)]
            value = asked.get(f"said-{seat}", "")
            reports.append(Field(f"said-{seat}", evening.names[number], value, [("", "not heard"), *options]))
        groups.append(("Reports", reports))
    them = "the good side slips" if evening.me is not None and evening.me.kind in game.cast.known else "spies slip"
    slip = Field("slip", f"How often {them}, such as 10%", asked.get("slip", percent(evening.slip)))
    return [*groups, ("Slips", [slip])]


def _said(game: HiddenRoles, seat: int) -> list[Claim]:
    if game.talk not in POINTING:
        return game.cast.claims(seat)
    return [Claim(game.cast.quiet, (other,)) for other in range(game.table.players) if other != seat]


def _short(game: HiddenRoles, claim: Claim) -> str:
    if claim.kind != game.cast.quiet:
        return f"{role_name(game.cast.kinds[claim.kind])}, sees {letters(claim.seats) or 'nobody'}"
    return f"points at {letters(claim.seats)}" if claim.seats else "nothing to report"


def _value(game: HiddenRoles, seat: int, claim: Claim) -> str:
    return notation.words(game, (*[None] * seat, claim))


def _teams(companion: RolesCompanion) -> list[list[str]]:
    teams = companion.teams() if companion.side == GOOD else []
    if not teams:
        return []
    listed = all(team.win is not None for team in teams)
    rows = [["Mission", *(["Good wins", "The solved strategy sends it"] if listed else []), "Spies can fail it"]]
    for team in teams:
        cells = [percent(share) for share in (team.win, team.sent) if share is not None]
        rows.append([letters(team.team), *cells, percent(team.risk)])
    return rows
