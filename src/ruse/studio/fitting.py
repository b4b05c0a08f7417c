"""Which variants of a game fit: how large each is, and how ruse would solve it, without solving any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ruse.core import clock, size_estimate
from ruse.core.capabilities import ByClass, Memoryless
from ruse.core.contract import checked
from ruse.core.game import RuseError
from ruse.core.size_estimate import gigabytes
from ruse.core.too_large import SHOWN, about
from ruse.core.types import Report
from ruse.solving.options import SolveOptions
from ruse.solving.routes import chosen_route
from ruse.studio.sweep import named
from ruse.studio.variants import Variant, make_variants, parameter_space

SAMPLING = "sampling"
LOOKING = 4.0  # seconds for each variant
UNSURE = "may not fit: ruse would look longer before it solves it"


@dataclass(frozen=True)
class VariantSize:
    """The size of a variant, and the way in which ruse would solve it."""

    choice: tuple[str, ...]
    parameters: Mapping[str, Any]
    nodes: int | None  # of its tree; None if ruse does not count them
    memory: int | None  # bytes for its sequence form
    route: str
    problem: str = ""

    @property
    def fits(self) -> bool:
        """Whether ruse would prove something."""
        return not self.problem and self.route not in (SAMPLING, "")

    def to_json(self) -> dict[str, Any]:
        return {
            "parameters": dict(self.parameters),
            "nodes": self.nodes,
            "bytes": self.memory,
            "route": self.route or None,
            "fits": self.fits,
            **({"problem": self.problem} if self.problem else {}),
        }


@dataclass(frozen=True)
class VariantSizes:
    """The sizes of all variants in some ranges."""

    name: str
    axes: tuple[str, ...]
    rows: tuple[VariantSize, ...]
    left_out: tuple[str, ...]

    def __iter__(self) -> Iterator[VariantSize]:
        return iter(self.rows)


def fitting(
    game: str | Callable[..., Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    report: Report = lambda *_: None,
    **ranges: Any,
) -> VariantSizes:
    """Size all variants in some ranges, as `ruse sizes mygame.py --faces 4..12` does."""
    name = named(game)
    variants = make_variants(name, parameter_space(name, {**(parameters or {}), **ranges}))
    rows = []
    for number, variant in enumerate(variants, 1):
        report(f"{number} of {len(variants):,} variants", None, None)
        rows.append(_size(variant))
    return VariantSizes(name, tuple(axis.name for axis in variants.axes), tuple(rows), tuple(variants.left_out()))


def _size(variant: Variant) -> VariantSize:
    game, nodes = checked(variant.game), None
    try:
        if not isinstance(game, Memoryless | ByClass):
            nodes = size_estimate.nodes(game, SHOWN)
        with clock.deadline(LOOKING):
            route, request = chosen_route(game, SolveOptions())
            estimate = request.estimate if route in ("sequence form", SAMPLING) else None
    except clock.TimeIsUp:
        return VariantSize(variant.choice, variant.parameters, nodes, None, "", UNSURE)
    except RuseError as error:
        return VariantSize(variant.choice, variant.parameters, nodes, None, "", str(error))
    memory = None if estimate is None else estimate.building
    return VariantSize(variant.choice, variant.parameters, nodes, memory, route)


def format_fitting(sizes: VariantSizes) -> str:
    """Format the sizes as a table, and say where the game stops fitting."""
    cells = [[*sizes.axes, "nodes", "memory", "how ruse solves it"]]
    for row in sizes:
        way = row.problem.partition("\n")[0] or (
            "not exactly: by sampling, which proves nothing" if row.route == SAMPLING else row.route
        )
        nodes = "" if row.nodes is None else about(row.nodes)
        cells.append([*row.choice, nodes, "" if row.memory is None else gigabytes(row.memory), way])
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    lines = ["  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    return "\n".join([*lines, "", *_summary(sizes), *(f"{sentence}." for sentence in sizes.left_out)])


def _summary(sizes: VariantSizes) -> list[str]:
    rows = list(sizes)
    misfits = [row for row in rows if not row.fits]
    free = size_estimate.free_bytes() / (1 << 30)
    if not misfits:
        return [f"All {len(rows):,} fit in half of the {free:.1f} GB of free memory."]
    first = ", ".join(f"{axis} {option}" for axis, option in zip(sizes.axes, misfits[0].choice, strict=True))
    ordered = len(sizes.axes) == 1 and not any(row.fits for row in rows[rows.index(misfits[0]) :])
    sure = "do" if all(row.problem != UNSURE for row in misfits) else "may"
    many = f"{len(misfits):,} of {len(rows):,}, the first with {first},"
    beginning = f"From {first} on, variants" if ordered else many
    return [f"{beginning} {sure} not fit in half of the {free:.1f} GB of free memory."]
