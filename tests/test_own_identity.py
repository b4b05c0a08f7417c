"""A game of somebody's own is what its rules do: no cache, file or worker takes it for another.

Each of these gave a stale or mixed value marked exact in 0.5.0.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import processes
import ruse
from ruse.cli.program import main
from ruse.core.capabilities import Memoryless
from ruse.core.identity import identity, is_walked
from ruse.core.own import as_game
from ruse.games import find
from ruse.games.pig import Pig

ONE_CARD = """
from fractions import Fraction
from itertools import permutations

from ruse import CHANCE, END
{imports}

class OneCard:
    {attributes}
    def __init__(self, cards: int = 3):
        self.deals = list(permutations(range(1, cards + 1), 2))
        {made}

    def start(self):
        return (), ()

    def turn(self, state):
        deal, bets = state
        ended = bets == ("check", "check") or "fold" in bets or "call" in bets
        return CHANCE if not deal else END if ended else len(bets) % 2

    def moves(self, state):
        deal, bets = state
        return self.deals if not deal else ["fold", "call"] if "bet" in bets else ["check", "bet"]

    def odds(self, state):
        return [Fraction(1, len(self.deals))] * len(self.deals)

    def play(self, state, move):
        deal, bets = state
        return (deal, (*bets, move)) if deal else (move, ())

    def knows(self, state, side):
        deal, bets = state
        return (*deal[side : side + 1], *bets)

    def payoff(self, state):
        (first, second), bets = state
        stake = {stake}
        if "fold" in bets:
            return stake * (1 if len(bets) == 2 else -1)
        return stake * (2 if "call" in bets else 1) * (1 if first > second else -1)
"""
KUHN = Fraction(-1, 18)


def written(path: Path, stake: str = "1", imports: str = "", attributes: str = "pass", made: str = "pass") -> Path:
    path.parent.mkdir(exist_ok=True)
    text = ONE_CARD.format(stake=stake, imports=imports, attributes=attributes, made=made)
    path.write_text(text, encoding="utf-8")
    return path


def swept(game: object, **ranges: object) -> list[Fraction]:
    """The values of a sweep, all of them exact, with whatever earlier sweeps have kept."""
    rows = list(ruse.sweep(game, **ranges))  # type: ignore[arg-type]
    assert all(row.exact for row in rows)
    return [row.certificate.lower for row in rows]


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield


# Functions that return a game of ruse's


LOVERS = """
from ruse.games.hidden_roles import Cast, HiddenRolesGame, Role
from ruse.games.resistance.table import make_table

LOVER = Role("lover", sees="love", marks=("love",))


def lovers(players: int = 4, talk: str = "private") -> HiddenRolesGame:
    table = make_table(players, 1, [3, 3, 3, 4, 4])
    return HiddenRolesGame("lovers", table, Cast(players, 1, [LOVER, LOVER]), talk)
"""
PATCHED = """
import ruse


def k(k: int = 1):
    game = ruse.games.kuhn()
    pay = game.payoff
    game.payoff = lambda state: k * pay(state)
    return game
