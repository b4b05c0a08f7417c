"""Whether a game's tree fits in memory, estimated before anything is allocated."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

from ruse.game import CHANCE, END, Bulk, Game, GameError

WALKED_BYTES = 1_500  # a node, in a walk state by state and in the arrays and strategies that follow
BULK_BYTES = 400  # a node, in a walk on arrays
USUAL_BYTES = 4 << 30  # where the system does not say
SHARE = 0.5  # of the free memory that a tree may take
MOST_WALKED = 5_000_000  # nodes, to walk state by state: minutes
MOST_FOR_DRAWS = 300_000  # the same, to see how often both strategies together draw: seconds
PROBES = 200  # random plays to estimate a tree by


def free_bytes() -> int:
    """How much memory can still be had."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    return USUAL_BYTES


def most_nodes(game: Game) -> int:
    """How many nodes of this game's tree fit."""
    return int(SHARE * free_bytes() / (BULK_BYTES if isinstance(game, Bulk) else WALKED_BYTES))


def nodes(game: Game) -> int:
    """How many nodes the tree has: as the game says, or about so many, or at least so many if they do not fit."""
    return game.nodes() if isinstance(game, Bulk) else _estimated(game, (0, 1, CHANCE), most_nodes(game))


def traversal(game: Game) -> int:
    """About how many nodes one side's traversal visits when all else is drawn, as external sampling does it."""
    return max(_estimated(game, (side,), MOST_WALKED) for side in (0, 1))


def _estimated(game: Game, branching: tuple[int, ...], enough: int) -> int:
    """Knuth 1975: nodes along random plays, each times the moves there were on the way at the turns that branch.

    Stops where the mean is certain to be more than `enough`: large games need not be played to the end.
    """
    random = Random(0)
    total = 0
    for _ in range(PROBES):
        state, weight = game.start(), 1
        total += 1
        while (turn := game.turn(state)) != END:
            moves = game.moves(state)
            if turn == CHANCE:
                moves = [move for move, share in zip(moves, game.odds(state), strict=True) if share]
            if turn in branching:
                weight *= len(moves)
            total += weight
            if total > enough * PROBES:
                return total // PROBES
            state = game.play(state, random.choice(moves))
    return total // PROBES


def fits(game: Game) -> bool:
    return nodes(game) <= most_nodes(game)


def too_large(game: Game, solver: str) -> GameError:
    """Why a tree is not built: its size, and what would fit."""
    found = _about(nodes(game)) if isinstance(game, Bulk) else f"at least {_about(nodes(game))}"
    return GameError(
        f"expected a game of at most {most_nodes(game):,} nodes for the solver {solver}, which is what fits in half of "
        f"the {free_bytes() / (1 << 30):.1f} GB of free memory, got {found} in {game.title}: "
        "use mccfr, which never builds the tree, or smaller parameters"
    )


def check_bytes(needed: int, game: Game, solver: str) -> None:
    """Refuse arrays that do not fit."""
    most = SHARE * free_bytes()
    if needed > most:
        raise GameError(
            f"expected at most {most / (1 << 30):.1f} GB, half of the free memory, for the solver {solver}, "
            f"got {needed / (1 << 30):.1f} GB for {game.title}: use lp or pdcfr+"
        )


def walkable(game: Game, most: int = MOST_WALKED) -> bool:
    """Whether there are few enough nodes to look at each by the rules, as far as the game says."""
    return not isinstance(game, Bulk) or game.nodes() <= most


def check_walkable(game: Game) -> None:
    if isinstance(game, Bulk) and not walkable(game):
        raise GameError(
            f"expected a game of at most {MOST_WALKED:,} nodes to walk by its rules, got {_about(game.nodes())} in "
            f"{game.title}, which is too large"
        )


def _about(count: int) -> str:
    return f"{count:,}" if count < 10**9 else f"about 10^{len(str(count)) - 1}"
