"""`ruse check` refuses exactly what `ruse solve` refuses; what is merely unusual is a note."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fuzz import growing
from fuzz.checks.broken import BREAKS, Broken
from fuzz.rules import Rules

import ruse as package
from amounts import ALL
from ruse.core.game import END, GameError
from ruse.core.walk import check

PENNIES = """
from ruse import END

class Pennies:
    def start(self): return ()
    def turn(self, state): return len(state) if len(state) < 2 else END
    def moves(self, state): return ["heads", "tails"]
    def odds(self, state): return []
    def play(self, state, move): return (*state, move)
    def knows(self, state, side): return None
    def payoff(self, state): return 1 if state[0] == state[1] else -1
"""

BIDS = """
from fractions import Fraction
from ruse import CHANCE, END

class Bids:
    def __init__(self, rising: bool = False): self.rising = rising
    def start(self): return (0, 0, ())
    def turn(self, state):
        if not state[1]: return CHANCE
        return END if state[2][-1:] == (0,) else len(state[2]) % 2
    def moves(self, state):
        if not state[1]: return [1, 2, 3, 4]
        last = state[2][-1] if state[2] else 0
        higher = range(last + 1, 16) if self.rising else range(1, 16)
        return [*higher, 0] if state[2] else list(higher)
    def odds(self, state): return [Fraction(1, 4)] * 4
    def play(self, state, move):
        if not state[0]: return (move, 0, ())
        return (state[0], state[1], (*state[2], move)) if state[1] else (state[0], move, ())
    def knows(self, state, side): return (state[side], state[2])
    def payoff(self, state):
        true = state[0] + state[1] >= state[2][-2]
        return 1 if true == (len(state[2]) % 2 == 0) else -1

class Again(Bids):
    # the state holds only the last bid
    def play(self, state, move):
        after = super().play(state, move)
        return (*after[:2], after[2][-2:])
    def turn(self, state):
        return super().turn(state) if len(state[2]) < 2 or state[2][-1] == 0 else state[2][-1] % 2

class Won(Bids):
    wins = ("first", "second")
