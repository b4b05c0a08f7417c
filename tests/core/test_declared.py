"""Capabilities count only where a game's own class body declares them; `ruse check` compares them with the rules."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.cli.program import main
from ruse.core.entry_points import warn_once
from ruse.games import find
from ruse.games.leduc import Leduc

DICE = """
from ruse.games.liars_dice import LiarsDice


class SoftDice(LiarsDice):
    {declared}

    def payoff(self, state):
        return super().payoff(state) / 2 if len(state.bids) > 2 else super().payoff(state)
"""
CARDS = """
from fractions import Fraction
from itertools import permutations

from ruse import CHANCE, END
{imports}

class Cards:
    {declared}

    def start(self):
        return (), ""

    def turn(self, state):
        return CHANCE if not state[0] else 0 if not state[1] else END

    def moves(self, state):
        return list(permutations("JQK", 2)) if not state[0] else ["high", "low"]

    def odds(self, state):
        return [Fraction(1, 6)] * 6

    def play(self, state, move):
        return (move, "") if not state[0] else (state[0], move)

    def knows(self, state, side):
        return (*state[0][side : side + 1], state[1])

    def payoff(self, state):
        higher = "JQK".index(state[0][0]) > "JQK".index(state[0][1])
        return 2 if higher == (state[1] == "high") else -1

    {methods}
"""


def cards(methods: str = "", declared: str = "pass", imports: str = "") -> Any:
    Path("cards.py").write_text(CARDS.format(methods=methods, declared=declared, imports=imports), encoding="utf-8")
    return find("cards.py")


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


# Inherited


def test_a_subclass_with_another_payoff_is_solved_by_its_own_rules() -> None:
    Path("soft.py").write_text(DICE.format(declared="pass"), encoding="utf-8")
    game = find("soft.py", {"faces": 3})
    plain = ruse.solve(game, refine=False, symmetry=False)
    found = ruse.solve(game)
    assert found.value == plain.value == found.verify().lower and found.certificate.exact
    assert found.value != ruse.solve(ruse.games.liars_dice(3)).value
    (row,) = ruse.sweep("soft.py", faces="3..3")
    assert row.certificate.lower == found.value
    assert found.insight().value == found.value


@pytest.mark.parametrize("name", ["liars-dice", "oshi-zumo", "kuhn", "leduc", "resistance"])
def test_a_subclass_inherits_no_capability_and_no_part(name: str) -> None:
    from ruse.core.declared import provided
    from ruse.core.registry import part

    game = ruse.games.make(name)
    mine: Any = object.__new__(type("Mine", (type(game),), {}))
    vars(mine).update(vars(game))
    assert provided(game) and provided(mine) == ()
    assert part(game, "presentation") is not None and part(mine, "presentation") is None


def test_a_false_symmetry_of_a_subclass_is_no_insight() -> None:
    """A subclass of Leduc in which a suit matters was said to be worth 1, verified."""

    class Suited(Leduc):
        def payoff(self, state: Any) -> Fraction:
            return Fraction(1) if state.cards[0] == "Ks" else super().payoff(state)

    solution = ruse.solve(Suited())
    assert solution.certificate.exact and solution.insight().value == solution.value == solution.verify().lower


# Helpers that are called like a capability


HELPERS = ("board(self, state): return state[1]", "hidden(self): return 3", "file(self, name): return open(name)")


@pytest.mark.parametrize("methods", [f"def {helper}" for helper in HELPERS])
def test_a_helper_is_only_a_helper(methods: str) -> None:
    plain = ruse.solve(cards())
    found = ruse.solve(cards(methods))
    assert found.value == plain.value == Fraction(3, 2) and found.certificate.exact
    assert found.verify().exact


def test_a_lookalike_is_named_once_with_how_to_declare_it(capsys: pytest.CaptureFixture[str]) -> None:
    warn_once.cache_clear()
    cards("def board(self, state): return state[1]")
    for _ in range(2):
        assert main(["solve", "cards.py"]) == 0
    told = capsys.readouterr().err
    assert told.count("provides = (Open,)") == 1 and "board" in told
    assert main(["check", "cards.py"]) == 0
    assert "Not declared, and not used: board." in capsys.readouterr().out


# Declared, and wrong


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("Open", "def board(self, state): return state[1]"),
        ("Ranged", "def payoff_range(self): return (0, 1)"),
    ],
)
def test_what_is_declared_is_compared_with_the_rules(
    name: str, methods: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cards(methods, f"provides = ({name},)", f"from ruse.core.capabilities import {name}")
    assert main(["check", "cards.py"]) == 1
    assert f"cards declares {name}, but" in capsys.readouterr().out


def test_what_is_declared_and_right_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    cards("def payoff_range(self): return (-1, 2)", "provides = (Ranged,)", "from ruse.core.capabilities import Ranged")
    assert main(["check", "cards.py"]) == 0
    assert "The game declares Ranged; this agrees with the rules at every state." in capsys.readouterr().out
    assert main(["check", "liars-dice", "--faces", "3"]) == 0
    assert (
        "The game declares Bulk, Public, Ranged; this agrees with the rules at every state." in capsys.readouterr().out
    )


def test_array_rules_of_other_rules_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("soft.py").write_text(DICE.format(declared="provides = LiarsDice.provides"), encoding="utf-8")
    assert main(["check", "soft.py", "--faces", "2"]) == 1
    assert "declares Bulk, but: its array rules and its rules give different" in capsys.readouterr().out
    with pytest.raises(ruse.GameError, match=r"arrays\(\) of soft-dice.* contradicts its rules"):
        ruse.solve(find("soft.py", {"faces": 3}))


def test_a_declaration_without_its_methods_is_a_sentence() -> None:
    game = cards("", "provides = (Symmetric,)", "from ruse.core.capabilities import Symmetric")
    with pytest.raises(ruse.GameError, match="Cards declares Symmetric but has no method labels"):
        ruse.solve(game)
    with pytest.raises(ruse.GameError, match="`provides` of Cards must be a tuple of capabilities"):
        ruse.solve(cards("", "provides = 'Symmetric'"))


def test_a_strangers_canonical_variant_is_not_believed() -> None:
    text = """
    def canonical(self): return {"stake": 1}
    def __init__(self, stake: int = 1): self.stake = stake
"""
    game = CARDS.format(
        methods=text, declared="provides = (Adjustable,)", imports="from ruse.core.capabilities import Adjustable"
    ).replace("return 2 if", "return 2 * self.stake if")
    Path("cards.py").write_text(game, encoding="utf-8")
    values = [row.certificate.lower for row in ruse.sweep("cards.py", stake="1..3")]
    assert len(set(values)) == 3 and values == [ruse.solve(find("cards.py", {"stake": n})).value for n in (1, 2, 3)]


def test_every_game_of_ruses_is_what_its_name_makes_also_after_use() -> None:
    from ruse.core.identity import identity
    from ruse.core.own import unmodified

    for name in ("kuhn", "leduc", "nim", "rock-paper-scissors", "kubicek", "mini-poker", "resistance"):
        game = ruse.games.make(name)
        before = identity(game)
        ruse.solve(game).words()
        assert unmodified(game) and identity(game) == before == identity(ruse.games.make(name))
