"""What people meet in a notebook: short texts, tables, mappings, figures, and sides by any of their names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.core.game import PositionError, side_number

KUHN = ruse.games.kuhn()
SOLVED = ruse.solve(KUHN, "cfr+", iterations=20)
SWEPT = ruse.sweep("liars-dice", faces="2..4")


def cells(html: str) -> list[str]:
    return re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", html)


@pytest.mark.parametrize(
    ("shown", "text", "wanted"),
    [
        (KUHN, "<game kuhn>", "Player 1 against Player 2"),
        (ruse.games.liars_dice(faces=3), "<game liars-dice(faces=3)>", "faces"),
        (SOLVED, "<solution of kuhn: worth between", "cfr+, "),
        (SOLVED.strategy(0), "<strategy of Player 1 in kuhn: 6 positions>", "kuhn@J/check/bet"),
        (ruse.sequence_form(KUHN), "<sequence form of kuhn: 13 × 13 sequences", "13 sequences, 6 information sets"),
        (SOLVED.insight(), "<insight into kuhn: worth between", "12"),
        (SWEPT, "<sweep of liars-dice: 3 variants>", "75% (3/4)"),
    ],
    ids=["game", "parameters", "solution", "strategy", "form", "insight", "sweep"],
)
def test_short_texts_and_tables(shown: Any, text: str, wanted: str) -> None:
    assert repr(shown).startswith(text) and "\n" not in repr(shown) and len(repr(shown)) < 140
    html = shown._repr_html_()
    assert html.startswith("<table><caption>") and html.count("<table>") == html.count("</table>") == 1
    assert any(wanted in cell for cell in cells(html)), html


def test_own_games_are_shown_and_markup_stays_text() -> None:
    game = ruse.games.matrix("1 2; 3 4", rows=["<b>", "x"], columns=["y", "z"])
    for shown in (game, ruse.solve(game), ruse.solve(game).strategy(0), ruse.sequence_form(game)):
        assert "<b>" not in shown._repr_html_()  # type: ignore[attr-defined]


def test_long_strategies_are_cut() -> None:
    strategy = ruse.solve(ruse.games.liars_dice(faces=4)).strategy(0)
    assert f"… and {len(strategy) - 20:,} more" in strategy._repr_html_()


def test_a_strategy_is_a_mapping() -> None:
    strategy = SOLVED.strategy("Player 2")
    assert set(strategy) == set(SOLVED.tables[1]) and len(strategy) == 6
    assert strategy["kuhn@K/bet"] == strategy.at("kuhn@K/bet") == strategy.get("kuhn@K/bet")
    assert dict(strategy) == SOLVED.tables[1] and dict(strategy.items()) == SOLVED.tables[1]
    assert "kuhn@K/bet" in strategy and "kuhn@K" not in strategy and strategy.get("kuhn@K") is None
    with pytest.raises(KeyError) as caught:
        strategy["kuhn@A"]
    assert str(caught.value) == "expected a position of kuhn where Player 2 moves, got 'kuhn@A'"


def test_a_strategy_as_a_frame() -> None:
    frame = SOLVED.strategy(1).frame()
    assert list(frame.columns) == ["side", "position", "move", "odds", "share"] and len(frame) == 12
    assert set(frame.side) == {1} and frame.share.groupby(frame.position).sum().round(9).eq(1).all()


def test_figures(tmp_path: Path) -> None:
    """Without a path a notebook gets the figure; with one there is a file, and nothing else."""
    from matplotlib.figure import Figure

    for shown in (SOLVED, SWEPT):
        assert isinstance(shown.plot(), Figure)
        assert shown.plot(tmp_path / "gaps.svg") is None and (tmp_path / "gaps.svg").stat().st_size > 1000


def test_sides_by_any_name() -> None:
    spies = ruse.games.resistance(players=5)
    for game, names in ((KUHN, (0, "first", "Player 1", "PLAYER 1")), (spies, (0, "resistance", "Resistance"))):
        assert {side_number(game, name) for name in names} == {0}
    assert side_number(spies, "Player 2") == 1
    for wrong in (2, -1, True, "third", None, 0.5):
        with pytest.raises(PositionError, match="is not a side of kuhn; use 0, 1, Player 1 or Player 2"):
            side_number(KUHN, wrong)  # type: ignore[arg-type]


def test_sides_by_name_everywhere() -> None:
    def last(position: str, moves: Any) -> str:
        return str(moves[-1])

    assert ruse.score_function(KUHN, "Player 2", last) == ruse.score_function(KUHN, 1, last)
    insight = ruse.solve(KUHN).insight()
    assert insight.at("kuhn@J", "Player 1") == insight.at("kuhn@J", 0)
    answers = ruse.best_response(KUHN, SOLVED, "second"), ruse.best_response(KUHN, SOLVED, 1)
    assert answers[0].table == answers[1].table


def test_the_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", ruse.__version__) and "__version__" in dir(ruse)
