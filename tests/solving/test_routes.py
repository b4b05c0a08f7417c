"""Which route solves a game, why the others declined, and where a user reads that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.core.game import GameError
from ruse.games import make
from ruse.solvers import find
from ruse.solving import form_memory, routes
from ruse.solving.options import SolveOptions
from ruse.solving.result import SolveResult
from ruse.solving.routes import ROUTES, NextRoute, SolveRequest, SolveRoute, solve_request

NAMES = [route.name for route in ROUTES]


@pytest.mark.parametrize(
    ("name", "solver", "route"),
    [
        ("resistance", "auto", "own solver"),
        ("tic-tac-toe", "auto", "states"),
        ("nim", "backward-induction", "states"),
        ("kuhn", "auto", "sequence form"),
        ("kuhn", "mccfr", "sequence form"),
        ("kuhn", "quasi-perfect", "quasi-perfect"),
    ],
)
def test_a_solution_says_by_which_route_it_came_and_why_not_by_those_before(name: str, solver: str, route: str) -> None:
    solution = ruse.solve(make(name), solver, iterations=1 if solver == "mccfr" else None)
    assert solution.route == route and list(solution.declined) == NAMES[: NAMES.index(route)]
    assert all(reason and reason[0].islower() and len(reason) < 90 for reason in solution.declined.values())


def test_json_has_the_route_of_a_run_and_files_do_not(tmp_path: Path) -> None:
    solution = ruse.solve(ruse.games.kuhn(), "lp")
    told = solution.to_json()
    assert told["route"] == "sequence form" and told["declined"][3] == {
        "route": "states",
        "reason": "lp does not go by states",
    }
    assert not {"route", "declined"} & {*ruse.load(solution.save(tmp_path / "k.ruse")).to_json()}


def test_a_form_without_symmetry_leaves_a_large_game_to_its_public_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "LARGE", 0)
    monkeypatch.setattr(routes.size_estimate, "fits", lambda _: False)
    monkeypatch.setattr(form_memory, "is_soon_built", lambda *_: True)
    monkeypatch.setattr(form_memory, "can_solve_unreduced", lambda _: False)
    solution = ruse.solve(ruse.games.kuhn(), time=2)
    assert (solution.route, solution.solver) == ("public tree", "pdcfr+")
    assert "no symmetry" in solution.declined["sequence form"] and "public tree" not in solution.declined


def test_the_error_where_every_route_declines_says_why_each_did(monkeypatch: pytest.MonkeyPatch, ruse: Any) -> None:
    monkeypatch.setattr(form_memory, "fits", lambda *_: False)
    status, out, err = ruse("solve", "kuhn", "--solver", "cfr+", "--debug")
    assert (status, out) == (1, "")
    lines = err.splitlines()
    heading = lines.index("Each way of solving declined:")
    assert lines[heading - 1].endswith("use mccfr, which never builds the tree, or smaller parameters")
    reasons = lines[heading + 1 : heading + 1 + len(NAMES)]
    assert [line.split(":")[0].strip() for line in reasons] == NAMES
    assert reasons[-1] == "  sampling: cfr+ does not sample"
    assert len(ruse("solve", "kuhn", "--solver", "cfr+")[2].splitlines()) == 1


def test_a_route_may_leave_a_request_to_the_next_one() -> None:
    ran: list[str] = []

    def give_up(request: SolveRequest) -> SolveResult:
        ran.append("first")
        raise NextRoute("it found no shortcut")

    first = SolveRoute("first", lambda request: "", give_up)
    result = solve_request(_request(), (first, *ROUTES))
    assert ran == ["first"] and result.route == "sequence form"
    assert result.declined["first"] == "it found no shortcut"
    with pytest.raises(GameError, match="sequence form"):
        solve_request(_request(), (first,))


def _request() -> SolveRequest:
    return SolveRequest(ruse.games.kuhn(), find("lp"), SolveOptions(), lambda *_: None)
