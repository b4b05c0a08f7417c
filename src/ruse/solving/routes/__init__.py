"""The routes from a game to strategies. The first route that accepts a request runs.

    device          a GPU, with --device gpu
    quasi-perfect   the whole sequence form, for the solver of that name
    own solver      the solver that the game brings (its part `solve`)
    states          games with perfect information, state by state
    public tree     large games with public rules, if iterations suffice
    sequence form   games whose tree fits in memory
    sampling        everything else, by random plays

Each has two functions. `refusal` says in a few words why the route declines a request; it returns "" if the route
accepts. `run` returns strategies with bounds. A route that finds out on the way that another one suits better raises
`NextRoute` with the reason. All refusals are in this file; what runs is in a module of its own, imported when it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ruse.core import size_estimate
from ruse.core.capabilities import Bulk, ByClass, ChosenHands, Memoryless, Public
from ruse.core.contract import built_in
from ruse.core.entry_points import theirs
from ruse.core.game import Game, GameError
from ruse.core.registry import imported, part
from ruse.core.size_estimate import gigabytes, most_nodes
from ruse.core.types import Report
from ruse.solvers import AUTO, QUASI_PERFECT, SolverSpec, UnknownSolver, find, refusal
from ruse.solving.auto import ON_PUBLIC_TREE, solver_by_states
from ruse.solving.certify import by_verifier
from ruse.solving.options import PRECISIONS, SolveOptions
from ruse.solving.result import SolveResult

if TYPE_CHECKING:
    from ruse.solving.form_memory import MemoryEstimate


LARGE = 1_000_000  # nodes of a game tree, from which its sequence form takes longer than many iterations
FINE = 1e-6  # a gap, below which exact solvers are faster than iterations
MOST_NODES = 1_000_000  # of the tree of a game that is solved by class, walked state by state


class NextRoute(Exception):
    """The reason for which a route that runs leaves the request to another one."""


@dataclass(eq=False)
class SolveRequest:
    """A game to solve, with a solver and options.

    `tried` names the routes that have run so far, and `declined` says why each route that was asked did not solve it.
    """

    game: Game
    spec: SolverSpec
    options: SolveOptions
    report: Report
    tried: list[str] = field(default_factory=list)
    declined: dict[str, str] = field(default_factory=dict)

    @property
    def auto(self) -> bool:
        """Whether ruse chooses the solver."""
        return self.spec.name == AUTO

    @property
    def samples(self) -> bool:
        return self.spec.goes_by == "samples"

    @cached_property
    def estimate(self) -> MemoryEstimate | None:
        """The memory for the sequence form of the game; None if the game is not walked without reductions."""
        from ruse.solving import form_memory

        reduced = self.options.symmetry or self.options.teams
        if isinstance(self.game, ByClass) and (reduced or not isinstance(self.game, Bulk)):
            return None
        return form_memory.estimate_memory(self.game, self.spec, self.is_listed)

    @property
    def is_listed(self) -> bool:
        """Whether strategies can be written down position by position."""
        from ruse.solving.writing import writable

        return writable(self.game) if isinstance(self.game, ByClass) else True

    @cached_property
    def public_refusal(self) -> str:
        """Why a run on the public tree does not suit the game; "" if it does."""
        return _unsuited(self.game, self.spec, self.options)


# A game's own solver, which is its part `solve`.


class OwnSolver(Protocol):
    """A game's own solver: a module or another object with these attributes."""

    SOLVER: str  # its name; if a solver of ruse has that name, --solver NAME runs this one

    def refusal(self, options: SolveOptions) -> str:
        """Say why this solver cannot do what the options ask for; empty if it can."""

    def solve(self, game: Game, solver: str, options: SolveOptions, report: Report) -> SolveResult:
        """Solve the game. `solver` is SOLVER or "auto"; `why` in the result says why ruse chose it."""


def run_own_solver(own: OwnSolver, game: Game, solver: str, options: SolveOptions, report: Report) -> SolveResult:
    """Run a game's own solver, and certify its result with the verifier."""
    if built_in(game):
        return by_verifier(game, own.solve(game, solver, options, report), report)
    with theirs(game.name, f"solve with {own.SOLVER}"):
        result = own.solve(game, solver, options, report)
    return by_verifier(game, result, report)


def own_solver(game: Game, solver: str) -> OwnSolver | None:
    """The solver that a game brings, if `solver` is its name or auto."""
    own: OwnSolver | None = part(game, "solve")
    return own if own is not None and solver in (AUTO, own.SOLVER) else None


# Routes, and why they decline.


class SolveRoute(NamedTuple):
    """A way from a game to strategies."""

    name: str
    refusal: Callable[[SolveRequest], str]  # why the route declines a request, in a few words; "" if it accepts
    run: Callable[[SolveRequest], SolveResult]  # returns strategies with bounds


