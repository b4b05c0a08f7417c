"""What the printable page of a solution says of The Resistance: the table, the missions, and how to make it anew."""

from __future__ import annotations

from ruse.core import rationals
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.table import OFFICIAL, POINTS_TO_WIN, Table
from ruse.solution.headline import shares_between
from ruse.solution.strategy import Solution
from ruse.text.card import Heading


def heading(solution: Solution) -> Heading:
    """What stands above the rules."""
    game = solution.game
    assert isinstance(game, Resistance)
    table = game.table
    spies = "1 spy" if table.spies == 1 else f"{table.spies} spies"
    told = [_share(solution, side) for side in (0, 1)]
    return Heading(
        f"The Resistance: {table.players} players, {spies}",
        f"Played well by both sides, the resistance wins {told[0]} of the games and the spies {told[1]}.",
        _missions(table),
        " ".join(_solve_words(table)),
    )


def _share(solution: Solution, side: int) -> str:
    """How often a side wins: exactly, or between which bounds."""
    least, most = shares_between(solution.certificate, side)
    if least < most:
        return rationals.within(least, most, "%")
    text = rationals.percent(least)
    return text if least.denominator == 1 else f"{text} ({rationals.brief(least)})"


def _missions(table: Table) -> str:
    numbers = "".join(f'<th scope="col">{number}</th>' for number in range(1, len(table.missions) + 1))
    seats = "".join(f'<td class="seats">{size}</td>' for size in table.missions)
    fails = "".join(f"<td>{count}</td>" for count in table.sabotages)
    return (
        f'<table class="missions">\n<thead><tr><th scope="col">mission</th>{numbers}</tr></thead>\n<tbody>'
        f'<tr><th scope="row">seats to send</th>{seats}</tr>\n'
        f'<tr><th scope="row">sabotages that fail it</th>{fails}</tr></tbody>\n</table>\n'
        f"<p>{POINTS_TO_WIN} missions that pass win for the resistance, {POINTS_TO_WIN} that fail for the spies.</p>"
    )


def _solve_words(table: Table) -> list[str]:
    words = ["ruse", "solve", "resistance", "--players", str(table.players)]
    if OFFICIAL.get(table.players) != (table.spies, table.missions, table.sabotages):
        words += ["--spies", str(table.spies), "--missions", ",".join(map(str, table.missions))]
        words += ["--sabotages", ",".join(map(str, table.sabotages))]
    return words
