"""Solvers know forms, or no more of a game than its protocol. To add one: a file here, a line in SOLVERS, a branch in
`ruse.solving.on_form`, a promise in tests/solvers/test_conformance.py."""

from __future__ import annotations

from typing import Literal

SOLVERS: dict[str, str] = {
    "auto": "the quickest of these for the game and the gap asked for",
    "lp": "the sequence-form LP of Koller, Megiddo and von Stengel, for any game",
    "lazy-lp": "an LP whose rows are found as they are needed, for The Resistance at any size",
    "backward-induction": "for games without secrets",
    "value-iteration": "for games without secrets whose play can come back to a state (Shapley 1953)",
    "alpha-beta": "for 4-in-a-row (Knuth and Moore 1975)",
    "matrix": "the normal-form LP, for payoff tables and very small trees",
    "cfr": "counterfactual regret minimisation (Zinkevich et al. 2007)",
    "cfr+": "the same with a floor under regrets and linear averaging (Tammelin 2014)",
    "dcfr": "discounted regrets (Brown and Sandholm 2019)",
    "hs-dcfr": "discounted on a schedule over the planned iterations (Zhang et al. 2024)",
    "pcfr+": "predictive (Farina, Kroer and Sandholm 2021)",
    "pdcfr+": "predictive and discounted (Xu et al. 2024)",
    "mccfr": "Monte-Carlo CFR with external sampling, for trees of any size (Lanctot et al. 2009)",
    "mccfr-outcome": "Monte-Carlo CFR with outcome sampling (Lanctot et al. 2009)",
    "first-order": "Dohmatob's primal-dual method, whose steps only clip at zero (2015)",
    "pdhg": "restarted Halpern PDHG, for high precision without an LP solver",
    "double-oracle": "a restricted game that grows by best responses (Bošanský et al. 2014)",
    "lcp": "Lemke's algorithm on the sequence form (Koller, Megiddo and von Stengel 1996)",
    "lemke-howson": "Lemke and Howson's algorithm (1964), for payoff tables and very small trees",
}
CFR = ("cfr", "cfr+", "dcfr", "hs-dcfr", "pcfr+", "pdcfr+")
SAMPLING: dict[str, Literal["external", "outcome"]] = {"mccfr": "external", "mccfr-outcome": "outcome"}
ITERATING = (*CFR, *SAMPLING, "first-order", "pdhg", "double-oracle")
EXACT = ("lp", "lazy-lp", "backward-induction", "matrix", "double-oracle", "lcp", "lemke-howson")  # end with fractions