def _later(function: str) -> Callable[[SolveRequest], Any]:
    """A function of a module of this package, which is imported when it is called."""
    return lambda request: imported(f"{__name__}.{function}")(request)


def _device_refusal(request: SolveRequest) -> str:
    return "it needs --device gpu" if request.options.device == "cpu" else ""


def _quasi_perfect_refusal(request: SolveRequest) -> str:
    return "" if request.spec.name == QUASI_PERFECT else f"it runs only for the solver {QUASI_PERFECT}"


def _states_refusal(request: SolveRequest) -> str:
    """Decline unless the solver goes by states, or ruse chooses one that does."""
    if request.spec.goes_by == "states":
        return ""
    if not request.auto:
        return f"{request.spec.name} does not go by states"
    if request.options.checkpoint is not None:
        return "its solvers do not iterate and cannot use a checkpoint"
    return "" if solver_by_states(request.game) else "the game does not declare perfect information"


def _own_solver_refusal(request: SolveRequest) -> str:
    """Decline if the game's own solver cannot do what is requested. Raises UnknownSolver if no other solver could."""
    own = own_solver(request.game, request.spec.name)
    if own is None:
        brought: OwnSolver | None = part(request.game, "solve")
        return "the game brings no solver of its own" if brought is None else f"it is {brought.SOLVER}"
    if request.options.checkpoint is not None and not part(request.game, "solve", "ITERATES"):
        return f"{own.SOLVER} cannot use a checkpoint"
    sentence = own.refusal(request.options)
    if request.spec.goes_by == "game" and sentence:
        raise UnknownSolver(sentence)
    return sentence


def _run_own_solver(request: SolveRequest) -> SolveResult:
    """Run the game's own solver."""
    own = own_solver(request.game, request.spec.name)
    assert own is not None
    result = run_own_solver(own, request.game, request.spec.name, request.options, request.report)
    merged = isinstance(request.game, ByClass) and (result.by_class or request.options.reduced)
    return replace(result, reductions=("teams", "symmetry", "forced")) if merged else result


def _public_tree_refusal(request: SolveRequest) -> str:
    """Decline if a run on the public tree does not suit, or if symmetry in the sequence form may be found first."""
    from ruse.solving import form_memory

    if request.public_refusal or "sequence form" in request.tried:
        return request.public_refusal
    if not _wants_exact(request.spec, request.options):
        return ""
    soon = request.estimate is not None and form_memory.is_soon_built(request.game, request.estimate)
    return "the sequence form is built in seconds, and may show symmetry" if soon else ""


def _unsuited(game: Game, spec: SolverSpec, options: SolveOptions) -> str:
    """Say why the public tree does not suit a game: it suits large games, unless the user wants an exact value."""
    if not isinstance(game, Public):
        return "the game declares no public rules"
    if options.polish:
        return "polishing needs the sequence form"
    if options.precision != PRECISIONS[0]:
        return ""
    if size_estimate.nodes(game) <= LARGE:
        return f"the game has at most {LARGE:,} nodes"
    fits = size_estimate.fits(game)
    if fits and isinstance(game.public(), ChosenHands):
        return "announcements about the hands make most public states differ"
    if spec.name != AUTO:
        return "" if spec.public else f"{spec.name} does not run on it"
    if fits:  # then other solvers may be quicker, or exact
        return "" if _ends_before(options) else "no gap is asked for that iterations reach soon"
    return _too_large_tree(game, options)


def _too_large_tree(game: Public, options: SolveOptions) -> str:
    """Say that the public tree does not fit in memory, or nothing if it does."""
    from ruse.forms.public_tree import TooManyStates, counted
    from ruse.solving.routes.public_tree import bytes_needed

    try:
        needed = bytes_needed(counted(game), find(ON_PUBLIC_TREE[0]), options)
    except TooManyStates as error:
        return str(error)
    room = size_estimate.SHARE * size_estimate.free_bytes()
    return "" if needed <= room else f"it needs {gigabytes(needed)} of memory"


def _wants_exact(spec: SolverSpec, options: SolveOptions) -> bool:
    """Whether ruse chooses the solver and no option but the time limit ends the run before the bounds meet.

    Polishing may then make the solution exact on the sequence form, and symmetry may make that form small.
    """
    exactly = options.refine and options.precision == PRECISIONS[0] and not _ends_before(options)
    return spec.name == AUTO and exactly


def _ends_before(options: SolveOptions) -> bool:
    """Whether an option asks for a gap that iterations reach, or for something that only they can do."""
    return options.checkpoint is not None or options.iterations is not None or (options.gap or 0) >= FINE


