"""Constant-sum games: both sides share out the same amount at every end, and each is told its part."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from listening import listening
from ruse.cli import main
from ruse.core.capabilities import constant, payoff_to
from ruse.core.contract import checked
from ruse.core.game import Game, GameError
from ruse.core.identity import identity
from ruse.core.plain_games.tree import ExplicitTree, Node, TreeChoice
from ruse.explorer import wording
from ruse.formats.efg import read_efg, write_efg
from ruse.formats.gambit_text import FormatError
from ruse.formats.nfg import read_nfg, write_nfg
from ruse.forms.reductions.games import Wrapper
from ruse.play.coach import judge
from ruse.play.session import begin, play
from ruse.present.viewer import viewer
from serving import PATIENCE
from toys import TreeGame, random_games

# [[6, 3], [2, 5]] to Ann: she mixes 1/2 and 1/2 and gets (6 * 5 - 2 * 3) / (6 + 5 - 2 - 3) = 4, so Bob gets 6.
TABLE = """NFG 1 R "Ten to share" { "Ann" "Bob" } { 2 2 }

6 4 2 8 3 7 5 5
"""
TABLE_BY_OUTCOME = """NFG 1 D "Ten to share" { "Ann" "Bob" } { { "up" "down" } { "left" "right" } } ""
{ { "a" 6, 4 } { "b" 2, 8 } { "c" 3.0, 7.0 } { "d" 5, 5 } }
1 2 3 4
"""

# Both get something at the start, 5 together, and share out 5 more. Ann sees a coin and says yes or no; "no" is 3 of
# 10. By a yes she gets 6 if she is believed; if she is doubted, 7 for heads and 2 for tails. After tails she has to say
# yes in 1/4 of the cases for Bob not to care (6 + 6q = 7 + 2q), so the value is (6 + 6/4 + 3 * 3/4) / 2 = 39/8.
TREE = """EFG 2 R "Yes or no" { "Ann" "Bob" }
"An outcome at the root, with payoffs for both."

