"""Guess Who, Battleship, Morra, Nim and the games with stones: matches against their rules, and facts of each game."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest

from ruse.contests import arena
from ruse.contests.arena import battleship, four, guess_who, morra, nim, phantom_four
from ruse.contests.arena.chance import Array
from ruse.contests.arena.contest import LOSS, WIN, Contest, ContestError, scores

NAMES = (
    "guess-who-deter",
    "guess-who",
    "battleship",
    "morra",
    "nim",
    "phantom-4-in-a-row",
    "phantom-tic-tac-toe",
    "4-in-a-row",
)


@pytest.fixture(params=NAMES)
def contest(request: pytest.FixtureRequest) -> Contest:
    return arena.find(request.param)


def drawn(contest: Contest, seed: int) -> Array:
    """Parameters of a strategy, with ties in every other one."""
    numbers = np.random.default_rng(seed).standard_normal(contest.parameters)
    return numbers if seed % 2 else numbers.round()


def test_referees_agree(contest: Contest) -> None:
    seen = set()
    for number in range(40 if contest.name == "4-in-a-row" else 300):
        outcome, moves = contest.record(drawn(contest, number % 20), drawn(contest, number % 7), 1, number)
        found = contest.referee(moves)
        assert outcome == (found if number % 2 == 0 else -found)
        seen.add(outcome)
    assert {WIN, LOSS} <= seen


def test_every_parameter_matters(contest: Contest) -> None:
    """Changing one parameter by 3, up or down, changes some match against the baseline."""
    count = {"4-in-a-row": 10, "battleship": 100}.get(contest.name, 3000)

    def outcomes(strategy: Array) -> bytes:
        return contest.play(strategy, contest.baseline, 5, 0, count).tobytes()

    strategies = [drawn(contest, seed) for seed in (1, 3, 5, 7)]
    before = [outcomes(strategy) for strategy in strategies]
    for parameter in range(contest.parameters):
        assert any(
            outcomes(strategy + change * (np.arange(contest.parameters) == parameter)) != was
            for strategy, was in zip(strategies, before, strict=True)
            for change in (3.0, -3.0)
        ), f"parameter {parameter} does nothing"


@pytest.mark.parametrize("extreme", [1e308, -1e308, 1e-308, 750.0, -750.0])
def test_extremes_can_be_said_and_played(contest: Contest, extreme: float) -> None:
    strategy = np.where(np.arange(contest.parameters) % 2, extreme, -extreme)
    assert "nan" not in contest.words(strategy)
    for number in range(4):
        outcome, moves = contest.record(strategy, contest.baseline, 2, number)
        assert contest.referee(moves) == (outcome if number % 2 == 0 else -outcome)


BEGUN = [0, 1, 9, 1, 18, 1, 27, 1]  # four level ships, one to a row
ROWS = [0, 1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("name", "moves", "expected"),
    [
        ("guess-who", [64], "a question and an answer"),
        ("guess-who", [128, 1], "1 to 127 candidates, got 128"),
        ("guess-who", [1, 2], "the answer 0 or 1, got 2"),
        ("guess-who", [1, 1, 1, 1], "the end once a side knows"),
        ("guess-who", [1, 0, 64, 1], r"to the end, got \[127, 64\]"),
        ("battleship", BEGUN[:-2], "4 ships, got 6"),
        ("battleship", [5, *BEGUN[1:], *BEGUN], "5 cells on the board, got one at 5"),
        ("battleship", [45, 0, *BEGUN[2:], *BEGUN], "5 cells on the board, got one at 45"),
        ("battleship", [-1, *BEGUN[1:], *BEGUN], "5 cells on the board, got one at -1"),
        ("battleship", [*BEGUN[:2], 3, 0, *BEGUN[4:], *BEGUN], "do not cross"),
        ("battleship", [*BEGUN, *BEGUN, 0, 0, 0], "not named before, got 0 at shot 2"),
        ("battleship", [*BEGUN, *BEGUN, 81], "not named before, got 81"),
        ("battleship", [*BEGUN, *BEGUN, 0, 80], r"to the end, got 2 shots and fleets of \[14, 13\]"),
        ("morra", [0, 0, 0], "got 3 numbers"),
        ("morra", [0, 0, 6, 6], "got 6 and 6"),
        ("morra", [0, 11, 0, 0], "got 0 and 11"),
        ("nim", [0], "got 1 numbers"),
        ("nim", [4, 1], "heap from 0 to 3, got 4"),
        ("nim", [3, 8], "1 to 7 matches from heap 3, got 8"),
        ("nim", [0, 1, 0, 1], "1 to 0 matches from heap 0, got 1"),
        ("nim", [0, 1], r"to the end, got heaps of \[0, 3, 5, 7\]"),
        ("phantom-tic-tac-toe", [*ROWS[:-1], 0, *ROWS], "list of the nine cells"),
        ("phantom-tic-tac-toe", [*ROWS, *ROWS, 1], "first free cell 0 of the list, got 1"),
        ("phantom-tic-tac-toe", [*ROWS, *ROWS[::-1], 0, 8, 1, 7, 2, 6], "the end after three in a row"),
        ("phantom-tic-tac-toe", [*ROWS, *ROWS[::-1], 0, 8, 1, 7], "full board, got 4 stones"),
        ("4-in-a-row", [7], "a column from 0 to 6, got 7"),
        ("4-in-a-row", [0] * 7, "not full, got 0 at move 6"),
        ("4-in-a-row", [0, 1, 0, 1, 0, 1, 0, 1], "the end after four in a row, got move 7"),
        ("4-in-a-row", [0, 1], "full board, got 2 stones"),
        ("phantom-4-in-a-row", [-1], "a column from 0 to 6, got -1"),
        ("phantom-4-in-a-row", [0, 0, 0, 0, 0, 0], "got 0 twice in turn 4"),
        ("phantom-4-in-a-row", [0, 1, 0, 1, 0, 1, 0, 1], "the end after four in a row, got move 7"),
        ("phantom-4-in-a-row", [0, 0, 0, 0, 0], "full board, got 4 stones"),
    ],
)
def test_referees_see_what_is_illegal(name: str, moves: list[int], expected: str) -> None:
    with pytest.raises(ContestError, match=expected):
        arena.find(name).referee(moves)


# Guess Who


def named(name: str) -> Array:
    return np.array(guess_who.PRINTED[name], dtype=float)


def exact(first: Array, second: Array) -> float:
    """The score of one deterministic strategy against another, begins alternating, by dynamic programming."""
    asked = [guess_who.asked_table(first), guess_who.asked_table(second)]
    wins = np.zeros((2, 129, 129))  # of the mover, by [mover, its candidates, the other's]
    for total in range(4, 257):
        for n in range(max(2, total - 128), min(128, total - 2) + 1):
            for mover in (0, 1):
                m = total - n
                c = asked[mover][n, m]
                yes, no = (1.0 if left == 1 else 1 - wins[1 - mover, m, left] for left in (c, n - c))
                wins[mover, n, m] = (c * yes + (n - c) * no) / n
    return float(wins[0, 128, 128] + 1 - wins[1, 128, 128]) / 2


def test_guess_who_is_as_in_the_paper() -> None:
    """ONL beats OL and Best beats ONL, as §V-B says, by the figures of method.md; with the printed d ONL would lose."""
    assert exact(named("ONL"), named("OL")) == pytest.approx(0.539, abs=5e-4)
    assert exact(named("Best"), named("ONL")) == pytest.approx(0.522, abs=5e-4)
    halves = np.array([1 / 2, 1 / 4, 1 / 8, 1])  # what halving d does to the terms
    assert exact(named("ONL") * halves, named("OL") * halves) < 0.5


def test_guess_who_matches_have_the_exact_odds() -> None:
    contest = arena.find("guess-who-deter")
    for one, other in (("OL", "dichotomy"), ("ONL", "OL")):
        expected = exact(named(one), named(other))
        found = scores(contest.play(named(one), named(other), 9, 0, 200_000)).mean()
        assert abs(found - expected) < 4 * 0.5 / np.sqrt(200_000)


def test_guess_who_asks_about_half_by_default() -> None:
    asked = guess_who.asked_table(np.zeros(4))
    assert all(asked[n, m] == n // 2 for n, m in product(range(2, 129), range(1, 129)))
    late = guess_who.asked_table(named("OL"))
    assert all(late[n, m] == max(m // 2, 1) for n in range(2, 129) for m in range(1, n + 1))
    assert (guess_who.asked_table(np.array([1.0, 0, 0, 0, 0])) == late).all()
    with pytest.raises(ContestError, match=r"got beta 0\.5"):
        guess_who.asked_table(np.array([1.0, 0, 0, 0, 0.5]))


def test_guess_who_random_part() -> None:
    """With β = 1 only r (n - 1)/2 is left: at most half of the candidates, anything from 1 to 63 at the start."""
    contest = arena.find("guess-who")
    strategy = np.array([0.0, 0, 0, 0, 1])
    opened = {contest.record(strategy, strategy, 3, number)[1][0] for number in range(1500)}
    assert opened == set(range(1, 64))
    assert "ask about 1 to 31" in contest.words(strategy)


# Morra


def test_morra_optimum_cannot_be_beaten() -> None:
    """Against every single action the optimum of reference.md has at least even odds."""
    contest = arena.find("morra")
    odds = morra.odds_of(contest.strategy(contest.named["optimal"]))
    assert sorted(Counter(odds.round(12)).items()) == [(0.0, 60), (round(1 / 6, 12), 6)]
    for action in range(66):
        fingers, guess = divmod(action, 11)
        gain = sum(odds[one] * contest.referee([one // 11, one % 11, fingers, guess]) for one in range(66))
        assert gain >= -1e-12
    assert "4 and guess 4 (16.7%)" in contest.words(contest.strategy(contest.named["optimal"]))


def test_morra_draws_by_the_odds() -> None:
    """The alias table holds the odds: what every column keeps and gives away adds up to them."""
    odds = morra.odds_of(drawn(arena.find("morra"), 1) * 3)
    keep, instead = np.empty(66), np.empty(66, dtype=np.int64)
    morra.alias(odds, keep, instead)
    held = keep / 66 + np.bincount(instead, weights=(1 - keep) / 66, minlength=66)
    assert held == pytest.approx(odds, abs=1e-14)


# Nim


@cache
def lost(heaps: tuple[int, ...]) -> bool:
    """Whether the side to move loses, by looking at all moves; no heap left means that the other took the last."""
    moves = [(*heaps[:i], left, *heaps[i + 1 :]) for i, heap in enumerate(heaps) for left in range(heap)]
    return bool(moves) and not any(lost(after) for after in moves)


def test_nim_theory_is_right() -> None:
    assert all(nim.won(state) == lost(nim.heaps_of(state)) for state in range(1, nim.START + 1))


def test_nim_perfect_wins_as_second() -> None:
    contest = arena.find("nim")
    perfect = contest.strategy(contest.named["perfect"])
    assert "it makes one 100% of the time" in contest.words(perfect)
    for opponent in (contest.baseline, drawn(contest, 1), perfect):
        assert (contest.play(perfect, opponent, 1, 0, 2000)[1::2] == WIN).all()
    assert (contest.play(perfect, contest.baseline, 1, 0, 2000)[::2] == WIN).mean() > 0.95


def test_nim_opening_is_worth_what_the_start_says() -> None:
    """Openings are drawn from those worth at least minus the start's value, else the best is taken."""
    values = np.random.default_rng(2).permutation(nim.START).astype(float)
    openings = {
        nim.START - taken * step
        for step, heap in zip(nim.STEPS, nim.HEAPS, strict=True)
        for taken in range(1, heap + 1)
    }
    for start in (-1000.0, -200.0, 0.0):
        values[nim.START - 1] = start
        counts, targets = np.zeros(384, dtype=np.int16), np.zeros((384, 16), dtype=np.int16)
        nim.choices(values, counts, targets)
        best = max(openings, key=lambda state: values[state - 1])
        enough = {state for state in openings if values[state - 1] >= -start} or {best}
        assert set(targets[nim.START, : counts[nim.START]].tolist()) == enough


