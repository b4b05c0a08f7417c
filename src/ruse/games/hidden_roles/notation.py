"""Positions of games with hidden roles in text, and read back: whose they are, and what that side knows there.

`/ab+/abc-` missions as in The Resistance, `/abc?` one that is out · `@bd` the spies, `@bd,mordred=d` one with a role of
his own · `/a=merlin:bd,c=merlin:ad` what was reported, `/quiet` if nothing · `/a.b,b.c,c.a` where each seat points.
A spy's `/ab+1` had one sabotage, too few to fail it, and `/ab-2` one more than it took.

An error about a position names the step that cannot be read, or that nobody can have seen.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Any

from ruse.core.game import PositionError
from ruse.games.hidden_roles.roles import SERVANT, SPY, Claim, Role, Seats
from ruse.games.hidden_roles.rules import (
    GOOD,
    NONE,
    PRIVATE,
    SPIES,
    UNKNOWN,
    Dealt,
    Done,
    HiddenRoles,
    Named,
    RolesPlay,
    Words,
)
from ruse.games.resistance.notation import listed, read_mission, read_seats, split
from ruse.games.resistance.notation import seats as letters

QUIET = "quiet"


def label(game: HiddenRoles, move: Any) -> str:
    """A move as people write it."""
    if isinstance(move, int):
        return ("pass", "sabotage")[move] if move < 2 else f"{move}-sabotages"
    if isinstance(move, Named):
        return f"name-{letters([move.seat])}"
    if isinstance(move, Dealt):
        return ",".join(f"{letters([seat])}={game.cast.kinds[kind].name}" for seat, kind in enumerate(move.kinds))
    if any(isinstance(claim, Claim) for claim in move):
        return words(game, move)
    return letters(move)


def words(game: HiddenRoles, said: Words) -> str:
    """What was said, seat by seat; a seat that has nothing to report is left out."""
    parts = []
    for seat, claim in enumerate(said):
        if claim is None:
            continue
        if claim.kind != game.cast.quiet:
            parts.append(f"{letters([seat])}={game.cast.kinds[claim.kind].name}:{letters(claim.seats)}")
        elif claim.seats:
            parts.append(f"{letters([seat])}.{letters(claim.seats)}")
    return ",".join(parts) or QUIET


def format_position(game: HiddenRoles, knowledge: RolesPlay) -> str:
    """What follows the title of the game."""
    text = ""
    if knowledge.deal is not None:
        spies = game.spies(knowledge.deal)
        own = [(game.cast.kinds[knowledge.deal[seat]], seat) for seat in spies]
        named = "".join(f",{role.name}={letters([seat])}" for role, seat in own if role != SPY)
        text = f"@{letters(spies)}{named}"
    if knowledge.said:
        text += f"/{words(game, knowledge.said)}"
    for mission, fails in zip(knowledge.done, game.table.sabotages, strict=False):
        text += f"/{letters(mission.seats)}" + "-+"[mission.passed]
        if mission.cards not in (-1, 0 if mission.passed else fails):
            text += str(mission.cards)
    if knowledge.out is not None:
        text += f"/{letters(knowledge.out)}?"
    return text if knowledge.named is None else f"{text}/name-{letters([knowledge.named])}"


NAMED = re.compile(r"name-([a-z])")
REPORT = re.compile(r"([a-z])=([a-z_-]+):([a-z]*)")
POINTING = re.compile(r"([a-z])\.([a-z])")


def read(game: HiddenRoles, position: str, side: int | None = None) -> tuple[int, RolesPlay]:
    """Whose position it is, and what that side knows there. Raises PositionError."""
    spies, steps = split(game.title, position, "step")
    owner = SPIES if position.startswith(f"{game.title}@") else GOOD
    if side not in (None, owner):
        other = f"with @ and the spies, such as {game.title}@{_some_spies(game)}" if owner == GOOD else "without @"
        raise PositionError(f"expected a position of {game.sides[side or 0]}, {other}, got {position[:80]!r}")
    deal = read_spies(game, spies) if owner == SPIES else None
    said: Words | None = () if game.talk == NONE else None
    if game.talk != NONE and steps:
        alone = deal is not None and game.talk == PRIVATE  # spies hear themselves only
        heard = game.spies(deal) if alone and deal is not None else range(game.table.players)
        said = read_words(game, steps.pop(0), heard)
    known = RolesPlay(deal, said)
    for step in steps:
        known = _then(game, known, step)
    return owner, known


def _some_spies(game: HiddenRoles) -> str:
    return letters(range(len(game.spies(game.cast.seats))))


def read_spies(game: HiddenRoles, text: str) -> tuple[int, ...]:
    """What the spies know of the deal, from a text such as bd,mordred=d."""
    first = text.partition(",")[0]
    kinds = [game.cast.kinds[kind] for kind in game.cast.seats if kind in game.cast.known]
    seats = read_seats(first, game.table)
    if len(seats) != len(kinds):
        raise PositionError(f"expected {len(kinds)} {'spies' if len(kinds) > 1 else 'spy'} after @, got {first!r}")
    deal = [UNKNOWN] * game.table.players
    own = [role for role in kinds if role != SPY]
    role_seats = _read_role_seats(game, text, own, seats)
    for seat in seats:
        role = next((role for role in own if role_seats[role.name] == seat), SPY)
        if role == SPY and SPY not in kinds:
            raise PositionError(f"expected a role for every spy, got {text!r}")
        deal[seat] = game.cast.kinds.index(role)
    return tuple(deal)


def _read_role_seats(game: HiddenRoles, text: str, own: Sequence[Role], seats: Seats) -> dict[str, int]:
    """Which of the spies has which role of his own, from a text such as bd,mordred=d."""
    first, *named = text.split(",")
    role_seats: dict[str, int] = {}
    for assignment in named:
        name, equals, letter = assignment.partition("=")
        if name not in {role.name for role in own} or not equals or name in role_seats:
            expected = ", ".join(f"{role.name}=SEAT" for role in own) or "no more than the spies"
            raise PositionError(f"expected {expected} after @{first}, got {assignment!r}")
        (role_seats[name],) = read_seats(letter, game.table) if len(letter) == 1 else (-1,)
        if role_seats[name] not in seats:
            raise PositionError(f"expected one of the spies {first} to be {name}, got {letter!r}")
    if missing := [role.name for role in own if role.name not in role_seats]:
        raise PositionError(f"expected {missing[0]}=SEAT after @{first}, got {text!r}")
    if len(set(role_seats.values())) < len(role_seats):
        raise PositionError(f"expected one role a seat, got {text!r}")
    return role_seats


def read_words(game: HiddenRoles, text: str, heard: Sequence[int]) -> Words:
    """What seats that are heard have said."""
    private = game.talk == PRIVATE
    said: list[Claim | None] = [None] * game.table.players
    for seat in heard if private else ():
        said[seat] = Claim(game.cast.quiet)
    speakers: set[int] = set()
    for report in () if text == QUIET else text.split(","):
        seat, claim = read_claim(game, report)
        if seat not in heard:
            raise PositionError(
                f"expected what the spies say, {letters(heard)}, as they hear no others, got {report!r}"
            )
        if seat in speakers:
            raise PositionError(f"expected a seat to speak once, got {report!r} too")
        speakers.add(seat)
        said[seat] = claim
    if None in (said[seat] for seat in heard):
        silent = next(seat for seat in heard if said[seat] is None)
        raise PositionError(f"expected where every seat points, such as a.b,b.c, got nothing of {letters([silent])}")
    return tuple(said)


def read_claim(game: HiddenRoles, text: str) -> tuple[int, Claim]:
    """A seat and what it says or where it points. Raises PositionError."""
    if game.talk == NONE:
        raise PositionError(f"expected no reports where nobody talks, got {text[:40]!r}")
    return _read_report(game, text) if game.talk == PRIVATE else _read_pointing(game, text)


def _read_report(game: HiddenRoles, text: str) -> tuple[int, Claim]:
    """A seat and what it says: a=merlin:bd."""
    names = {game.cast.kinds[kind].name: kind for kind in game.cast.sights}
    match = REPORT.fullmatch(text)
    if match is None or match[2] not in names:
        first_name = next(iter(names), "")
        example = (
            f"'a={first_name}:{letters(range(1, 1 + game.cast.sights[names[first_name]]))}'" if names else "'quiet'"
        )
        raise PositionError(f"expected a report such as {example} or '{QUIET}', got {text[:40]!r}")
    (seat,) = read_seats(match[1], game.table)
    kind = names[match[2]]
    seats = read_seats(match[3], game.table) if match[3] else ()
    if len(seats) != game.cast.sights[kind] or seat in seats:
        raise PositionError(f"expected {match[2]} to see {game.cast.sights[kind]} of the others, got {text[:40]!r}")
    return seat, Claim(kind, seats)


def _read_pointing(game: HiddenRoles, text: str) -> tuple[int, Claim]:
    """A seat and where it points: a.b."""
    match = POINTING.fullmatch(text)
    if match is None or match[1] == match[2]:
        raise PositionError(f"expected a seat that points at another, such as a.b, got {text[:40]!r}")
    (seat,) = read_seats(match[1], game.table)
    return seat, Claim(game.cast.quiet, read_seats(match[2], game.table))


def _then(game: HiddenRoles, known: RolesPlay, step: str) -> RolesPlay:
    """What is known after one more step."""
    if known.out is not None or known.named is not None:
        raise PositionError(f"expected nothing after a mission under way or a guess, got {step[:40]!r}")
    if match := NAMED.fullmatch(step):
        (seat,) = read_seats(match[1], game.table)
        if not game.guesses(known) or (known.deal is not None and known.deal[seat] != UNKNOWN):
            raise PositionError(f"expected a guess after {game.table.points} passed missions, of no spy, got {step!r}")
        return known._replace(named=seat)
    team, result, count = read_mission(game.table, known.score, step)
    number = len(known.done)
    if result == "?":
        if count or (known.deal is not None and not game.aboard(known.deal, team)):
            raise PositionError(f"expected a spy aboard a mission that is out, got {step!r}")
        return known._replace(out=team)
    passed, fails = result == "+", game.table.sabotages[number]
    if known.deal is None:
        if count:
            raise PositionError(f"expected no number of sabotages, which the good side does not hear, got {step!r}")
        return known._replace(done=(*known.done, Done(team, passed, UNKNOWN)))
    aboard = game.aboard(known.deal, team)
    cards = int(count) if count else 0 if passed else fails
    lone = game.cast.alone is not None
    if cards > aboard or (passed and cards >= fails) or (not passed and cards + lone < fails):
        raise PositionError(f"expected a result that {aboard} spies aboard can bring about, got {step!r}")
    return known._replace(done=(*known.done, Done(team, passed, cards)))


# Roles in words.


def role_name(role: Role) -> str:
    """A role in a sentence: Merlin, Mordred; a spy and a servant are many."""
    return role.name if role in (SERVANT, SPY) else role.name.capitalize()


def hidden_roles(game: HiddenRoles, side: int, deal: Sequence[int]) -> str:
    """What a side does not see of a deal: Merlin c, Mordred a, spy b."""
    kinds = set(range(len(game.cast.kinds))) - (game.cast.known if side == SPIES else set())
    return roles_told(game, deal, kinds)


def roles_told(game: HiddenRoles, deal: Sequence[int], kinds: Container[int]) -> str:
    """Who has which of some roles; a servant is not worth a word."""
    seats_by_role: dict[Role, list[int]] = {}
    for seat, kind in enumerate(deal):
        if kind in kinds and (role := game.cast.kinds[kind]) != SERVANT:
            seats_by_role.setdefault(role, []).append(seat)
    texts = []
    for role in game.cast.kinds:
        if seats := seats_by_role.get(role):
            texts.append(f"{'spies' if role == SPY and len(seats) > 1 else role_name(role)} {letters(seats)}")
    return ", ".join(texts)


def cast_told(game: HiddenRoles) -> str:
    """All roles of a table: Merlin, 2 servants, Mordred and a spy."""
    names = []
    for kind, role in enumerate(game.cast.kinds):
        count = game.cast.seats.count(kind)
        plain = role in (SERVANT, SPY)
        many = f"{count} {'spies' if role == SPY else 'servants'}" if count > 1 else f"a {role.name}"
        names.append(many if plain else role_name(role))
    return listed(names)


def lie_by_roles(game: HiddenRoles, lie: Words) -> str:
    """What the spies say, by roles instead of seats."""
    spies = [seat for seat, claim in enumerate(lie) if claim is not None]
    spies.sort(key=lambda seat: lie[seat] == Claim(game.cast.quiet))  # who says something comes first
    name = _names_by_role(game, spies)

    def seen(claim: Claim) -> str:
        return _seats_text([name[seat] for seat in claim.seats if seat in spies], len(set(claim.seats) - {*spies}))

    def pointed(claim: Claim) -> str:
        """Whom a spy points at, as against the spies before him."""
        (at,) = claim.seats
        if at in spies or not aims:
            return seen(claim)
        return "the same good seat" if at in aims else "another good seat"

    parts, aims = list[str](), set[int]()  # aims: good seats that spies before point at
    for seat in spies:
        claim = lie[seat]
        assert claim is not None
        if claim.kind != game.cast.quiet:
            parts.append(f"{name[seat]} claims to be {role_name(game.cast.kinds[claim.kind])} and to see {seen(claim)}")
        elif claim.seats:
            parts.append(f"{name[seat]} points at {pointed(claim)}")
            aims.update(at for at in claim.seats if at not in spies)
    quiet = [name[seat] for seat in spies if lie[seat] == Claim(game.cast.quiet)]
    if quiet and parts:
        parts.append(f"{' and '.join(quiet)} {'report' if len(quiet) > 1 else 'reports'} nothing")
    return ", ".join(parts) or "no spy reports anything"


def _names_by_role(game: HiddenRoles, spies: Sequence[int]) -> dict[int, str]:
    """What to call each spy: Mordred, or of plain spies one spy, another spy, and so on."""
    deal = max(game.cast.deals)  # as strategies by class have it
    plain = [seat for seat in spies if game.cast.kinds[deal[seat]] == SPY]
    counted = ["the spy"] if len(plain) == 1 else ["one spy", "another spy", "a third spy", "a fourth spy"]
    names = dict(zip(plain, counted, strict=False))
    return {seat: names.get(seat) or role_name(game.cast.kinds[deal[seat]]) for seat in spies}


def _seats_text(names: list[str], good: int) -> str:
    """Some seats by the names of spies and the number of good ones."""
    others = [f"{number_word(good)} good {'seat' if good == 1 else 'seats'}"] * (good > 0)
    return " and ".join([*names, *others]) or "nobody"


def number_word(count: int) -> str:
    return ("no", "a", "two", "three", "four", "five", "six")[count]
