"""Solutions and positions as plain text for a terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ruse.core import rationals
from ruse.core.certificate import proof_sentence
from ruse.core.game import Game, display_name, possessive
from ruse.core.registry import presentation
from ruse.present import rules as words
from ruse.present.strategy_words import draw_odds, say_odds
from ruse.solution.headline import shares_between
from ruse.solution.on_path import NEVER
from ruse.solution.strategy import Solution
from ruse.solving.options import SolveOptions

MOST_LINES = 24  # of a strategy
LEAST_LINES = 3  # below a table
LONG_FRACTION = re.compile(r"(-?\d+)/(\d{7,})")
FRACTION = re.compile(r"(\d+)/(\d+)$")
RARE = Fraction(1, 1000)  # odds that a solver in floats leaves everywhere
MOST_DRAWS = 2  # ways to choose at random
MOST_MOVES = 8  # of a rule, where not everything is asked for
REASONS = {
    "time": "ran out of time",
    "interrupted": "was interrupted",
    "memory": "ran out of memory",
    "error": "failed",
}  # why a run was cut short


def format_solution(solution: Solution, everything: bool, hint: str) -> str:
    """Format a solution: value, both strategies and the certificate."""
    reason = stopped(solution)
    blocks = [solution.headline() + f" (stopped: {reason})" * bool(reason)]
    if setup := presentation(solution.game).setup():
        blocks[0] += f"\n{setup}"
    for name, of in zip(solution.game.sides, words.side_rules(solution) if solution.written else (), strict=False):
        if of.same:
            blocks.append(f"{words.headed(name)}. Plays by the same rules as {display_name(of.same)}.")
            continue
        if of.in_words is not None and not everything:
            blocks.append(_said(of, hint))
            continue
        brief = LEAST_LINES if of.outline else max(MOST_LINES - len(of.table), LEAST_LINES)
        shown = of.rules if everything else of.rules[:brief]
        left = len(of.rules) - len(shown)
        more = [f"  … and {left:,} more rules: {hint}"] if left else []
        if of.never and everything:
            more += [f"  {of.never_heading}:", *(f"  {short(line)}" for line in of.never)]
        elif of.never:
            more.append(f"  {plural(len(of.never), 'position')} {NEVER}" + f": {hint}" * (not left))
        drawn = [f"  {line}".rstrip() for line in (*of.outline, *of.table)]
        listed = [f"  {short(line) if everything else readable(line, MOST_MOVES)}" for line in shown]
        blocks.append("\n".join([f"{words.headed(name)}. {of.preface}".rstrip(), *drawn, *listed, *more]))
    if solution.judged:  # otherwise the headline has said that nothing is proved yet
        blocks.append(proof(solution))
    return "\n\n".join(blocks)


def _said(of: words.SideRules, hint: str) -> str:
    """A strategy as a person would say it, and where all of it stands."""
    assert of.in_words is not None
    lines = [f"{words.headed(of.side)}."]
    for section in of.in_words.sections:
        indent = "  " if not section.heading else "    "
        lines += [f"  {section.heading}:"] * bool(section.heading) + [f"{indent}{line}" for line in section.lines]
    lines += [f"  {note}" for note in of.in_words.notes]
    if of.never:
        lines.append(f"  Left out: {plural(len(of.never), 'position')} {NEVER}.")
    lines.append(f"  Exact odds of every position: {hint}")
    return "\n".join(lines)


def plural(count: int, noun: str) -> str:
    """A number of things: 1 position, 24 positions."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def reductions(solution: Solution) -> str:
    """What was done to the game before it was solved, and how to turn that off, in a line; nothing where it was not."""
    texts_of = {option.name: option.metadata["text"] for option in fields(SolveOptions)}
    used = [f"{texts_of[name]} (--no-{name})" for name in solution.reductions or ()]
    return f"Reductions: {'; '.join(used)}." if used else ""


def stopped(solution: Solution) -> str:
    """Say what cut the run short, such as "cfr+ ran out of time"; empty if nothing did."""
    reason = REASONS.get(str(solution.options.get("stopped")), "")
    return reason and f"{solution.solver} {reason}"


def ending(solution: Solution) -> str:
    """Say how the run ended, in a line. Only a solved game is called solved."""
    seconds, why = f"{solution.seconds:.2f} s", f", chosen because {solution.why}" * bool(solution.why)
    gap = f" a gap of {rationals.above(solution.certificate.gap, 3)}" if solution.judged else ""
    if reason := stopped(solution):
        return f"Stopped: {reason} after {seconds}{' with' * bool(gap)}{gap}{why}."
    if solution.solved:
        return f"Solved by {solution.solver} in {seconds}{why}."
    how = f"Approximate: {solution.solver} reached{gap}" if gap else f"Not solved: {solution.solver} ended"
    return f"{how} in {seconds}{why}."


def proof(solution: Solution) -> str:
    """Say what the certificate proves."""
    if not solution.judged:
        return "No bounds are proved yet, except the range of the payoffs."
    rests_on = proof_sentence(solution.certificate) if solution.certificate.proved else ""
    if not solution.written:
        unwritten = "The strategies were not written down, so nobody else can check the bounds."
        return f"{unwritten} {rests_on}".rstrip()
    bounds, (first, second), verb = solution.certificate, map(possessive, solution.game.sides), "gets"
    lower, upper = bounds.lower, bounds.upper
    if len(solution.game.wins) == 2:
        (lower, upper), verb = shares_between(bounds, 0), "wins"
    least, most = (rationals.bounds if bounds.exact else rationals.outward)(lower, upper)
    sentence = (
        f"Certificate: {first} strategy {verb} at least {least} against any opponent; "
        f"{second} concedes at most {most} against any opponent."
    )
    if not bounds.proved:
        return f"Claimed, not verified here. {sentence}"
    return " ".join([sentence, *["They are equal, so both are optimal."] * bounds.exact, rests_on])