# games with stones


def test_random_noughts_and_crosses() -> None:
    """Random lists are random play: crosses win 737 in 1260, noughts 363, and 160 are drawn."""
    found = arena.find("phantom-tic-tac-toe")
    outcomes = found.play(found.baseline, found.baseline, 1, 0, 80_000)[::2]
    for outcome, odds in ((WIN, 737 / 1260), (LOSS, 363 / 1260), (0, 160 / 1260)):
        assert abs((outcomes == outcome).mean() - odds) < 4 * np.sqrt(odds * (1 - odds) / 40_000)


def test_phantom_lists_are_by_falling_parameter() -> None:
    contest = arena.find("phantom-tic-tac-toe")
    strategy = np.array([3.0, 1, 2, 9, 8, 7, 6, 5, 4, *np.linspace(1, 0, 9)])
    for number in range(4):
        lists = np.reshape(contest.record(strategy, strategy, 0, number)[1][:18], (2, 9)).tolist()
        assert lists == [[3, 4, 5, 6, 7, 8, 0, 2, 1], ROWS]
    assert "Playing first, take 4 5 6 7 8 9 1 3 2; second, take 1 2 3 4 5 6 7 8 9." in contest.words(strategy)
    strategy[:3] = 0
    tails = {tuple(contest.record(strategy, strategy, 0, number)[1][6:9]) for number in range(0, 200, 2)}
    assert len(tails) == 6 and {tuple(sorted(tail)) for tail in tails} == {(0, 1, 2)}


