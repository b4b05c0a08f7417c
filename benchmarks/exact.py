"""The ways to an exact solution, side by side: `python -m benchmarks.exact`.

Each is timed on the same form, already built, to plans in fractions with equal bounds: the LP (HiGHS's simplex and the
exact lift), Lemke's algorithm, the double oracle, and polishing what PCFR+ found. Best of several runs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ruse.forms.integer_form import Compiled
from ruse.forms.reductions import reduce
from ruse.forms.sequence_form import FormArrays, plain_form, sequence_form
from ruse.games import make
from ruse.games.resistance.table import make_table
from ruse.reproduce.johansson_tree import JohanssonTree
from ruse.solvers.cfr import Cfr
from ruse.solvers.double_oracle import DoubleOracle, finish
from ruse.solvers.lcp import lcp
from ruse.solvers.lp import lp
from ruse.solvers.plans import CertifiedPlans
from ruse.solvers.polish import polish
from ruse.solvers.variants import VARIANTS

FORMS: dict[str, Callable[[], FormArrays]] = {
    "kuhn": lambda: sequence_form(make("kuhn")),
    "leduc, suits merged": lambda: sequence_form(reduce(make("leduc"))),
    "Johansson, 5 players": lambda: plain_form(JohanssonTree(make_table(5))),
    "leduc": lambda: sequence_form(make("leduc")),
    "goofspiel 4": lambda: sequence_form(make("goofspiel", {"cards": 4})),
    "goofspiel 5": lambda: sequence_form(make("goofspiel", {"cards": 5})),
    "oshi-zumo": lambda: sequence_form(make("oshi-zumo")),
    "liars-dice 4": lambda: sequence_form(make("liars-dice", {"faces": 4})),
    "liars-dice 5": lambda: sequence_form(make("liars-dice", {"faces": 5})),
    "liars-dice 6": lambda: sequence_form(make("liars-dice", {"faces": 6})),
    "liars-dice 7": lambda: sequence_form(make("liars-dice", {"faces": 7})),
    "battleship 2x2": lambda: sequence_form(make("battleship")),
}
MOST_FOR_LCP = 2_500  # sequences: beyond that it takes many seconds, and minutes on liars-dice 6
MOST_FOR_ORACLE = 100_000
ITERATIONS = 300  # of pcfr+, before polishing


def timed(solve: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    best, found = float("inf"), None
    for _ in range(repeat):
        started = time.perf_counter()
        found = solve()
        best = min(best, time.perf_counter() - started)
    return best, found


def polished(compiled: Compiled) -> CertifiedPlans | None:
    run = Cfr(compiled, VARIANTS["pcfr+"])
    run.run(ITERATIONS)
    return polish(compiled, run.weights())


def row(name: str, repeat: int) -> list[str]:
    form = FORMS[name]()
    compiled = Compiled(form)
    polished(compiled)  # compiled code is loaded
    sequences = [tree.sequences for tree in form.trees]
    cells = [f"{sequences[0]:,} + {sequences[1]:,}"]
    seconds, solved = timed(lambda: lp(form), repeat)
    value: Fraction = solved.certificate.lower
    assert solved.certificate.exact
    cells.append(f"{seconds:.3f}")
    if sum(sequences) <= MOST_FOR_LCP:
        seconds, solved = timed(lambda: lcp(form), repeat)
        assert solved.certificate.lower == solved.certificate.upper == value
        cells += [f"{seconds:.3f}", f"{solved.iterations:,}"]
    else:
        cells += ["", ""]
    if sum(sequences) <= MOST_FOR_ORACLE:
        seconds, (oracle, solved) = timed(lambda: _oracle(compiled), repeat)
        assert solved.certificate.lower == solved.certificate.upper == value
        chosen, played = oracle.restricted.sequences, oracle.restricted.played
        cells += [f"{seconds:.3f}", f"{oracle.rounds}"]
        cells += [f"{chosen[0]:,} + {chosen[1]:,}", f"{played[0]:,} + {played[1]:,}"]
    else:
        cells += ["", "", "", ""]
    seconds, found = timed(lambda: polished(compiled), repeat)
    assert found is None or found.certificate.lower == value
    cells.append(f"{seconds:.3f}" if found else "-")
    cells.append(str(value) if value.denominator < 10**6 else f"{float(value):.10f}…")
    return cells


def _oracle(compiled: Compiled) -> tuple[DoubleOracle, CertifiedPlans]:
    oracle = DoubleOracle(compiled)
    return oracle, finish(oracle)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--forms", default=",".join(name.replace(",", "") for name in FORMS), help="some of them")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    head = ["", "sequences", "lp, s", "lcp, s", "pivots", "oracle, s", "rounds"]
    head += ["chosen", "played", "polish, s", "value"]
    widths = (20, 17, 8, 8, 7, 9, 6, 15, 15, 9, 14)
    print("  ".join(f"{cell:>{width}}" for cell, width in zip(head, widths, strict=True)))
    for name in FORMS:
        if name.replace(",", "") in given.forms.split(","):
            cells = [name, *row(name, given.repeat)]
            print("  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)), flush=True)


if __name__ == "__main__":
    main()
