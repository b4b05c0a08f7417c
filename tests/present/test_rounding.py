"""Bounds as they are shown: they hold the exact ones, in every place and at any number of digits."""

from __future__ import annotations

import csv
import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from html import unescape
from math import inf, nextafter
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import ruse as library
from ruse.core import rationals
from ruse.explorer import wording
from ruse.forms.certificate import Certificate
from ruse.present.card import card
from ruse.present.report import proof
from ruse.solution.store import load
from serving import JSON, PATIENCE, serving

NUMBER = r"[-−]?\d+(?:\.\d+)?(?:e[-+]\d+)?"
COUNTS = st.integers(1, 20)
SMALL = st.fractions(max_denominator=10**6)
WIDE = st.builds(lambda number, power: number * Fraction(10) ** power, SMALL, st.integers(-40, 40))
RUNS = {
    "kuhn": ("kuhn", "--solver", "cfr+", "--iterations", "10"),
    "kuhn, nearly": ("kuhn", "--solver", "cfr+", "--gap", "1e-5"),
    "leduc": ("leduc", "--solver", "cfr+", "--iterations", "10"),
    "liars-dice": ("liars-dice", "--faces", "3", "--solver", "cfr+", "--iterations", "10"),
    "pig": ("pig", "--goal", "20"),
    "phantom": ("phantom-tic-tac-toe", "--board", "2x4", "--gap", "1/2"),
    "wide": ("matrix", "--payoffs", "-30000000 190000 1; 1e-3 -1e-3 7", "--solver", "cfr+", "--iterations", "3"),
}


def number(text: str) -> Fraction:
    return Fraction(text.replace("−", "-"))


def pairs(text: str) -> list[tuple[Fraction, Fraction]]:
    """Every pair of bounds in a text, as payoffs to the first side."""
    found = []
    for before, low, percent, high in re.findall(
        rf"(\S*) (?:between |bounded \[|at least )({NUMBER})(%)?"
        rf"(?: and |, | against any opponent; [\w ]+'s? concedes at most )({NUMBER})",
        text,
    ):
        one, two = number(low), number(high)
        if percent:
            one, two = one / 100, two / 100
        if before in ("2", "spies"):  # Player 2
            one, two = 1 - two, 1 - one
        found.append((2 * one - 1, 2 * two - 1) if percent or before == "wins" else (one, two))
    return found


def holds(pair: tuple[Fraction, Fraction], lower: Fraction, upper: Fraction) -> bool:
    return pair[0] <= lower and upper <= pair[1]


@given(WIDE, COUNTS)
@example(Fraction(-1, 18), 9)
@example(Fraction(0), 1)
@example(Fraction(99999, 100000), 4)
def test_a_bound_that_is_rounded_is_still_a_bound(exact: Fraction, count: int) -> None:
    below, above = rationals.below(exact, count), rationals.above(exact, count)
    assert Fraction(below) <= exact <= Fraction(above)
    assert Fraction(rationals.near(exact, count)) in (Fraction(below), Fraction(above))
    assert (below == above) == (Fraction(below) == exact)
    assert Fraction(above) - Fraction(below) <= abs(exact) * Fraction(10) ** (1 - count)  # a unit of the last digit


@given(WIDE, WIDE)
@example(Fraction(-1, 18) - Fraction(1, 10**12), Fraction(-1, 18) + Fraction(1, 10**12))
@example(Fraction(-190000), Fraction(30000000))
def test_an_interval_holds_what_it_shows(one: Fraction, two: Fraction) -> None:
    lower, upper = sorted((one, two))
    assert holds(pairs(f" bounded {rationals.interval(lower, upper)}")[0], lower, upper)
    low, high = rationals.bounds(lower, upper)
    assert Fraction(low) <= lower and upper <= Fraction(high)
    text = rationals.within(lower, upper)
    assert text.startswith("about") or holds(pairs(f" {text}")[0], lower, upper)
    assert rationals.settled(lower, upper) == text.startswith("about")


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_shares_are_rounded_outward_in_percent_too(one: Fraction, two: Fraction) -> None:
    lower, upper = sorted((one, two))
    low, high = (number(text.removesuffix("%")) / 100 for text in rationals.outward(lower, upper, "%"))
    assert 0 <= low <= lower and upper <= high <= 1


