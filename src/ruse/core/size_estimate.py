"""Whether a game's tree fits in memory, estimated before anything is allocated."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from random import Random

from ruse.core import rationals
from ruse.core.capabilities import Bulk
from ruse.core.clock import tick
from ruse.core.contract import asked_by_contract, built_in, comes_back, endless, most_moves
from ruse.core.game import CHANCE, END, Game, GameError, Move, State

# A node, in a walk state by state and in the arrays and strategies that follow. Measured: 270 to 330 in one-card poker
# of 200 and 600 cards, 600 where each node is an information set of its own; the rest is for solvers and larger states.
WALKED_BYTES = 1_500
BULK_BYTES = 400  # a node, in a walk on arrays
LEAST_BULK, LEAST_WALKED = 20, 100  # bytes of a node in any game: what does not fit even so is not looked at
USUAL_BYTES = 4 << 30  # where the system does not say
SHARE = 0.5  # of the free memory that a tree may take
MOST_WALKED = 5_000_000  # nodes, to walk state by state: minutes
MOST_FOR_DRAWS = 300_000  # the same, to see how often both strategies together draw: seconds
PROBES = 200  # random plays to estimate a tree by
EVERYBODY = (0, 1, CHANCE)  # whose moves make a tree
FEW = 300  # nodes of a tree that is counted rather than estimated
TRIED = 3  # moves that are tried to go on with a play
MOST_STEPS = 200_000  # of all of them together


def free_bytes() -> int:
    """How much memory can still be had."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    return USUAL_BYTES


def most_nodes(game: Game, by_rules: bool = False) -> int:
    """How many nodes of this game's tree fit, on arrays where the game has them unless it is walked by its rules."""
    return int(SHARE * free_bytes() / (BULK_BYTES if isinstance(game, Bulk) and not by_rules else WALKED_BYTES))


def nodes(game: Game, enough: int | None = None) -> int:
    """How many nodes the tree has: as a game of ruse's says, or about so many; at least so many once that is `enough`.

    Enough is what fits, unless it is given.
    """
    if isinstance(game, Bulk) and not asked_by_contract(game):
        return game.nodes()
    return _estimated(game, EVERYBODY, most_nodes(game) if enough is None else enough)


def traversal(game: Game) -> int:
    """About how many nodes one side's traversal visits when all else is drawn, as external sampling does it."""
    return max(_estimated(game, (side,), MOST_WALKED) for side in (0, 1))


def probed(game: Game, plays: int, sure: float) -> float | None:
    """How many nodes the tree has by at most so many random plays; None where they may be wrong by a larger share."""
    random, total, squares = Random(0), 0.0, 0.0
    for done in range(1, plays + 1):
        nodes_seen = float(_play(game, EVERYBODY, random, inf)[0])
        total, squares = total + nodes_seen, squares + nodes_seen * nodes_seen
        if done % PROBES == 0 and squares - total * total / done < (sure * total) ** 2:
            return total / done
    return None


def _estimated(game: Game, branching: tuple[int, ...], enough: int) -> int:
    """Nodes by random plays; stops where the mean is certain to be more than `enough`: large games need not be played
    to the end.
    """
    if branching == EVERYBODY and (counted := _counted(game)) is not None:
        return counted
    random = Random(0)
    if branching == EVERYBODY and asked_by_contract(game):
        _play_on(game, Random(1))
    total = steps = probes = 0
    while probes < PROBES and steps < MOST_STEPS:
        size, made = _play(game, branching, random, enough * PROBES - total)
        total, steps, probes = total + size, steps + made, probes + 1
        if total > enough * PROBES:
            return total // PROBES
    return total // probes


def _counted(game: Game) -> int | None:
    """Nodes of a small tree, one by one, which takes less time than random plays; None of a larger one."""
    stack, visited = [game.start()], 0
    while stack:
        tick()
        visited += 1
        if visited + len(stack) > FEW:
            return None
        state = stack.pop()
        if (turn := game.turn(state)) != END:
            stack.extend(game.play(state, move) for move in _possible(game, state, turn))
    return visited


