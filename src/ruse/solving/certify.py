"""Decide which bounds ruse announces, and what they rest on. No other module does.

Every route from a game to a solution ends here. A route brings strategies, and bounds from its own representation: a
sequence form, array rules, a public tree. Tests compare the representations of ruse's own games with their plain rules,
so these bounds stand, with `proof` naming the representation. A user's game is walked by its plain rules if it is small
enough, so that no proof rests on what the author declares. If it is too large, the proof says that a declaration is
trusted.
"""

from __future__ import annotations

from dataclasses import replace

from ruse.core import clock
from ruse.core.capabilities import Bulk, Ranged
from ruse.core.certificate import ARRAYS, DECLARED, FORM, GAME_VERIFIER, PUBLIC_TREE, RULES, STATES, Certificate
from ruse.core.contract import built_in
from ruse.core.game import Game, GameError
from ruse.core.size_estimate import MOST_WALKED, walkable
from ruse.core.types import Digested, Report, Tables
from ruse.solving.result import SolveResult
from ruse.verify.tree import VerifyError
from ruse.verify.verifier import bounds

VERIFIED = (RULES, STATES, GAME_VERIFIER)  # proofs by ruse.verify
TRUSTING = (ARRAYS, PUBLIC_TREE)  # proofs from what a game declares in place of its plain rules
CHEAP = 10_000  # nodes of a user's game that are walked again, whatever a route says of its bounds: under 0.2 s
MOST_POSITIONS = 20_000  # of strategies that a game's own verifier checks at once: about a minute


def certified(game: Game, result: SolveResult, report: Report, seats: bool = False) -> SolveResult:
    """Return the result of a route with the bounds to announce. With `seats`, its tables are not by class.

    Raises GameError if a declaration of a user's game contradicts its rules.
    """
    certificate = result.certificate
    if result.unjudged:
        declares = not built_in(game) and not game.wins and isinstance(game, Ranged)
        return replace(result, certificate=replace(certificate, proof=DECLARED)) if declares else result
    if certificate.proof in VERIFIED and built_in(game):
        return result
    if certificate.proof == FORM and isinstance(game, Bulk):  # array rules wrote the form
        certificate = replace(certificate, proof=ARRAYS)
    if not built_in(game):
        certificate = _by_its_rules(game, result, certificate, report, seats)
    return replace(result, certificate=certificate)


def _by_its_rules(
    game: Game, result: SolveResult, certificate: Certificate, report: Report, seats: bool
) -> Certificate:
    """The bounds of strategies of a user's game, by a walk of its rules if it is small enough."""
    trusting = certificate.proof in TRUSTING
    unproved = replace(certificate, proof=DECLARED) if trusting else certificate
    try:
        if result.unwritten or not walkable(game, MOST_WALKED if trusting else CHEAP):
            return unproved
        report("computing both best responses from the rules", None, None)
        proved = bounds(game, result.tables, seats)
    except clock.TimeIsUp:
        return unproved
    except VerifyError as error:
        if not trusting:
            raise
        raise GameError(f"{_declaration(game, result)} contradicts its rules: {error}") from error
    if trusting and proved != certificate:
        raise GameError(
            f"{_declaration(game, result)} contradicts its rules: by the declaration the value lies between "
            f"{certificate.lower} and {certificate.upper}, by the rules between {proved.lower} and {proved.upper}; "
            "correct the declaration, or remove it"
        )
    return proved


def _declaration(game: Game, result: SolveResult) -> str:
    """Name the method whose declaration a route has trusted."""
    if isinstance(game, Bulk) and result.certificate.proof == FORM:
        method = "arrays()"
    else:
        table = result.tables[0]
        method = "bidding()" if isinstance(table, Digested) and table.kept_as == "bids" else "public()"
    return f"{method} of {game.title}"


def by_verifier(game: Game, result: SolveResult, report: Report) -> SolveResult:
    """Return the result of a game's own solver with bounds by the verifier, or unchanged if that takes too long."""
    if not built_in(game):  # the certificate comes from a user's code
        return replace(result, certificate=bounds(game, result.tables))
    if result.unjudged or result.unwritten or result.certificate.proof in VERIFIED:
        return result
    if sum(map(len, result.tables)) > MOST_POSITIONS:
        return result
    report("certifying", None, None)
    try:
        return replace(result, certificate=bounds(game, result.tables))
    except clock.TimeIsUp:
        return result


def lifted(game: Game, result: SolveResult, tables: Tables, seats: bool) -> tuple[Certificate, str]:
    """Certify strategies after undoing reductions, and add a note if a declared reduction was wrong."""
    certificate = bounds(game, tables, seats)
    if built_in(game) or certificate.gap <= result.certificate.gap:
        return certificate, result.note
    failed = "the symmetry or the teams that the game declares contradict its rules, so the bounds are wider"
    return certificate, f"{result.note}; {failed}" if result.note else failed
