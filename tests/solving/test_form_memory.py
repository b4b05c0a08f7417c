"""What a sequence form takes is told before the work, and what does not fit is refused in a sentence."""

from __future__ import annotations

import pytest

import ruse
from ruse.core import size_estimate
from ruse.core.game import GameError
from ruse.forms.sequence_form import sequence_form
from ruse.solvers import find
from ruse.solving import form_memory
from toys import OneCard

DICE = ruse.games.liars_dice(6)  # 294,883 nodes


def said(game: ruse.Game) -> list[str]:
    told: list[str] = []
    ruse.solve(game, "lp", report=lambda text, *_: told.append(text))
    return [text for text in told if "memory" in text]


def test_small_games_are_not_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruse.solving.form_memory.estimate_form", lambda *_: pytest.fail("looked at"))
    assert said(ruse.games.leduc()) == []


def test_what_a_form_takes_is_told_before_it_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SMALL_BULK", "SMALL_WALKED", "REPORTED", "REPORTED_BOUND"):
        monkeypatch.setattr(form_memory, name, 0)
    (text,) = said(ruse.games.leduc())
    assert text == (
        "building the sequence form (about 0.00 GB of memory, 0.00 GB to solve it without reductions): "
        "337 + 337 sequences and 966 payoffs"
    )
    monkeypatch.setattr("ruse.solving.form_memory.estimate_form", lambda *_: None)
    assert said(OneCard(5)) == ["building the sequence form (at most 0.00 GB of memory): a tree of about 190 nodes"]


def test_programs_hear_it_too() -> None:
    about = form_memory.estimate_memory(ruse.games.liars_dice(8), find("cfr+")).to_json()["about"]
    assert about["sequences"] == pytest.approx([524_281, 524_281], rel=0.25)
    assert about["payoffs"] == pytest.approx(4_194_240, rel=0.25)
    assert about["solving_bytes"] > about["building_bytes"] > 16 * about["payoffs"]
    assert form_memory.estimate_memory(ruse.games.kuhn(), find("cfr+")).to_json() == {}


def test_a_game_that_fits_is_not_refused_for_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ruse.games.goofspiel(5)
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 12 << 20)
    assert not size_estimate.fits(game)
    assert ruse.solve(game, "cfr+", iterations=1).iterations == 1


def test_what_does_not_fit_is_refused_with_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 16 << 20)
    sentence = (
        r"the sequence form of liars-dice \(about 2\d,000 \+ 2\d,000 sequences and 1\d0,000 payoffs\) needs about "
        r"0.01 GB, more than half of the free memory \(0.01 GB\): about 1\d0,000 nodes would fit; "
        "use mccfr, which never builds the tree, or smaller parameters"
    )
    with pytest.raises(GameError, match=sentence):
        ruse.solve(DICE, "cfr+", iterations=1)
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 64 << 20)
    with pytest.raises(GameError, match=r"needs about 0.0\d GB, more than half of the free memory \(0.03 GB\)"):
        ruse.solve(DICE, "lp", refine=False)  # as it is, which is known beforehand


def test_a_form_whose_solver_does_not_fit_is_refused_before_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_memory, "REPORTED", 0)
    monkeypatch.setattr(size_estimate, "free_bytes", lambda: 8 << 20)
    monkeypatch.setattr(form_memory, "fits", lambda *_: True)
    with pytest.raises(GameError, match=r"the solver lp needs 0.0 GB for goofspiel.*: use pdcfr\+ or mccfr"):
        ruse.solve(ruse.games.goofspiel(5), "lp", refine=False)
    form = sequence_form(ruse.games.kuhn())
    form_memory.check_solver(form, ruse.games.kuhn(), find("lp"))
    form_memory.check_solver(form, ruse.games.kuhn(), find("lcp"))  # which looks by itself
