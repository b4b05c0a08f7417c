"""Insight into The Resistance: against other linear programs over the written-out tree, against its own verifier, and
against simulated evenings."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest
from benchmarks.insight import freedom
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack, vstack

import ruse
from amounts import some
from insight_evenings import assert_simulated, insight
from ruse.core import clock
from ruse.core.game import PositionError, describe
from ruse.forms.reductions import reduce
from ruse.forms.sequence_form import FormArrays, Treeplex, sequence_form
from ruse.games.resistance import Resistance, notation
from ruse.games.resistance.cells import Cells, Place
from ruse.games.resistance.insight import ResistanceInsight
from ruse.games.resistance.insight_beliefs import Slips, shown
from ruse.games.resistance.insight_program import ExactOptimum, OptimalProgram
from ruse.games.resistance.insight_proofs import Spot
from ruse.games.resistance.table import POINTS_TO_WIN
from ruse.games.resistance.verify import guarantee
from ruse.insight.model import MAY, MUST, NEVER, Range

THREE = (3, 2, (1, 2, 1, 2, 1))
FOUR = (4, 1, (2, 3, 2, 3, 3))
STARRED = (4, 2, (2, 3, 2, 3, 3), (1, 2, 1, 2, 1))
FIVE = (5,)


class Written:
    """The tree by class, all of it, and linear programs over it: nothing here is lazy."""

    def __init__(self, form: FormArrays, positions: Any, names: Any, value: Fraction) -> None:
        self.form, self.names, self.value = form, names, float(value)
        self.sets = [{position: number for number, position in enumerate(one)} for one in positions]

    @staticmethod
    def by_walking(game: Any, value: Fraction) -> Written:
        """As the rules make it, state by state."""
        small = reduce(game)
        form = sequence_form(small)
        positions = [[describe(small, one) for one in form.knowledge[side]] for side in (0, 1)]
        names = [[[small.label(move) for move in moves] for moves in form.moves[side]] for side in (0, 1)]
        return Written(form, positions, names, value)

    @staticmethod
    def by_spy_sets(game: Any, value: Fraction) -> Written:
        """One mission of each class and every spy set; once a side has two points the spies do what they must."""
        table, title = game.table, game.table.title
        positions: Any = ([], [])
        names: Any = ([], [])
        parents: Any = ([], [])
        firsts: Any = ([1], [1])
        entries: dict[tuple[int, int], int] = {}

        def number(side: int, position: str, parent: int, moves: list[str]) -> int:
            if position not in known[side]:
                known[side][position] = len(positions[side])
                positions[side].append(position)
                names[side].append(moves)
                parents[side].append(parent)
                firsts[side].append(firsts[side][-1] + len(moves))
            place = known[side][position]
            assert parents[side][place] == parent
            return int(firsts[side][place])

        known: Any = ({}, {})
        deals = dict.fromkeys(combinations(range(table.players), table.spies), 0)
        stack: list[Any] = [("", "", 0, deals)]
        while stack:
            steps, results, own, last = stack.pop()
            score = results.count("+"), results.count("-")
            if POINTS_TO_WIN in score:
                for sequence in last.values():
                    entries[own, sequence] = entries.get((own, sequence), 0) + (1 if score[0] > score[1] else -1)
                continue
            position = title + steps
            missions = game.representative_moves(position, 0)
            first = number(0, position, own, missions)
            for place, mission in enumerate(missions):
                seats = set(notation.read_seats(mission, table))
                after: dict[str, dict[Any, int]] = {"+": {}, "-": {}}
                for spies, sequence in last.items():
                    if len(seats.intersection(spies)) < table.sabotages[len(results)]:
                        after["+"][spies] = sequence
                    elif POINTS_TO_WIN - 1 in score:
                        after["-"][spies] = sequence
                    else:
                        out = f"{title}@{notation.seats(spies)}{steps}/{mission}?"
                        after["+"][spies] = number(
                            1, game.representative_position(out, 1)[0], sequence, ["pass", "sabotage"]
                        )
                        after["-"][spies] = after["+"][spies] + 1
                for result, left in after.items():
                    if left:
                        stack.append((f"{steps}/{mission}{result}", results + result, first + place, left))
        trees = [Treeplex(np.array(parents[side]), np.array(firsts[side])) for side in (0, 1)]
        rows, columns = (np.array(one) for one in zip(*entries, strict=True))
        form = FormArrays((trees[0], trees[1]), rows, columns, np.array(list(entries.values())), table.spy_sets)
        return Written(form, positions, names, value)

    @cached_property
    def shut(self) -> list[int]:
        """Passes of spies who could fail a mission once a side has two points."""
        found = []
        for position, number in self.sets[1].items():
            steps = position.split("/")[1:-1]
            scores = [sum(step.endswith(result) for step in steps) for result in "+-"]
            moves = self.names[1][number]
            if POINTS_TO_WIN - 1 in scores and "sabotage" in moves:
                found.append(int(self.form.trees[1].first[number]) + moves.index("pass"))
        return found

    def plan(self, side: int, table: Any) -> list[Fraction]:
        """The plan that a table says; once a side has two points spies sabotage, and where it says nothing it has 0."""
        tree = self.form.trees[side]
        found = [Fraction(1)] + [Fraction(0)] * (tree.sequences - 1)
        for position, number in self.sets[side].items():
            first, parent = int(tree.first[number]), int(tree.parent[number])
            for place, name in enumerate(self.names[side][number]):
                if position in table:
                    found[first + place] = found[parent] * Fraction(table[position].get(name, 0))
                elif side == 1:
                    found[first + place] = found[parent] * (first + place not in self.shut)
        return found

    def short(self, side: int, costs: list[Fraction], answer: Any, weight: Fraction) -> Fraction:
        """The least of costs'x + weight (v - u(x, answer)) over all plans x of a side, from the definition."""
        tree, other = self.form.trees[side], self.plan(1 - side, answer) if weight else None
        found = list(costs)
        for row, column, payoff in zip(
            self.form.rows.tolist(), self.form.columns.tolist(), self.form.payoffs.tolist(), strict=True
        ):
            own, theirs = (row, column) if side == 0 else (column, row)
            if other is not None:
                sign = 1 if side == 0 else -1
                found[own] -= weight * sign * Fraction(payoff, self.form.denominator) * other[theirs]
        shut = set(self.shut) if side == 1 else set()
        for parent, first, end in reversed(list(tree.sets())):
            found[parent] += min(found[one] for one in range(first, end) if one not in shut)
        return found[0]

    def cone(self, side: int) -> tuple[Any, Any, Any]:
        """Rows over (plan, the other's potentials, scale): equations, inequalities, and the row that asks for v."""
        own, other = self.form.trees[side], self.form.trees[1 - side]
        entries = (self.form.floats(), (self.form.rows, self.form.columns))
        payoffs = coo_matrix(entries, shape=(self.form.trees[0].sequences, self.form.trees[1].sequences)).tocsr()
        gains = payoffs if side == 0 else -payoffs.T
        flows = [
            coo_matrix((v, (r, c)), shape=(t.infosets + 1, t.sequences))
            for t in (own, other)
            for r, c, v in [t.constraints()]
        ]
        right = coo_matrix(([-1.0], ([0], [0])), shape=(own.infosets + 1, 1))
        equations = hstack([flows[0], coo_matrix((own.infosets + 1, other.infosets + 1)), right])
        rows = hstack([-gains.T, flows[1].T, coo_matrix((other.sequences, 1))])
        sign = 1 if side == 0 else -1
        top = np.zeros(equations.shape[1])
        top[own.sequences], top[-1] = -1, sign * self.value
        return equations.tocsr(), vstack([rows, coo_matrix(top)]).tocsr(), own

    def end(self, side: int, part: dict[int, float], whole: dict[int, float], sign: int) -> float | None:
        """The least (1) or greatest (-1) ratio over optimal plans; None if the whole is always 0."""
        equations, rows, own = self.cone(side)
        width = equations.shape[1]
        cost, total = np.zeros(width), np.zeros(width)
        for vector, weights in ((cost, part), (total, whole)):
            for sequence, weight in weights.items():
                vector[sequence] += weight
        shut = self.shut if side == 1 else []
        bounds = [(0, 0 if n in shut else None) for n in range(own.sequences)]
        bounds += [(None, None)] * (width - own.sequences - 1) + [(0, None)]
        found = linprog(
            sign * cost,
            A_ub=rows,
            b_ub=np.zeros(rows.shape[0]),
            A_eq=vstack([equations, coo_matrix(total)]).tocsr(),
            b_eq=[0.0] * equations.shape[0] + [1.0],
            bounds=bounds,
            method="highs",
        )
        assert found.status in (0, 2)
        return sign * found.fun if found.status == 0 else None

    def ends(self, side: int, position: str, move: str) -> tuple[float, float] | None:
        number = self.sets[side][position]
        sequence = int(self.form.trees[side].first[number]) + self.names[side][number].index(move)
        parent = int(self.form.trees[side].parent[number])
        least, greatest = (self.end(side, {sequence: 1.0}, {parent: 1.0}, sign) for sign in (1, -1))
        return None if least is None or greatest is None else (least, greatest)

    def always(self, side: int, position: str, move: str) -> float:
        """The most that a side guarantees if it always makes a move at a position."""
        equations, rows, own = self.cone(side)
        number = self.sets[side][position]
        first, names = int(self.form.trees[side].first[number]), self.names[side][number]
        others = {first + place for place, name in enumerate(names) if name != move} | set(self.shut if side else [])
        width = equations.shape[1]
        cost = np.zeros(width)
        cost[own.sequences] = -1
        bounds = [(0, 0 if n in others else None) for n in range(own.sequences)]
        bounds += [(None, None)] * (width - own.sequences - 1) + [(1, 1)]
        found = linprog(
            cost,
            A_ub=rows[:-1],
            b_ub=np.zeros(rows.shape[0] - 1),
            A_eq=equations,
            b_eq=np.zeros(equations.shape[0]),
            bounds=bounds,
            method="highs",
        )
        assert found.status == 0
        return float(-found.fun)


