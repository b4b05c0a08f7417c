"""Methods of users' games under their names up to 0.6.0 go on working, with a warning: `tell`, `file` and `told`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.core.capabilities import ChosenHands, Public, Representatives
from ruse.core.contract import Checked, checked
from ruse.core.game import GameError
from ruse.core.identity import identity
from ruse.core.own import as_game
from ruse.forms.public_bounds import Bounds
from ruse.forms.public_layout import laid_out
from ruse.forms.public_table import PublicTable
from ruse.forms.public_tree import public_tree
from ruse.games.battleship import Battleship, battleship
from ruse.games.battleship.public import BattleshipPublic
from ruse.games.kuhn import Kuhn
from ruse.games.leduc import Leduc
from ruse.games.tic_tac_toe import TicTacToe

RENAME = "rename the method tell of {} to format_position"


class Pennies:
    """Two coins, shown at the same time."""

    def start(self) -> str:
        return ""

    def turn(self, state: str) -> int:
        return len(state) if len(state) < 2 else ruse.END

    def moves(self, state: str) -> list[str]:
        return ["h", "t"]

    def odds(self, state: str) -> list[Fraction]:
        return []

    def play(self, state: str, move: str) -> str:
        return state + move

    def knows(self, state: str, side: int) -> tuple[int, str]:
        return len(state), state[side : side + 1]

    def payoff(self, state: str) -> int:
        return 1 if state[0] == state[1] else -1


class New(Pennies):
    name = "pennies"

    def format_position(self, knowledge: tuple[int, str]) -> str:
        return f"/after-{knowledge[0]}"


class Old(Pennies):
    name = "pennies"

    def tell(self, knowledge: tuple[int, str]) -> str:
        return f"/after-{knowledge[0]}"


class Complete(Pennies):
    """A game that lacks nothing of the protocol as it was."""

    name, title, wins, sides = "full", "full", (), ("odd", "even")

    def __init__(self) -> None:
        self.parameters: dict[str, object] = {}

    def label(self, move: str) -> str:
        return move

    def tell(self, knowledge: tuple[int, str]) -> str:
        return f"@{knowledge[0]}"


class OldLeduc(Leduc):
    def tell(self, knowledge: Any) -> str:
        return super().tell(knowledge) + "/x"


class OldFile(Pennies):
    """A game in which the first coin is all that matters, with the capability and the method as they were named."""

    def file(self, position: str, side: int) -> tuple[str, Callable[[str], str]]:
        return position.replace("after", "at"), str.upper


class OldHands(BattleshipPublic):
    provides = (ChosenHands,)

    def told(self, side: int, chosen: Sequence[str], moves: Sequence[str]) -> str | None:
        return self.format_choice(side, chosen, moves)


class NoHands(BattleshipPublic):
    provides = (ChosenHands,)
    format_choice = None  # type: ignore[assignment]


class OldBattleship(Battleship):
    provides = (Public,)
    hands: type[BattleshipPublic] = OldHands

    def public(self) -> BattleshipPublic:
        return self.hands(self)


class OldThenNew(Old):
    def format_position(self, knowledge: tuple[int, str]) -> str:
        return f"/{knowledge[0]}-moves"


def test_the_new_name_gives_the_same_game_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new = ruse.solve(New())
    with pytest.warns(DeprecationWarning, match=RENAME.format("Old")):
        old = ruse.solve(Old())
    assert set(old.tables[0]) == set(new.tables[0]) == {"pennies/after-0"}
    with pytest.warns(DeprecationWarning, match=RENAME.format("Old")):
        assert identity(as_game(Old())) == identity(as_game(New()))


def test_a_whole_game_keeps_its_name_title_and_sides() -> None:
    with pytest.warns(DeprecationWarning, match=RENAME.format("Complete")):
        game = as_game(Complete())
    assert (game.name, game.title, game.sides, game.format_position((1, ""))) == ("full", "full", ("odd", "even"), "@1")
    with pytest.warns(DeprecationWarning, match=RENAME.format("Complete")):
        bare = checked(Complete())  # type: ignore[arg-type]
        assert isinstance(bare, Checked) and bare.format_position((1, "")) == "@1"


def test_a_subclass_of_a_game_of_ruse_may_call_the_former_method_of_its_parent() -> None:
    with pytest.warns(DeprecationWarning) as found:
        game = as_game(OldLeduc())
        state = game.start()
        for _ in range(2):
            state = game.play(state, game.moves(state)[0])
        text = game.format_position(game.knows(state, 0))
    assert text.endswith("/x") and text.startswith("@")
    assert RENAME.format("OldLeduc") in {str(one.message) for one in found}


def test_the_name_that_is_defined_nearer_wins() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert as_game(OldThenNew()).format_position((1, "")) == "/1-moves"


def test_an_object_may_replace_the_former_method() -> None:
    game: Any = Kuhn()
    game.tell = lambda knowledge: f"@{knowledge}".replace("/", ":")
    with pytest.warns(DeprecationWarning, match=RENAME.format("Kuhn")):
        changed = as_game(game)
    assert changed.name == "my-kuhn"
    assert changed.format_position("K").startswith("@K")


@pytest.mark.parametrize("make", [Kuhn, TicTacToe])
def test_the_former_method_of_a_game_of_ruse_answers_with_a_warning(make: Callable[[], Any]) -> None:
    game = make()
    state = game.start()
    while game.turn(state) != 0:
        state = game.play(state, game.moves(state)[0])
    knowledge = game.knows(state, 0)
    with pytest.warns(DeprecationWarning, match="tell of games is now format_position"):
        assert game.tell(knowledge) == game.format_position(knowledge)


def test_the_former_capability_filed_is_representatives() -> None:
    with pytest.warns(DeprecationWarning, match="rename the method file to representative_position"):
        from ruse.core.capabilities import Filed  # type: ignore[attr-defined]

    OldFile.provides = (Filed,)  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="rename the method file of OldFile to representative_position"):
        game = checked(as_game(OldFile()))
    assert isinstance(game, Representatives)
    position, calls = game.representative_position("/after-1", 1)
    assert (position, calls("h")) == ("/at-1", "H")


def test_a_helper_named_file_is_no_capability() -> None:
    class Written(New):
        def file(self) -> str:
            return "results.txt"

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        game = as_game(Written())
        assert not isinstance(game, Representatives) and ruse.solve(game).certificate.lower == 0


def test_a_game_that_declares_representatives_needs_the_method() -> None:
    class Lacking(New):
        provides = (Representatives,)

    with pytest.raises(GameError, match="Lacking declares Representatives but has no method representative_position"):
        checked(as_game(Lacking()))


def public_table(game: Any) -> PublicTable:
    bounds = Bounds(laid_out(public_tree(game)))
    side = bounds.layout.sides[0]
    return PublicTable(game, 0, bounds, np.zeros((side.rows + bounds.layout.tree.chosen, side.width)).ravel())


def test_public_rules_may_format_chosen_hands_under_the_former_name() -> None:
    now, old = battleship("2x1", [1], [3], 2), OldBattleship("2x1", [1], [3], 2)
    with pytest.warns(DeprecationWarning, match="rename the method told of OldHands to format_choice"):
        positions = list(public_table(old))
    assert positions == list(public_table(now)) and len(positions) > 3


def test_public_rules_need_what_they_declare() -> None:
    lacking = OldBattleship("2x1", [1], [3], 2)
    lacking.hands = NoHands
    with pytest.raises(GameError, match="NoHands declares ChosenHands but has no method format_choice"):
        public_table(lacking)
