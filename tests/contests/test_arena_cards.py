"""The card games of the arena: War, Batawaf, Flip and Cheat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import numpy as np
import pytest

from amounts import some
from ruse.contests.arena import find
from ruse.contests.arena.cheat import COLOURS, MOST_MOVES, NOBODY, PARAMETERS, SAY, choose, weigh
from ruse.contests.arena.cheat_never_lose import (
    CHEAT,
    LEAD,
    MINE,
    THEIRS,
    CheatPosition,
    SearchResult,
    moves,
    search,
    versus,
)
from ruse.contests.arena.contest import CUT, LOSS, WIN, Contest, ContestError, scores
from ruse.contests.arena.recorded import turned

NAMES = ("war", "war4", "batawaf", "batawaf4", "flip", "cheat", "cheat-special")
FOUR = 4.0  # standard errors


@pytest.fixture(params=NAMES)
def contest(request: pytest.FixtureRequest) -> Contest:
    return find(request.param)


def generic(contest: Contest, seed: int, scale: float = 1.0) -> np.ndarray:
    return scale * np.random.default_rng(seed).normal(size=contest.parameters)


def judged(contest: Contest, first: np.ndarray, second: np.ndarray, number: int) -> tuple[int, int, list[int]]:
    """The outcome of a match, the referee's, and its record."""
    outcome, record = contest.record(first, second, 5, number)
    seen = contest.referee(record)
    return outcome, seen if number % 2 == 0 else turned(seen), record


def test_the_referee_agrees(contest: Contest) -> None:
    pairs = [(generic(contest, 2 * i, 1 + 4 * (i % 3)), generic(contest, 2 * i + 1, 1 + i % 2)) for i in range(20)]
    pairs += [(contest.strategy(numbers), contest.baseline) for numbers in contest.named.values()]
    outcomes = set()
    for first, second in pairs:
        for number in range(8):
            outcome, seen, _ = judged(contest, first, second, number)
            assert outcome == seen
            outcomes.add(outcome)
    assert outcomes >= {WIN, LOSS}


def test_the_referee_refuses(contest: Contest) -> None:
    _, record = contest.record(contest.baseline, contest.baseline, 1, 0)
    for wrong in (record[:-1], [*record, 1], [99, *record[1:]], [*record[:-1], 77], record[:3], []):
        with pytest.raises(ContestError, match="expected"):
            contest.referee(wrong)


@pytest.mark.cases(4)
def test_every_parameter_matters(contest: Contest) -> None:
    strategy, other = generic(contest, 1, 0.5), contest.baseline
    usual = contest.play(strategy, other, 1, 0, 4_000)
    for i in range(contest.parameters):
        changed = strategy.copy()
        changed[i] += 3.0
        played = (contest.play(changed, other, 1, 0, count) for count in (100, 4_000))
        assert any((found != usual[: len(found)]).any() for found in played), f"parameter {i} changes nothing"


def test_extreme_parameters_break_nothing(contest: Contest) -> None:
    chance = np.random.default_rng(3)
    for largest in (1e-308, 1.0, 1e150, 1.79e308):
        first, second = (chance.choice([-largest, 0.0, largest], size=contest.parameters) for _ in range(2))
        for number in range(10):
            outcome, seen, _ = judged(contest, first, second, number)
            assert outcome == seen
        assert contest.words(first)


def test_same_seed_same_matches_in_any_pieces(contest: Contest) -> None:
    first, second = generic(contest, 1), generic(contest, 2)
    whole = contest.play(first, second, 7, 0, 100)
    assert (
        whole == np.concatenate([contest.play(first, second, 7, 0, 33), contest.play(first, second, 7, 33, 67)])
    ).all()
    assert (whole != contest.play(first, second, 8, 0, 100)).any()


@pytest.mark.cases(2)
def test_equal_strategies_win_half(contest: Contest) -> None:
    for strategy in (contest.baseline, generic(contest, 4)):
        found = scores(contest.play(strategy, strategy, 1, 0, 3_000))
        assert abs(found.mean() - 0.5) <= FOUR * found.std() / 3_000**0.5


