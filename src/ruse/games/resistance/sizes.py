"""How large The Resistance is: the nodes of both knowledge trees, round by round (Bossle 2018, §4.3 and §5.3).

A knowledge tree has one node for every knowledge that its side can have (Definition 5). Spies act as one
and can fail a mission only with enough of them aboard. In the round of mission r there are

    the resistance   action nodes       a mission is to be picked: one for each public history
                     information nodes  a mission is out, its result is awaited
                     leaves             that result ended the game
    the spies        information nodes  a mission is awaited; or one is out with too few spies aboard to fail it
                     action nodes       a mission is out that they can fail
                     leaves             the result ended the game

The single node before the spies are dealt belongs to no round and is left out. With symmetry, positions
that differ by the names of the seats are one node: a public history is then how many seats went from each
cell of seats that have been on the same missions, and the spies also see how many spies are in each cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ruse.core.game import GameError
from ruse.games.resistance.table import ROUNDS, Table, make_table
from ruse.games.resistance.tallies import Tally, resistance_tally, spies_tally

MOST_PLAYERS = 16  # beyond, counting takes many minutes and gigabytes
THESIS_PLAYERS, THESIS_COUNT = 8, 850_000_000_000  # "8.5 * 10^11" (Bossle 2018, abstract and §7)


@dataclass(frozen=True)
class Nodes:
    """Nodes of one tree: Definition 5's sets A, I and L."""

    actions: int
    information: int
    leaves: int

    @property
    def total(self) -> int:
        return self.actions + self.information + self.leaves

    def __add__(self, other: Nodes) -> Nodes:
        return Nodes(self.actions + other.actions, self.information + other.information, self.leaves + other.leaves)


@dataclass(frozen=True)
class RoundSize:
    round: int | None  # 1 to 5; None: all of them
    resistance: Nodes
    spies: Nodes
    resistance_symmetric: Nodes
    spies_symmetric: Nodes


@dataclass(frozen=True)
class Sizes:
    table: Table
    forced: bool  # whether the spies must fail what they can once a side has two points
    rounds: tuple[RoundSize, ...]

    @property
    def totals(self) -> RoundSize:
        def add(nodes: Iterable[Nodes]) -> Nodes:
            return sum(nodes, Nodes(0, 0, 0))

        return RoundSize(
            None,
            add(size.resistance for size in self.rounds),
            add(size.spies for size in self.rounds),
            add(size.resistance_symmetric for size in self.rounds),
            add(size.spies_symmetric for size in self.rounds),
        )


def sizes(table: Table, *, forced: bool = False) -> Sizes:
    """The exact sizes of all four trees."""
    if table.players > MOST_PLAYERS:
        raise GameError(f"expected at most {MOST_PLAYERS} players to count, got {table.players} in {table.title}")
    rounds = zip(
        resistance_tally(table, symmetric=False, forced=forced),
        spies_tally(table, symmetric=False, forced=forced),
        resistance_tally(table, symmetric=True, forced=forced),
        spies_tally(table, symmetric=True, forced=forced),
        strict=True,
    )
    return Sizes(
        table,
        forced,
        tuple(
            RoundSize(number, _resistance(one), _spies(two), _resistance(three), _spies(four))
            for number, (one, two, three, four) in enumerate(rounds, 1)
        ),
    )


def _resistance(tally: Tally) -> Nodes:
    return Nodes(tally.waiting, tally.out, tally.ends)


def _spies(tally: Tally) -> Nodes:
    return Nodes(tally.choices, tally.waiting + tally.out - tally.choices, tally.ends)


def lp_size(table: Table, *, forced: bool = False, reachable: bool = True) -> tuple[int, int]:
    """Rows and columns of the sequence-form LP after symmetry, the resistance first.

    A row for each information set of the resistance and each sequence of the spies, a column for each
    sequence of the resistance and each information set of the spies. Without `reachable`, a spy set is kept at
    public histories that it rules out: those failures needed more spies aboard. It then costs rows that
    bind nothing, but needs no check.
    """
    resistance = resistance_tally(table, symmetric=True, forced=forced and reachable, reachable=reachable)
    spies = spies_tally(table, symmetric=True, forced=forced, reachable=reachable)
    sets = sum(tally.waiting for tally in resistance), sum(tally.choices for tally in spies)
    return sets[0] + 1 + 2 * sets[1], 1 + sum(tally.out for tally in resistance) + sets[1]


# The thesis's count at eight players.


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

    def spies(needed: Sequence[int] | None = None, play_on: bool = False) -> Tally:
        return _all(spies_tally(table, symmetric=False, needed=needed, play_on=play_on))

    public = _all(resistance_tally(table, symmetric=False))
    secret = spies()
    rules, loyal = _spies(secret).total, _resistance(public).total
    one, none = (_spies(spies((number,) * ROUNDS)).total for number in (1, 0))
    longer = _resistance(_all(resistance_tally(table, symmetric=False, play_on=True))).total
    on = _spies(spies(play_on=True)).total + longer
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
        Convention("the spies' tree, sabotage offered to one spy where it takes two", one),
        Convention("both trees, sabotage offered to one spy where it takes two", one + loyal),
        Convention("the spies' tree, sabotage offered with no spy aboard", none),
        Convention("both trees, sabotage offered with no spy aboard", none + loyal),
        Convention("both trees, five missions whatever the score", on),
        Convention("both trees, an order of the spies and its result as two nodes", rules + loyal + orders),
        Convention("the spies' tree, a mission and the choice it gives as two nodes", rules + secret.choices),
        Convention("both trees, a mission and the choice it gives as two nodes", rules + secret.choices + loyal),
        Convention("constraints of the linear program in §5.2, the resistance first", resistance_first),
        Convention("constraints of the linear program in §5.2, the spies first", spies_first),
    ]


def _all(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally(0, 0, 0, 0))


def text(sizes: Sizes) -> str:
    """The sizes as a plain table of at most 100 columns."""
    table = sizes.table
    lines = [
        f"{table.title}: {table}" + (" (forced moves made)" if sizes.forced else ""),
        "nodes of the knowledge trees (Bossle 2018, Definition 5)",
        "",
        _row("", "resistance", "spies", "resistance, by class", "spies, by class"),
    ]
    for size in (*sizes.rounds, sizes.totals):
        if size.round is None:
            lines.append("-" * len(lines[-1]))
        trees = (size.resistance, size.spies, size.resistance_symmetric, size.spies_symmetric)
        lines.append(_row(f"round {size.round}" if size.round else "all", *(f"{tree.total:,}" for tree in trees)))
    totals = sizes.totals
    for kind in ("actions", "information", "leaves"):
        trees = (totals.resistance, totals.spies, totals.resistance_symmetric, totals.spies_symmetric)
        lines.append(_row(f"  {kind}", *(f"{getattr(tree, kind):,}" for tree in trees)))
    return "\n".join(lines)


def _row(name: str, *cells: str) -> str:
    return f"{name:<15}" + "".join(f"{cell:>21}" for cell in cells)
