"""What to do about a game that is too large to solve exactly: how large it is, what it would need, and ways out."""

from __future__ import annotations

from ruse.core import named_games, rationals, size_estimate
from ruse.core.capabilities import Public, Ranged, Symmetric
from ruse.core.contract import built_in
from ruse.core.game import Game, GameError

SHOWN = 1 << 62  # nodes up to which a game is sized
EXACT = 1_000  # from which a number of nodes is rounded


def about(count: int) -> str:
    """A rounded number of nodes as people read it: about 140,000,000, about 10^12."""
    if count < EXACT:
        return f"{count:,}"
    text = rationals.count(int(float(f"{count:.2g}")))
    return text if text.startswith("about") else f"about {text}"


def how_large(game: Game) -> str:
    """Say how large a tree is, what it would need, and what fits."""
    nodes, free = size_estimate.nodes(game, SHOWN), size_estimate.free_bytes() / (1 << 30)
    needed = size_estimate.gigabytes(float(nodes * size_estimate.WALKED_BYTES))
    return (
        f"its tree has {about(nodes)} nodes and would need about {needed}; "
        f"{about(size_estimate.most_nodes(game))} nodes fit in half of the {free:.1f} GB of free memory"
    )


def ways_out(game: Game) -> list[str]:
    """Return what somebody can do, the most useful first."""
    spelled = _spelled(game)
    ways = []
    for name, value in game.parameters.items():
        if isinstance(value, int) and not isinstance(value, bool) and value > 1:
            ways.append(
                f"use smaller or coarser parameters: ruse sizes {spelled} --{name.replace('_', '-')} "
                f"{max(1, value // 3)}..{value} says which fit"
            )
            break
    else:
        ways.append("use a smaller or coarser game: fewer cards, rounds or bids")
    if not built_in(game):
        if not isinstance(game, Symmetric):
            ways.append("declare Symmetric if seats, suits or cards can be renamed: ruse then solves one of each kind")
        if not isinstance(game, Public):
            ways.append(
                "declare Public and write public() if all secrets are dealt at the start and every move is seen: ruse "
                "then goes by what both see, also on a GPU (--device gpu)"
            )
    elif isinstance(game, Public):
        ways.append("use --device gpu, if there is one")
    if game.wins or isinstance(game, Ranged):
        ways.append(f"sample it with --solver mccfr and a long --time: {what_sampling_shows(game)}")
    else:
        ways.append(
            "declare Ranged and write payoff_range(), or set wins to the names of both sides if the game is won or "
            "lost: ruse can then sample it, which gives strategies and proves nothing"
        )
    ways.append("use a machine with more memory; a sweep also runs on a cluster (--engine dask)")
    return ways


def what_sampling_shows(game: Game) -> str:
    """Estimate what an iteration of sampling sees of a game."""
    seen, nodes = size_estimate.traversal(game), size_estimate.nodes(game, SHOWN)
    return (
        f"an iteration sees {about(seen)} of {about(nodes)} nodes, so the strategies are rough, and nothing is proved"
    )


def payoffs_unknown(game: Game) -> GameError:
    """The error for a game that is not walked, and does not say what it can pay."""
    if size_estimate.walkable(game) and size_estimate.fits(game):
        return GameError(
            f"{game.title} does not say what it can pay: declare Ranged and write payoff_range(), or set wins to the "
            "names of both sides if the game is won or lost"
        )
    return too_large(f"{game.title} is too large to solve: {how_large(game)}", game)


def too_large(sentence: str, game: Game) -> GameError:
    """An error with what to do, one way per line."""
    return GameError("\n  - ".join([f"{sentence}. What you can do:", *ways_out(game)]))


def _spelled(game: Game) -> str:
    """How somebody may name the game on the command line, without folders."""
    own = named_games.OWN.get(game.name)
    return game.name if own is None else own.origin