@pytest.mark.parametrize(("name", "paper"), [("war", 0.700), ("batawaf", 0.688)])
def test_best_first_beats_random_order(name: str, paper: float) -> None:
    """Cauwet & Teytaud 2018, §V-A: 70.0% and 68.8% in 10,000 games."""
    contest = find(name)
    best, random = (contest.strategy(contest.named[order]) for order in ("descending", "random"))
    found = scores(contest.play(best, random, 1, 0, 20_000)).mean()
    error = (found * (1 - found) * (1 / 20_000 + 1 / 10_000)) ** 0.5
    assert abs(found - paper) <= FOUR * error


def puts(record: Sequence[int], cards: int) -> Iterator[tuple[int, list[int]]]:
    """Who puts which cards back in a recorded match of War, up to the first repetition."""
    decks = [list(record[:cards:2]), list(record[1:cards:2])]
    place = cards
    while place < len(record) and record[place] > 0:
        turned_up = 0
        while decks[0][turned_up] == decks[1][turned_up]:
            turned_up += 2
        winner = 0 if decks[0][turned_up] > decks[1][turned_up] else 1
        del decks[0][: turned_up + 1], decks[1][: turned_up + 1]
        put = list(record[place : place + 2 * turned_up + 2])
        decks[winner] += put
        place += len(put)
        yield winner, put


def test_war_puts_cards_back_as_told() -> None:
    contest = find("war4")
    best, lowest = (contest.strategy(contest.named[order]) for order in ("descending", "ascending"))
    cut, long = 0, 0
    for number in range(40):
        outcome, seen, record = judged(contest, best, lowest, number)
        assert outcome == seen  # a match that runs in circles is cut after a million moves, most of them repeated
        cut += outcome == CUT
        for seat, put in puts(record, 52):
            assert put == sorted(put, reverse=(seat == number % 2))
            long += len(put) > 2
    assert 10 <= cut <= 35
    assert long > 100


def test_a_rare_exception_ends_circles() -> None:
    """With odds of 1 to 400,000 of another order, circles last long, but some of them end."""
    contest = find("batawaf")
    best, lowest = contest.strategy([-13.0, -99.0, 0.0]), contest.strategy([-13.0, 0.0, -99.0])
    ended = cut = 0
    for number in range(60):
        outcome, seen, record = judged(contest, best, lowest, number)
        assert outcome == seen
        cut += outcome == CUT
        ended += outcome != CUT and min(record) < 0
    assert ended > 3
    assert cut > 0


def test_the_fourth_parameter_permutes() -> None:
    three, four = find("war"), find("war4")
    strategy, other = generic(three, 1), generic(three, 2)
    plain = three.play(strategy, other, 1, 0, 1_000)
    with_d = [four.play(np.append(strategy, d), np.append(other, 0.0), 1, 0, 1_000) for d in (0.0, 0.5, 0.6)]
    assert (with_d[0] == plain).all()
    assert (with_d[1] != plain).any()
    assert (with_d[1] != with_d[2]).any()


def test_blocking_wins_at_flip() -> None:
    contest = find("flip")
    found = scores(contest.play(contest.strategy(contest.named["block"]), contest.baseline, 1, 0, 4_000))
    assert found.mean() - FOUR * found.std() / 4_000**0.5 > 0.59


def test_honesty_wins_at_cheat() -> None:
    contest = find("cheat")
    found = scores(contest.play(contest.strategy(contest.named["honest"]), contest.baseline, 1, 0, 500))
    assert found.mean() > 0.99


def test_cheat_special_without_perturbation_is_cheat() -> None:
    plain, special = find("cheat"), find("cheat-special")
    strategy = generic(plain, 1, 0.2)
    usual = plain.play(strategy, plain.baseline, 1, 0, 300)
    assert (special.play(np.append(strategy, 0.0), special.baseline, 1, 0, 300) == usual).all()
    assert (special.play(np.append(strategy, 1.0), special.baseline, 1, 0, 300) != usual).any()


