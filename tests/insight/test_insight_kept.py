"""`ruse insight`, what it keeps beside a solution, and the check of every certificate from the rules alone."""

from __future__ import annotations

import csv
import doctest
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fuzz import growing
from fuzz.oracle import size
from fuzz.rules import Rules

import ruse as package
from amounts import some
from insight_deals import check_beliefs
from insight_oracle import Oracle
from ruse.core import clock
from ruse.core.game import END, GameError, PositionError, RuleError
from ruse.insight import check, insight_file
from ruse.insight.costs import costs
from ruse.insight.engine import TreeInsight
from ruse.insight.rules_of_thumb import rules
from ruse.solution import container
from ruse.solution.store import load
from ruse.start import STOPPED
from ruse.verify import VerifyError
from toys import LabelGame

Ruse = Callable[..., tuple[int, str, str]]
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "insight.md"


@pytest.fixture
def kuhn(tmp_path: Path) -> Path:
    return package.solve(package.games.kuhn()).save(tmp_path / "kuhn.ruse")


def test_a_position_as_json(ruse: Ruse, kuhn: Path) -> None:
    status, out, _ = ruse("insight", str(kuhn), "kuhn@Q/check/bet", "--slip", "1/10", "--json")
    said = json.loads(out)
    assert status == 0 and said["value"] == "-1/18" and said["unique"] == {"first": False, "second": True}
    assert (said["position"], said["side"], said["slip"]) == ("kuhn@Q/check/bet", "first", "1/10")
    call = said["moves"]["call"]
    assert call == {"least": "1/3", "greatest": "2/3", "price": "1/18", "loss": "0", "kind": "may", "cost": "0"}
    assert said["costs"] == {"basis": "reference", "condition": "against an optimal Player 2", "proved": True}
    jack = said["beliefs"]["J"]
    assert jack == {"least": "1/4", "greatest": "1/4", "stored": "1/4", "facts": "1/2", "slip": "7/26"}


