"""Positions of games with hidden roles in text.

`/ab+/abc-` missions as in The Resistance, `/abc?` one that is out · `@bd` the spies, `@bd,mordred=d` one with a role of
his own · `/a=merlin:bd,c=merlin:ad` what was reported, `/quiet` if nothing · `/a.b,b.c,c.a` where each seat points.
A spy's `/ab+1` had one sabotage, too few to fail it, and `/ab-2` one more than it took.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruse.games.hidden_roles.roles import SPY, Claim
from ruse.games.resistance.notation import seats as letters

if TYPE_CHECKING:
    from ruse.games.hidden_roles.rules import HiddenRoles, Play, Words

QUIET = "quiet"


def label(game: HiddenRoles, move: Any) -> str:
    """A move as people write it."""
    from ruse.games.hidden_roles.rules import Dealt, Named

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


def tell(game: HiddenRoles, knowledge: Play) -> str:
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