@given(WIDE)
@example(Fraction(1, 10))
@example(Fraction(1, 3))
def test_floats_of_bounds_are_on_their_side(exact: Fraction) -> None:
    """As numbers and as they are written: 0.1 is a little more than 1/10 in the machine."""
    below, above = rationals.float_below(exact), rationals.float_above(exact)
    assert max(Fraction(below), Fraction(repr(below))) <= exact <= min(Fraction(above), Fraction(repr(above)))
    assert nextafter(nextafter(nextafter(below, inf), inf), inf) >= float(exact)


def test_numbers_beyond_floats_are_told() -> None:
    huge = Fraction(10) ** 400 + Fraction(1, 3)
    assert (rationals.below(huge, 3), rationals.above(huge, 3)) == ("1e+400", "1.01e+400")
    assert (rationals.float_below(huge), rationals.float_above(-huge)) == (
        1.7976931348623157e308,
        -1.7976931348623157e308,
    )
    assert (rationals.near(inf, 3), rationals.below(-inf, 3)) == ("inf", "-inf")


def test_a_decimal_says_whether_it_is_rounded() -> None:
    assert [rationals.equals(Fraction(1, bottom)) for bottom in (3, 4)] == ["≈ 0.333333", "= 0.25"]


@pytest.mark.parametrize("name", RUNS)
def test_the_terminal_holds_the_exact_bounds(ruse: Any, tmp_path: Path, name: str) -> None:
    out, log = tmp_path / "run.ruse", tmp_path / "run.csv"
    logged = ("--log", str(log)) if name not in ("pig", "phantom") else ()
    status, text, _ = ruse("solve", *RUNS[name], "--out", str(out), *logged)
    assert status == 0
    exact = json.loads(ruse("show", str(out), "--json")[1])
    lower, upper = Fraction(exact["certificate"]["lower"]), Fraction(exact["certificate"]["upper"])
    shown = pairs(text)
    if lower < upper:
        assert len(shown) >= 2 and all(holds(pair, lower, upper) for pair in shown)
        assert "; exact" not in text and exact["value"]["exact"] is None
    assert lower <= Fraction(exact["value"]["float"]) <= upper or lower == upper
    assert Fraction(exact["gap"]) >= upper - lower
    for line in (ruse("show", str(out))[1], ruse("verify", str(out))[1]):
        said = line.split("\n")[0].replace("; claimed", "; exact").removesuffix(", claimed")  # by the file alone
        assert said.split(": ", 1)[-1].endswith(text.split("\n")[0].split(": ", 1)[-1])
    if logged:
        last = list(csv.DictReader(log.read_text().splitlines()))[-1]
        assert Fraction(last["lower"]) <= lower and upper <= Fraction(last["upper"])
        assert Fraction(last["gap"]) >= upper - lower


