"""Games from a position on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import binomtest

from amounts import some
from playing import played, solution_of, solved, table, views
from ruse.core.game import RuseError
from ruse.games import GAMES
from ruse.play.review import review
from ruse.play.session import begin, play
from ruse.play.shown import news
from ruse.play.storage import Sessions
from ruse.present.viewer import viewer


def test_a_game_from_a_position_of_the_resistance() -> None:
    """Spies are drawn by the odds of the position's view: Bossle's table of five, one mission passed, one failed."""
    solution, look = table(5), viewer(table(5))
    for position in ("resistance-5/ab+/abc-", "resistance-5/ab-/acd?"):
        begun = [begin(solution, 0, seed=seed, position=position, views=look) for seed in range(300)]
        counts = Counter(session.moves[0] for session in begun)
        odds = {belief.what.split()[-1]: float(belief.odds) for belief in look.at(position, 0).beliefs}
        assert set(counts) == {spies for spies, share in odds.items() if share}
        assert min(binomtest(counts[spies], 300, share).pvalue for spies, share in odds.items()) > 1e-5
    session = begin(solution, "resistance", seed=1, position="resistance-5/ab+/abc-", views=look)
    assert (session.position, session.number, session.decisions) == ("resistance-5/ab+/abc-", 1, [])
    assert news(session) == "So far: ab passed, abc failed."
    after = play(session, 1, "ed")
    assert [one.position for one in after.decisions] == ["resistance-5/ab+/abc-"]
    spies = begin(solution, "spies", seed=1, position="resistance-5@bd/ab+/abc?", views=look)
    assert spies.position == "resistance-5@bd/ab+/abc?" and spies.options == ["pass", "sabotage"]


def test_a_game_from_a_position_of_poker() -> None:
    """Kuhn 1950: after a check, K always bets and J bluffs one time in three, so a bet against Q is K's in 3 of 4."""
    begun = [begin(solved("kuhn"), 0, seed=seed, position="kuhn@Q/check/bet") for seed in range(200)]
    counts = Counter(session.moves[0] for session in begun)
    assert set(counts) == {"QJ", "QK"} and binomtest(counts["QK"], 200, 3 / 4).pvalue > 1e-5
    assert {session.position for session in begun} == {"kuhn@Q/check/bet"}
    waits = begin(solved("kuhn"), 0, seed=1, position="kuhn@K/bet")
    assert waits.over and waits.decisions == []  # the other side answers, and that is the end


@pytest.mark.cases(14)
@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_is_played_from_where_another_one_was(name: str, side: int, tmp_path: Path) -> None:
    for seed in range(some(3)):
        whole = played(solved(name), side, seed, pick=seed)
        if not whole.decisions:
            continue
        position = whole.decisions[-1].position
        session = begin(solved(name), side, seed=seed, position=position)
        assert (session.position, session.number, session.opening) == (position, 1, position)
        assert begin(solved(name), side, seed=seed, position=position).moves == session.moves
        kept = Sessions(tmp_path)
        kept.save(session)
        session = kept.play(session.id, 1, session.game.label(session.choices[0]), solution_of)
        assert len(session.decisions) == 1 and kept.load(session.id, solution_of).states == session.states
        assert len(review(session, views(name)).verdicts) == 1


@pytest.mark.parametrize(
    ("name", "position", "message"),
    [
        ("kuhn", "kuhn@Z", "expected a position of kuhn that Player 1 can be in"),
        ("kuhn", "kuhn@Q/check/check", "kuhn is over at"),
        ("tic-tac-toe", "tic-tac-toe/a/b/c/d/e/f/g", "tic-tac-toe is over at"),
        ("tic-tac-toe", "tic-tac-toe/z", "expected a position of tic-tac-toe"),
        ("phantom-tic-tac-toe", "phantom-tic-tac-toe(board=2x2,line=2)/abcd/abcd", "choose an earlier position"),
        ("kuhn", "leduc@Js", "expected a position of kuhn"),
    ],
)
def test_positions_that_no_game_begins_at(name: str, position: str, message: str) -> None:
    with pytest.raises(RuseError, match=message):
        begin(solved(name), 0, seed=1, position=position)