@cache
def written(*table: Any) -> Written:
    return Written.by_walking(insight(*table).game, insight(*table).value)


@cache
def written_by_spy_sets(*table: Any) -> Written:
    return Written.by_spy_sets(insight(*table).game, insight(*table).value)


def numbers(odds: Range | None) -> tuple[float, float] | None:
    return None if odds is None else (float(odds.least.value), float(odds.greatest.value))


# Moves.


@pytest.mark.cases(2)
@pytest.mark.parametrize(("table", "most"), [(THREE, 25), (FOUR, 6), (STARRED, 6)])
@pytest.mark.parametrize("side", [0, 1])
def test_ranges_and_prices_agree_with_other_programs_on_the_written_tree(table: Any, most: int, side: int) -> None:
    here, tree = insight(*table), written(*table)
    positions = [position for mover, position in here.positions() if mover == side]
    assert {position for mover, position in here.positions() if mover == 0} == set(tree.sets[0])
    for position in Random(1).sample(positions, min(some(most, 2), len(positions))):
        found = here.at(position, side)
        assert found.exact
        for move in found.moves:
            there = tree.ends(side, position, move.move)
            assert numbers(move.range) == (None if there is None else pytest.approx(there, abs=1e-6))
            value = float(here.value if side == 0 else -here.value)
            assert float(move.price) == pytest.approx(value - tree.always(side, position, move.move), abs=1e-6)