def test_a_share_at_most_and_at_least(ruse: Any, tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("side: spies\nmissions of more than 2: sabotage\notherwise: pass\n")
    text = ruse("score", "resistance", "--players", "8", str(rules))[1]
    assert "at least 76.78% (43/56)" in text  # 76.7857…
    found = json.loads(ruse("score", "resistance", "--players", "8", str(rules), "--json")[1])["scores"][0]["guarantee"]
    assert Fraction(found["float"]) >= Fraction(found["exact"])  # what side 1 concedes at most


def loose(lower: Fraction, upper: Fraction, game: str = "kuhn") -> library.Solution:
    solution = library.solve(library.games.kuhn() if game == "kuhn" else library.games.resistance(5))
    return replace(solution, certificate=Certificate(lower, upper, "form"))


def test_bounds_that_agree_for_long_hold_the_value() -> None:
    value, little = Fraction(-1, 18), Fraction(1, 10**13)
    near = loose(value - little, value + little)
    assert near.headline().startswith("kuhn: worth about -0.0555556 to Player 1; bounded [-0.055555555555")
    assert all(holds(pair, value, value) for pair in pairs(f"{near.headline()} {proof(near)}"))
    assert holds(pairs(wording.solved(near).mark)[0], value - little, value + little)


def test_a_midpoint_is_no_headline() -> None:
    """Neither in the terminal nor on a page or card; JSON has a float within the bounds."""
    wide = loose(Fraction(-190000), Fraction(30000000))
    assert wide.headline() == "kuhn: worth between -190000 and 30000000 to Player 1; not exact"
    assert wording.headline(wide, "") == "Worth between −190000 and 30000000 to Player 1 (not exact)"
    for text in (wide.headline(), wording.headline(wide, ""), card(wide), wide._repr_html_(), repr(wide)):
        assert "14905000" not in text
    assert wide.to_json()["value"] == {"exact": None, "float": 14905000.0}
    unsure = loose(Fraction(-1, 2), Fraction(0), "resistance")
    assert "wins between 25% and 50%, spies between 50% and 75%; not exact" in unsure.headline()
    assert wording.headline(unsure, "") == "Spies win between 50% and 75% (not exact)"
    assert "wins between 25% and 50% of the games and the spies between 50% and 75%" in card(unsure)
    assert 'class="bar"' not in card(unsure) and "37.5" not in card(unsure)


def test_equal_bounds_are_shown_exactly() -> None:
    solution = library.solve(library.games.leduc())
    text = f"at least {solution.value} against any opponent; Player 2's concedes at most {solution.value} against"
    assert text in proof(solution) and text in unescape(card(solution))
    assert wording.bounds(solution.certificate) == (str(solution.value).replace("-", "−"),) * 2


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx.Client, Certificate]]:
    """An explorer beside a rough solution of kuhn."""
    folder = tmp_path_factory.mktemp("rough")
    solution = library.solve(library.games.kuhn(), "cfr+", iterations=10)
    solution.save(folder / "rough.ruse")
    with serving(folder) as server, httpx.Client(base_url=server.address, timeout=2 * PATIENCE) as client:
        yield client, solution.certificate


def test_pages_hold_the_exact_bounds(pages: tuple[httpx.Client, Certificate]) -> None:
    client, bounds = pages
    entries = client.get("/library.json").json()["entries"]
    entry = next(one for one in entries if one["name"] == "rough.ruse")
    assert entry["exact"] is False and holds(pairs(entry["headline"])[0], bounds.lower, bounds.upper)
    text = unescape(client.get(entry["page"]).text)
    shown = pairs(text)
    assert shown and all(holds(pair, bounds.lower, bounds.upper) for pair in shown)
    assert "from here if both sides play the stored strategies" in text
    told = client.get(entry["page"].replace("?", ".json?")).json()
    assert told["value"]["exact"] is None and not told["exact"]
    text = unescape(client.get(f"{entry['page']}&tab=proof").text)
    low, high = (
        re.findall(rf"{name} bound</th><td class=\"numbers\">({NUMBER})", text)[0] for name in ("Lower", "Upper")
    )
    assert holds((number(low), number(high)), bounds.lower, bounds.upper)
    text = unescape(client.get(entry["page"].replace("/p/", "/words/")).text)
    low, high = re.findall(rf"({NUMBER}) ≤ value ≤ ({NUMBER})", text)[0]
    assert holds((number(low), number(high)), bounds.lower, bounds.upper)


def test_a_job_shows_bounds_that_hold(pages: tuple[httpx.Client, Certificate]) -> None:
    client, _ = pages
    form = {"game": "leduc", "solver": "cfr+", "iterations": "10"}
    identity = client.post("/solve", json=form, headers=JSON).json()["id"]
    while (told := client.get(f"/jobs/{identity}.json").json())["state"] in ("waiting", "running"):
        time.sleep(0.05)
    kept = client.get(f"{told['open'].replace('?', '.json?')}").json()["certificate"]
    lower, upper = Fraction(kept["lower"]), Fraction(kept["upper"])
    assert holds((Fraction(told["lower"]), Fraction(told["upper"])), lower, upper)
    assert holds((number(told["bounds"][0]), number(told["bounds"][1])), lower, upper)
    text = client.get(f"/jobs/{identity}").text
    assert f'id="job-lower">{told["bounds"][0]}<' in text and f'id="job-upper">{told["bounds"][1]}<' in text
    assert holds(pairs(told["text"])[0], lower, upper)


def test_a_saved_run_tells_the_same_bounds(tmp_path: Path) -> None:
    solution = library.solve(library.games.kuhn(), "cfr+", iterations=10)
    assert load(solution.save(tmp_path / "kuhn.ruse")).headline() == f"{solution.headline()}, claimed"
