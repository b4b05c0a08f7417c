"""Liar's dice on a GPU: how quick the fused sweeps are, and how close the certified bounds come.

    python -m benchmarks.gpu            all that follows
    python -m benchmarks.gpu check      the GPU beside the same source on the CPU, at sizes where that is quick
    python -m benchmarks.gpu kernels    what each kernel of an iteration takes
    python -m benchmarks.gpu threads    the same with blocks of other sizes
    python -m benchmarks.gpu variants   gaps by iterations, of several variants and precisions
    python -m benchmarks.gpu table      iterations a second, share of the copy bandwidth, bounds, memory
    python -m benchmarks.gpu trees      the level-by-level sweeps and bounds on poker, and on dice beside the fused ones
    python -m benchmarks.gpu whole      a run as `ruse solve --device gpu` makes it: checkpoint, file, positions, verify

The share is what an iteration must read and write at least (`Shape.bytes_touched`), over its time, over what the card
itself copies in that time. It needs CuPy and a GPU, and for `check` and `trees` a C++ compiler.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from ruse.core import clock
from ruse.core.capabilities import Bidding
from ruse.forms.parallel import threads
from ruse.forms.public_bounds import Bounds
from ruse.forms.public_layout import Layout, laid_out
from ruse.forms.public_table import in_layout
from ruse.forms.public_tree import PublicTree, public_tree
from ruse.games.leduc import leduc
from ruse.games.liars_dice import LiarsDice
from ruse.games.poker import poker
from ruse.kernels.gpu import machines
from ruse.kernels.gpu.machines import Cpu, DeviceError, Gpu, cupy
from ruse.solution.store import load
from ruse.solution.strategy import Solution
from ruse.solvers import find
from ruse.solvers.bidding import BiddingRun
from ruse.solvers.device_run import DeviceRun
from ruse.solvers.public_cfr import PublicCfr
from ruse.solvers.public_device import PublicDeviceRun, device_bytes
from ruse.solvers.variants import VARIANTS, CfrVariant, Exponent
from ruse.solving.options import SolveOptions
from ruse.solving.routes import SolveRequest
from ruse.solving.routes import device as on_device

COPIED = 1 << 33  # bytes
VALUES = {  # (dice, faces): where the value lies, as a prototype found
    (1, 8): (-0.044957642, -0.044957632),
    (1, 10): (-0.048412687, -0.048412580),
    (1, 11): (-0.048178471, -0.048166888),
    (1, 12): (-0.047365791, -0.047336816),
    (1, 13): (-0.046253040, -0.046177344),
    (1, 14): (-0.044962469, -0.044703005),
    (2, 6): (0.009841413, 0.009928180),
}
QUADRATIC = replace(VARIANTS["cfr+"], gamma=Exponent(2))
STEEP = replace(VARIANTS["cfr+"], gamma=Exponent(4))
GAMES: list[tuple[int, int, str, str, float, float]] = [  # dice, faces, precision, variant, gap, seconds
    (1, 8, "float64", "pdcfr+", 1e-8, 10),
    (1, 10, "float64", "pdcfr+", 1e-6, 25),
    (1, 12, "float32", "cfr+ quadratic", 3e-5, 60),
    (2, 6, "float32", "cfr+ quadratic", 1e-4, 60),
    (1, 14, "float32", "cfr+ quadratic", 3e-4, 75),
]


def variant_of(name: str) -> CfrVariant:
    return {"cfr+ quadratic": QUADRATIC, "cfr+ steep": STEEP}.get(name) or VARIANTS[name]


def made(dice: int, faces: int, kind: str, variant: str, machine: Any = Gpu) -> BiddingRun:
    return BiddingRun(LiarsDice(faces, dice).bidding(), variant_of(variant), kind=kind, machine=machine)


def bandwidth() -> float:
    """Bytes a second that the card copies, read and written."""
    xp = cupy()
    one, two = xp.ones(COPIED // 8), xp.empty(COPIED // 8)
    times = []
    for _ in range(12):
        begin, end = xp.cuda.Event(), xp.cuda.Event()
        begin.record()
        xp.copyto(two, one)
        end.record()
        end.synchronize()
        times.append(xp.cuda.get_elapsed_time(begin, end) / 1e3)
    return 2 * COPIED / sorted(times)[len(times) // 2]


def check() -> None:
    """Both machines on dice, and on games of random counts with groups of 8, 16 and 32 lanes."""
    games = [(f"{dice} x {faces}", LiarsDice(faces, dice).bidding()) for dice, faces in ((1, 5), (2, 3))]
    games += [(f"{hands} random hands", random_bidding(hands, bids)) for hands, bids in ((7, 10), (13, 9), (28, 12))]
    for name, bidding in games:
        for kind, variant in (("float64", "cfr+"), ("float32", "dcfr"), ("float64", "pdcfr+")):
            told = []
            for machine in (Gpu, Cpu):
                try:
                    run = BiddingRun(bidding, variant_of(variant), kind=kind, machine=machine)
                except DeviceError as error:
                    print(f"{machine.name}: {error}", flush=True)
                    continue
                run.restore(somewhere(run))
                run.run(12)
                found = run.certificate()
                told.append([float(found.lower), float(found.upper)])
            apart = np.abs(np.diff(told, axis=0)).max(initial=0.0)
            print(f"{name:16} {kind} {variant:7} {told[0][0]:.9f} {told[0][1]:.9f}, apart {apart:.1e}", flush=True)
    check_trees()


def check_trees() -> None:
    """Both machines on public trees, with and without masks; bounds on the GPU beside those of ruse on the CPU."""
    trees = [(game.title, public_tree(game)) for game in (leduc(), poker(), poker(4, 2, hand=2), LiarsDice(4))]
    for name, tree in [*trees, ("long payoffs", with_long_payoffs(trees[0][1]))]:
        for kind, variant in (("float64", "cfr+"), ("float32", "dcfr"), ("float64", "pdcfr+")):
            sums = []
            for machine in (Gpu, Cpu):
                other = PublicDeviceRun(tree, variant_of(variant), kind=kind, machine=machine)
                other.restore(somewhere(other))
                other.run(12)
                sums.append(np.concatenate([one.ravel() for one in other.sums()]))
                looked_at(other, laid_out(tree))  # which says if bounds are not the same
            apart = np.abs(sums[0] - sums[1]).max() / np.abs(sums[0]).max()
            print(f"{name:24} {kind} {variant:7} same bounds, sums apart {apart:.1e} of the largest", flush=True)
    print(flush=True)


def with_long_payoffs(tree: PublicTree) -> PublicTree:
    """The same tree with other payoffs, which have more digits than a float32."""
    times = (1 << 21) + 1
    return replace(tree, matrices=tree.matrices * times + 1, largest=tree.largest * (times + 1))


def somewhere(run: DeviceRun) -> dict[str, Any]:
    """A run after five iterations that led anywhere: from even odds, moves are exactly as good as each other, and what
    is a regret of 0 to one machine is one of 1e-17 to another, which then plays that move alone.
    """
    state, random = run.state(), np.random.default_rng(5)
    found = {name: random.random(len(array)).astype(array.dtype) for name, array in state.items() if name != "done"}
    done = state["done"].copy()
    done[0] = 5
    return {**found, **{name: array for name, array in state.items() if name.startswith("total")}, "done": done}


def random_bidding(hands: int, bids: int, seed: int = 1) -> Bidding:
    """Any weights and counts; the last bids need two of the same few hands."""
    random = np.random.default_rng(seed)
    counts = random.integers(0, 3, (bids, hands))
    needs = random.integers(1, 5, bids)
    counts[-3:], needs[-3:] = 0, 4
    for bid in range(bids - 3, bids):
        counts[bid, random.choice(hands, size=bids - bid, replace=False)] = 2
    weights = random.permutation(np.arange(hands) % 3 + 1)
    names = list(map(str, range(max(hands, bids))))
    return Bidding(names[:hands], names[:bids], "call", weights.tolist(), counts.tolist(), needs.tolist())


def kernels(dice: int, faces: int, kind: str, variant: str, most: float) -> None:
    """Milliseconds of each launch of an iteration, longest first."""
    run = made(dice, faces, kind, variant)
    run.run(3)
    xp, launch = cupy(), run.machine.launch
    spent: dict[str, list[float]] = {}

    def timed(kernel: str, groups: int, arguments: Sequence[Any]) -> None:
        stream = run.machine._stream  # type: ignore[attr-defined]
        begin, end = xp.cuda.Event(), xp.cuda.Event()
        begin.record(stream)
        launch(kernel, groups, arguments)
        end.record(stream)
        end.synchronize()
        name = f"{kernel} {'' if len(arguments) < 16 else int(arguments[-1])}"
        spent.setdefault(name, []).append(xp.cuda.get_elapsed_time(begin, end))

    run.machine.launch = timed  # type: ignore[method-assign]
    for _ in range(6):
        for side in (0, 1):
            run._pass(side)
    begun = perf_counter()
    run.machine.launch = launch  # type: ignore[method-assign]
    run.certificate()
    looked = perf_counter() - begun
    floor = run.shape.bytes_touched(kind, run._variant.predicts) / most * 1e3
    middle = {name: float(np.median(times[2:])) for name, times in spent.items()}
    total = 2 * sum(middle.values())
    fused = run.shape.bytes_fused(kind, run._variant.predicts) / (2 * middle["bids_leaf "] / 1e3) / most
    print(
        f"{dice} x {faces} {kind} {variant}: the fused sweep at {fused:.1%} of copying; "
        f"{total:.3f} ms an iteration, at least {floor:.3f}; a look {looked:.3f} s\n"
        f"    registers, spilled: {run.machine.registers()}"  # type: ignore[attr-defined]
    )
    for name, time in sorted(middle.items(), key=lambda one: -one[1])[:8]:
        print(f"    {name:24} {time:.4f} ms")
    print(flush=True)


def speed(run: DeviceRun, seconds: float = 1.0) -> float:
    """Iterations a second."""
    run.run(3)
    many = 1
    while True:
        begun = perf_counter()
        run.run(many)
        spent = perf_counter() - begun
        if spent >= seconds / 2:
            return many / spent
        many = max(many + 1, int(many * min(10.0, seconds / max(spent, 1e-6))))


def gaps(run: BiddingRun, gap: float, seconds: float, told: bool = False) -> tuple[Any, float]:
    """Iterate until the certified gap is small enough or the time is up: the last certificate, and seconds."""
    begun, look = perf_counter(), 64
    while True:
        run.run(look - run.iterations)
        found = run.certificate()
        spent = perf_counter() - begun
        if told:
            print(f"    {run.iterations:>7,} {spent:7.2f} s  gap {float(found.gap):.3e}", flush=True)
        if found.gap <= gap or spent * 1.2 > seconds:
            return found, spent
        look += look // 4


def variants(dice: int, faces: int, seconds: float, kinds: Sequence[str]) -> None:
    for variant in ("cfr+", "cfr+ quadratic", "dcfr", "pcfr+", "pdcfr+"):
        for kind in kinds:
            run = made(dice, faces, kind, variant)
            found, spent = gaps(run, 0.0, seconds)
            told = f"{run.iterations:>7,} in {spent:.1f} s, gap {float(found.gap):.2e}"
            print(f"{dice} x {faces} {kind} {variant:14} {told}", flush=True)
            del run
            free()
    print(flush=True)


def free() -> None:
    cupy().get_default_memory_pool().free_all_blocks()


def table(most: float, only: Sequence[tuple[int, int]] = (), longest: float = 1e9) -> None:
    for dice, faces, kind, variant, gap, seconds in GAMES:
        if only and (dice, faces) not in only:
            continue
        begun = perf_counter()
        run = made(dice, faces, kind, variant)
        predict = variant_of(variant).predicts
        rate = speed(run)
        built = perf_counter() - begun
        share = run.shape.bytes_touched(kind, predict) * rate / most
        del run
        free()
        run = made(dice, faces, kind, variant)
        found, spent = gaps(run, gap, min(seconds, longest))
        used = cupy().get_default_memory_pool().total_bytes()
        low, high = VALUES.get((dice, faces), (-1.0, 1.0))
        fits = float(found.lower) <= high and low <= float(found.upper)
        print(
            f"{dice} x {faces:2} {kind} {variant:14} {rate:9.1f} it/s {share:6.1%} of copying; "
            f"gap {float(found.gap):.2e} after {run.iterations:,} in {spent:.1f} s, "
            f"[{float(found.lower):.9f}, {float(found.upper):.9f}]{'' if fits else ' NOT the value'}; "
            f"memory {used / 2**30:.2f} GiB, foretold {run.shape.bytes(kind, predict) / 2**30:.2f}; "
            f"started in {built:.1f} s",
            flush=True,
        )
        del run
        free()


def seconds_each(run: Any) -> float:
    """Seconds that an iteration takes at best, after one that compiles what it needs."""
    run.run(1)
    best = inf
    for _ in range(3):
        begun = perf_counter()
        run.run(1)
        best = min(best, perf_counter() - begun)
        if best > 1:  # once is enough
            break
    return best


def looked_at(run: PublicDeviceRun, layout: Layout) -> tuple[float, float]:
    """Seconds of a look at the bounds there, and of ruse's on the CPU, at best: they must be the same fractions."""
    judge = Bounds(layout)
    first, second = (in_layout(layout, side, sums) for side, sums in enumerate(run.sums()))
    best, seen = [inf, inf], set()
    for _ in range(3):
        for who, look in enumerate((run.certificate, lambda: judge.certify((first, second)).certificate)):
            begun = perf_counter()
            seen.add(look())
            best[who] = min(best[who], perf_counter() - begun)
    assert len(seen) == 1, f"the bounds are not the same: {seen}"
    return best[0], best[1]