@pytest.mark.soak
def test_five_players_agree_with_programs_over_the_whole_tree() -> None:
    here, tree = insight(*FIVE), written_by_spy_sets(*FIVE)
    assert [one.sequences for one in tree.form.trees] == [4647, 273]  # with the empty ones
    assert {position for mover, position in here.positions() if mover == 1} == set(tree.sets[1])
    for position, side in (
        ("resistance-5/ab+/abc-", 0),
        ("resistance-5/ab+/abc-/ac+", 0),
        ("resistance-5/ab+/abc-/ac+/acd-", 0),
        ("resistance-5@ac/ab+/abc?", 1),
        ("resistance-5@ac/ab-/abc?", 1),
        ("resistance-5@ad/ab+/abc-/ad?", 1),
    ):
        for move in here.at(position, side).moves:
            there = tree.ends(side, position, move.move)
            assert numbers(move.range) == (None if there is None else pytest.approx(there, abs=1e-6))
            value = float(here.value if side == 0 else -here.value)
            assert float(move.price) == pytest.approx(value - tree.always(side, position, move.move), abs=1e-6)


@pytest.mark.cases(2)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("table", [THREE, STARRED])
def test_each_end_is_proved_by_its_answer_from_the_definition(table: Any, side: int) -> None:
    here, tree = insight(*table), written(*table)
    value = here.value if side == 0 else -here.value
    tried = 0
    positions = [position for mover, position in here.positions() if mover == side]
    for position in Random(3).sample(positions, min(some(25, 2), len(positions))):
        for move in here.at(position, side).moves:
            if move.range is None:
                continue
            number = tree.sets[side][position]
            sequence = int(tree.form.trees[side].first[number]) + tree.names[side][number].index(move.move)
            for end, sign in ((move.range.least, 1), (move.range.greatest, -1)):
                costs = [Fraction(0)] * tree.form.trees[side].sequences
                costs[sequence] += sign
                costs[int(tree.form.trees[side].parent[number])] -= sign * end.value
                assert tree.short(side, costs, end.answer, end.weight) + end.weight * value >= 0
                tried += end.weight > 0
    assert tried >= some(5, 2)


