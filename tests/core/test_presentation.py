"""How a game is shown: declared in its own class body, with a default for all else, and as 0.6.0 declared it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.cli import main
from ruse.core import capabilities, named_games
from ruse.core.former_capabilities import FORMER, MOVED, SHOWN
from ruse.core.identity import identity
from ruse.core.own import as_game
from ruse.core.presentation import Presentation, overridden
from ruse.core.registry import find, part, presentation
from ruse.games import GAMES, make
from ruse.games.kuhn import Kuhn
from ruse.present.viewer import viewer
from ruse.solving.declarations import lookalikes


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with named_games.only_here():
        yield tmp_path


class Cards:
    """The first side sees which of two cards is dealt and may bet; the second answers."""

    def start(self) -> Any:
        return ()

    def turn(self, state: Any) -> int:
        return (ruse.CHANCE, 0, 1, ruse.END)[len(state)]

    def moves(self, state: Any) -> Any:
        return (("low", "high"), ("check", "bet"), ("call", "fold"))[len(state)]

    def odds(self, state: Any) -> Any:
        return [Fraction(1, 2)] * 2

    def play(self, state: Any, move: Any) -> Any:
        return (*state, move)

    def knows(self, state: Any, side: int) -> Any:
        return state[:2] if side == 0 else state[1:]

    def payoff(self, state: Any) -> int:
        return (1 if state[0] == "high" else -1) * (2 if state[1] == "bet" and state[2] == "call" else 1)


class Shown(Presentation[Any]):
    def explain_move(self, position: str, move: str) -> str:
        return f"{move}!"

    def hidden_from(self, state: Any, side: int) -> str:
        return f"the card {state[0]}"

    def setup(self) -> str:
        return "two cards"


class CardsShown(Cards):
    presentation = Shown


def test_every_game_has_a_presentation_and_defaults_for_the_rest() -> None:
    for name in GAMES:
        if name == "matrix":
            continue
        shown = presentation(make(name))
        assert isinstance(shown, Presentation) and shown.game.name == name
        assert isinstance(shown.setup(), str) and isinstance(shown.model(), str)
    plain = presentation(as_game(Cards()))
    assert not overridden(type(plain)) and plain.rules_by_position and plain.hidden_from((), 0) is None
    assert plain.picture((), 0, None) == () and plain.viewer(ruse.solve(Cards())) is None


def test_the_presentation_of_ones_own_game_is_used() -> None:
    solution = ruse.solve(CardsShown())
    view = viewer(solution).at(f"{solution.game.title}@bet", 1)
    assert {option.gloss for option in view.options} == {"call!", "fold!"}
    assert {one.what for one in view.beliefs} <= {"the card low", "the card high"} and view.beliefs
    assert presentation(solution.game).setup() == "two cards"
    plain = viewer(ruse.solve(Cards())).at("cards@bet", 1)
    assert {option.gloss for option in plain.options} == {""}


def test_a_presentation_is_not_inherited_and_none_is_shown_of_replaced_rules() -> None:
    class Heir(CardsShown):
        pass

    assert not overridden(type(presentation(as_game(Heir()))))
    changed: Any = CardsShown()
    changed.payoff = lambda state: 0
    assert not overridden(type(presentation(as_game(changed))))
    wrapped: Any = as_game(CardsShown())
    assert type(presentation(wrapped)) is Shown
    wrapped.payoff = lambda state: 0
    assert not overridden(type(presentation(wrapped)))
    assert not overridden(type(presentation(as_game(type("Mine", (Kuhn,), {})()))))


@pytest.mark.parametrize("wrong", ["a picture", Shown(Kuhn()), Cards])
def test_what_is_no_presentation_is_a_sentence(wrong: object) -> None:
    game = type("Odd", (Cards,), {"presentation": wrong})()
    with pytest.raises(ruse.GameError, match=r"`presentation` of Odd must be a class derived from .*Presentation"):
        ruse.solve(game)


def test_a_presentation_that_fails_is_a_sentence() -> None:
    class Failing(Presentation[Any]):
        def explain_move(self, position: str, move: str) -> str:
            return str(1 / 0)

    class Unmade(Presentation[Any]):
        def __init__(self, game: Any) -> None:
            raise KeyError("a key")

    game = as_game(type("Odd", (Cards,), {"presentation": Failing})())
    with pytest.raises(ruse.RuseError, match=r"odd failed to be shown by explain_move of Failing: ZeroDivision"):
        viewer(ruse.solve(game)).at("odd@bet", 1)
    with pytest.raises(ruse.RuseError, match=r"odd failed to be shown by Unmade: KeyError"):
        presentation(as_game(type("Odd", (Cards,), {"presentation": Unmade})()))


def test_texts_of_a_presentation_are_part_of_an_identity() -> None:
    def shown(text: str) -> str:
        kind = type("Told", (Presentation,), {"setup": lambda self: text})
        return identity(as_game(type("Cards", (Cards,), {"presentation": kind})()))

    assert shown("one") == shown("one") != shown("two") != identity(as_game(type("Cards", (Cards,), {})()))


def test_a_method_that_looks_like_one_of_a_presentation_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    game = as_game(type("Drawn", (Cards,), {"picture": lambda self, knowledge, side: []})())
    assert lookalikes(game) == {"Presentation": ("picture",)}
    assert not overridden(type(presentation(game))) and presentation(game).picture((), 0, None) == ()
    Path("cards.py").write_text(OWN.format(declared="", imports=""), encoding="utf-8")
    assert main(["check", "cards.py", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["undeclared"] == ["Presentation"]


def test_entries_of_parts_that_prove_something_are_believed_of_ruses_games_only() -> None:
    class Boast:
        SOLVER = "boast"
        quick = values = verifier = proof_checker = 9

    mine = as_game(type("Mine", (Kuhn,), {"parts": {"solve": Boast, "verify": Boast}})())
    assert part(mine, "solve", "SOLVER") == "boast"
    for name, entry in (("solve", "quick"), ("solve", "values"), ("verify", "verifier"), ("verify", "proof_checker")):
        assert part(mine, name, entry) is None
    assert part(make("resistance"), "solve", "quick") and part(make("resistance"), "verify", "proof_checker")
    assert part(make("4-in-a-row"), "solve", "values") and part(make("kuhn"), "solve", "values") is None


# Games of 0.6.0

OWN = """
from fractions import Fraction
from ruse import CHANCE, END
{imports}