def test_what_is_kept_is_not_looked_for_again_and_the_solution_stays_as_it_is(
    ruse: Ruse, kuhn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kuhn.read_bytes()
    first = ruse("insight", str(kuhn), "kuhn@J", "--json")[1]
    assert insight_file.insight_path(kuhn).is_file() and kuhn.read_bytes() == before
    monkeypatch.setattr("ruse.insight.ranges.OptimalRanges.least", lambda *_: pytest.fail("looked for again"))
    assert ruse("insight", str(kuhn), "kuhn@J", "--json")[1] == first


@pytest.mark.parametrize("spoil", ["cut", "changed", "of another file", "not insight"])
def test_a_damaged_or_foreign_file_is_written_anew(ruse: Ruse, kuhn: Path, spoil: str, tmp_path: Path) -> None:
    first = ruse("insight", str(kuhn), "kuhn@J", "--json")[1]
    path = insight_file.insight_path(kuhn)
    whole = path.read_bytes()
    if spoil == "cut":
        path.write_bytes(whole[:-7])
    elif spoil == "changed":
        path.write_bytes(whole[:-7] + bytes([whole[-7] ^ 1]) + whole[-6:])
    elif spoil == "not insight":
        path.write_bytes(kuhn.read_bytes())
    else:
        fields = container.unpack(whole)
        fields["digest"] = "0" * 64
        fields["symmetric" if "symmetric" in fields else "all"]["value"] = "1"
        path.write_bytes(container.pack(fields))
    assert ruse("insight", str(kuhn), "kuhn@J", "--json")[1] == first
    assert path.read_bytes() == whole


def test_verify_checks_every_certificate(ruse: Ruse, kuhn: Path) -> None:
    assert ruse("insight", str(kuhn), "--simplest", "--csv", str(kuhn.with_suffix(".csv")))[0] == 0
    assert ruse("insight", str(kuhn), "kuhn@K/check")[0] == 0
    status, out, _ = ruse("verify", str(insight_file.insight_path(kuhn)), "--json")
    said = json.loads(out)
    assert status == 0 and said["verified"] and said["certificates"] > 70


def changes(fields: dict[str, Any]) -> list[tuple[str, Any]]:
    """Claims that are not so, each with nothing else changed."""

    def edited(place: list[Any], number: int, to: Any) -> Any:
        return lambda: place.__setitem__(number, to)

    part = fields["all"]
    j_bet = next(row for row in part["ranges"] if row[2:4] == ["kuhn@J", "bet"])
    always = next(row for row in part["guarantees"] if row[2:4] == ["kuhn@J", "bet"])
    belief = next(row for row in part["ranges"] if row[0] == "belief" and row[2:4] == ["kuhn@Q/check/bet", "J"])
    return [
        ("a lower greatest", edited(j_bet[5], 0, "1/4")),
        ("a witness that has something else", edited(j_bet[5], 1, "1/4")),
        ("a weight below 0", edited(j_bet[5], 2, "-1")),
        ("a higher least belief", edited(belief[4], 0, "1/3")),
        ("a lower price", edited(always, 4, "0")),
        ("a higher price", edited(always, 5, "-2")),
        ("another value", lambda: part.__setitem__("value", "0")),
        ("a unique first strategy", lambda: part["unique"][0].__setitem__("unique", True)),
        ("a second strategy that is not unique", lambda: part["unique"][1].__setitem__("unique", False)),
        ("a simpler strategy", lambda: part["simplest"][0].__setitem__("mixed", 0)),
        ("a position that has to be mixed", lambda: part["simplest"][0]["must_mix"].append("kuhn@K")),
        ("larger denominators than it takes", lambda: part["simplest"][0].__setitem__("denominator_at_least", 3)),
        ("other denominators than there are", lambda: part["simplest"][0].__setitem__("denominator", 2)),
        ("a move that there is not", edited(j_bet, 3, "raise")),
    ]


def test_no_claim_can_be_changed_unnoticed(ruse: Ruse, kuhn: Path) -> None:
    assert ruse("insight", str(kuhn), "--simplest", "--csv", str(kuhn.with_suffix(".csv")))[0] == 0
    assert ruse("insight", str(kuhn), "kuhn@Q/check/bet")[0] == 0
    whole = insight_file.insight_path(kuhn).read_bytes()
    assert check.check(whole).value == Fraction(-1, 18)
    for number, (name, _) in enumerate(changes(container.unpack(whole))):
        fields = container.unpack(whole)
        changes(fields)[number][1]()
        with pytest.raises(VerifyError):
            print(name, check.check(container.pack(fields)))
    path = insight_file.insight_path(kuhn)
    path.write_bytes(container.pack(fields))
    assert ruse("verify", str(path))[0] == 1
    path.write_bytes(whole[:-3])
    status, _, err = ruse("verify", str(path))
    assert status == 1 and "bytes" in err


def test_certificates_of_random_games_hold(tmp_path: Path) -> None:
    for seed in range(300, 300 + some(40)):
        random = Random(seed)
        pay = growing.PAYOFFS[random.choice(list(growing.PAYOFFS))]  # also 10^20 beside 10^-20
        tree = growing.tree(random, random.randint(5, 40), pay)
        if size(tree) == 1:
            continue
        found = TreeInsight(package.solve(Rules(tree)))
        for side, position in list(found.positions())[:3]:
            assert found.at(position, side).exact
        found.unique()
        for side in (0, 1):
            simple = found.simplest(side)
            assert simple.at_least <= simple.mixed
        fields = insight_file._Writer(found.value, found.proof(), found.memory).fields()
        assert check._Check(found.solution.game, False, found.value, fields).all() > 3


def test_strategies_as_they_were_written_until_0_5_are_read_and_checked(ruse: Ruse, kuhn: Path) -> None:
    assert ruse("insight", str(kuhn), "kuhn@J")[0] == 0
    fields = container.unpack(insight_file.insight_path(kuhn).read_bytes())
    part = fields["all"]
    entries = part.pop("entries")
    part["strategies"] = [dict(entries[number] for number in table) for table in part["strategies"]]
    assert (
        check.check(container.pack(fields)).certificates
        == check.check(insight_file.insight_path(kuhn).read_bytes()).certificates
    )
    assert len(insight_file.memory_of(part).ranges) >= 2


@pytest.mark.soak
def test_leduc_is_kept_up_to_symmetry(ruse: Ruse, tmp_path: Path) -> None:
    path = package.solve(package.games.leduc()).save(tmp_path / "leduc.ruse")
    spades = json.loads(ruse("insight", str(path), "leduc@Ks/call/raise", "--json")[1])
    hearts = json.loads(ruse("insight", str(path), "leduc@Kh/call/raise", "--json")[1])
    assert spades["notes"] and spades["moves"] == hearts["moves"]
    assert "symmetric" in container.unpack(insight_file.insight_path(path).read_bytes())
    assert ruse("verify", str(insight_file.insight_path(path)))[0] == 0


def test_symmetric_strategies_are_some_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where labels are alike, a class of moves has the range of its members together, or a narrower one."""
    monkeypatch.setattr("ruse.insight.places.built_in", lambda _: True)  # whose symmetry is tested
    game = LabelGame("abc", 2, (0, 3, -1, 2, 1, -2, 0, 1, 2, -3, 1, 0, -1, 2, 3, -2))
    solution = package.solve(game)
    alike, every = TreeInsight(solution), TreeInsight(solution, symmetry=False)
    assert alike.up_to_symmetry and not every.up_to_symmetry and alike.value == every.value
    for side, position in list(every.positions())[:12]:
        there = alike.at(position, side)
        apart = {one.move: one for one in every.at(position, side).moves}
        assert len(there.moves) <= len(apart)
        for one in there.moves:
            same = apart.get(one.move)
            if same is not None and one.range is not None and len(there.moves) == len(apart):
                assert same.range is not None
                assert same.range.least.value <= one.range.least.value
                assert same.range.greatest.value >= one.range.greatest.value


def test_a_whole_game_as_csv_and_parquet(ruse: Ruse, kuhn: Path, tmp_path: Path) -> None:
    from pyarrow import parquet

    table, columns = tmp_path / "k.csv", tmp_path / "k.parquet"
    assert ruse("insight", str(kuhn), "--csv", str(table), "--parquet", str(columns))[0] == 0
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 24 and {row["proved"] for row in rows} == {"True"}
    bet = next(row for row in rows if row["position"] == "kuhn@J" and row["move"] == "bet")
    assert (bet["least"], bet["greatest"], bet["price"]) == ("0", "1/3", "2/9")
    judged = costs(load(kuhn))
    for row in rows:
        here = judged.at(row["position"], int(row["side"]))
        assert (row["cost"], row["basis"]) == (str(here.cost(row["move"])), here.basis)
    assert parquet.read_table(columns).num_rows == 24


def test_the_simplest_strategies_of_kuhn_are_proved_to_be() -> None:
    found = TreeInsight(package.solve(package.games.kuhn()))
    for side, mixed, least in ((0, 1, 2), (1, 2, 3)):
        simple = found.simplest(side)
        assert (simple.mixed, simple.at_least, simple.denominator) == (mixed, mixed, 3)
        assert simple.denominator_at_least == least
        assert simple.words == 2 * len(simple.strategy) + 3 * mixed


def test_of_strategies_that_mix_alike_the_shortest_is_told() -> None:
    """Two first moves are worth the same; after one of them there is more to decide, and so more to say."""

    class Detour:
        def start(self) -> Any:
            return ()

        def turn(self, state: Any) -> int:
            return END if state in (("stop",), ("go", "left"), ("go", "right")) else 0

        def moves(self, state: Any) -> Any:
            return ("go", "stop") if state == () else ("left", "right")

        def odds(self, state: Any) -> Any:
            return ()

        def play(self, state: Any, move: Any) -> Any:
            return (*state, move)

        def knows(self, state: Any, side: int) -> Any:
            return state

        def payoff(self, state: Any) -> Fraction:
            return Fraction(1)

    simple = TreeInsight(package.solve(Detour())).simplest(0)
    (odds,) = simple.strategy.values()
    assert simple.words == 2 and odds["stop"] == 1


def test_the_price_of_a_rule_of_thumb() -> None:
    solution = package.solve(package.games.kuhn())
    found = solution.insight()
    (always,) = rules(found, solution.game, "side: first\nkuhn@J: bet\n")
    assert (always.price, always.alone) == (Fraction(2, 9), None)
    (never,) = rules(found, solution.game, "side: first\nkuhn@J: check\nkuhn@K: check\notherwise: fold or check\n")
    assert never.price == 0 and never.alone is not None and never.alone < Fraction(-1, 18)
    (second,) = rules(found, solution.game, "side: second\nkuhn@J/check: bet 1/2 or check 1/2\n")
    assert (second.price, second.guarantee.value) == (Fraction(1, 18), 0)
    for wrong in ("side: first\nkuhn@J/check: bet\n", "side: first\nkuhn@J: fold\n", "side: first\nkuhn@J: bet 1/2\n"):
        with pytest.raises(RuleError):
            rules(found, solution.game, wrong)


@pytest.mark.soak
def test_beliefs_about_opponents_who_slip_are_those_of_deals() -> None:
    random = Random(7)
    for game in (package.games.kuhn(), package.games.goofspiel(4), package.games.liars_dice(3)):
        oracle = Oracle(game)
        early = [
            (side, known) for side in (0, 1) for known in oracle.sets[side] if len(oracle.sets[side][known][0]) < 2
        ]
        chosen = random.sample(early, 8)
        assert check_beliefs(package.solve(game), chosen, Fraction(1, 2), 2_000, random) >= 2


def test_slips_go_from_the_stored_opponent_to_the_bare_facts() -> None:
    found = package.solve(package.games.kuhn()).insight()
    at = {slip: found.at("kuhn@Q/check/bet", slip=Fraction(slip)).beliefs for slip in ("0", "1/2", "1")}
    for none, half, all_ in zip(*at.values(), strict=True):
        assert none.slip == none.stored and all_.slip == all_.facts
        assert min(none.slip, all_.slip) < half.slip < max(none.slip, all_.slip)


def test_where_the_time_is_up_ranges_are_bounds_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    found = TreeInsight(package.solve(package.games.kuhn()))
    assert found.optimal.ranges

    def late(*_: Any) -> None:
        raise clock.TimeIsUp("late")

    monkeypatch.setattr("ruse.solvers.highs.Highs.run", late)
    there = found.at("kuhn@J")
    bet = there.moves[1]
    assert not there.exact and any("bounded" in note for note in there.notes)
    assert bet.range is not None and not bet.range.exact and bet.range.greatest.value == 1
    assert bet.range.greatest.attained is not None and 0 < bet.range.greatest.attained <= Fraction(1, 3)
    assert bet.price_at_least is not None and bet.price is not None
    assert bet.price_at_least <= Fraction(2, 9) <= bet.price
    said = bet.to_json()
    assert "greatest" not in said["proved"] and said["attained"]["greatest"]
    assert not found.memory.ranges.keys() & {("move", 0, "kuhn@J", "bet")}


def test_what_was_found_before_an_interrupt_is_kept(ruse: Ruse, kuhn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves, asked = TreeInsight.moves, []

    def interrupted(self: TreeInsight, position: str, side: int) -> Any:
        asked.append(position)
        if len(asked) > 3:
            raise KeyboardInterrupt
        return moves(self, position, side)

    monkeypatch.setattr(TreeInsight, "moves", interrupted)
    table = kuhn.with_suffix(".csv")
    status, out, err = ruse("insight", str(kuhn), "--csv", str(table))
    assert status == STOPPED and not out and "stopped" in err and "(3 of 12 positions)" in err
    with table.open(encoding="utf-8") as lines:
        assert {row["position"] for row in csv.DictReader(lines)} == set(asked[:3])
    assert len(insight_file.InsightFile(kuhn).load(False).ranges) == 6
    assert ruse("verify", str(insight_file.insight_path(kuhn)))[0] == 0


def test_with_hardly_any_time_there_are_still_bounds(ruse: Ruse, kuhn: Path) -> None:
    found = load(kuhn).insight()
    with clock.deadline(0):
        there = found.at("kuhn@J")
    assert [one.range is not None and one.range.least.value for one in there.moves] == [0, 0] and not there.exact
    assert found.at("kuhn@J").exact
    assert found.unique()[1].unique is True  # for which the middle is needed


def test_bad_input_is_refused(ruse: Ruse, kuhn: Path, tmp_path: Path) -> None:
    found = load(kuhn).insight()
    for slip in (Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(PositionError, match="from 0 to 1"):
            found.at("kuhn@J", slip=slip)
    for words in (("--slip", "3/2"), ("--slip", "x"), ("--slip", "1e9"), ("--side", "first")):
        assert ruse("insight", str(kuhn), *words)[0] == 2
    status, _, err = ruse("insight", str(kuhn), "leduc@Ks")
    assert status == 1 and "expected a position of kuhn" in err
    assert ruse("insight", str(kuhn), "kuhn@J", "--side", "third")[0] == 1
    assert ruse("insight", str(tmp_path / "none.ruse"))[0] == 1
    status, _, err = ruse("insight", "pig")
    assert status == 1 and "solved by states" in err
    with pytest.raises(GameError, match="insight handles at most"):
        TreeInsight(package.solve(package.games.kuhn()).__class__(package.games.goofspiel(7), "", ({}, {}), None, 0, 0))  # type: ignore[arg-type]


def test_the_page_says_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ruse.cli.program import main

    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    ran = 0
    for language, block in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL):
        if language == "console":
            for part in block.split("$ ")[1:]:
                command, _, shown = part.partition("\n")
                program, *words = command.split()
                if program == "cat":
                    Path(words[0]).write_text(shown, encoding="utf-8")
                    continue
                assert main(words) == 0, command
                printed = capsys.readouterr().out
                assert printed.startswith(shown.rstrip("\n")), (command, printed)
                ran += 1
        elif language == "python":
            test = doctest.DocTestParser().get_doctest(block, {}, "insight", "insight.md", 0)
            assert test.examples and doctest.DocTestRunner(verbose=False).run(test).failed == 0
            ran += 1
    assert ran >= 6