@pytest.mark.parametrize("table", [THREE, FOUR, STARRED])
def test_kinds_of_all_moves_agree_with_ranges_found_one_by_one(table: Any) -> None:
    here = insight(*table)
    positions = list(here.positions())
    for side, position in Random(2).sample(positions, min(some(30, 3), len(positions))):
        ranges = {move.move: move for move in here.at(position, side).moves}
        for move, kind in here.kinds(position, side).items():
            assert kind == ranges[move].kind
    assert {MAY, MUST, NEVER} <= {kind for one in here.positions() for kind in here.kinds(one[1], one[0]).values()}


def test_each_end_is_attained_by_a_strategy_that_the_verifier_finds_optimal() -> None:
    here = insight(6)
    game = here.game
    for position, side in (
        ("resistance-6/ab+", 0),
        ("resistance-6@ae/ab+/abc-/abcd?", 1),
        ("resistance-6/ab+/abc-", 0),
    ):
        for move in here.at(position, side).moves:
            assert move.range is not None
            for end in (move.range.least, move.range.greatest):
                assert guarantee(game.table, side, end.witness.__getitem__) == here.value
                filed, _ = game.representative_position(position, side)
                assert Fraction(end.witness[filed].get(move.move, 0)) == end.attained == end.value
            assert move.guarantee is not None
            sign = 1 if side == 0 else -1
            assert sign * guarantee(game.table, side, move.guarantee.strategy.__getitem__) == move.guarantee.value


def test_the_spies_of_five_players_are_unique_and_the_resistance_is_not() -> None:
    here = insight(*FIVE)
    resistance, spies = here.unique()
    assert spies.unique and resistance.unique is False
    first, second = resistance.plans
    assert first != second
    assert {guarantee(here.table, 0, plan.__getitem__) for plan in (first, second)} == {here.value}
    orders = {
        "resistance-5@ac/ab?": "pass",
        "resistance-5@ac/ab+/abc?": "sabotage",
        "resistance-5@ad/ab+/abc-/ad?": "pass",
    }
    for position, order in orders.items():
        moves = {move.move: move for move in here.at(position).moves}
        assert moves[order].kind == MUST and moves[order].price == 0
        other = next(move for name, move in moves.items() if name != order)
        assert other.kind == NEVER and other.price is not None and other.price > 0


def test_the_spies_of_six_players_are_not_unique() -> None:
    _, spies = insight(6).unique()
    assert spies.unique is False
    assert {guarantee(insight(6).table, 1, plan.__getitem__) for plan in spies.plans} == {insight(6).value}