def _possible(game: Game, state: State, turn: int) -> Sequence[Move]:
    """The moves of a state, but for those that chance never makes."""
    moves = game.moves(state)
    if turn != CHANCE:
        return moves
    return [move for move, share in zip(moves, game.odds(state), strict=True) if share]


def _play(game: Game, branching: tuple[int, ...], random: Random, enough: float) -> tuple[int, int]:
    """Knuth 1975: nodes along a random play, each times the moves there were on the way at the turns that branch; and
    how many moves it was. Given up once that is more than enough.
    """
    noticed, longest = asked_by_contract(game), most_moves(game)
    state, weight, made, total = game.start(), 1, 0, 1
    been = {state} if noticed else set()
    while total <= enough and (turn := game.turn(state)) != END:
        tick()
        moves = _possible(game, state, turn)
        if turn in branching:
            weight *= len(moves)
        total += weight
        made += 1
        if made > longest:
            raise endless(game, state)
        state = game.play(state, random.choice(moves))
        if noticed:
            if state in been:
                raise comes_back(game, state)
            been.add(state)
    return total, made


def _play_on(game: Game, random: Random) -> None:
    """Play as long as it can go on, by moves that do not end it: random plays of an endless game may all be short."""
    state, longest, made = game.start(), most_moves(game), 0
    been = {state}
    while (turn := game.turn(state)) != END:
        tick()
        if made > longest:
            raise endless(game, state)
        moves = _possible(game, state, turn)
        for move in random.sample(list(moves), min(len(moves), TRIED)):
            after = game.play(state, move)
            if game.turn(after) != END:
                break
        state, made = after, made + 1
        if state in been:
            raise comes_back(game, state)
        been.add(state)


def fits(game: Game) -> bool:
    return nodes(game) <= most_nodes(game)


def too_large(game: Game, purpose: str, advice: str = "use smaller parameters", by_rules: bool = False) -> GameError:
    """Why a tree is not built: its size, and what would fit."""
    count = rationals.count(nodes(game))
    return GameError(
        f"{game.title} is too large {purpose}: it has {'' if isinstance(game, Bulk) else 'at least '}{count} nodes, "
        f"and at most {most_nodes(game, by_rules):,} fit in half of the {free_bytes() / (1 << 30):.1f} GB of free "
        f"memory; {advice}"
    )


def check_bytes(needed: int, game: Game, solver: str, advice: str = "use lp or pdcfr+") -> None:
    """Refuse arrays that do not fit."""
    most = SHARE * free_bytes()
    if needed > most:
        raise GameError(
            f"the solver {solver} needs {needed / (1 << 30):.1f} GB for {game.title}, more than half of the free "
            f"memory ({most / (1 << 30):.1f} GB): {advice}"
        )


def walkable(game: Game, most: int = MOST_WALKED) -> bool:
    """Whether there are few enough nodes to look at each by the rules, whatever somebody's own game says of itself."""
    return (nodes(game, most) if built_in(game) else _estimated(game, EVERYBODY, most)) <= most


def most_by_rules(game: Game) -> int:
    """How many nodes of this game's tree are walked by its rules, where they could be walked on arrays."""
    return min(MOST_WALKED, most_nodes(game, by_rules=True))


def check_walk(game: Game) -> None:
    """Refuse to verify what cannot be walked by its rules in the memory there is."""
    if nodes(game, most := most_nodes(game, by_rules=True)) > most:
        raise too_large(game, "to check by its rules", by_rules=True)


def gigabytes(count: float) -> str:
    """A number of bytes as people read it."""
    return f"{count / (1 << 30):.2f} GB" if count < 10 << 30 else f"{count / (1 << 30):,.0f} GB"
