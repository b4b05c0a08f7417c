"""Bounds on the value of a game, and what proves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ruse.core import rationals

RULES = "rules"
STATES = "states"
ARRAYS = "arrays"
PUBLIC_TREE = "public-tree"
FORM = "form"
GAME_VERIFIER = "game-verifier"
DECLARED = "declared"
NONE = "none"

PROOFS: Mapping[str, str] = {  # what each means; those that trust least come first
    RULES: "both best responses, computed from the rules",
    STATES: "both best responses, computed from the rules state by state",
    GAME_VERIFIER: "both best responses, computed by the game's own verifier",
    FORM: "both best responses, computed on the sequence form built from the rules",
    ARRAYS: "both best responses, computed on the game's array rules (its rules for many states at once)",
    PUBLIC_TREE: "both best responses, computed on the public tree built from the game's public rules",
    DECLARED: "none from the rules alone: the bounds rely on what the game declares about itself",
    NONE: "none",
}


@dataclass(frozen=True)
class Certificate:
    """The value lies between `lower`, which side 0's plan guarantees, and `upper`, which side 1's concedes.

    `proof` says what the bounds rest on, one of `PROOFS`; two certificates with the same bounds are equal whatever
    proves them.
    """

    lower: Fraction
    upper: Fraction
    proof: str = field(default=NONE, compare=False)

    @property
    def gap(self) -> Fraction:
        return self.upper - self.lower

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    @property
    def proved(self) -> bool:
        """Whether something other than a claim stands behind the bounds."""
        return self.proof != NONE

    @property
    def by_game(self) -> bool:
        """Whether the game's own verifier has computed the bounds, which `ruse verify` asks too."""
        return self.proof == GAME_VERIFIER

    def and_also(self, other: Certificate) -> Certificate:
        """The bounds of both together, which rest on the proof that trusts more."""
        proof = max(self.proof, other.proof, key=list(PROOFS).index)
        return Certificate(max(self.lower, other.lower), min(self.upper, other.upper), proof)

    def tightened(self, other: Certificate) -> tuple[Certificate, tuple[int, int]]:
        """Both together, and whose plan proves each bound: 0 for this certificate's, 1 for the other's.

        Sound, because a bound rests on its own side's plan alone.
        """
        low, high = int(other.lower > self.lower), int(other.upper < self.upper)
        return self.and_also(other), (low, high)

    def to_json(self) -> dict[str, Any]:
        """The bounds as fractions, whether they are equal, and what they rest on."""
        return {
            "lower": rationals.write(self.lower),
            "upper": rationals.write(self.upper),
            "exact": self.exact,
            "proof": self.proof,
        }


def a_proof(fields: Mapping[str, Any]) -> str:
    """What somebody's JSON says that bounds rest on; none where it says nothing that is known."""
    proof = fields.get("proof")
    return proof if isinstance(proof, str) and proof in PROOFS else NONE


def proof_sentence(certificate: Certificate) -> str:
    """What the bounds rest on, in a sentence."""
    return f"Proof: {PROOFS[certificate.proof]}."


def sureness(certificate: Certificate) -> str:
    """How sure equal bounds are, in a word or some."""
    return {NONE: "claimed", DECLARED: "exact if the game's declarations are true"}.get(certificate.proof, "exact")