def test_a_position_that_no_optimal_spies_reach_says_so() -> None:
    found = insight(*FIVE).at("resistance-5@ac/ab-/abc?")
    assert [move.range for move in found.moves] == [None, None]
    assert [move.price for move in found.moves] == [0, 0]
    assert any("No optimal strategy of the spies" in note for note in found.notes)


@pytest.mark.parametrize("steps", ["/ab+", "/ab+/abc-/ac+"])
def test_duals_that_say_nothing_still_obey(steps: str) -> None:
    """Where the best strategy that obeys wins nothing, its duals are 0, and nothing but the rule says what to send."""
    here = insight(*FIVE)
    program, position = here.program, f"resistance-5{steps}"
    nothing = [Fraction(0)] * len(program.upper)
    spot = Spot.of(program, Place.at(here.table, position, 0).cells)
    for mission in spot.missions(program):
        found = ExactOptimum(program, Fraction(0), nothing, [Fraction(0)] * len(program.rows), {}, Fraction(0))
        table = found.resistance((spot, mission))
        assert table[position] == {notation.seats(spot.cells.first_seats(mission)): 1}
        assert guarantee(here.table, 0, table.__getitem__) <= here.value


def test_where_the_time_is_up_ranges_are_bounded_and_say_so() -> None:
    here = ResistanceInsight(insight(*FIVE).solution)
    with clock.deadline(0):
        found = here.at("resistance-5@ac/ab+/abc?")
    assert not found.exact
    assert all(numbers(move.range) == (0, 1) and move.kind is None for move in found.moves)
    assert here.at("resistance-5@ac/ab+/abc?").exact


def test_where_the_time_is_up_it_is_said_what_is_proved_and_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    here = ResistanceInsight(insight(*FIVE).solution)
    told: list[tuple[int, int]] = []
    here.watched(lambda done, of: told.append((done, of)))
    find, found = OptimalProgram.find, list[object]()

    def hurried(self: OptimalProgram, asked: Any) -> Any:
        found.append(asked)
        if len(found) > 3:
            raise clock.TimeIsUp("the time was up")
        return find(self, asked)

    monkeypatch.setattr(OptimalProgram, "find", hurried)
    there = here.at("resistance-5/ab+/abc-")
    proved = {one.move: one.range is None or one.range.exact for one in there.moves}
    assert True in proved.values() and not there.exact
    note = there.notes[-1]
    before, _, after = note.partition("proved; ")
    assert all((f"odds of {move}" in before.replace("The ", "the ")) == holds for move, holds in proved.items())
    assert "odds that a is a spy" in after and "only bounded" in after
    assert told and told[-1][1] == 2 * len(there.moves) + 5
    monkeypatch.undo()
    told.clear()
    assert here.at("resistance-5/ab+/abc-").exact and told == [(done, len(told)) for done in range(1, len(told) + 1)]


def test_the_simplest_strategies_of_six_players_never_mix() -> None:
    for side in (0, 1):
        found = insight(6).simplest(side)
        assert (found.mixed, found.at_least, found.denominator) == (0, 0, 1)
        assert guarantee(insight(6).table, side, found.strategy.__getitem__) == insight(6).value


def test_freedom_counts_what_kinds_say() -> None:
    here = insight(*STARRED)
    counts = [[0, 0, 0], [0, 0, 0]]
    for side, position in here.positions():
        kinds = list(here.kinds(position, side).values())
        if len(kinds) > 1:
            counts[side][2 if kinds[0] is None else MUST not in kinds] += 1
    assert [[one.forced, one.free, one.unreached] for one in freedom(here)] == counts


# Beliefs.


def test_two_passed_missions_make_spies_of_the_others_only_if_nobody_slips() -> None:
    here = insight(*FIVE)
    position = "resistance-5/ab+/abc+"
    odds = []
    for slip in (Fraction(0), Fraction(1, 20), Fraction(1, 5), Fraction(1)):
        belief = here.beliefs(position, slip)[3]
        assert belief.fact == "d is a spy"
        assert numbers(belief.range) == (1, 1) and belief.stored == 1 and belief.facts == Fraction(2, 5)
        odds.append(belief.slip)
    assert here.suspects(position, Fraction(1, 5))["d"] == odds[2]  # type: ignore[index]
    assert odds[0] == 1 and odds == sorted(odds, reverse=True) and len(set(odds)) == 4
    assert odds[-1] != Fraction(2, 5)  # always slipping is not counting
    assert any("counting spy sets gives other odds" in note for note in here.at(position, slip=Fraction(1)).notes)


