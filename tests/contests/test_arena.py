"""The contract that every contest keeps: legal moves, an end, fair seats, the same matches for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from amounts import some
from ruse.contests import arena
from ruse.contests.arena.chance import begin, below, normal, share, shuffle
from ruse.contests.arena.contest import CUT, DRAW, LOSS, WIN, Contest, ContestError, scores
from ruse.contests.matches import play

SLOW = {"4-in-a-row": 60, "battleship": 400}  # matches that a second or so is enough for
EXTREMES = (1e308, -1e308, 1e-308, 1e300, -1.0, 0.0, 700.0)


@pytest.fixture(params=arena.CONTESTS)
def contest(request: pytest.FixtureRequest) -> Contest:
    return arena.find(request.param)


def drawn(contest: Contest, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.standard_normal(contest.parameters), random.standard_normal(contest.parameters)


def test_a_referee_finds_nothing_illegal(contest: Contest) -> None:
    """Every recorded match is replayed by the rules in plain Python, and ends as the compiled match says."""
    for number in range(some(6 if contest.name in SLOW else 30)):
        first, second = drawn(contest, number)
        outcome, moves = contest.record(first, second, 7, number)
        found = contest.referee(moves)
        assert outcome == (found if number % 2 == 0 or found == CUT else -found)
        if outcome != CUT:
            with pytest.raises(ContestError):
                contest.referee(moves[:-1])  # a match that does not come to its end


def test_the_same_seed_gives_the_same_matches(contest: Contest) -> None:
    count = SLOW.get(contest.name, 1000) // 2
    first, second = drawn(contest, 1)
    whole = contest.play(first, second, 3, 0, count)
    assert set(whole.tolist()) <= {WIN, LOSS, DRAW, CUT}
    assert (play(contest, first, second, 3, count, threads=3) == whole).all()
    assert (contest.play(first, second, 3, count // 2, count - count // 2) == whole[count // 2 :]).all()


@pytest.mark.cases(8)
def test_seats_are_fair(contest: Contest) -> None:
    """A strategy against itself: begins alternate, so it scores a half within four standard errors."""
    count = SLOW.get(contest.name, 4000)
    for strategy in (contest.baseline, drawn(contest, 2)[0]):
        found = scores(contest.play(strategy, strategy, 11, 0, count))
        assert abs(found.mean() - 0.5) <= 4 * max(found.std(), 1e-9) / np.sqrt(count)


def test_matches_end_whatever_the_parameters(contest: Contest) -> None:
    """No overflow, no loop, no outcome that is none; a cut has its cap stated."""
    random = np.random.default_rng(4)
    for _ in range(3):
        first, second = (random.choice(EXTREMES, contest.parameters) for _ in range(2))
        found = contest.play(first, second, 5, 0, 20)
        assert set(found.tolist()) <= {WIN, LOSS, DRAW, CUT}
        assert contest.cut or CUT not in found


def test_contests_speak_for_themselves(contest: Contest) -> None:
    first, _ = drawn(contest, 3)
    assert contest.words(first) and contest.words(contest.baseline)
    assert "nan" not in contest.words(first).lower()
    assert contest.rules.count(".") >= 2 and contest.meaning
    for row in contest.named.values():
        assert contest.strategy(row).shape == (contest.parameters,)


def test_parameters_are_as_many_as_in_the_paper() -> None:
    """Cauwet & Teytaud 2018, Table I; Pig has one (Table III)."""
    expected = {
        "war": 3,
        "war4": 4,
        "batawaf": 3,
        "batawaf4": 4,
        "battleship": 33,
        "cheat": 28,
        "cheat-special": 29,
        "flip": 420,
        "guess-who-deter": 4,
        "guess-who": 5,
        "morra": 66,
        "nim": 383,
        "phantom-4-in-a-row": 2,
        "phantom-tic-tac-toe": 18,
        "4-in-a-row": 14,
        "pig": 1,
    }
    assert {name: arena.find(name).parameters for name in arena.CONTESTS} == expected


def test_chance_is_fair() -> None:
    stream = np.empty(1, dtype=np.uint64)
    begin(stream, 1, 2)
    numbers = [below(stream, 6) for _ in range(60_000)]
    counts = np.bincount(numbers, minlength=6)
    assert len(counts) == 6 and (abs(counts - 10_000) < 5 * np.sqrt(10_000 * 5 / 6)).all()
    shares = np.array([share(stream) for _ in range(20_000)])
    assert shares.min() >= 0 and shares.max() < 1 and abs(shares.mean() - 0.5) < 5 / np.sqrt(12 * 20_000)
    normals = np.array([normal(stream) for _ in range(20_000)])
    assert abs(normals.mean()) < 5 / np.sqrt(20_000) and abs(normals.std() - 1) < 0.03
    places = np.zeros((4, 4))
    for _ in range(8000):
        cards = np.arange(4)
        shuffle(stream, cards, 4)
        places[cards, np.arange(4)] += 1
    assert (abs(places - 2000) < 5 * np.sqrt(8000 * 3 / 16)).all()


def test_streams_of_neighbouring_matches_have_nothing_in_common() -> None:
    """The first draw of match i, over seeds and matches, is as even as one stream's."""
    stream = np.empty(1, dtype=np.uint64)
    firsts = []
    for seed in range(100):
        for number in range(100):
            begin(stream, seed, number)
            firsts.append(below(stream, 10))
    counts = np.bincount(firsts, minlength=10)
    assert (abs(counts - 1000) < 5 * np.sqrt(900)).all()
    grid = np.array(firsts).reshape(100, 100)
    assert abs(np.corrcoef(grid[:-1].ravel(), grid[1:].ravel())[0, 1]) < 0.05
    assert abs(np.corrcoef(grid[:, :-1].ravel(), grid[:, 1:].ravel())[0, 1]) < 0.05
