"""One figure for what a move costs: on pages, in their JSON and CSV, on the command line, and in play."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from amounts import some
from playing import solved
from ruse.cli.program import main
from ruse.core.game import RuseError
from ruse.explorer import position_wording
from ruse.explorer.solution_files import keep
from ruse.insight.costs import BEST, Costs, PositionCosts, costs
from ruse.insight.insight_file import insight_path
from ruse.play.coach import judge, views_of
from ruse.play.review import review
from ruse.play.session import play, standing
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution
from served import Served, words

GAMES = (
    *("kuhn", "leduc", "liars-dice", "goofspiel", "kubicek", "rock-paper-scissors", "morra", "oshi-zumo"),
    *("poker", "mini-poker", "resistance", "nim"),
    pytest.param("avalon", marks=pytest.mark.soak),
)
POSITIONS = 250  # of each game in make soak: more than 3,000 of them
INSIGHTS = some(30, 15)  # of them whose pages compare all optimal strategies, which takes linear programs
ROW = re.compile(r'<tr class="[^"]*">\s*<th scope="row">(.*?)</th>.*?</tr>', re.DOTALL)


def sample(solution: Solution, judged: Costs, count: int) -> Iterator[PositionCosts]:
    """Positions where a side has a choice, also off the path."""
    views, random = viewer(solution), Random(solution.game.name)
    for _ in range(count):
        side = random.randrange(2)
        position = views.start(side)
        here = judged.at(position, side)
        for _ in range(random.randrange(8)):
            options = [option.after for option in views.at(position, side).options if option.after]
            if not options:
                break
            after = random.choice(options)
            there = judged.at(after, side)
            position, here = after, there if there.moves else here
        if here.moves:
            yield here


@pytest.mark.cases(4)
@pytest.mark.parametrize("name", GAMES)
def test_one_figure_everywhere(
    name: str, served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruse.insight.costs.PATIENCE", 600.0)
    solution = solved(name)
    keep(served.app.state.explorer.library.folder, solution)
    judged, path = costs(solution), solution.save(tmp_path / "game.ruse")
    for number, here in enumerate(sample(solution, judged, some(POSITIONS, 60))):
        game, side = solution.game, here.side
        assert min(move.cost for move in here.moves.values()) == 0 and here.condition
        assert all(move.cost >= 0 for move in here.moves.values())
        address, query = f"/p/{here.position.replace('?', '%3F')}", {"side": str(side), **asked(served, solution)}
        told = served.get(f"{address}.json", params=query).json()
        assert {"moves": told["moves"], "costs": told["costs"]} == here.to_json()
        compared = number < INSIGHTS
        if here.basis != BEST and compared:
            known = served.get(f"{address}.insight.json", params={**query, "time": "120"}).json()
            assert {move: one["cost"] for move, one in known["moves"].items()}.items() <= {
                move: str(cost.cost) for move, cost in here.moves.items()
            }.items()
            assert known["costs"] == here.conditions()
        rows = csv.DictReader(io.StringIO(served.get(f"{address}.csv", params=query).text))
        listed = {row["what"]: row["cost"] for row in rows if row["kind"] == "move"}  # one of each class of moves
        assert listed and listed.items() <= {move: str(cost.cost) for move, cost in here.moves.items()}.items()
        wait = {"insight": "true", "time": "120"} if compared else {}
        page = served.get(address, params={**query, **wait, "every": "true"}).text
        check_page(page, solution, here, len(listed))
        check_play(solution, judged, here)
        if number < 2:
            capsys.readouterr()
            assert main(["show", str(path), here.position, "--json"]) == 0
            shown = json.loads(capsys.readouterr().out)["moves"]
            assert shown[game.sides[side]]["moves"] == told["moves"]
            assert shown[game.sides[side]]["costs"] == told["costs"]


def asked(served: Served, solution: Solution) -> dict[str, str]:
    """The query that names the solution, where the library has several of its title."""
    entries = served.app.state.explorer.library.entries()
    mine = [entry for entry in entries if entry.identity and entry.title == solution.game.title and entry.path]
    return {"file": mine[0].carried} if mine and mine[0].carried else {}


def check_page(page: str, solution: Solution, here: PositionCosts, listed: int) -> None:
    """Every row has the cost, and none says that a move that is never made costs nothing."""
    table = page[page.index('<table class="options') : page.index("</table>", page.index('<table class="options'))]
    seen = 0
    for row in ROW.finditer(table):
        text = words(row[0])
        name = next(move for move in here.moves if words(row[1]).split(" ")[0] == move.split(" ")[0])
        move = here.moves[name]
        cell = re.search(r'<td class="right numbers loss"[^>]*>(.*?)</td>', row[0], re.DOTALL)
        assert cell is not None
        assert words(cell[1]) == words(position_wording.cost(solution.game, move.cost, move.kind))
        assert not ("never" in text.split() and "nothing" in text), text
        seen += 1
    assert seen == listed
    assert words(here.condition) in words(page)


def check_play(solution: Solution, judged: Costs, here: PositionCosts) -> None:
    """The coach and the review say the same of a move that was played there."""
    views = views_of(solution)
    try:
        session = standing(solution, here.side, here.position, viewer(solution))
    except RuseError:  # nobody can get there in play
        return
    if session.over or session.game.turn(session.states[-1]) != here.side:
        return
    labels = [session.game.label(move) for move in session.choices]
    for move in [name for name in here.moves if name in labels][:3]:
        after = play(session, session.number, move)
        verdict = judge(after, views, 1, costs=judged)
        assert verdict.cost == here.cost(move)
        if verdict.cost:
            assert f"{move} cost " in verdict.text(solution.game) and here.condition in verdict.text(solution.game)
        (grade, *_) = review(after, views, judged).grades
        assert grade is not None and grade.cost == verdict.cost


def test_a_table_of_all_positions_keeps_what_it_has(
    kuhn_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stopped by the clock, by Ctrl-C, or killed: rows and answers so far are in their files."""
    from ruse.cli import insight as command
    from ruse.core.clock import TimeIsUp
    from ruse.insight import tables

    path, table = tmp_path / "kuhn.ruse", tmp_path / "kuhn.csv"
    path.write_bytes(kuhn_file.read_bytes())
    real = tables.rows_of
    for error in (KeyboardInterrupt, TimeIsUp, SystemError):
        counted = 0

        def rows_of(*given: Any, stop: type[BaseException] = error) -> Any:
            nonlocal counted
            counted += 1
            if counted == 4:
                assert len(table.read_text().splitlines()) == 7 and insight_path(path).exists()  # as a kill leaves them
                raise stop("stopped")
            return real(*given)

        monkeypatch.setattr(tables, "rows_of", rows_of)
        monkeypatch.setattr(command, "SAVE_EVERY", 0.0)
        arguments = ["insight", str(path), "--csv", str(table)]
        if error is SystemError:
            with pytest.raises(SystemError):
                main(arguments)
        else:
            main(arguments)
        assert len(table.read_text().splitlines()) == 7  # two moves at each of three positions
        assert "(3 of 12 positions)" in capsys.readouterr().err
        table.unlink()
        insight_path(path).unlink()