def test_what_optimal_spies_never_let_happen_has_no_belief_without_slips() -> None:
    here = insight(*FIVE)
    found = here.at("resistance-5/ab-")
    assert all(belief.range is None and belief.stored is None and belief.slip is None for belief in found.beliefs)
    assert [belief.facts for belief in found.beliefs] == [Fraction(4, 7)] * 2 + [Fraction(2, 7)] * 3
    assert any("Optimal spies never let this happen" in note for note in found.notes)
    assert all(belief.slip is not None for belief in here.beliefs("resistance-5/ab-", Fraction(1, 100)))


def test_beliefs_of_a_loyal_seat_leave_it_out() -> None:
    here = insight(*FIVE)
    for slip in (Fraction(0), Fraction(1, 4)):
        found = here.beliefs("resistance-5/ab+/abc-", slip, loyal="c")
        assert found[2].slip == 0 and found[2].facts == 0 and numbers(found[2].range) == (0, 0)
        assert sum(belief.slip for belief in found) == 2  # type: ignore[misc]
        assert sum(belief.facts for belief in found) == 2
    assert here.beliefs("resistance-5/ab+/abc+", loyal="e")[3].stored is None  # without slips, e would be a spy


@pytest.mark.parametrize("table", [THREE, FOUR, STARRED, (6,)])
def test_teams_add_up_to_seats(table: Any) -> None:
    here = insight(*table)
    rules = here.table
    title, first = rules.title, notation.seats(range(rules.missions[0]))
    for position in (title, f"{title}/{first}+"):
        for slip in (Fraction(0), Fraction(1, 3)):
            seats = here.beliefs(position, slip)
            teams = {
                team: here.team(position, notation.seats(team), slip)
                for team in combinations(range(rules.players), rules.spies)
            }
            for seat, belief in enumerate(seats):
                holding = [odds.slip for team, odds in teams.items() if seat in team]
                assert sum(holding) == belief.slip  # type: ignore[arg-type]
            assert sum(odds.facts for odds in teams.values()) == 1


@pytest.mark.parametrize("table", [THREE, STARRED])
def test_ranges_of_beliefs_agree_with_other_programs_on_the_written_tree(table: Any) -> None:
    here, tree = insight(*table), written_by_spy_sets(*table)
    rules = here.table
    found = 0
    for side, position in here.positions():
        if side == 1 or position.count("/") not in (1, 2):
            continue
        cells = Place.at(rules, position, 0).cells
        parts: list[dict[int, float]] = [{} for _ in range(rules.players)]
        whole: dict[int, float] = {}
        for spies in combinations(range(rules.players), rules.spies):
            sequence = sequence_of(tree, here.game, cells, spies)
            if sequence is not None:
                for weights in (whole, *(parts[seat] for seat in spies)):
                    weights[sequence] = weights.get(sequence, 0) + 1
        for belief, weights in zip(here.beliefs(position), parts, strict=True):
            least, greatest = (tree.end(1, weights, whole, sign) for sign in (1, -1))
            assert numbers(belief.range) == (None if least is None else pytest.approx((least, greatest), abs=1e-6))
            found += belief.range is not None
    assert found > 10


def sequence_of(tree: Written, game: Resistance, cells: Cells, spies: tuple[int, ...]) -> int | None:
    """The last move of spies towards a representative position, by the text of what they knew; None if impossible."""
    title, *steps = cells.position(game.table).split("/")
    sequence = 0
    for number, step in enumerate(steps):
        aboard = len(set(notation.read_seats(step[:-1], game.table)) & set(spies))
        if aboard < game.table.sabotages[number]:
            if step.endswith("-"):
                return None
            continue
        before = "/".join([f"{title}@{notation.seats(spies)}", *steps[:number], f"{step[:-1]}?"])
        place = tree.sets[1][game.representative_position(before, 1)[0]]
        sequence = int(tree.form.trees[1].first[place]) + step.endswith("-")
        assert tree.names[1][place] == ["pass", "sabotage"]
        assert int(tree.form.trees[1].parent[place]) >= 0
    return sequence


