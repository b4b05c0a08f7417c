"""Certificates of the value, read by a reader of our own, and by viprchk where RUSE_VIPRCHK says where it is.

RUSE_ALL=yes RUSE_VIPRCHK=/path/to/viprchk pytest tests/formats/test_vipr.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruse
from amounts import some
from processes import run
from ruse.core.game import Game
from ruse.formats.export import export
from ruse.formats.vipr import vipr_lines
from ruse.forms.sequence_form import sequence_form
from ruse.solution.strategy import Solution
from stored import ODD_TABLE, forged, solved
from toys import random_games
from vipr_reader import Refused, check

CHECKER = os.environ.get("RUSE_VIPRCHK")
NAMED: list[tuple[str, Callable[[], Game]]] = [
    ("kuhn", ruse.games.kuhn),
    ("leduc", ruse.games.leduc),
    ("liar's dice of 3 faces", lambda: ruse.games.liars_dice(faces=3)),
    ("liar's dice of 4 faces", lambda: ruse.games.liars_dice(faces=4)),
    ("liar's dice of 5 faces", lambda: ruse.games.liars_dice(faces=5)),
    ("matrix", lambda: ruse.games.matrix("0 1/3 -1; 2 0 0.5")),
    ("goofspiel", lambda: ruse.games.goofspiel(cards=3)),
    ("kubicek", ruse.games.kubicek),
    ("resistance of three", lambda: ruse.games.resistance(*ODD_TABLE)),
]
SLOW = [
    pytest.param(ruse.games.resistance, id="resistance of five", marks=pytest.mark.soak),
    pytest.param(lambda: ruse.games.avalon(3, 1, [1] * 5), id="avalon of three", marks=pytest.mark.soak),
]


def written(solution: Solution) -> str:
    return "".join(vipr_lines(solution))


def changed(text: str, random: Random) -> str:
    """The certificate with one number changed: of the solution, of the multipliers, of a row that has one, or of what
    is to be proved."""
    lines = text.splitlines()
    (program,) = (number for number, line in enumerate(lines) if line.startswith("CON "))
    kind = random.choice(["weight", "multiplier", "row", "bound"])
    if kind == "bound":
        (place,) = (number for number, line in enumerate(lines) if line.startswith("RTP "))
        words = lines[place].split()
        which, step = random.choice([(2, 1), (3, -1)])  # more than is proved
        words[which] = str(Fraction(words[which]) + step * Fraction(1, random.randint(1, 1_000)))
        lines[place] = " ".join(words)
        return "\n".join(lines) + "\n"
    place = len(lines) - 1 if kind != "weight" else len(lines) - 3
    words = lines[place].split()
    start = words.index("lin") + 2 if kind != "weight" else 2
    end = len(words) - 2 if kind != "weight" else len(words)
    pairs = list(range(start, end, 2))
    if kind == "weight":  # of a sequence: every one is in a row with an equality
        sequences = int(lines[program].split()[2])
        pairs = [pair for pair in pairs if int(words[pair]) < sequences]
    pair = random.choice(pairs)
    if kind == "row":
        place = program + 1 + int(words[pair])
        words = lines[place].split()
        pair = random.randrange(4, len(words), 2)
    words[pair + 1] = str(Fraction(words[pair + 1]) + Fraction(1, random.randint(1, 1_000)))
    lines[place] = " ".join(words)
    return "\n".join(lines) + "\n"


def accepted(text: str) -> bool:
    """What our reader says; viprchk says the same, where it is at hand."""
    try:
        check(text)
    except Refused:
        accepts = False
    else:
        accepts = True
    if CHECKER:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "value.vipr"
            path.write_text(text, encoding="utf-8")
            done = run([CHECKER, str(path)], capture_output=True, text=True)
            says = done.returncode == 0 and "Successfully verified optimal value range" in done.stdout
        assert says == accepts, done.stdout + done.stderr
    return accepts


def tried(solution: Solution, seed: int) -> None:
    text = written(solution)
    assert accepted(text), "the certificate is refused"
    proved = check(text)
    assert (proved.lower, proved.upper) == (solution.certificate.lower, solution.certificate.upper)
    assert not accepted(changed(text, Random(seed))), "a changed number is not noticed"


@pytest.mark.slow
@pytest.mark.parametrize("make", [*(pytest.param(make, id=name) for name, make in NAMED), *SLOW])
def test_named_games(make: Callable[[], Game]) -> None:
    tried(ruse.solve(make()), seed=1)


@settings(max_examples=some(40))
@given(random_games(), st.integers(0, 1_000_000))
def test_random_games(game: Game, seed: int) -> None:
    tried(ruse.solve(game), seed)


@pytest.mark.parametrize("seed", range(12))
def test_every_kind_of_change_is_refused(seed: int) -> None:
    text = written(solved("kuhn"))
    assert not accepted(changed(text, Random(seed)))


def test_the_program_is_that_of_the_game() -> None:
    """Every payoff of the sequence form is in the row of its sequence, with nothing besides."""
    game = ruse.games.leduc()
    form, proved = sequence_form(game), check(written(solved("leduc")))
    first, second = form.trees
    assert len(proved.variables) == first.sequences + second.infosets + 1
    rows = proved.constraints[first.sequences + first.infosets + 1 :]
    assert len(rows) == second.sequences
    found = {(x, y): payoff for y, row in enumerate(rows) for x, payoff in row.left.items() if x < first.sequences}
    payoffs = zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True)
    assert found == {(x, y): Fraction(payoff, form.denominator) for x, y, payoff in payoffs}
    values = [{x: entry for x, entry in row.left.items() if x >= first.sequences} for row in rows]
    expected: list[dict[int, Fraction]] = [{} for _ in rows]
    expected[0][first.sequences] = Fraction(-1)
    for number, (parent, begin, end) in enumerate(second.sets(), first.sequences + 1):
        expected[parent][number] = Fraction(1)
        for sequence in range(begin, end):
            expected[sequence][number] = Fraction(-1)
    assert values == expected


def test_bounds_that_differ_are_proved_as_they_are() -> None:
    solution = ruse.solve(ruse.games.kuhn(), "cfr+", iterations=50)
    assert not solution.certificate.exact
    proved = check(written(solution))
    assert (proved.lower, proved.upper) == (solution.certificate.lower, solution.certificate.upper)


def test_strategies_without_their_bounds_are_refused() -> None:
    bad = forged(solved("kuhn"), "kuhn@J", {"bet": Fraction(1)})
    with pytest.raises(ruse.RuseError, match="guarantee at least -1/18"):
        written(bad)
    missing = replace(solved("kuhn"), tables=({}, solved("kuhn").tables[1]))
    with pytest.raises(ruse.RuseError, match="expected odds at kuhn@K, got none"):
        written(missing)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: ruse.games.nim(heaps=[1, 2]), "solved by states, without a tree"),
        (lambda: ruse.games.resistance(players=7), "at most 1,000,000 nodes"),
    ],
    ids=["nim", "resistance-7"],
)
def test_games_without_a_tree_that_fits(make: Callable[[], Game], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ruse.RuseError, match=sentence):
        export(ruse.solve(make()), "vipr", tmp_path / "value.vipr")
    assert not list(tmp_path.iterdir())


def test_a_game_alone_has_no_value_to_prove(tmp_path: Path) -> None:
    with pytest.raises(ruse.RuseError, match="expected a solution"):
        export(ruse.games.kuhn(), "vipr", tmp_path / "value.vipr")
