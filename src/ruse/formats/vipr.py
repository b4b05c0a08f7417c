"""The value of a game as a VIPR 1.1 certificate (Cheung, Gleixner and Steffy 2017), for the checker `viprchk`.

The program is the sequence-form LP of side 0 (`ruse.formats.mps`), with the payoffs as fractions, so that its optimal
value is the value of the game:

    maximise  q[0]   over plans x and values q,   subject to   x >= 0  (rows b),   E x = e  (rows e),
              and for each sequence s of side 1:   (A' x)[s] - (F' q)[s] >= 0  (rows y).

The certificate holds two proofs. Its solution, side 0's plan x with the values q of side 1's best response, shows that
the optimum is at least q[0]. Its derivation shows that it is at most p[0], where p are the values of side 0's best
response to side 1's plan y: with the multipliers -y on the rows y, p on the rows e and the slack A y - E'p <= 0 on the
rows b, all terms but q[0] cancel and the sum reads q[0] <= p[0].

The checker needs no solver and does not trust ruse. It proves the program that the file writes down; that this is the
program of the game is a matter of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from ruse.core import rationals, size_estimate
from ruse.core.capabilities import ByClass
from ruse.core.certificate import Certificate
from ruse.core.exact import common_denominator
from ruse.core.game import Game, describe
from ruse.formats import MOST_WRITTEN, ExportError, check_written
from ruse.formats.mps import name_comments
from ruse.formats.stored_odds import is_by_class, odds_of
from ruse.forms.certificate import Plan, best_response, certify
from ruse.forms.reductions import reduce
from ruse.forms.sequence_form import FormArrays, sequence_form
from ruse.solution.strategy import Solution
from ruse.verify.tree import VerifyError, check_odds
from ruse.verify.verifier import same

Entries = list[tuple[int, Fraction]]  # variables or rows, each with a number


class _Row(NamedTuple):
    """A constraint; `sense` is E, L or G."""

    name: str
    sense: str
    right: Fraction
    entries: Entries


def vipr_lines(solution: Solution) -> Iterator[str]:
    """The certificate of a solution, line by line. Raises VerifyError if its strategies do not keep its bounds."""
    game = solution.game
    by_class = is_by_class(solution)
    _check_size(game, by_class)
    if by_class:  # whose positions are those of the reduced game
        game = reduce(game)
    form = sequence_form(game)
    first, second = (_plan(game, form, solution, side) for side in (0, 1))
    certificate = same(game, certify(form, (first, second)), solution.certificate)
    reduced = ", by class: after the reductions by symmetry and teams" if by_class else ""
    yield f"% {game.title}{reduced}\n"
    yield f"% The sequence-form LP; its optimal value is the value of the game to {game.sides[0]}.\n"
    yield from (f"% {line}\n" for line in name_comments(form, 0, game))
    yield from certificate_lines(form, (first, second), certificate)


def _check_size(game: Game, by_class: bool) -> None:
    """Refuse a game whose form would take too long to write."""
    if isinstance(game, ByClass) and by_class:
        count = game.nodes(symmetry=True)
    else:
        check_written(game, "vipr")
        count = size_estimate.nodes(game, MOST_WRITTEN)
    if count > MOST_WRITTEN:
        raise ExportError(
            f"expected a game of at most {MOST_WRITTEN:,} nodes to write as .vipr, got at least "
            f"{rationals.count(count)} in {game.title}; use smaller parameters"
        )


def _plan(game: Game, form: FormArrays, solution: Solution, side: int) -> list[Fraction]:
    """The realization plan of a strategy, looked up at every information set that it reaches itself."""
    stored = odds_of(game, solution, side)
    plan = [Fraction(1)] + [Fraction(0)] * (form.trees[side].sequences - 1)
    sets = zip(form.trees[side].sets(), form.knowledge[side], form.moves[side], strict=True)
    for (parent, first, end), knowledge, moves in sets:
        if not plan[parent]:
            continue
        position = describe(game, knowledge)
        labels = [game.label(move) for move in moves]
        odds = stored(knowledge)
        if odds is None:
            raise VerifyError(f"expected odds at {position}, got none")
        check_odds(odds, labels, partial(str, position))
        plan[first:end] = [plan[parent] * odds.get(label, 0) for label in labels]
    return plan


def certificate_lines(form: FormArrays, plans: tuple[Plan, Plan], certificate: Certificate) -> Iterator[str]:
    """The certificate that the value lies within the bounds that two plans have."""
    first, second = form.trees
    rows = _rows(form)
    yield "VER 1.1\n"
    variables = [*_numbered("x", first.sequences), *_numbered("q", second.infosets + 1)]
    yield f"VAR {len(variables)}\n"
    yield from (f"{name}\n" for name in variables)
    yield "INT 0\n"
    yield f"OBJ max\n1 {first.sequences} 1\n"
    yield f"CON {len(rows)} {first.sequences}\n"
    yield from (f"{row.name} {row.sense} {rationals.write(row.right)} {_written(row.entries)}\n" for row in rows)
    yield f"RTP range {rationals.write(certificate.lower)} {rationals.write(certificate.upper)}\n"
    yield f"SOL 1\nplan {_written(_solution(form, plans[0]))}\n"
    upper, multipliers = rationals.write(certificate.upper), _written(_multipliers(form, plans[1]))
    yield f"DER 1\nvalue L {upper} OBJ {{ lin {multipliers} }} -1\n"


def _numbered(letter: str, count: int) -> list[str]:
    return [f"{letter}{number}" for number in range(count)]


def _written(entries: Entries) -> str:
    """How many entries there are that are not 0, and these."""
    kept = [(place, number) for place, number in entries if number]
    return " ".join([str(len(kept)), *(f"{place} {rationals.write(number)}" for place, number in kept)])


def _rows(form: FormArrays) -> list[_Row]:
    """All constraints: b for side 0's weights, e for its plan, y for the sequences of side 1."""
    first, second = form.trees
    unit, values = Fraction(1), first.sequences  # the column of q0
    rows = [_Row(f"b{number}", "G", Fraction(0), [(number, unit)]) for number in range(first.sequences)]
    rows.append(_Row("e0", "E", unit, [(0, unit)]))
    for number, (parent, begin, end) in enumerate(first.sets(), 1):
        rows.append(
            _Row(f"e{number}", "E", Fraction(0), [(parent, -unit), *((place, unit) for place in range(begin, end))])
        )
    entries: list[Entries] = [[] for _ in range(second.sequences)]
    for x, y, payoff in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs.tolist(), strict=True):
        entries[y].append((x, Fraction(payoff, form.denominator)))
    entries[0].append((values, -unit))
    for number, (parent, begin, end) in enumerate(second.sets(), values + 1):
        entries[parent].append((number, unit))
        for place in range(begin, end):
            entries[place].append((number, -unit))
    rows.extend(_Row(f"y{number}", "G", Fraction(0), row) for number, row in enumerate(entries))
    return rows


def _solution(form: FormArrays, plan: Plan) -> Entries:
    """Side 0's plan, with what side 1's best response to it brings from each information set on."""
    payoffs = _best_payoffs(form, 1, plan)
    values = [payoffs[0], *(min(payoffs[begin:end]) for _, begin, end in form.trees[1].sets())]
    return list(enumerate([*plan, *values]))


def _multipliers(form: FormArrays, plan: Plan) -> Entries:
    """Of all rows, those that prove the upper bound from side 1's plan."""
    tree = form.trees[0]
    payoffs = _best_payoffs(form, 0, plan)
    values, slacks = [payoffs[0]], [Fraction(0)]
    for _, begin, end in tree.sets():
        values.append(max(payoffs[begin:end]))
        slacks.extend(payoff - values[-1] for payoff in payoffs[begin:end])
    return list(enumerate([*slacks, *values, *(-weight for weight in plan)]))


def _best_payoffs(form: FormArrays, side: int, plan: Plan) -> Sequence[Fraction]:
    """What each sequence of `side` brings if it goes on with a best response to the other side's plan."""
    _, payoffs = best_response(form, side, plan)
    scale = form.denominator * common_denominator(plan)[1]
    return [Fraction(int(payoff), scale) for payoff in payoffs]
