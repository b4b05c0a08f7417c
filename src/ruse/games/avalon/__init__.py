"""Avalon: The Resistance with Merlin, who knows the spies and must not be found out.

Some seats are secretly spies, who know each other. Merlin is good and sees the spies. Each round the good side sends a
team on a mission, and spies aboard may sabotage it. Three failed missions win for the spies; after three passed ones
the Assassin, one of the spies, names a seat, and the spies win if that is Merlin.

A model of it is solved (docs/explanation/hidden-roles.md). As the spies coordinate, it does not matter which of them
holds the Assassin's card: the role is dealt as that of a plain spy, and may be left out where all have other roles.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Annotated, Literal

from ruse.core.game import GameError
from ruse.core.parameters import game_factory
from ruse.games.hidden_roles.game import HiddenRolesGame, HiddenRolesVariant
from ruse.games.hidden_roles.roles import EVIL, SPY, Cast, Role
from ruse.games.hidden_roles.rules import POINTING, PRIVATE
from ruse.games.resistance.table import Table, make_table, spy_count

MERLIN = Role("merlin", sees=EVIL, marks=("merlin",), hunted=True)
PERCIVAL = Role("percival", sees="merlin")
MORDRED = Role("mordred", evil=True)
MORGANA = Role("morgana", evil=True, marks=(EVIL, "merlin"))
OBERON = Role("oberon", evil=True, marks=(EVIL,), alone=True)
ROLES = {"merlin": MERLIN, "assassin": SPY} | {role.name: role for role in (MORDRED, PERCIVAL, MORGANA, OBERON)}
RoleName = Literal["merlin", "assassin", "mordred", "percival", "morgana", "oberon"]
USUAL: tuple[RoleName, ...] = ("merlin", "assassin")
NEEDS = {"assassin": "merlin", "percival": "merlin", "morgana": "percival", "mordred": "merlin"}


@game_factory
def avalon(
    players: Annotated[int, "seats at the table"] = 5,
    spies: Annotated[int | None, "how many of them are spies"] = None,
    missions: Annotated[Sequence[int] | None, "seats sent on each mission, usually five"] = None,
    sabotages: Annotated[Sequence[int] | None, "sabotages that fail each mission"] = None,
    roles: Annotated[Sequence[RoleName], "merlin,assassin and more: mordred, percival, morgana, oberon"] = USUAL,
    talk: Annotated[
        Literal["none", "private", "round", "vouch"],
        "none, private (to a mediator), round (all point at once) or vouch",
    ] = "private",
    truth: Annotated[Fraction, "how often Merlin points by what he knows"] = Fraction(1, 2),
    points: Annotated[int | None, "passed missions that win, if not more than half"] = None,
) -> HiddenRolesGame:
    """Avalon: the good side has to win three missions and keep Merlin from being found out."""
    table = make_table(players, spies, missions, sabotages, points)
    names = check_roles(roles)
    if truth != Fraction(1, 2) and talk not in POINTING:
        raise GameError(f"expected --truth only with --talk {' or '.join(POINTING)}, got --talk {talk}")
    if len(evil := [name for name in names if ROLES[name].evil]) > table.spies:
        raise GameError(f"expected no more evil roles than {spy_count(table.spies)}, got {', '.join(evil)}")
    cast = Cast(table.players, table.spies, [ROLES[name] for name in names])
    parameters = {**table.parameters, "roles": ",".join(names), "talk": talk, "truth": str(truth)}
    kind = HiddenRolesGame if table.is_usual else HiddenRolesVariant
    game = kind("avalon", table, cast, talk, truth, _title(table, names, talk, truth), parameters)
    game.role_sets = tuple(",".join(names) for names in role_sets(table))
    return game


def role_sets(table: Table) -> list[tuple[str, ...]]:
    """All casts with Merlin and the Assassin that a table has room for."""
    more = [name for name in ROLES if name not in USUAL]
    sets = [(*USUAL, *extra) for size in range(len(more) + 1) for extra in combinations(more, size)]
    return [names for names in sets if _fits(names, table)]


def _fits(names: Sequence[str], table: Table) -> bool:
    evil = sum(ROLES[name].evil for name in names)
    needs = all(other in names for name, other in NEEDS.items() if name in names)
    return needs and evil <= table.spies and len(names) - evil <= table.players - table.spies


def check_roles(roles: Sequence[str]) -> list[str]:
    """The roles in their usual order, checked: each once, and none without those it is nothing without."""
    for name in roles:
        if roles.count(name) > 1:
            raise GameError(f"expected each role once, got {name!r} twice")
    for name, other in NEEDS.items():
        if name in roles and other not in roles:
            raise GameError(f"expected {other} beside {name}, got {', '.join(roles)}")
    return [name for name in ROLES if name in roles]


def _title(table: Table, names: Sequence[str], talk: str, truth: Fraction) -> str:
    """`avalon-5`, or every parameter that is not the default in brackets."""
    _, bracket, inner = table.title.partition("(")
    changed = [inner.rstrip(")")] if bracket else [f"players={table.players}"]
    if tuple(names) != USUAL:
        changed.append("roles=" + "-".join(names))
    if talk != PRIVATE:
        changed.append(f"talk={talk}")
    if truth != Fraction(1, 2):
        changed.append(f"truth={truth.numerator}:{truth.denominator}")
    if len(changed) == 1 and not bracket:
        return f"avalon-{table.players}"
    return f"avalon({','.join(changed)})"