c "" 1 "" { "heads" 1/2 "tails" 1/2 } 1 "for coming" { 2, 3 }
p "" 1 1 "saw heads" { "yes" "no" } 0
p "" 2 1 "" { "believe" "doubt" } 0
t "" 2 "" { 4, 1 }
t "" 3 "" { 5, 0 }
t "" 4 "" { 1, 4 }
p "" 1 2 "saw tails" { "yes" "no" } 0
p "" 2 1 0
t "" 2
t "" 5 "" { 0, 5 }
t "" 4
"""


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [(read_nfg, TABLE, 4), (read_nfg, TABLE_BY_OUTCOME, 4), (read_efg, TREE, Fraction(39, 8))],
)
def test_files_are_solved_and_both_sides_told_their_part(
    read: Callable[[str], Game], text: str, value: Fraction
) -> None:
    solution = ruse.solve(read(text))
    assert constant(solution.game) == 10
    assert solution.value == value and solution.verify().exact
    assert solution.values == {"Ann": value, "Bob": 10 - value}
    found = solution.to_json()
    assert found["constant"] == "10"
    assert {name: Fraction(share) for name, share in found["values"].items()} == solution.values
    assert "win" not in found


def test_the_headline_tells_both_values() -> None:
    assert ruse.solve(read_nfg(TABLE)).headline() == "ten-to-share: worth 4 to Ann, 6 to Bob; exact"
    rough = ruse.solve(read_efg(TREE), "cfr", iterations=20)
    assert "to Ann, " in rough.headline() and rough.headline().endswith(" to Bob; not exact")
    low, high = (Fraction(number) for number in re.findall(r"(5\.\d+)", rough.headline()))
    assert low <= 10 - rough.certificate.upper <= 10 - rough.certificate.lower <= high
    assert sum(rough.values.values()) == pytest.approx(10)


def test_zero_sum_games_tell_what_they_told() -> None:
    found = ruse.solve(ruse.games.kuhn())
    assert not {"constant", "values"} & set(found.to_json())
    assert found.headline() == "kuhn: worth -1/18 ≈ -0.0555556 to Player 1; exact"
    assert found.values == {"first": Fraction(-1, 18), "second": Fraction(1, 18)}


@settings(max_examples=some(30))
@given(random_games(depth=3), st.fractions(-9, 9, max_denominator=4), st.fractions(-9, 9, max_denominator=4))
def test_a_shifted_tree_is_worth_as_much_more(game: TreeGame, mine: Fraction, theirs: Fraction) -> None:
    """Payoffs p and -p become p + mine and theirs - p, in the text of the file."""

    def shifted(end: re.Match[str]) -> str:
        return f"{{ {Fraction(end[1]) + mine}, {Fraction(end[2]) + theirs} }}"

    text = re.sub(r"\{ (-?\d+(?:/\d+)?), (-?\d+(?:/\d+)?) \}", shifted, write_efg(game))
    plain, shared = ruse.solve(game), ruse.solve(read_efg(text))
    assert constant(shared.game) == mine + theirs
    assert shared.value == plain.value + mine
    assert list(shared.values.values()) == [plain.value + mine, theirs - plain.value]
    again = read_efg(write_efg(shared.game))
    assert constant(again) == mine + theirs and ruse.solve(again).values == shared.values
    try:
        table = read_nfg(write_nfg(shared.game))
    except GameError as error:
        assert "normal form" in str(error)
        return
    assert constant(table) == mine + theirs and ruse.solve(table).value == shared.value


def test_tables_read_back_with_their_constant() -> None:
    table = read_nfg(TABLE)
    again = read_nfg(write_nfg(table))
    assert again.payoffs == table.payoffs and constant(again) == 10
    assert constant(read_efg(write_efg(table))) == 10


def test_what_stands_in_for_a_game_has_its_constant() -> None:
    game = read_efg(TREE)
    assert constant(checked(game)) == constant(Wrapper(game)) == constant(Wrapper(checked(game))) == 10
    assert constant(ruse.games.kuhn()) == constant(Wrapper(ruse.games.kuhn())) == 0


def test_solution_files_keep_the_constant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, saved, tree = (tmp_path / name for name in ("game.efg", "game.ruse", "again.efg"))
    file.write_text(TREE, encoding="utf-8")
    assert main(["solve", str(file), "--out", str(saved)]) == 0
    file.unlink()
    assert main(["verify", str(saved)]) == 0
    assert main(["export", str(saved), "--efg", str(tree)]) == 0
    capsys.readouterr()
    assert main(["solve", str(tree), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["constant"], found["values"]) == ("10", {"Ann": "39/8", "Bob": "41/8"})


def test_the_constant_is_part_of_the_identity() -> None:
    choices = [TreeChoice(0, "@here", ("l", "r"), ())]
    nodes = [Node(0, [1, 2], ((), ()), None), *(Node(-2, [], ((0, 0), ()), Fraction(pays)) for pays in (1, 2))]
    games = [ExplicitTree("efg", "t", ("a", "b"), {}, choices, nodes, amount) for amount in (0, 3, 4)]
    assert len({identity(game) for game in games}) == 3
    assert identity(games[0]) == identity(ExplicitTree("efg", "t", ("a", "b"), {}, choices, nodes))
    assert identity(read_nfg(TABLE)) != identity(read_nfg(TABLE.replace("6 4 2 8 3 7 5 5", "6 3 2 7 3 6 5 4")))


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (
            read_efg,
            TREE.replace('t "" 5 "" { 0, 5 }', 't "" 5 "" { 0, 4 }'),
            "expected payoffs that add up to 10, as they do at line 7, column 1 (the same at every end: a zero-sum or "
            "constant-sum game), got 2 and 7, which add up to 9 (the text, line 13, column 1)",
        ),
        (
            read_nfg,
            TABLE.replace("5 5", "5 6"),
            "expected payoffs that add up to 10, as they do at line 3, column 1 (the same at every end: a zero-sum or "
            "constant-sum game), got 5 and 6, which add up to 11 (the text, line 3, column 13)",
        ),
        (
            read_nfg,
            TABLE_BY_OUTCOME.replace("1 2 3 4", "1 2 0 4"),
            "expected payoffs that add up to 10, as they do at line 3, column 1 (the same at every end: a zero-sum or "
            "constant-sum game), got 0 and 0, which add up to 0 (the text, line 3, column 5)",
        ),
    ],
)
def test_sums_that_differ_are_refused_with_both_places(read: Callable[[str], Game], text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("side", [0, 1])
def test_a_person_is_told_its_own_part(side: int) -> None:
    solution = ruse.solve(read_efg(TREE))
    views = viewer(solution)
    for seed in range(6):
        session = begin(solution, side, seed=seed)
        while not session.over:
            view = views.at(session.position, side)
            session = play(session, session.number, session.options[0])
            verdict = judge(session, views, len(session.decisions))
            assert verdict.before == payoff_to(solution.game, side, view.value)
            assert verdict.after is not None and verdict.before is not None and verdict.loss is not None
            assert 0 <= verdict.after <= 10
        assert session.gain in ({6, 7, 2, 3} if side == 0 else {4, 3, 8, 7})


def test_the_game_ends_with_both_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.nfg"
    file.write_text(TABLE, encoding="utf-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    assert main(["play", str(file), "--side", "Bob", "--seed", "1"]) == 0
    found = re.search(r"You get (\d) of 10, Ann the other (\d)\.", capsys.readouterr().out)
    assert found is not None and {found[1], found[2]} in ({"7", "3"}, {"5"})


def test_pages_tell_both_values() -> None:
    solution = ruse.solve(read_efg(TREE))
    assert wording.solved(solution).sentence == "Worth 4.875 to Ann, 5.125 to Bob"
    assert [wording.own(solution.game, Fraction(39, 8), side) for side in (0, 1)] == [Fraction(39, 8), Fraction(41, 8)]
    rough = ruse.solve(read_efg(TREE), "cfr", iterations=20)
    assert wording.solved(rough).sentence.startswith("Worth between 4.")
    assert wording.solved(rough).sentence.endswith(" to Bob")


def test_options_on_a_page_are_worth_what_their_side_gets(tmp_path: Path) -> None:
    ruse.solve(read_efg(TREE)).save(tmp_path / "tree.ruse")
    with listening(tmp_path, "tree.ruse") as server:
        address = httpx.URL(server.page.replace("/p/yes-or-no", "/p/yes-or-no@Bob-1"))
        waiting = address.copy_merge_params({"insight": "true", "time": "60"})  # as "Compute it now" does
        page = httpx.get(waiting, timeout=2 * PATIENCE).text
    assert "Worth 6 to Ann, 4 to Bob from here" in page
    assert re.findall(r'data-label="Worth to Bob">\s*<b>(\S+)</b>', page) == ["4", "4"]