def test_slips_of_each_spy_aboard_make_the_sabotages_that_are_shown() -> None:
    slip = Fraction(1, 5)
    assert shown(0, 2, slip) == [Fraction(81, 100), Fraction(18, 100), Fraction(1, 100)]
    assert shown(1, 2, slip) == [Fraction(9, 100), Fraction(82, 100), Fraction(9, 100)]
    assert shown(2, 3, Fraction(0)) == [0, 0, 1, 0]
    assert shown(1, 3, Fraction(1)) == [Fraction(1, 8), Fraction(3, 8), Fraction(3, 8), Fraction(1, 8)]


def test_sabotages_that_were_counted_say_more_than_the_result() -> None:
    here = insight(*FIVE)
    two = here.beliefs("resistance-5/ab-", Fraction(1, 10), shown=[2])
    assert [belief.slip for belief in two] == [1, 1, 0, 0, 0] == [belief.facts for belief in two]
    with pytest.raises(PositionError, match="expected at least 1 sabotages on mission 1, got 0"):
        here.beliefs("resistance-5/ab-", shown=[0])
    with pytest.raises(PositionError, match="expected results that some spies could cause"):
        here.beliefs("resistance-5/ab-", shown=[3])


@pytest.mark.cases(3)
@pytest.mark.parametrize(("players", "position"), [(5, "/ab+/abc+"), (7, "/ab+/acd-/abe-/abcd+"), (7, "/ab-")])
@pytest.mark.parametrize("slip", [Fraction(1, 10), Fraction(3, 5)])
def test_beliefs_with_slips_agree_with_simulated_evenings(players: int, position: str, slip: Fraction) -> None:
    assert_simulated(insight(players), f"resistance-{players}{position}", slip, some(20_000))


@pytest.mark.parametrize("slip", [Fraction(-1, 10), Fraction(11, 10)])
def test_slips_are_from_0_to_1(slip: Fraction) -> None:
    with pytest.raises(PositionError, match="expected a slip from 0 to 1"):
        insight(*FIVE).at("resistance-5/ab+", slip=slip)


def test_without_slips_beliefs_are_those_of_the_views() -> None:
    here = insight(7)
    for position in ("resistance-7/ab+/abc-", "resistance-7/ab+/acd-/abe-"):
        cells = Place.at(here.table, position, 0).cells
        suspects = here.evaluator.suspects(cells)
        assert not suspects.slips
        assert set(here.suspects(position).values()) == set(suspects.by_cell(cells))  # type: ignore[union-attr]
    assert Slips(here.table, here.evaluator.sabotage, Fraction(0)).likely(Cells.start(here.table), (3,)) == 1


# Values.


def test_values_are_told_on_their_own_terms() -> None:
    here = insight(*FIVE)
    values = here.values("resistance-5/ab+/abc+")
    assert (values.stored, values.best, values.start, values.worst) == (1, 1, Fraction(-2, 5), -1)
    assert "d" not in values.worst_spies or "e" not in values.worst_spies
    start = here.values("resistance-5")
    assert start.stored == start.best == start.start == start.worst == Fraction(-2, 5)
    surprise = here.values("resistance-5/ab-")
    assert surprise.stored is None and surprise.best is None and surprise.worst is not None
    assert here.values("resistance-5@de/ab+").worst is None


def test_strategies_that_are_only_near_get_the_ranges_of_optimal_ones() -> None:
    near = ruse.solve(ruse.games.resistance(*FOUR), "cfr+", iterations=1, polish=False)
    assert not near.certificate.exact
    here, optimal = ResistanceInsight(near), insight(*FOUR)
    position = f"{near.game.title}/ab+"
    assert here.value == optimal.value
    for one, other in zip(here.at(position).moves, optimal.at(position).moves, strict=True):
        assert numbers(one.range) == numbers(other.range) and one.price == other.price
