"""Solvers know forms, or no more of a game than its protocol. SOLVERS is the only list of them: to add one, write its
file and add its line. A package adds one by an entry point of the group `ruse.solvers` (`ruse.solvers.outside`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruse.core.game import Game
from ruse.solvers import outside
from ruse.solvers.spec import (
    SolverSpec,
    Task,
    UnknownSolver,
    any_game,
    brings,
    has_plain_tree,
    has_states,
    never_returns,
)

__all__ = [
    "AUTO",
    "QUASI_PERFECT",
    "SOLVERS",
    "SolverSpec",
    "Task",
    "UnknownSolver",
    "find",
    "names",
    "refusal",
    "solver_spec",
]

AUTO = "auto"
QUASI_PERFECT = "quasi-perfect"
CFR = "ruse.solvers.cfr:run"
PUBLIC_CFR = "ruse.solvers.public_cfr:run"
CFR_SWEEPS, PUBLIC_SWEEPS = ("sweeps:depths", "sweeps:components", "regret:iterate"), ("public:passes",)


def _cfr(name: str, summary: str, *, scheduled: bool = False, predicts: bool = False) -> SolverSpec:
    """A variant of CFR (ruse.solvers.variants), on forms and on public trees."""
    return SolverSpec(
        name,
        summary,
        CFR,
        public=PUBLIC_CFR,
        sweeps=CFR_SWEEPS,
        public_sweeps=PUBLIC_SWEEPS,
        iterates=True,
        anytime=True,
        scheduled=scheduled,
        predicts=predicts,
    )


_SOLVERS = (
    SolverSpec(
        AUTO,
        "the fastest solver for your game and gap",
        goes_by="choice",
        accepts=any_game,
        anytime=True,
    ),
    SolverSpec(
        "lp",
        "the sequence-form LP of Koller, Megiddo and von Stengel, for any game",
        "ruse.solvers.lp:run",
        exact=True,
    ),
    SolverSpec(
        QUASI_PERFECT,
        "an LP in which mistakes have tiny weights, for sensible play at every position (Miltersen and Sørensen 2010)",
        "ruse.solvers.quasi_perfect:run",
        accepts=has_plain_tree,
        refusal="quasi-perfect needs a game tree whose positions are stored one by one, unlike {game}: use auto",
        exact=True,
    ),
    SolverSpec(
        "lazy-lp",
        "an LP with lazily generated rows, for The Resistance at any size",
        goes_by="game",
        accepts=brings("lazy-lp"),
        refusal="lazy-lp solves only resistance, not {game}: use auto",
        anytime=True,
        exact=True,
    ),
    SolverSpec(
        "backward-induction",
        "for games of perfect information",
        "ruse.solvers.backward_induction:run",
        goes_by="states",
        accepts=never_returns,
        refusal="",
        exact=True,
    ),
    SolverSpec(
        "value-iteration",
        "for games of perfect information that can return to a state (Shapley 1953)",
        "ruse.solvers.value_iteration:run",
        goes_by="states",
        accepts=has_states,
        refusal="value-iteration solves only games that declare Memoryless, not {game}: use auto",
    ),
    SolverSpec(
        "alpha-beta",
        "for 4-in-a-row (Knuth and Moore 1975)",
        goes_by="game",
        accepts=brings("alpha-beta"),
        refusal="alpha-beta solves only 4-in-a-row, not {game}: use auto",
    ),
    SolverSpec(
        "matrix",
        "the normal-form LP, for payoff tables and very small trees",
        "ruse.solvers.matrix:run",
        exact=True,
    ),
    _cfr("cfr", "counterfactual regret minimisation (Zinkevich et al. 2007)"),
    _cfr("cfr+", "CFR with regrets floored at zero and linear averaging (Tammelin 2014)"),
    _cfr("dcfr", "CFR with discounted regrets (Brown and Sandholm 2019)"),
    _cfr("hs-dcfr", "discounted CFR with a schedule over the planned iterations (Zhang et al. 2024)", scheduled=True),
    _cfr("pcfr+", "predictive CFR+ (Farina, Kroer and Sandholm 2021)", predicts=True),
    _cfr("sapcfr+", "pcfr+ with a third of the prediction (SAPCFR+, Meng et al. 2025)", predicts=True),
    _cfr("pdcfr+", "predictive and discounted CFR+ (Xu et al. 2024)", predicts=True),
    SolverSpec(
        "mccfr",
        "Monte-Carlo CFR with external sampling, for trees of any size (Lanctot et al. 2009)",
        "ruse.solvers.sampled:external",
        goes_by="samples",
        iterates=True,
        anytime=True,
    ),
    SolverSpec(
        "mccfr-baseline",
        "mccfr with baselines, whose estimates vary less (VR-MCCFR, Schmid et al. 2019)",
        "ruse.solvers.mccfr_baseline:run",
        goes_by="samples",
        iterates=True,
        anytime=True,
    ),
    SolverSpec(
        "mccfr-outcome",
        "Monte-Carlo CFR with outcome sampling (Lanctot et al. 2009)",
        "ruse.solvers.sampled:outcome",
        goes_by="samples",
        iterates=True,
        anytime=True,
    ),
    SolverSpec(
        "first-order",
        "Dohmatob's primal-dual method, which projects only by clipping at zero (2015)",
        "ruse.solvers.first_order:run",
        sweeps=("sweeps:normalised", "saddle:norm", "saddle:average"),
        iterates=True,
        anytime=True,
    ),
    SolverSpec(
        "pdhg",
        "restarted Halpern PDHG, for high precision without an LP solver",
        "ruse.solvers.pdhg:run",
        sweeps=("saddle:halpern",),
        iterates=True,
        anytime=True,
    ),
    SolverSpec(
        "mmd",
        "magnetic mirror descent, whose last iterate converges (Sokota et al. 2023)",
        "ruse.solvers.mmd:run",
        sweeps=("sweeps:normalised", "mirror:ranges", "mirror:iterate"),
        iterates=True,
        anytime=True,
    ),
    SolverSpec(
        "double-oracle",
        "a restricted game that grows by best responses (Bošanský et al. 2014)",
        "ruse.solvers.double_oracle:run",
        sweeps=("sweeps:normalised", "restriction:best_moves", "restriction:fold", "restriction:extend"),
        iterates=True,
        anytime=True,
        exact=True,
    ),
    SolverSpec(
        "xdo",
        "a restricted game that grows, solved by regret minimisation (McAleer et al. 2021)",
        "ruse.solvers.xdo:run",
        sweeps=(
            "sweeps:depths",
            "regret:iterate",
            "sweeps:normalised",
            "restriction:best_moves",
            "restriction:fold",
            "restriction:extend",
        ),
        iterates=True,
        anytime=True,
    ),
    SolverSpec(
        "lcp",
        "Lemke's algorithm on the sequence form (Koller, Megiddo and von Stengel 1996)",
        "ruse.solvers.lcp:run",
        exact=True,
    ),
    SolverSpec(
        "lemke-howson",
        "Lemke and Howson's algorithm (1964), for payoff tables and very small trees",
        "ruse.solvers.lemke_howson:run",
        exact=True,
    ),
    SolverSpec(
        "orbits",
        "regret minimisation and one LP per side, for hidden roles up to symmetry of the seats",
        goes_by="game",
        accepts=brings("orbits"),
        refusal="orbits solves only avalon, not {game}: use auto",
        anytime=True,
        exact=True,
    ),
)

SOLVERS: dict[str, SolverSpec] = {spec.name: spec for spec in _SOLVERS}


def names() -> list[str]:
    """Of all solvers: ruse's own, and those of installed packages, which are not loaded for that."""
    return [*SOLVERS, *outside.names(SOLVERS)]


def find(name: str) -> SolverSpec:
    """The solver of that name; one of an installed package is loaded."""
    spec = SOLVERS.get(name) or outside.load(name, SOLVERS)
    if spec is None:
        known = [*SOLVERS, *outside.working(SOLVERS)]
        raise UnknownSolver(f"expected one of the solvers {', '.join(known)}, got {name!r}")
    return spec


def solver_spec(solver: str | SolverSpec | Callable[..., Any]) -> SolverSpec:
    """A solver by name, or one that somebody hands over: a class, a function or a generator function."""
    return find(solver) if isinstance(solver, str) else outside.handed_over(solver)


def refusal(spec: SolverSpec, game: Game) -> str:
    """Why a solver does not take a game, in a sentence; nothing where it does, or will say so better itself."""
    if spec.accepts(game):
        return ""
    others = [
        other.name
        for kind in ("game", "states")
        for other in SOLVERS.values()
        if other.goes_by == kind and other.accepts(game)
    ]
    return spec.refusal.format(game=game.name, solver=spec.name, others=", ".join(others))
