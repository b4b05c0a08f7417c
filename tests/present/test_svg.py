"""The one library that draws SVG."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ruse
from ruse.present import svg

BY_HAND = re.compile(r"<(svg|circle|path|polyline|rect|text|line|tspan) ")


def test_no_other_module_writes_elements_by_hand() -> None:
    source = Path(ruse.__path__[0])
    found = [path.relative_to(source) for path in source.rglob("*.py") if BY_HAND.search(path.read_text("utf-8"))]
    assert not found


def test_elements_escape_what_they_are_given() -> None:
    drawn = svg.picture(
        (10, 20.5), 'a "b" & <c>', [svg.label("x < y & z", 1, 2.125, class_="soft", fill=None)], data_set=3
    )
    root = ElementTree.fromstring(drawn)
    assert root.attrib["aria-label"] == 'a "b" & <c>' and root[0].text == 'a "b" & <c>'
    assert root.attrib["viewBox"] == "0 0 10 20.5" and root.attrib["data-set"] == "3" and "width" not in root.attrib
    assert root[1].text == "x < y & z" and root[1].attrib == {"x": "1", "y": "2.12", "class": "soft"}


@pytest.mark.parametrize(
    ("values", "log", "labels"),
    [
        ([0.0, 1.0], False, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([-3.0, 12345.0], False, ["0", "2500", "5000", "7500", "10000"]),
        ([-0.25, 0.25], False, ["−0.2", "−0.1", "0", "0.1", "0.2"]),
        ([7.0], False, ["7", "7.2", "7.4", "7.6", "7.8", "8"]),
        ([0.02, 150.0], True, ["10⁻²", "10⁻¹", "1", "10", "100", "1,000"]),
        ([1e-12, 1.0], True, ["10⁻¹²", "10⁻¹⁰", "10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "1"]),
        ([5.0], True, ["1", "10"]),
        ([0.0, 100.0], True, ["100", "1,000"]),  # nothing is at 0 on a log scale
    ],
)
def test_axes_have_round_ticks_within_their_ends(values: list[float], log: bool, labels: list[str]) -> None:
    axis = svg.Axis.around(values, 200, 100, log)
    assert [words for _, words in axis.ticks()] == labels
    assert all(100 - 1e-6 <= axis.at(value) <= 200 + 1e-6 for value in (*values, *(value for value, _ in axis.ticks())))


def test_a_margin_keeps_values_from_the_edges() -> None:
    frame = svg.Frame(100, 100, 10, 10, 10, 10)
    plain, airy = frame.up([0.0, 1.0]), frame.up([0.0, 1.0], margin=0.05)
    assert (plain.at(0), plain.at(1)) == (90, 10) and 10 < airy.at(1) < airy.at(0) < 90


@dataclass
class Node:
    children: list[Node] = field(default_factory=list)
    place: float = -1.0


def test_ends_stand_side_by_side_and_others_in_the_middle() -> None:
    first, second, third = Node(), Node(), Node()
    inner = Node([second, third])
    root = Node([first, inner])
    assert svg.line_up(root) == 3
    assert [one.place for one in (first, second, third, inner, root)] == [0, 1, 2, 1.5, 0.75]


def test_branches_are_as_wide_as_play_is_likely() -> None:
    never, half = (ElementTree.fromstring(svg.branch((0, 0), (50, 9), 20, share, 9)) for share in (0, 0.5))
    assert never.attrib["stroke-width"] == "1" and never.attrib["stroke-dasharray"]
    assert half.attrib["stroke-width"] == "5" and "stroke-dasharray" not in half.attrib
