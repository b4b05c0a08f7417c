"""Sizes of The Resistance beside those that papers print, for `ruse sizes`.

Johansson prints how many nodes his reduced tree has; Bossle counts 8.5 * 10^11 nodes at eight players without saying
what a node is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ruse.core import sizes as any_game
from ruse.core.game import Game
from ruse.core.presentation import SizeReport
from ruse.games.resistance.game import Resistance
from ruse.games.resistance.sizes import ResistanceSizes, resistance_nodes, spies_nodes
from ruse.games.resistance.table import ROUNDS, Table, make_table
from ruse.games.resistance.tallies import NodeTally, resistance_tally, spies_tally
from ruse.reproduce.johansson_tree import PRINTED, johansson_nodes

LARGEST_JOHANSSON = 8  # players: beyond, his tree takes minutes to count
THESIS_PLAYERS, THESIS_COUNT = 8, 850_000_000_000  # "8.5 * 10^11" (Bossle 2018, abstract and §7)


def sizes(game: Game) -> SizeReport:
    """Count a game; for The Resistance, beside what papers print."""
    return PaperSizes(game.table) if isinstance(game, Resistance) else any_game.sizes(game)


class PaperSizes:
    """The sizes of a table, Johansson's tree, and ways to arrive at the thesis's count."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.report = ResistanceSizes(table)
        self.johansson = johansson_nodes(table) if table.players <= LARGEST_JOHANSSON else None
        self.conventions = explain_thesis_count() if table == make_table(THESIS_PLAYERS) else ()

    def text(self) -> str:
        lines = [self.report.text()]
        if self.johansson is not None:
            lines += ["", f"Johansson's reduced tree (§2.4): {self.johansson:,} nodes{self._printed()}"]
        if self.conventions:
            lines += ["", "the thesis's 8.5·10¹¹ nodes at eight players: ways to count, the nearest last"]
            lines += [f"  {way.nodes:>19,}  {way.ratio:4.2f}  {way.says}" for way in self.conventions]
        return "\n".join(lines)

    def _printed(self) -> str:
        """How that compares with the paper."""
        if self.table.players not in PRINTED or self.table != make_table(self.table.players):
            return ""
        printed, pruning = PRINTED[self.table.players]
        if printed == self.johansson:
            return ", as he prints"
        return f"; he prints {printed:,}, which is his tree with the pruning {pruning!r}"

    def to_json(self) -> dict[str, Any]:
        thesis = [{"says": way.says, "nodes": way.nodes} for way in self.conventions]
        return self.report.to_json() | {"johansson": self.johansson} | ({"thesis": thesis} if thesis else {})


@dataclass(frozen=True)
class Convention:
    """One way to count, and what it gives without symmetry."""

    says: str
    nodes: int

    @property
    def ratio(self) -> float:
        """To the thesis's 8.5 * 10^11."""
        return self.nodes / THESIS_COUNT

    @property
    def fits(self) -> bool:
        """Whether it would be printed as 8.5 * 10^11."""
        return abs(self.nodes - THESIS_COUNT) <= 5_000_000_000


def explain_thesis_count() -> tuple[Convention, ...]:
    """Ways to arrive at the 8.5 * 10^11 nodes of Bossle 2018, nearest last."""
    return tuple(sorted(conventions(make_table(THESIS_PLAYERS)), key=lambda way: -abs(way.nodes - THESIS_COUNT)))


def conventions(table: Table) -> list[Convention]:
    """What different readings of "nodes" count, seat by seat."""

    def spies(needed: Sequence[int] | None = None, play_on: bool = False) -> NodeTally:
        return _all(spies_tally(table, symmetric=False, needed=needed, play_on=play_on))

    public = _all(resistance_tally(table, symmetric=False))
    secret = spies()
    rules, loyal = spies_nodes(secret).total, resistance_nodes(public).total
    single, none = (spies_nodes(spies((number,) * ROUNDS)).total for number in (1, 0))
    longer = resistance_nodes(_all(resistance_tally(table, symmetric=False, play_on=True))).total
    on = spies_nodes(spies(play_on=True)).total + longer
    orders = secret.out + secret.choices  # pass everywhere, sabotage where there is a choice
    results = public.waiting - 1 + public.ends
    # §5.2: a constraint for each choice node of the first side, each child of its information nodes and its root;
    # one for each leaf and information node of the second side and each child of its choice nodes.
    resistance_first = (public.waiting + results + 1) + (secret.ends + 2 * secret.choices)
    resistance_first += secret.waiting + (secret.out - secret.choices) + 1
    spies_first = secret.choices + secret.out + (secret.out - secret.choices) + table.spy_sets + 1
    spies_first += public.ends + public.out + public.out
    choices = secret.choices + secret.ends + public.waiting + public.ends
    return [
        Convention("the resistance's tree", loyal),
        Convention("the spies' tree", rules),
        Convention("both trees", rules + loyal),
        Convention("both trees: choices and leaves only", choices),
        Convention("both trees without their leaves", rules - secret.ends + loyal - public.ends),
        Convention("leaves of both trees", secret.ends + public.ends),
        Convention("the spies' tree, sabotage offered to one spy where it takes two", single),
        Convention("both trees, sabotage offered to one spy where it takes two", single + loyal),
        Convention("the spies' tree, sabotage offered with no spy aboard", none),
        Convention("both trees, sabotage offered with no spy aboard", none + loyal),
        Convention("both trees, five missions whatever the score", on),
        Convention("both trees, an order of the spies and its result as two nodes", rules + loyal + orders),
        Convention("the spies' tree, a mission and the choice it gives as two nodes", rules + secret.choices),
        Convention("both trees, a mission and the choice it gives as two nodes", rules + secret.choices + loyal),
        Convention("constraints of the linear program in §5.2, the resistance first", resistance_first),
        Convention("constraints of the linear program in §5.2, the spies first", spies_first),
    ]


def _all(tallies: Iterable[NodeTally]) -> NodeTally:
    return sum(tallies, NodeTally(0, 0, 0, 0))