def test_phantom_four_lists_are_fixed_unless_zero() -> None:
    contest = arena.find("phantom-4-in-a-row")
    strategy, other = np.array([0.5, 0.25]), np.array([-0.5, 7.0])
    same = {tuple(contest.record(strategy, other, seed, 2 * seed)[1]) for seed in range(20)}
    assert len(same) == 1
    assert len({tuple(contest.record(contest.baseline, other, 0, number)[1]) for number in range(0, 40, 2)}) == 20
    moves, first = next(iter(same)), phantom_four.first_choices(500)
    assert list(moves[:6:2]) == first[:3]  # no column is full yet
    assert f"columns {' '.join(str(column + 1) for column in first)} (list 500)" in contest.words(strategy)


def test_four_wins_and_blocks_at_once() -> None:
    """A side with a winning column takes one; else, if the other threatens to win, the stone goes there."""
    contest = arena.find("4-in-a-row")
    threats = 0
    for number in range(20):
        _, moves = contest.record(contest.baseline, contest.baseline, 8, number)
        owner: dict[tuple[int, int], int] = {}
        heights = [0] * 7
        for turn, column in enumerate(moves):
            wins = {side: winning(owner, heights, side) for side in (0, 1)}
            due = wins[turn % 2] or wins[1 - turn % 2]
            threats += bool(due)
            assert not due or column in due
            owner[column, heights[column]] = turn % 2
            heights[column] += 1
    assert threats > 20