def trees() -> None:
    """Level by level: iterations and looks on both machines, and on a public tree of dice beside the fused sweeps."""
    games: list[tuple[str, Any]] = [
        ("leduc", leduc()),
        ("poker, 52 cards, 2 rounds, 4 raises", poker(13, 4, raises=4)),
        ("poker, 32 cards, hands of 2", poker(8, 4, hand=2, raises=3)),
        ("poker, 52 cards, 3 rounds", poker(13, 4, public=(0, 1, 1), sizes=(2, 4, 4))),
        ("liar's dice 10", LiarsDice(10)),
    ]
    for name, game in games:
        begun = perf_counter()
        tree = public_tree(game)
        layout = laid_out(tree)
        print(
            f"{name}: {tree.nodes:,} public nodes, {tree.hands[0]} hands, in {perf_counter() - begun:.1f} s", flush=True
        )
        for kind in ("float32", "float64"):
            free()
            run = PublicDeviceRun(tree, VARIANTS["cfr+"], kind=kind)
            rate = speed(run)
            there, here = looked_at(run, layout)
            looks = f"bounds in {there * 1e3:,.2f} ms, on {threads()} CPU threads {here * 1e3:,.2f} ms"
            used, needed = cupy().get_default_memory_pool().total_bytes(), device_bytes(tree, kind, predict=False)
            del run
            told = [f"    {kind} {rate:,.1f} it/s, memory {used / 2**30:.3f} GiB, foretold {needed / 2**30:.3f}"]
            told.append(f"{looks}, {here / there:,.0f} times, and the same")
            for who, slow in (
                ("the same source on one CPU thread", PublicDeviceRun(tree, VARIANTS["cfr+"], kind=kind, machine=Cpu)),
                (f"ruse on {threads()} CPU threads", PublicCfr(layout, VARIANTS["cfr+"], precision=kind)),
            ):
                each = seconds_each(slow)
                told.append(f"{who} {1 / each:,.2f} it/s, {rate * each:,.0f} times")
            print("; ".join(told), flush=True)
    for kind in ("float32", "float64"):
        print(f"    fused {kind} {speed(made(1, 10, kind, 'cfr+')):,.1f} it/s", flush=True)
    print(flush=True)


