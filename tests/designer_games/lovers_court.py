"""A hidden-role game of somebody's own, written from docs/how-to/add-a-role.md alone."""

from typing import Annotated

from ruse.games.hidden_roles import Cast, HiddenRolesGame, Role
from ruse.games.resistance.table import make_table

QUEEN = Role("queen", sees="heart")
LOVER = Role("lover", evil=True, marks=("evil", "heart"))


def lovers_court(
    players: Annotated[int, "how many people play"] = 5,
    spies: Annotated[int, "how many of them are spies"] = 2,
    secret: Annotated[bool, "whether the queen knows her lover, who is a spy"] = True,
    talk: Annotated[str, "private, open or none"] = "none",
) -> HiddenRolesGame:
    """The Resistance at a court: the queen is good, and knows one of the spies, her lover."""
    table = make_table(players, spies, [2, 3, 2, 3, 3])
    return HiddenRolesGame("lovers-court", table, Cast(players, spies, [LOVER, QUEEN] if secret else []), talk)