def winning(owner: dict[tuple[int, int], int], heights: list[int], side: int) -> set[int]:
    """The columns in which a side would win at once."""
    places = [(column, height) for column, height in enumerate(heights) if height < four.ROWS]
    return {place[0] for place in places if four.four_through(owner | {place: side}, place)}


def test_four_playouts_draw_by_the_weights() -> None:
    logarithms = np.array([0.0, 1, -2, 3, 800, 0.5, -800])
    bounds = np.zeros((128, 7), dtype=np.uint64)
    four.weigh(logarithms, bounds)
    for free in range(1, 128):
        columns = [column for column in range(7) if free >> column & 1]
        weights = np.exp(logarithms[columns] - logarithms[columns].max())
        found = np.diff(bounds[free].astype(float), prepend=0.0) / 2**32
        assert found[columns] == pytest.approx(weights / weights.sum(), abs=1e-9)
        assert found.sum() == 1 and found[[column for column in range(7) if column not in columns]].sum() == 0


# Battleship


def test_battleship_classes_are_symmetries() -> None:
    board = np.arange(81).reshape(9, 9)
    turns = [np.rot90(side, k).ravel() for side in (board, board.T) for k in range(4)]
    orbits = {frozenset(int(turn[cell]) for turn in turns) for cell in range(81)}
    assert len(orbits) == 15
    assert orbits == {frozenset(np.flatnonzero(kind == battleship.CLASS).tolist()) for kind in range(15)}


def test_battleship_sums_are_kept_exactly() -> None:
    """What the model expects after some shots, against the sum over all placements by its definition."""
    random = np.random.default_rng(6)
    strategy = random.standard_normal(33)
    odds, weights, expected = np.empty(468), np.empty(468, dtype=np.int64), np.empty(81, dtype=np.int64)
    battleship.weigh(strategy, battleship.MODEL, battleship.MODEL_LEAN, odds)
    for begin, end in zip(battleship.BEGINS, battleship.BEGINS[1:], strict=False):
        logarithms = np.array(
            [
                sum(strategy[15 + battleship.CLASS[cell]] for cell in cells) + strategy[31] * (cells[1] == cells[0] + 1)
                for cells in battleship.PLACED[begin:end]
            ]
        )
        assert odds[begin:end] == pytest.approx(np.exp(logarithms) / np.exp(logarithms).sum())
    battleship.model(odds, weights, expected)
    whole = weights.copy()
    shots = {int(cell): int(random.random() < 0.4) for cell in random.permutation(81)[:30]}
    for cell, hit in shots.items():
        battleship.learn(weights, expected, cell, 5 * hit)
    for cell in set(range(81)) - set(shots):
        sums = 0
        for placement, cells in enumerate(battleship.PLACED):
            known = [shots[covered] for covered in cells if covered in shots]
            if cell in cells and 0 not in known:
                sums += int(whole[placement]) * 5 ** len(known)
        assert expected[cell] == sums
    assert all(expected[cell] < 0 for cell in shots)


def test_battleship_fleets_follow_their_odds() -> None:
    """The longest ship is placed by its odds; ships at the edge when the edge is all that counts."""
    contest = arena.find("battleship")
    first = Counter(tuple(contest.record(contest.baseline, contest.baseline, 4, 2 * i)[1][:2]) for i in range(1800))
    assert len(first) == 90 and max(abs(count - 20) for count in first.values()) < 5 * np.sqrt(20)
    edges = contest.strategy(contest.named["edges"]) * 100
    for number in range(0, 40, 2):
        cells = battleship.fleet_of(contest.record(edges, contest.baseline, 4, number)[1][:8])
        assert all(battleship.CLASS[cell] < 5 for cell in cells)
