"""Who may be what: how likely each seat is a spy and has a role that a side does not see."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from fractions import Fraction

from ruse.games.hidden_roles.roles import SERVANT, SPY, Role
from ruse.games.hidden_roles.rules import SPIES, HiddenRoles, Play
from ruse.games.resistance.notation import seats as letters
from ruse.present.model import RoleOdds, Seat
from ruse.present.nodes import Number, as_fraction

Weights = Mapping[tuple[int, ...], Number]  # of each deal that fits


def called(role: Role) -> str:
    """A role in a sentence: Merlin, Mordred; a spy and a servant are many."""
    return role.name if role in (SERVANT, SPY) else role.name.capitalize()


def seats_of(game: HiddenRoles, side: int, known: Play, weights: Weights) -> list[Seat]:
    """How likely each seat is a spy, and has a role that the side does not see: by weights of deals, and all alike."""
    total = sum(weights.values())
    kinds = [kind for kind, role in enumerate(game.cast.kinds) if role not in (SERVANT, SPY)]
    if side == SPIES:
        kinds = [kind for kind in kinds if kind not in game.cast.known]

    def odds(holds: Sequence[tuple[int, ...]]) -> tuple[Fraction, Fraction]:
        mass = sum((weights[deal] for deal in holds), Fraction(0))
        return as_fraction(mass / total), Fraction(len(holds), len(weights))

    teams = [(mission.seats, "-+"[mission.passed]) for mission in known.done]
    teams += [] if known.out is None else [(known.out, "?")]
    found = []
    for seat in range(game.table.players):
        record = [mark if seat in team else "" for team, mark in teams]
        spy = odds([deal for deal in weights if game.cast.kinds[deal[seat]].evil])
        roles = {
            game.cast.kinds[kind].name: RoleOdds(*odds([deal for deal in weights if deal[seat] == kind]))
            for kind in kinds
        }
        found.append(Seat(letters([seat]), record, *spy, roles))
    return found


def hidden_roles(game: HiddenRoles, side: int, deal: Sequence[int]) -> str:
    """What a side does not see of a deal: Merlin c, Mordred a, spy b."""
    kinds = set(range(len(game.cast.kinds))) - (game.cast.known if side == SPIES else set())
    return roles_told(game, deal, kinds)


def roles_told(game: HiddenRoles, deal: Sequence[int], kinds: Container[int]) -> str:
    """Who has which of some roles; a servant is not worth a word."""
    found: dict[Role, list[int]] = {}
    for seat, kind in enumerate(deal):
        if kind in kinds and (role := game.cast.kinds[kind]) != SERVANT:
            found.setdefault(role, []).append(seat)
    names = {role: "spies" if role == SPY and len(seats) > 1 else called(role) for role, seats in found.items()}
    return ", ".join(f"{names[role]} {letters(found[role])}" for role in game.cast.kinds if role in found)


def cast_told(game: HiddenRoles) -> str:
    """All roles of a table: Merlin, 2 servants, Mordred and a spy."""
    names = []
    for kind, role in enumerate(game.cast.kinds):
        count = game.cast.seats.count(kind)
        plain = role in (SERVANT, SPY)
        many = f"{count} {'spies' if role == SPY else 'servants'}" if count > 1 else f"a {role.name}"
        names.append(many if plain else called(role))
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