"""


def test_a_function_that_returns_a_game_of_ruses_is_swept_by_its_own_arguments() -> None:
    Path("lovers.py").write_text(LOVERS, encoding="utf-8")
    rows = list(ruse.sweep("lovers.py:lovers", talk="private|none"))
    assert [row.win["good"] for row in rows] == [Fraction(1, 2), Fraction(1, 4)]
    assert [row.parameters["talk"] for row in rows] == ["private", "none"]
    solution = ruse.solve(find("lovers.py:lovers", {"talk": "none"}))
    assert (solution.game.title, solution.win["good"]) == ("lovers(talk=none)", Fraction(1, 4))
    path = solution.save("none.ruse")
    assert ruse.load(path, game="lovers.py:lovers").verify().exact
    first = ruse.load(path, game="lovers.py:lovers").game
    assert (first.name, dict(first.parameters)) == ("lovers", {"players": 4, "talk": "none"})


def test_a_rule_that_is_replaced_on_an_object_makes_a_game_of_its_own() -> None:
    Path("k.py").write_text(PATCHED, encoding="utf-8")
    assert swept("k.py:k", k="1..3") == [KUHN, 2 * KUHN, 3 * KUHN]
    solution = ruse.solve(find("k.py:k", {"k": 2}))
    assert (solution.game.title, solution.value) == ("k(k=2)", 2 * KUHN)
    game = ruse.games.kuhn()
    game.payoff = lambda state: Fraction(7)  # type: ignore[method-assign]
    assert (ruse.solve(game).value, ruse.solve(game).game.title) == (7, "my-kuhn")
    assert ruse.solve(ruse.games.kuhn()).value == KUHN


def test_a_library_game_as_it_comes_keeps_its_name_and_is_swept_by_the_functions_arguments() -> None:
    Path("dice.py").write_text("import ruse\n\n\ndef dice(n: int = 2):\n    return ruse.games.liars_dice(n)\n")
    found = ruse.sweep("dice.py:dice", n="2..3")
    assert [row.parameters for row in found] == [{"n": 2}, {"n": 3}]
    assert [row.certificate.lower for row in found] == swept("liars-dice", faces="2..3")
    assert find("dice.py:dice", {"n": 3}).title == "liars-dice(faces=3)"


# Where a rule can hide what it depends on


def test_a_changed_helper_is_another_game() -> None:
    Path("helper.py").write_text("STAKE = 1\n")
    written(Path("game.py"), "helper.STAKE", "import helper")
    assert swept("game.py", cards="3..3") == [KUHN]
    Path("helper.py").write_text("STAKE = 5\n")
    assert swept("game.py", cards="3..3") == [5 * KUHN]
    assert ruse.solve(find("game.py")).value == 5 * KUHN


def test_helpers_of_one_name_in_two_folders_are_two_helpers() -> None:
    for folder, stake in (("a", 1), ("b", 2)):
        written(Path(folder) / "g.py", "helper.stake()", "import helper")
        (Path(folder) / "helper.py").write_text(f"import deeper\n\n\ndef stake():\n    return {stake} * deeper.TWO\n")
        (Path(folder) / "deeper.py").write_text("TWO = 2\n")
    first, second = find("a/g.py"), find("b/g.py")
    assert [ruse.solve(game).value for game in (first, second, find("a/g.py"))] == [2 * KUHN, 4 * KUHN, 2 * KUHN]
    assert "helper" not in sys.modules and "deeper" not in sys.modules


def test_siblings_may_be_packages_and_are_found_inside_functions_too() -> None:
    Path("rules").mkdir()
    Path("rules/__init__.py").write_text("")
    Path("rules/stakes.py").write_text("from .one import ONE\n\nTHREE = 3 * ONE\n")
    Path("rules/one.py").write_text("ONE = 1\n")
    written(Path("game.py"), "__import__('rules.stakes', fromlist=['THREE']).THREE", "from rules import stakes")
    assert ruse.solve(find("game.py")).value == 3 * KUHN


SETTINGS = {
    "a class attribute": {"attributes": "stake = 1", "stake": "self.stake"},
    "a global": {"imports": "STAKE = 1", "stake": "STAKE"},
    "the environment": {"imports": "import os", "stake": "int(os.environ.get('STAKE', '1'))"},
    "a file": {
        "imports": "from pathlib import Path",
        "made": "self.stake = int(Path('stake.txt').read_text())",
        "stake": "self.stake",
    },
    "a private list": {"attributes": "_stakes = [1]", "stake": "self._stakes[0]"},
    "a private dict": {"made": "self._stakes = {0: KEPT[0]}", "imports": "KEPT = [1]", "stake": "self._stakes[0]"},
    "an array": {
        "imports": "import numpy as np\nKEPT = np.ones(1, dtype=int)",
        "made": "self._kept = KEPT",
        "stake": "int(self._kept[0])",
    },
    "a closure": {"imports": "def of(box):\n    return lambda: box[0]\nBOX = [1]\nSTAKE = of(BOX)", "stake": "STAKE()"},
}


@pytest.mark.parametrize("where", SETTINGS)
def test_what_a_rule_depends_on_may_lie_anywhere(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("stake.txt").write_text("1")
    written(Path("game.py"), **SETTINGS[where])
    assert swept("game.py", cards="3..4")[0] == KUHN
    module = sys.modules[type(find("game.py").rules).__module__]  # type: ignore[attr-defined]
    if where == "a class attribute":
        module.OneCard.stake = 3
    elif where == "a global":
        module.STAKE = 3
    elif where == "the environment":
        monkeypatch.setenv("STAKE", "3")
    elif where == "a file":
        Path("stake.txt").write_text("3")
    elif where == "a private list":
        module.OneCard._stakes[0] = 3
    elif where in ("a private dict", "an array"):
        module.KEPT[0] = 3
    else:
        module.BOX[0] = 3
    assert swept("game.py", cards="3..4")[0] == 3 * KUHN


def test_a_monkeypatched_class_of_ruses_is_another_game(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(ruse.games.kuhn())
    assert swept("kuhn") == [KUHN]
    with monkeypatch.context() as patch:
        patch.setattr(kind, "payoff", lambda game, state: Fraction(4))
        assert swept("kuhn") == [4] and ruse.solve(ruse.games.kuhn()).value == 4
    assert swept("kuhn") == [KUHN]


def test_workers_prove_that_they_have_the_same_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(tmp_path / "gm.py", "self.stake", attributes="stake = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    import gm  # type: ignore[import-not-found]

    gm.OneCard.stake = 5
    values = [row.certificate.lower for row in ruse.sweep(gm.OneCard, cards="3..14", workers=2)]
    gm.OneCard.stake = 1
    assert values == [5 * row.certificate.lower for row in ruse.sweep(gm.OneCard, cards="3..14", workers=1, fresh=True)]
    del sys.modules["gm"]


def test_a_game_typed_at_a_prompt_is_known_by_what_it_does(tmp_path: Path) -> None:
    script = ONE_CARD.format(stake="STAKE", imports="STAKE = {}", attributes="pass", made="pass")
    told = []
    for stake in (1, 3):
        text = script.replace("STAKE = {}", f"STAKE = {stake}")
        text += "\nimport ruse\nprint([str(row.certificate.lower) for row in ruse.sweep(OneCard, cards='3..4')])\n"
        done = processes.run([sys.executable, "-"], input=text, capture_output=True, text=True, check=True)
        told.append(done.stdout.strip())
    assert told == ["['-1/18', '-1/24']", "['-1/6', '-1/8']"]


# Files


def test_a_file_of_rules_that_changed_is_told_by_what_they_do() -> None:
    Path("helper.py").write_text("STAKE = 1\n")
    written(Path("game.py"), "helper.STAKE", "import helper")
    path = ruse.solve(find("game.py")).save("game.ruse")
    Path("helper.py").write_text("STAKE = 1  # as before\n")
    assert ruse.load(path, game="game.py").verify().exact
    Path("helper.py").write_text("STAKE = 2\n")
    with pytest.raises(ruse.VerifyError, match="as is claimed"):
        ruse.load(path, game="game.py").verify()


def test_a_checkpoint_goes_on_only_with_the_same_rules() -> None:
    Path("helper.py").write_text("STAKE = 1\n")
    written(Path("game.py"), "helper.STAKE", "import helper")
    ruse.solve(find("game.py"), "cfr+", iterations=5, checkpoint="run")
    ruse.solve(find("game.py"), "cfr+", iterations=9, checkpoint="run", resume=True)
    Path("helper.py").write_text("STAKE = 2\n")
    with pytest.raises(ruse.RuseError, match="expected a checkpoint of a run with identity"):
        ruse.solve(find("game.py"), "cfr+", iterations=12, checkpoint="run", resume=True)


def test_variants_are_compared_by_their_titles(capsys: pytest.CaptureFixture[str]) -> None:
    written(Path("game.py"))
    assert main(["compare", "one-card", "one-card(cards=4)", "--game", "game.py", "--no-positions", "--json"]) == 0
    values = [one["value"]["exact"] for one in json.loads(capsys.readouterr().out)["variants"]]
    assert values == ["-1/18", "-1/24"]


def test_a_game_whose_play_comes_back_is_known_by_its_states() -> None:
    """By a walk of its states, which ends; so two objects of the same rules have one identity."""

    class Mine(Pig):
        provides = (Memoryless,)

        def __init__(self, goal: int = 6, bonus: int = 0) -> None:
            super().__init__(goal)
            self.bonus = bonus

        def payoff(self, state: Any) -> Fraction:
            return super().payoff(state) / (1 + self.bonus)

    assert identity(as_game(Mine())) == identity(as_game(Mine())) != identity(as_game(Mine(bonus=1)))
    assert is_walked(identity(as_game(Mine())))