def _sequence_form_refusal(request: SolveRequest) -> str:
    """Decline a form that does not fit in memory, before any reduction, because a reduction may walk the game."""
    from ruse.solving import form_memory

    if isinstance(request.game, ByClass):
        _check_walk(request.game, request.options, request.estimate)
        return ""
    estimate = request.estimate
    fits = estimate is None or form_memory.fits(estimate, _refines(request))
    return "" if fits else f"it does not fit in memory: {estimate}"


def _check_walk(game: ByClass, options: SolveOptions, estimate: MemoryEstimate | None) -> None:
    """Refuse trees that would take hours and gigabytes: those of games that are solved by class, without reductions."""
    from ruse.solving import form_memory

    nodes, most = game.nodes(options.symmetry), MOST_NODES
    if estimate is not None:  # walked without reductions
        if form_memory.fits(estimate):
            return
        if estimate.form is not None:
            raise form_memory.too_large(game, estimate, "leave the symmetry on, or use a smaller table")
        most = most_nodes(game)
    if nodes > most:
        own = own_solver(game, AUTO)
        solver = "auto" if own is None else own.SOLVER
        advice = f"use the solver {solver}" if options.symmetry else "leave the symmetry on, or use a smaller table"
        raise GameError(f"{game.title} has {nodes:,} nodes, and at most {most:,} fit: {advice}")


def too_large(request: SolveRequest) -> GameError:
    """The error for a form that does not fit in memory."""
    from ruse.solving import form_memory

    assert request.estimate is not None
    return form_memory.too_large(request.game, request.estimate, refine=_refines(request))


def _refines(request: SolveRequest) -> bool:
    return request.options.refine or request.samples


def _sampling_refusal(request: SolveRequest) -> str:
    return "" if request.auto or request.samples else f"{request.spec.name} does not sample"


ROUTES = (
    SolveRoute("device", _device_refusal, _later("device:run")),
    SolveRoute("quasi-perfect", _quasi_perfect_refusal, _later("quasi_perfect:run")),
    SolveRoute("own solver", _own_solver_refusal, _run_own_solver),
    SolveRoute("states", _states_refusal, _later("states:run")),
    SolveRoute("public tree", _public_tree_refusal, _later("public_tree:run")),
    SolveRoute("sequence form", _sequence_form_refusal, _later("sequence_form:run")),
    SolveRoute("sampling", _sampling_refusal, _later("sampling:run")),
)


def solve_request(request: SolveRequest, routes: Sequence[SolveRoute] = ROUTES) -> SolveResult:
    """Run the first route that accepts, and record its name and why others declined.

    `why` in the result, the reason for the solver, stays only if ruse chose the solver.
    """
    check(request)
    while (route := _next_route(request, routes)) is not None:
        request.tried.append(route.name)
        try:
            result = route.run(request)
        except NextRoute as error:
            request.declined[route.name] = str(error)
            continue
        return replace(result, route=route.name, declined=request.declined, why=result.why if request.auto else "")
    raise _no_route(request)


def _next_route(request: SolveRequest, routes: Sequence[SolveRoute]) -> SolveRoute | None:
    """The first route that has not run yet and accepts."""
    for route in routes:
        if route.name in request.tried:
            continue
        if not (reason := route.refusal(request)):
            request.declined.pop(route.name, None)
            return route
        request.declined[route.name] = reason
    return None


def chosen_route(game: Game, options: SolveOptions) -> tuple[str, SolveRequest]:
    """The name of the route that a game would take first, "" if none, and the request with its estimate."""
    request = SolveRequest(game, find(AUTO), options, lambda *_: None)
    route = _next_route(request, ROUTES)
    return "" if route is None else route.name, request


def _no_route(request: SolveRequest) -> GameError:
    """The error for a game that no route can solve. Its notes say why each route declined."""
    error = too_large(request)
    error.add_note("Each way of solving declined:")
    for name, reason in request.declined.items():
        error.add_note(f"  {name}: {reason}")
    return error


def check(request: SolveRequest) -> None:
    """Refuse what no route can do."""
    game, spec, options = request.game, request.spec, request.options
    if options.compress and not part(game, "solve", "COMPRESSES"):
        raise UnknownSolver(f"--compress stores 16-bit numbers, which no solver of {game.name} does; leave it out")
    if options.device != "cpu":
        return  # that route has messages of its own
    if sentence := refusal(spec, game):
        raise UnknownSolver(sentence)
    runs_on_public_tree = isinstance(game, Public) and (spec.public or spec.name == AUTO) and not options.polish
    if options.precision != PRECISIONS[0] and not runs_on_public_tree:
        raise UnknownSolver(
            f"--precision {options.precision} needs a game with a public tree and a solver that runs on it, such as "
            f"cfr+; {spec.name} on {game.title} does not"
        )
    if isinstance(game, Memoryless) and options.checkpoint is not None:
        raise UnknownSolver(f"the solvers of {game.name} do not iterate and cannot use a checkpoint: leave it out")