def readable(rule: str, most: int | None = None) -> str:
    """Shorten a rule for the screen; files keep all of it.

    Long fractions become decimals, moves that a solver in floats hardly ever makes are left out, and at most `most`
    of the others stay.
    """
    position, colon, options = rule.rpartition(": ")
    listed = options.split(" or ")
    fractions = [FRACTION.search(option) for option in listed]
    if not all(fractions):  # no moves with their odds
        return short(rule)
    odds = [_near(fraction) for fraction in fractions if fraction]
    least = RARE if LONG_FRACTION.search(options) else 0
    likely = sorted((place for place, share in enumerate(odds) if share >= least), key=lambda place: -odds[place])
    shown = sorted(likely[:most])
    rest = len(listed) - len(shown)
    others = "rarely another" if len(shown) == len(likely) else "another" if rest == 1 else f"{rest} others"
    return short(f"{position}{colon}{' or '.join([*(listed[place] for place in shown), *[others] * bool(rest)])}")


def short(text: str) -> str:
    """Write long fractions as decimals; files and --json keep them exact."""
    return LONG_FRACTION.sub(_decimal, text)


def _decimal(fraction: re.Match[str]) -> str:
    number = _near(fraction)
    return "<0.00001" if 0 < number < rationals.TINY else f"≈{rationals.near(number, rationals.USUAL)}"


def _near(fraction: re.Match[str]) -> Fraction:
    """Round a fraction to the digits of a Decimal: it may have more digits than Python reads as a whole number."""
    return Fraction(Decimal(fraction[1]) / Decimal(fraction[2]))


def format_position(solution: Solution, position: str, answers: Mapping[str, Mapping[str, Any]]) -> str:
    """Format what each side does at a position: its odds with bars, and what each move costs if that is known."""
    lines, shown = [solution.headline()], presentation(solution.game)
    for name, answer in answers.items():
        lines += ["", f"{position}: {display_name(name)} to move"]
        costs = answer.get("moves") or {}
        odds = dict.fromkeys(costs, Fraction(0)) | dict(answer["odds"])
        for move, share in sorted(odds.items(), key=lambda pair: -pair[1])[:MOST_LINES]:
            gloss = shown.explain_move(position, move)
            bar = "█" * round(20 * share)
            exact = short(rationals.write(share))
            cost = f"  {_cost(solution.game, costs[move])}" if move in costs else ""
            lines.append(f"  {move:<12} {exact:>8}  {100 * float(share):6.2f}%  {bar:<20}{cost}  {gloss}".rstrip())
        if len(odds) > MOST_LINES:
            lines.append(f"  … and {plural(len(odds) - MOST_LINES, 'more move')}: --json lists all")
        if sum(1 for share in answer["odds"].values() if share) > 1 and answer.get("reached") is not False:
            lines.append(f"  In words: {say_odds(solution.game, position, answer['odds'])}.")
            lines += [
                f"  To choose at random: {draw.text()}"
                for draw in draw_odds(solution.game, position, answer["odds"])[:MOST_DRAWS]
            ]
        if answer.get("reached") is False:
            lines.append(f"  {_off_path(solution, answer.get('quasi_perfect'))}")
        if not answer["stored"] and (reason := shown.advice_reason(solution.game.sides.index(name))):
            lines.append(f"  {reason}")
        if costs:
            lines.append(f"  {_conditions(answer['costs'])}")
        elif "costs" in answer and answer["costs"] is None and len(odds) > 1:
            lines.append(
                "  What the moves cost is left out, because comparing all optimal strategies takes too long here; "
                "`ruse insight` finds it and keeps it beside the file."
            )
    return "\n".join(lines)


def _cost(game: Game, move: Mapping[str, Any]) -> str:
    """What a move costs, from its JSON."""
    if not (cost := rationals.read(move["cost"])):
        return "costs 0" if move["kind"] == "never" else "costs nothing"
    return f"costs {rationals.points(cost / 2) if len(game.wins) == 2 else rationals.short(cost)}"


def _conditions(costs: Mapping[str, Any]) -> str:
    """What costs are, from their JSON."""
    unproved = "" if costs["proved"] else " A move that costs nothing is not proved to be optimal."
    return f"Costs compare a move with the best one, {costs['condition']}.{unproved}"


def _off_path(solution: Solution, refined: Mapping[str, Fraction] | None) -> str:
    """What is said below the odds at a position off the path; `refined` are those of a quasi-perfect equilibrium."""
    never = words.headed(NEVER)
    if solution.mistakes is not None:
        return f"{never}: this is what to do after a mistake."
    if refined is None:
        return f"{never}: these odds uphold the guarantee but are no advice."
    options = [f"{move} {rationals.short(odds)}" * (odds < 1) or move for move, odds in refined.items() if odds]
    return f"{never}: these odds uphold the guarantee but are no advice. Quasi-perfect play: {' or '.join(options)}."


def texts(fractions: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: rationals.write(fraction) for name, fraction in fractions.items()}
