"""Counts by class against plain walks of the rules, and against the sizes that the papers print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amounts import some
from ruse.core.game import CHANCE, END, Game, GameError, State
from ruse.core.walk import check as check_contract
from ruse.core.walk import visits
from ruse.forms.reductions import reduce
from ruse.forms.sequence_form import plain_form, sequence_form
from ruse.games.resistance import Resistance
from ruse.games.resistance.rules import RESISTANCE, SPIES
from ruse.games.resistance.sizes import (
    TreeNodes,
    lp_size,
    sizes,
    text,
)
from ruse.games.resistance.table import OFFICIAL, POINTS_TO_WIN, ROUNDS, Table, make_table
from ruse.games.resistance.tallies import resistance_tally, spies_tally
from ruse.reproduce.johansson_form import johansson_form
from ruse.reproduce.johansson_tree import PRINTED, PRUNINGS, JohanssonTree, johansson_nodes
from ruse.reproduce.paper_sizes import THESIS_COUNT, conventions, explain_thesis_count
from ruse.solvers.lp import lp

ONES = (1,) * ROUNDS


class Walk:
    """Both knowledge trees, listed: every knowledge that a walk of the rules meets, as one of A, I and L."""

    def __init__(self, table: Table, *, symmetric: bool, forced: bool) -> None:
        self.game = reduce(Resistance(table), symmetry=symmetric)
        self.forced = forced
        self.met: set[tuple[int, int, str, object]] = set()  # side, round, kind, knowledge
        for state in self.after_chance(self.game.start()):
            self.visit(state)

    def after_chance(self, state: State) -> Iterator[State]:
        if self.game.turn(state) != CHANCE:
            yield state
            return
        for move in self.game.moves(state):
            yield from self.after_chance(self.game.play(state, move))

    def add(self, side: int, state: State, kind: str, *more: object) -> None:
        number = len(state.done) + (kind != "leaves") - ("settled" in more)
        self.met.add((side, number, kind, (self.game.knows(state, side), *more)))

    def visit(self, state: State) -> None:
        if self.game.turn(state) == END:
            self.add(RESISTANCE, state, "leaves")
            self.add(SPIES, state, "leaves")
            return
        self.add(RESISTANCE, state, "actions")
        self.add(SPIES, state, "information")
        decided = self.forced and POINTS_TO_WIN - 1 in state.score
        for mission in self.game.moves(state):
            self.add(RESISTANCE, state, "information", mission)
            for out in self.after_chance(self.game.play(state, mission)):
                if self.game.turn(out) == SPIES:
                    self.add(SPIES, out, "information" if decided else "actions")
                    for order in ["sabotage"] if decided else self.game.moves(out):
                        self.visit(self.game.play(out, order))
                else:  # too few spies aboard: the team game has gone on to the result
                    self.add(SPIES, out, "information", "settled")
                    self.visit(out)

    def nodes(self, side: int, number: int) -> TreeNodes:
        kinds = [kind for one, round_, kind, _ in self.met if (one, round_) == (side, number)]
        return TreeNodes(kinds.count("actions"), kinds.count("information"), kinds.count("leaves"))


def check(table: Table, *, symmetric: bool, forced: bool) -> None:
    walk = Walk(table, symmetric=symmetric, forced=forced)
    for size in sizes(table, forced=forced).rounds:
        assert size.round is not None
        mine = (size.resistance_symmetric, size.spies_symmetric) if symmetric else (size.resistance, size.spies)
        assert mine == (walk.nodes(RESISTANCE, size.round), walk.nodes(SPIES, size.round))


@pytest.mark.cases(1)
@pytest.mark.slow
@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize(
    "table",
    [
        make_table(3, 1, ONES, ONES),
        make_table(3, 2, (2, 1, 2, 1, 2), (2, 1, 1, 1, 2)),
        make_table(4, 1, (1, 2, 1, 3, 1), ONES),
        make_table(4, 2, (1, 2, 1, 3, 3), (1, 1, 1, 2, 2)),
    ],
    ids=lambda table: table.title,
)
def test_seat_by_seat_the_counts_are_those_of_a_walk(table: Table, forced: bool) -> None:
    check(table, symmetric=False, forced=forced)


@pytest.mark.cases(4)
@pytest.mark.slow
@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize(
    "table",
    [
        make_table(3, 1, ONES, ONES),
        make_table(4, 1, (2, 2, 2, 2, 2), ONES),
        make_table(4, 2, (2, 1, 2, 1, 1), ONES),
        make_table(4, 2, (1, 3, 1, 3, 2), (1, 2, 1, 2, 2)),
        make_table(5, 1, (1, 1, 1, 1, 1), ONES),
    ],
    ids=lambda table: table.title,
)
def test_by_class_the_counts_are_those_of_a_walk(table: Table, forced: bool) -> None:
    check(table, symmetric=True, forced=forced)


@st.composite
def small_tables(draw: st.DrawFn) -> Table:
    players = draw(st.integers(2, 3))
    spies = draw(st.integers(1, players - 1))
    missions = [draw(st.integers(1, players)) for _ in range(ROUNDS)]
    return make_table(players, spies, missions, [draw(st.integers(1, min(spies, size))) for size in missions])


@pytest.mark.slow
@settings(max_examples=some(25))
@given(small_tables(), st.booleans(), st.booleans())
def test_the_counts_of_any_table_are_those_of_a_walk(table: Table, symmetric: bool, forced: bool) -> None:
    check(table, symmetric=symmetric, forced=forced)


@pytest.mark.parametrize("players", OFFICIAL)
def test_without_symmetry_a_product_over_the_missions_counts_the_official_tables(players: int) -> None:
    """Every mission can be sent at any time; at official tables any three failures fit some spy set."""
    table = make_table(players)
    sent = [comb(players, size) for size in table.missions]
    can_fail = [
        sum(comb(table.spies, some) * comb(players - table.spies, size - some) for some in range(fails, size + 1))
        for size, fails in zip(table.missions, table.sabotages, strict=True)
    ]
    public = secret = 0
    for length in range(ROUNDS + 1):
        for results in product((True, False), repeat=length):
            if max(results[:-1].count(True), results[:-1].count(False)) >= POINTS_TO_WIN:
                continue
            ended = POINTS_TO_WIN in (results.count(True), results.count(False))
            nodes = 1 if ended else 1 + sent[length]  # this one, and every mission that can be out next
            public += prod(sent[:length]) * nodes
            ways = (one if passed else other for one, other, passed in zip(sent, can_fail, results, strict=False))
            secret += table.spy_sets * prod(ways) * nodes
    totals = sizes(table).totals
    assert (totals.resistance.total, totals.spies.total) == (public, secret)


def test_eight_players_have_the_sizes_in_the_documentation() -> None:
    """Counted by an earlier script while the project was scoped: 6.30 * 10^11 and 1.6 * 10^10."""
    totals = sizes(make_table(8)).totals
    assert totals.resistance.total == 15_769_242_889
    assert totals.spies == TreeNodes(206_725_440_656, 8_730_346_408, 414_621_757_200)
    assert (totals.resistance_symmetric.total, totals.spies_symmetric.total) == (643_348, 19_313_188)


def test_sizes_of_the_linear_program_for_seven_players() -> None:
    """3,032,386 x 1,570,740, and 3,862 x 56,478 with forced moves, were measured while the project was scoped."""
    seven = make_table(7)
    assert lp_size(seven, reachable=False) == (3_032_386, 1_570_740)
    assert lp_size(seven, reachable=False, forced=True) == (3_862, 56_478)
    assert lp_size(seven) == (1_804_614, 956_854)
    assert lp_size(seven, forced=True) == (3_340, 51_602)


@pytest.mark.parametrize(
    "table", [make_table(3, 1, ONES, ONES), make_table(4, 2, (2, 3, 2, 3, 2), (1, 2, 1, 2, 2))], ids=lambda t: t.title
)
def test_the_linear_program_has_the_sets_and_sequences_of_the_reduced_game(table: Table) -> None:
    first, second = sequence_form(reduce(Resistance(table))).trees
    assert lp_size(table) == (first.infosets + second.sequences, first.sequences + second.infosets)


def test_two_readings_round_to_the_count_of_the_thesis() -> None:
    """Bossle 2018, abstract: 8.5 * 10^11 nodes at eight players. By his own definition it is 6.46 * 10^11."""
    ways = {way.says: way for way in explain_thesis_count()}
    assert ways["the spies' tree"].nodes == 630_077_544_264
    assert ways["the spies' tree, sabotage offered with no spy aboard"].nodes == 883_077_601_784
    assert {(way.says, way.nodes) for way in ways.values() if way.fits} == {
        ("constraints of the linear program in §5.2, the resistance first", 847_409_674_107),
        ("both trees, a mission and the choice it gives as two nodes", 852_572_227_809),
    }
    distances = [abs(way.nodes - THESIS_COUNT) for way in ways.values()]
    assert distances == sorted(distances, reverse=True)


def test_constraints_are_those_of_the_printed_program_on_a_walked_table() -> None:
    """§5.2, constraint by constraint, on trees small enough to list."""
    table = make_table(3, 1, ONES, ONES)
    walk = Walk(table, symmetric=False, forced=False)
    kinds = {(side, kind): 0 for side in (RESISTANCE, SPIES) for kind in ("actions", "information", "leaves")}
    for side, _, kind, _ in walk.met:
        kinds[side, kind] += 1
    kinds[SPIES, "information"] += 1  # before the deal
    # A tree has as many children as nodes, less the root; the spies' action nodes have two each, and those of
    # the resistance one for each mission.
    nodes = {side: sum(kinds[side, kind] for kind in ("actions", "information", "leaves")) for side in (0, 1)}
    of_actions = {RESISTANCE: kinds[RESISTANCE, "information"], SPIES: 2 * kinds[SPIES, "actions"]}
    counts = {way.says: way.nodes for way in conventions(table)}
    for first, name in ((RESISTANCE, "resistance"), (SPIES, "spies")):
        second = 1 - first
        own = kinds[first, "actions"] + (nodes[first] - 1 - of_actions[first]) + 1
        other = kinds[second, "leaves"] + of_actions[second] + kinds[second, "information"]
        assert counts[f"constraints of the linear program in §5.2, the {name} first"] == own + other


def test_the_text_fits_and_names_what_it_counts() -> None:
    lines = text(sizes(make_table(10))).splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0] == "resistance-10: 10 seats, 4 spies, missions of 3 4 4 5* 5 (* takes 2 sabotages)"
    assert lines[-4].split() == ["all", "6,073,205,191,561", "927,191,311,649,610", "4,311,220", "394,992,410"]


def test_five_missions_whatever_the_score() -> None:
    """3 seats, one spy, one seat a mission: each of 3 spy sets sees 3 missions, one of which can fail."""
    table = make_table(3, 1, ONES, ONES)
    assert [tally.waiting for tally in spies_tally(table, symmetric=False, play_on=True)] == [
        3 * 4**number for number in range(ROUNDS)
    ]
    last = resistance_tally(table, symmetric=False, play_on=True, reachable=False)[-1]
    assert last.ends == 6**ROUNDS


# Johansson's tree.


@pytest.mark.cases(3)
@pytest.mark.slow
@pytest.mark.parametrize("players", PRINTED)
def test_johanssons_sizes(players: int) -> None:
    """Johansson, Table 2: 12162, 42438, 369869, 4110657. The last without the larger missions pruned."""
    nodes, pruning = PRINTED[players]
    assert johansson_nodes(make_table(players), pruning) == nodes


@pytest.mark.soak
@pytest.mark.slow
def test_johanssons_other_pruning_does_not_give_his_sizes() -> None:
    assert johansson_nodes(make_table(7), "repeats") == 619_888
    assert johansson_nodes(make_table(7), "safe") == 459_864
    assert johansson_nodes(make_table(8), "supersets") == 2_984_938


@pytest.mark.cases(2)
@pytest.mark.parametrize("pruning", PRUNINGS)
def test_counting_by_future_agrees_with_a_walk(pruning: str) -> None:
    for table in (make_table(5), make_table(4, 2, (1, 2, 1, 3, 3), (1, 1, 1, 2, 2))):
        tree = JohanssonTree(table, pruning)
        assert johansson_nodes(table, pruning) == sum(1 for _ in visits(tree))


def value(game: Game) -> Fraction:
    certificate = lp(sequence_form(game)).certificate
    assert certificate.exact
    return certificate.lower


@pytest.mark.cases(2)
@pytest.mark.parametrize("pruning", PRUNINGS)
def test_five_players_win_three_in_ten(pruning: str) -> None:
    """Johansson, Theorem 2.1."""
    assert value(JohanssonTree(make_table(5), pruning)) == Fraction(-2, 5)


def test_pruning_costs_the_resistance_where_missions_take_two_sabotages() -> None:
    table = make_table(5, 2, (2, 2, 2, 1, 3), (2, 1, 1, 1, 2))
    assert value(JohanssonTree(table, "supersets")) == Fraction(4, 5)
    assert value(JohanssonTree(table, "safe")) == value(JohanssonTree(table, "none")) == 1


def test_johanssons_positions_read_like_those_of_the_whole_game() -> None:
    tree = JohanssonTree(make_table(5))
    state = tree.play(tree.play(tree.start(), (2,)), (1,))
    assert tree.format_position(tree.knows(state, SPIES)) == "@ac/ab?"
    assert tree.format_position(tree.knows(tree.play(state, "sabotage"), RESISTANCE)) == "/ab-"


@pytest.mark.parametrize("pruning", PRUNINGS)
def test_johanssons_tree_keeps_the_contract(pruning: str) -> None:
    check_contract(JohanssonTree(make_table(4, 2, (1, 2, 1, 3, 3), (1, 1, 1, 2, 2)), pruning))


def test_an_unknown_pruning_is_refused() -> None:
    with pytest.raises(GameError, match="expected one of the prunings supersets, repeats, safe, none, got 'all'"):
        JohanssonTree(make_table(5), "all")


@pytest.mark.cases(2)
@pytest.mark.parametrize(("players", "pruning"), [(5, "supersets"), (5, "repeats"), (5, "safe"), (5, "none")])
def test_johanssons_form_on_arrays_is_that_of_his_tree(players: int, pruning: str) -> None:
    """But for the order of information sets: as many sequences, the same payoffs, the same value."""
    table = make_table(players)
    walked, fast = plain_form(JohanssonTree(table, pruning)), johansson_form(table, pruning)
    assert [(one.infosets, one.sequences) for one in fast.trees] == [
        (one.infosets, one.sequences) for one in walked.trees
    ]
    counts = [Counter(Fraction(p, form.denominator) for p in form.payoffs.tolist()) for form in (walked, fast)]
    assert counts[0] == counts[1]
    assert lp(fast).certificate.lower == Fraction(-2, 5)
