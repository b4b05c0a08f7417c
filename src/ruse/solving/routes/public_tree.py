"""The route by the public tree, for games whose sequence form would be large. Bounds are exact, in whole numbers.

Strategies stay the sums of the run, and are looked up by position (ruse.forms.public_table).
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from ruse.core import clock, size_estimate
from ruse.core.capabilities import ChosenHands, Public
from ruse.core.contract import asked_by_contract
from ruse.core.game import Game, GameError
from ruse.core.size_estimate import gigabytes
from ruse.core.types import Report
from ruse.kernels import PUBLIC_BOUNDS, NotCompiled, check_compiled
from ruse.solution.checkpoint import game_identity
from ruse.solvers import AUTO, SolverSpec, Task, find
from ruse.solving import form_memory
from ruse.solving.auto import ON_PUBLIC_TREE
from ruse.solving.options import PRECISIONS, SolveOptions
from ruse.solving.request import NextRoute, SolveRequest
from ruse.solving.result import SolveResult, result_of_run

if TYPE_CHECKING:
    from ruse.forms.public_layout import Layout
    from ruse.forms.public_tree import PublicTree, PublicTreeSize
    from ruse.solvers.iterating import Iterating
    from ruse.solvers.public_device import PublicDeviceRun

LARGE = 1_000_000  # nodes of a game tree, from which its sequence form takes longer than many iterations
LOOK = 4.0  # the first certificate takes at most so many times as long as laying out the public tree
FINE = 1e-6  # a gap, below which exact solvers are faster than iterations


def refusal(request: SolveRequest) -> str:
    """Decline if a run on the public tree does not suit, or if symmetry in the sequence form may be found first."""
    if request.public_refusal or "sequence form" in request.tried:
        return request.public_refusal
    if not wants_exact(request.spec, request.options):
        return ""
    soon = request.estimate is not None and form_memory.is_soon_built(request.game, request.estimate)
    return "the sequence form is built in seconds, and may show symmetry" if soon else ""


def run(request: SolveRequest) -> SolveResult:
    """Run on the public tree. Raises NextRoute if its sweeps are not compiled in time and the sequence form fits."""
    assert isinstance(request.game, Public)
    try:
        return solve_public(request.game, request.spec, request.options, request.report)
    except NotCompiled as error:
        if "sequence form" in request.tried or not _form_instead(request):
            raise
        raise NextRoute(str(error)) from None


def _form_instead(request: SolveRequest) -> bool:
    """Whether the sequence form may replace a public tree whose sweeps are not compiled in time."""
    if request.options.checkpoint is not None or request.options.precision != PRECISIONS[0]:
        return False
    return request.estimate is not None and form_memory.fits(request.estimate, request.options.refine)


def unsuited(game: Game, spec: SolverSpec, options: SolveOptions) -> str:
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
    return _too_large(game, options)


def _too_large(game: Public, options: SolveOptions) -> str:
    """Say that the public tree does not fit in memory, or nothing if it does."""
    from ruse.forms.public_tree import TooManyStates, counted

    try:
        needed = bytes_needed(counted(game), find(ON_PUBLIC_TREE[0]), options)
    except TooManyStates as error:
        return str(error)
    room = size_estimate.SHARE * size_estimate.free_bytes()
    return "" if needed <= room else f"it needs {gigabytes(needed)} of memory"


def wants_exact(spec: SolverSpec, options: SolveOptions) -> bool:
    """Whether ruse chooses the solver and no option but the time limit ends the run before the bounds meet.

    Polishing may then make the solution exact on the sequence form, and symmetry may make that form small.
    """
    exactly = options.refine and options.precision == PRECISIONS[0] and not _ends_before(options)
    return spec.name == AUTO and exactly


def _ends_before(options: SolveOptions) -> bool:
    """Whether an option asks for a gap that iterations reach, or for something that only they can do."""
    return options.checkpoint is not None or options.iterations is not None or (options.gap or 0) >= FINE


def bytes_needed(counts: PublicTreeSize, spec: SolverSpec, options: SolveOptions) -> int:
    """The memory of a run, including the sums that are being certified."""
    from ruse.forms.public_layout import ENTRY_BYTES, NODE_BYTES, width_of

    numbers = sum(rows * width_of(hands) for rows, hands in zip(counts.rows, counts.hands, strict=True))
    arrays = 4 + spec.predicts  # regrets, sums, what is expected next, and the sums at the last look and at this one
    if options.device != "cpu":
        arrays = 2  # the sums, at the end, as they come and in the order of the layout
    entries = counts.matrices * width_of(counts.hands[0]) * width_of(counts.hands[1])
    state = numbers * arrays * (8 if options.precision == PRECISIONS[0] else 4)
    return counts.nodes * NODE_BYTES + entries * ENTRY_BYTES + state


def solve_public(game: Public, spec: SolverSpec, options: SolveOptions, report: Report) -> SolveResult:
    """Run an iterating solver on the public tree to the limits of the options."""
    usual, why = ON_PUBLIC_TREE
    chosen = find(usual) if spec.name == AUTO else spec
    check_compiled(*PUBLIC_BOUNDS, *(chosen.public_sweeps if options.device == "cpu" else ()))
    _check_fits(game, chosen, options, report)
    from ruse.forms.public_bounds import Bounds
    from ruse.forms.public_check import along_plays
    from ruse.forms.public_layout import laid_out
    from ruse.forms.public_table import PublicTable, public_tables
    from ruse.forms.public_tree import public_tree
    from ruse.solving.iterate import RunResult, loop, loop_on_device

    tree = public_tree(game)
    if asked_by_contract(game):  # the public rules are a user's code
        along_plays(game, tree)
    begun = perf_counter()
    layout = laid_out(tree)
    look_takes = LOOK * (perf_counter() - begun)
    judge = Bounds(layout, options.threads)
    _ = judge.bits  # fails before the work begins if numbers are too long
    task = Task(
        chosen.name, game, None, options.gap, options.iterations, options.seed, report=report, laid=layout,
        precision=options.precision, threads=options.threads,
    )  # fmt: skip
    report("compiling (cached for next time)", None, None)
    about = _about(game, chosen, task, layout, options)
    if options.device != "cpu":
        device = _on_gpu(tree, chosen, options, report)
        on_device = loop_on_device(device, options, about, report)
        return result_of_run(chosen.name, public_tables(game, device.sums(), judge), on_device, why=why)
    run: Iterating = chosen.start(task)
    try:
        ended = loop(run, judge, options.limits(), options.files(), about, report, look_takes=look_takes)
    except clock.TimeIsUp:  # before the first iteration: the uniform strategy
        with clock.regardless():
            ended = RunResult(judge.certify(run.weights()), run.iterations, "time", [])
    first, second = (PublicTable(game, side, judge, ended.certified.weights[side]) for side in (0, 1))
    return result_of_run(chosen.name, (first, second), ended, why=why)


def _on_gpu(tree: PublicTree, spec: SolverSpec, options: SolveOptions, report: Report) -> PublicDeviceRun:
    """Prepare the run on a GPU."""
    from ruse.kernels.gpu import machines
    from ruse.solvers.public_device import PublicDeviceRun, device_bytes
    from ruse.solvers.variants import PLANNED, VARIANTS

    if tree.chosen:
        raise GameError(
            "the GPU can run only games in which chance deals the hands, but in this one the sides choose them: "
            "use --device cpu"
        )
    needed = {kind: device_bytes(tree, kind, spec.predicts) for kind in ("float64", "float32")}
    advice = f"--precision float32 takes {gigabytes(needed['float32'])}; or use --device cpu"
    purpose = f"the {tree.nodes:,} nodes of a public tree in {options.precision}"
    machines.check_room(needed[options.precision], purpose, advice)
    report(f"about {gigabytes(needed[options.precision])} of the GPU's memory", None, None)
    planned = options.iterations or PLANNED
    return PublicDeviceRun(tree, VARIANTS[spec.name], planned, options.precision, machines.Gpu)


def _check_fits(game: Public, spec: SolverSpec, options: SolveOptions, report: Report) -> None:
    """Report how much memory the run takes, and refuse one that does not fit."""
    from ruse.forms.public_tree import counted

    counts = counted(game)
    needed, free = bytes_needed(counts, spec, options), size_estimate.free_bytes()
    most = size_estimate.SHARE * free
    if needed > most:
        half = bytes_needed(counts, spec, SolveOptions(precision="float32")) <= most
        advice = f"about {int(counts.nodes * most / needed):,} nodes would fit; use " + (
            "--precision float32" if half else "mccfr, which stores only what it visits, or smaller parameters"
        )
        if on_gpu := _bytes_on_gpu(game, spec, options):
            advice += f", or --device gpu with {gigabytes(on_gpu)} of its own memory"
        raise GameError(
            f"{spec.name} needs {gigabytes(needed)} for the {counts.nodes:,} public nodes of {game.title}, "
            f"more than half of the free memory ({gigabytes(most)}): {advice}"
        )
    report(f"a public tree of {counts.nodes:,} nodes, about {gigabytes(needed)} of memory", None, None)


def _bytes_on_gpu(game: Public, spec: SolverSpec, options: SolveOptions) -> int:
    """The memory of a run of rising bids on a GPU; 0 for games that cannot run there."""
    from ruse.forms.bidding import bidding_of, shape_of

    if (bidding := bidding_of(game)) is None:
        return 0
    try:
        return shape_of(bidding).bytes(options.precision, spec.predicts)
    except GameError:  # such as too many hands for the GPU's sweeps
        return 0


def memory_note(game: Public, options: SolveOptions) -> str:
    """Say how much memory a run on the public tree would take; empty if that cannot be counted."""
    from ruse.forms.public_tree import TooManyStates, counted

    spec = find(ON_PUBLIC_TREE[0])
    try:
        needed = bytes_needed(counted(game), spec, options)
    except TooManyStates:
        return ""
    on_gpu = _bytes_on_gpu(game, spec, options)
    elsewhere = f", or {gigabytes(on_gpu)} on a GPU with --device gpu" * bool(on_gpu)
    return f"its public tree would take {gigabytes(needed)}{elsewhere}"


def _about(game: Public, spec: SolverSpec, task: Task, layout: Layout, options: SolveOptions) -> dict[str, Any]:
    """Identify the run in its checkpoint, if there is to be one."""
    if options.checkpoint is None:
        return {}
    return {
        "game": game.title,
        "identity": game_identity(game, options.resume),
        "parameters": dict(game.parameters),
        "solver": spec.name,
        "planned": task.iterations if spec.scheduled else None,
        "tree": "public",
        "device": options.device,
        "precision": task.precision,
        "rows": [side.rows for side in layout.sides],
        "nodes": layout.tree.nodes,
    }