"""


def refusal(call: Callable[[], object]) -> str | None:
    """Why a game is refused; None where it is not."""
    try:
        call()
    except GameError as error:
        return str(error)
    return None


def agree(game: Any) -> str | None:
    """Why both refuse a game, as check says it."""
    checked, solved = refusal(lambda: check(game)), refusal(lambda: package.solve(game))
    assert (checked is None) == (solved is None), (checked, solved)
    return checked


class Absent(Rules):
    """Who waits knows something odd: nothing, the state, or how many moves there were."""

    def __init__(self, tree: Any, waits: Callable[[Any], Any]) -> None:
        super().__init__(tree)
        self.waits = waits

    def knows(self, state: int, side: int) -> Any:
        return super().knows(state, side) if self.turn(state) == side else self.waits(state)

    def format_position(self, knowledge: Any) -> str:
        return f"@{knowledge}"


def fail(state: int) -> None:
    raise KeyError(state)


WAITS: tuple[Callable[[Any], Any], ...] = (lambda state: None, lambda state: state, lambda state: [state], fail)


@pytest.mark.parametrize("how", BREAKS, ids=lambda how: how.__name__)
def test_broken_rules_are_refused_by_both(how: Callable[[Broken], None]) -> None:
    tried = refused = seed = 0
    while tried < (200 if ALL else 8):
        seed += 1
        random = Random(seed)
        game = Broken(growing.tree(random, random.choice((6, 10, 20, 40)), growing.PAYOFFS["whole"]), random)
        try:
            how(game)
        except IndexError:  # nothing to break
            continue
        tried += 1
        refused += agree(game) is not None
    assert refused


@pytest.mark.parametrize("waits", WAITS, ids=["nothing", "the state", "a list", "an error"])
def test_what_a_side_knows_while_it_waits_decides_nothing(waits: Callable[[Any], Any]) -> None:
    noted = 0
    for seed in range(60 if ALL else 12):
        random = Random(seed)
        _, pay = growing.payoffs(random)
        tree = growing.tree(random, random.choice((6, 10, 20, 40)), pay)
        assert agree(Rules(tree)) is None
        game: Any = Absent(tree, waits)
        assert agree(game) is None
        noted += len(check(game))
        assert package.solve(game).value == package.solve(Rules(tree)).value  # type: ignore[arg-type]
    assert noted or waits is WAITS[1]


def test_imperfect_recall_is_called_that() -> None:
    for seed in range(40):
        random = Random(seed)
        game = Broken(growing.tree(random, 40, growing.PAYOFFS["whole"]), random)
        try:
            next(how for how in BREAKS if how.__name__ == "imperfect_recall")(game)
        except IndexError:
            continue
        said = agree(game)
        assert said is not None and "forgets its own move (imperfect recall) at toy@" in said
        return
    raise AssertionError("no tree could be broken")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pennies.py").write_text(PENNIES)
    (tmp_path / "bids.py").write_text(BIDS)
    return tmp_path


def test_matching_pennies(ruse: Any, here: Path) -> None:
    status, out, _ = ruse("check", "pennies.py")
    assert status == 0 and out.startswith("pennies: the rules are valid (checked at every state).\nNote: while")
    found = json.loads(ruse("check", "pennies.py", "--json")[1])
    assert found["keeps"] and found["whole"] and len(found["notes"]) == 2
    assert json.loads(ruse("solve", "pennies.py", "--json")[1])["value"]["exact"] == "0"


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["Bids", "Won"])
def test_bids_that_need_not_rise_go_on_for_ever(name: str, ruse: Any, here: Path) -> None:
    """Though random plays end: no state comes twice, but every depth does."""
    status, out, _ = ruse("check", f"bids.py:{name}")
    assert status == 1 and "goes on for more than 10,000 moves" in out
    status, _, err = ruse("solve", f"bids.py:{name}")
    assert status == 1 and "goes on for more than 10,000 moves" in err
    status, out, _ = ruse("check", f"bids.py:{name}", "--rising", "yes")
    assert status == 0
    assert "Note: no infinite game was found, but ruse did not check every line of play." in out


def test_bids_that_are_forgotten_come_back_to_a_state(ruse: Any, here: Path) -> None:
    status, out, _ = ruse("check", "bids.py:Again")
    assert status == 1 and "which returns to state" in out


class Corridor:
    """A thousand moves that end the play at once, and at each of many places one that does not."""

    name = title = "corridor"
    sides = ("first", "second")
    wins = ()
    parameters: dict[str, object] = {}  # noqa: RUF012

    def __init__(self, length: int) -> None:
        self.length = length

    def start(self) -> int:
        return 0

    def turn(self, state: int) -> int:
        return END if state < 0 or state == self.length else state % 2

    def moves(self, state: int) -> list[str]:
        return ["on", "out"]

    def odds(self, state: int) -> list[Fraction]:
        return []

    def play(self, state: int, move: str) -> int:
        return state + 1 if move == "on" else -1

    def knows(self, state: int, side: int) -> int:
        return state

    def payoff(self, state: int) -> Fraction:
        return Fraction(0)

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: int) -> str:
        return f"@{knowledge}"


def test_long_plays_that_end_are_no_trouble() -> None:
    assert agree(Corridor(9_000)) is None
    check(Corridor(9_000), 100)
    for limit in (None, 100):
        with pytest.raises(GameError, match="goes on for more than 10,000 moves"):
            check(Corridor(20_000), limit)


class NoRise:
    """Bids that need not rise: random plays end soon, and still play may go on for ever."""

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, state: tuple[str, ...]) -> int:
        return END if state[-1:] == ("liar",) else len(state) % 2

    def moves(self, state: tuple[str, ...]) -> list[str]:
        return ["1", "2"] + ["liar"] * bool(state)

    def odds(self, state: tuple[str, ...]) -> list[int]:
        return []

    def play(self, state: tuple[str, ...], move: str) -> tuple[str, ...]:
        return (*state, move)

    def knows(self, state: tuple[str, ...], side: int) -> tuple[str, ...]:
        return state

    def payoff(self, state: tuple[str, ...]) -> int:
        return len(state) % 2


def test_bids_that_need_not_rise_are_found_out() -> None:
    with pytest.raises(GameError, match="goes on for more than 10,000 moves"):
        package.solve(NoRise())