@pytest.mark.parametrize(
    ("colours", "each", "few", "expected"),
    [
        (4, 2, 3, SearchResult(positions=1_836, fewest=2, lost=False)),
        (4, 3, 3, SearchResult(positions=40_760, fewest=2, lost=False)),  # §V-C: "never less than 2 cards"
        (3, 4, 2, SearchResult(positions=15_258, fewest=1, lost=False)),
        (5, 2, 4, SearchResult(positions=12_342, fewest=3, lost=False)),
    ],
)
def test_never_lose_never_loses(colours: int, each: int, few: int, expected: SearchResult) -> None:
    assert search(colours, each, few) == expected


@pytest.mark.parametrize("few", [0, 1, 2, 3])
def test_never_lose_needs_three_colours(few: int) -> None:
    assert search(2, 6, few).lost


@pytest.mark.parametrize(("colours", "few", "lost"), [(4, 1, True), (4, 2, False), (3, 1, True)])
def test_never_lose_must_begin_in_time(colours: int, few: int, lost: bool) -> None:
    assert search(colours, 3 if colours == 4 else 4, few).lost == lost


def at_random(chance: Random) -> Callable[[CheatPosition], int]:
    return lambda table: chance.choice(moves(table))


def who_sees_all(chance: Random) -> Callable[[CheatPosition], int]:
    """Says "cheat" when it is right, and puts the current colour when it can."""

    def option(table: CheatPosition) -> int:
        if not table.honest:
            return CHEAT
        cards = [colour for colour in moves(table) if colour != CHEAT]
        return table.current if table.current in cards else chance.choice(cards)

    return option


def parametric(strategy: np.ndarray) -> Callable[[CheatPosition], int]:
    """A strategy of the arena; it is told how many cards lie on the table and who led as far as it can be."""
    weights, stream = np.empty((1, PARAMETERS + 1)), np.zeros(1, dtype=np.uint64)
    weigh(strategy, weights[0])

    def option(table: CheatPosition) -> int:
        hands, put = np.zeros((2, COLOURS + 1), dtype=np.int64), np.zeros((2, COLOURS + 1), dtype=np.int64)
        hands[0] = [*table.hands[THEIRS], sum(table.hands[THEIRS])]
        hands[1, COLOURS] = sum(table.hands[MINE])
        put[1, COLOURS] = 52 - hands[:, COLOURS].sum()
        chosen = choose(weights, 0, hands, put, NOBODY if table.current == LEAD else table.current, 1, stream)
        return CHEAT if chosen == SAY else chosen

    return option


@pytest.mark.soak
@pytest.mark.slow
def test_nobody_beats_never_lose_with_52_cards() -> None:
    chance = Random(1)
    contest = find("cheat")
    evolved = [contest.strategy(contest.named["honest"])]
    for seed in range(100):
        strategy = generic(contest, seed)
        if scores(contest.play(strategy, contest.baseline, 1, 0, 50)).mean() > 0.9:
            evolved.append(strategy)
    assert len(evolved) > 5
    opponents = [at_random(chance), who_sees_all(chance), *map(parametric, evolved)]
    outcomes = [versus(opponents[seed % len(opponents)], seed, 300) for seed in range(some(2_000))]
    assert LOSS not in outcomes
    assert {WIN, CUT} == set(outcomes)


@pytest.mark.parametrize(
    ("name", "strategy", "expected"),
    [
        ("war", "descending", "Put won cards back best first."),
        ("war", "ascending", "Put won cards back lowest first."),
        ("batawaf4", "random", "Put won cards back in random order."),
        ("flip", "block", "It shuns most: an answer for the other side"),
        ("cheat", "honest", "With cards of the current colour early on, put one (100%)."),
    ],
)
def test_words(name: str, strategy: str, expected: str) -> None:
    contest = find(name)
    assert expected in contest.words(contest.strategy(contest.named[strategy]))


def test_words_follow_the_parameters() -> None:
    war, cheat = find("war"), find("cheat")
    assert "best first 73% of the time" in war.words(np.array([0.0, 0.0, 1.69]))
    assert "third" in war.words(war.baseline)
    always = np.zeros(PARAMETERS)
    always[3], always[1] = -9.0, -9.0  # shun what is right, and cards in hand
    assert "put another colour (100%)" in cheat.words(always)
    assert "random" in cheat.words(cheat.baseline)
    assert cheat.cut == f"after {MOST_MOVES:,} moves"