def whole(faces: int, gap: float, seconds: float) -> None:
    """From the game to a file that is verified."""
    game = LiarsDice(faces)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dice.ruse"
        begun = perf_counter()
        run = Path(folder) / "run"
        options = SolveOptions(gap=gap, time=seconds, precision="float32", device="gpu", checkpoint=run)
        with clock.deadline(seconds):
            found = on_device.run(SolveRequest(game, find("auto"), options, lambda *_: None))
        print(
            f"{game.title} by {found.solver}: gap {float(found.certificate.gap):.2e} after {found.iterations:,} in "
            f"{perf_counter() - begun:.1f} s, checkpoint {(Path(folder) / 'run').stat().st_size / 2**30:.2f} GiB",
            flush=True,
        )
        begun = perf_counter()
        solution = Solution(
            game, found.solver, found.tables, found.certificate, 0.0, found.iterations, options.unusual()
        )
        solution.save(path)
        sizes = [f"{one.name[:9]} {one.stat().st_size:,}" for one in Path(folder).iterdir()]
        print(f"    saved in {perf_counter() - begun:.1f} s: {sizes}", flush=True)
        begun = perf_counter()
        again = load(path)
        odds = again.strategy(0).at(f"{game.title}@{faces}/1-4/2-4")
        told = {move: round(float(share), 4) for move, share in odds.items() if share > 1e-4}
        print(f"    opened and looked up in {perf_counter() - begun:.3f} s: {told}", flush=True)
        begun = perf_counter()
        print(f"    verified: {again.verify() == found.certificate} in {perf_counter() - begun:.1f} s", flush=True)


