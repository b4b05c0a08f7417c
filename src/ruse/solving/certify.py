"""Certify: the one place that decides which bounds are announced, and what they rest on.

Every route from a game to a solution ends here. A route brings strategies and the bounds that it found on its own
representation: a sequence form, array rules, a public tree. For games that come with ruse those are tested against the
plain rules, and the bounds stand, with `proof` naming the representation. Anybody else's game is walked by its plain
rules where that fits, so that nothing its author declares decides a proof; where it does not fit, the proof says that a
declaration is trusted.
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
from ruse.verify.dispatch import bounds
from ruse.verify.tree import VerifyError

VERIFIED = (RULES, STATES, GAME_VERIFIER)  # what ruse.verify has computed
TRUSTING = (ARRAYS, PUBLIC_TREE)  # what a game states about itself in place of its plain rules
CHEAP = 10_000  # nodes that are walked once more although a walk of the same rules wrote the form: under 0.2 s
MOST_POSITIONS = 20_000  # of strategies that a game's own verifier reads as soon as they are found: about a minute


def certified(game: Game, found: SolveResult, report: Report, seats: bool = False) -> SolveResult:
    """What a route has found, with the bounds that may be announced. With `seats` its tables are not by class.

    Raises GameError where what somebody's game declares contradicts its rules.
    """
    certificate = found.certificate
    if found.unjudged:
        declares = not built_in(game) and not game.wins and isinstance(game, Ranged)
        return replace(found, certificate=replace(certificate, proof=DECLARED)) if declares else found
    if certificate.proof in VERIFIED:
        return found
    if certificate.proof == FORM and isinstance(game, Bulk):  # whose form is written down by its array rules
        certificate = replace(certificate, proof=ARRAYS)
    if not built_in(game):
        certificate = _by_its_rules(game, found, certificate, report, seats)
    return replace(found, certificate=certificate)


def _by_its_rules(game: Game, found: SolveResult, certificate: Certificate, report: Report, seats: bool) -> Certificate:
    """The bounds of strategies of somebody's own game, by a walk of its rules where that fits."""
    trusting = certificate.proof in TRUSTING
    unproved = replace(certificate, proof=DECLARED) if trusting else certificate
    try:
        if found.unwritten or not walkable(game, MOST_WALKED if trusting else CHEAP):
            return unproved
        report("computing both best responses from the rules", None, None)
        proved = bounds(game, found.tables, seats)
    except clock.TimeIsUp:
        return unproved
    except VerifyError as error:
        if not trusting:
            raise
        raise GameError(f"{_declaration(game, found)} contradicts its rules: {error}") from error
    if trusting and proved != certificate:
        raise GameError(
            f"{_declaration(game, found)} contradicts its rules: its strategies get from {certificate.lower} to "
            f"{certificate.upper} by what it declares, but from {proved.lower} to {proved.upper} by its rules; "
            "correct it, or do not declare it"
        )
    return proved


def _declaration(game: Game, found: SolveResult) -> str:
    """The method that a route has trusted, by its name."""
    if isinstance(game, Bulk) and found.certificate.proof == FORM:
        method = "arrays()"
    else:
        table = found.tables[0]
        method = "bidding()" if isinstance(table, Digested) and table.kept_as == "bids" else "public()"
    return f"{method} of {game.title}"


def by_verifier(game: Game, found: SolveResult, report: Report) -> SolveResult:
    """What a game's own way of solving has found, with bounds by the verifier; where that takes too long, as it is."""
    if not built_in(game):  # anybody's code may have written the certificate
        return replace(found, certificate=bounds(game, found.tables))
    if found.unjudged or found.unwritten or found.certificate.proof in VERIFIED:
        return found
    if sum(map(len, found.tables)) > MOST_POSITIONS:
        return found
    report("certifying", None, None)
    try:
        return replace(found, certificate=bounds(game, found.tables))
    except clock.TimeIsUp:
        return found


def lifted(game: Game, found: SolveResult, tables: Tables, seats: bool) -> tuple[Certificate, str]:
    """The bounds of strategies whose reductions were undone, by the verifier, and a note on reductions that fail."""
    certificate = bounds(game, tables, seats)
    if built_in(game) or certificate.gap <= found.certificate.gap:
        return certificate, found.note
    failed = "the symmetry or the teams that the game declares contradict its rules, so the bounds are wider"
    return certificate, f"{found.note}; {failed}" if found.note else failed