class Cards:
    {declared}
    def start(self): return ()
    def turn(self, state): return (CHANCE, 0, 1, END)[len(state)]
    def moves(self, state): return (("low", "high"), ("check", "bet"), ("call", "fold"))[len(state)]
    def odds(self, state): return [Fraction(1, 2)] * 2
    def play(self, state, move): return (*state, move)
    def knows(self, state, side): return state[:2] if side == 0 else state[1:]
    def payoff(self, state):
        return (1 if state[0] == "high" else -1) * (2 if state[1] == "bet" and state[2] == "call" else 1)
    def model(self): return "A model."
    def picture(self, knowledge, side): return [f"Side {{side}}."]
"""


def old(name: str) -> tuple[type, list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        found: type = getattr(capabilities, name)
    return found, met


@pytest.mark.parametrize("name", FORMER)
def test_a_former_capability_is_found_with_one_warning_that_names_the_new_way(name: str) -> None:
    found, met = old(name)
    (warning,) = met
    assert warning.category is DeprecationWarning and warning.filename == __file__
    new = ["Presentation", *SHOWN[name].values()] if name in SHOWN else [MOVED[name][2]]
    assert all(text in str(warning.message) for text in (name, *new))
    assert found.__name__ == name and FORMER[name] is found


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_game_of_0_6_0_shows_is_shown(name: str) -> None:
    capability, _ = old(name)
    methods: dict[str, Any] = {
        method: lambda self, *arguments, method=method: (method, *arguments) for method in SHOWN[name]
    }
    game = as_game(type("Old", (Cards,), {"provides": (capability,), **methods})())
    shown: Any = presentation(game)
    for method, today in SHOWN[name].items():
        given = ("x", 1, None) if today == "picture" else ("x", 1)
        assert getattr(shown, today)(*given) == (method, "x", 1)
    assert shown.rules_by_position == (name != "Worded") and isinstance(game, capability)
    undeclared = as_game(type("Old", (Cards,), methods)())
    assert lookalikes(undeclared).keys() == {"Presentation"} and not isinstance(undeclared, capability)


def test_a_file_of_0_6_0_goes_on_as_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    """The identity is the one that 0.6.0 gave it, so its solutions are found again."""
    text = OWN.format(
        declared="provides = (Modelled, Pictured)", imports="from ruse.core.capabilities import Modelled, Pictured"
    )
    Path("cards.py").write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = find("cards.py")
    assert identity(game) == "ca4ddcec9d409c08af6d45ca"
    shown = presentation(game)
    assert shown.model() == "A model." and shown.picture((), 1, None) == ["Side 1."]
    assert main(["check", "cards.py"]) == 0
    told = capsys.readouterr().out
    assert (
        "The game declares Modelled, Pictured; this cannot be compared with the rules." in told
        and "Not declared" not in told
    )


def test_former_capabilities_of_variants_and_states_do_what_they_did() -> None:
    from ruse.core.capabilities import Adjustable, Memoryless
    from ruse.core.registry import call_optional

    monotone, spanned, graphed, countable = (old(name)[0] for name in ("Monotone", "Spanned", "Graphed", "Countable"))
    methods: dict[str, Any] = {"directions": lambda self: {"p": 1}, "span": lambda self: {"p": "1..2"}}
    rising = as_game(type("Rising", (Cards,), {"provides": (monotone,), **methods})())
    assert call_optional(Adjustable.directions, rising) == {"p": 1} and call_optional(Adjustable.span, rising) == {}
    both = as_game(type("Both", (Cards,), {"provides": (monotone, spanned), **methods})())
    assert call_optional(Adjustable.span, both) == {"p": "1..2"}
    states: dict[str, Any] = {
        "board": lambda self, state: state,
        "returns": lambda self: False,
        "graph": lambda self: "a graph",
        "check_countable": lambda self, purpose: purpose,
    }
    drawn = as_game(type("Drawn", (Cards,), {"provides": (graphed, countable), **states})())
    assert isinstance(drawn, Memoryless) and call_optional(Memoryless.graph, drawn) == "a graph"
    assert call_optional(Memoryless.check_countable, drawn, "why") == "why"


def test_methods_with_a_default_count_in_the_body_that_declares_their_capability() -> None:
    from ruse.core.capabilities import Memoryless
    from ruse.core.registry import call_optional

    states: dict[str, Any] = {
        "board": lambda self, state: state,
        "returns": lambda self: False,
        "graph": lambda self: "a graph",
    }
    parent = type("Parent", (Cards,), {"provides": (Memoryless,), **states})
    assert call_optional(Memoryless.graph, as_game(parent())) == "a graph"
    assert call_optional(Memoryless.graph, as_game(type("Heir", (parent,), {"provides": (Memoryless,)})())) is None
    assert call_optional(Memoryless.graph, as_game(type("Silent", (Cards,), states)())) is None