def main() -> None:
    reader = argparse.ArgumentParser(description="liar's dice on a GPU")
    reader.add_argument("what", nargs="*", default=["check", "kernels", "variants", "trees", "whole", "table"])
    reader.add_argument("--longest", type=float, default=1e9, help="seconds of a run")
    given = reader.parse_args()
    most = bandwidth()
    free()
    print(f"copies {most / 1e12:.2f} TB/s\n", flush=True)
    if "check" in given.what:
        check()
    if "kernels" in given.what:
        for dice, faces, kind, variant in (
            (1, 8, "float32", "cfr+"),
            (1, 12, "float32", "cfr+"),
            (1, 12, "float64", "pdcfr+"),
            (2, 6, "float32", "cfr+"),
        ):
            kernels(dice, faces, kind, variant, most)
            free()
    if "threads" in given.what:
        usual = dict(machines.TUNED)
        for tuned in ((128, 0, 0), (256, 3, 0), (256, 4, 0), (64, 0, 0), (256, 0, 1), (256, 3, 1)):
            print(f"blocks of {tuned[0]}, at least {tuned[1]}{', past the caches' * tuned[2]}:")
            machines.TUNED.update(dict.fromkeys(usual, machines.Tuned(*tuned)))
            for kind, variant in (("float32", "cfr+"), ("float64", "pdcfr+")):
                kernels(1, 12, kind, variant, most)
                free()
        machines.TUNED.update(usual)
    if "variants" in given.what:
        variants(1, 10, min(6.0, given.longest), ("float32", "float64"))
        variants(1, 12, min(20.0, given.longest), ("float32",))
    if "trees" in given.what:
        trees()
    if "whole" in given.what:
        whole(12, 3e-5, min(60.0, given.longest))
    if "table" in given.what:
        table(most, longest=given.longest)


if __name__ == "__main__":
    main()
