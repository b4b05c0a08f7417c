"""Solving by the explorer: forms, sizes, progress, stops, bounds, checks."""

from __future__ import annotations

import json
import re
import time
from html import escape
from pathlib import Path
from threading import Event

import pytest

from ruse import games
from ruse.core.game import Game
from ruse.core.identity import identity
from ruse.explorer import worker
from ruse.explorer.errors import Late
from ruse.explorer.jobs import Jobs
from ruse.explorer.worker import measured
from ruse.solution.store import dumps
from ruse.solving.pipeline import solve
from served import KUHN, Served, words
from serving import PATIENCE

MADE_HERE = ("solved here", "sent")


@pytest.mark.slow
def test_a_solve_streams_and_ends_in_the_library(served: Served) -> None:
    job = served.post("/solve", 202, {"game": "kuhn", "solver": "cfr+", "iterations": 300})["id"]
    events = []
    with served.client.stream("GET", f"/jobs/{job}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                events.append(json.loads(line[6:]))
    last = events[-1]
    assert last["state"] == "done"
    assert last["lower"] <= float(KUHN) <= last["upper"]
    told = served.get(f"/jobs/{job}.json").json()
    assert told["points"] and re.match(r"about \d+ nodes", told["size"])
    page = words(served.get(f"/jobs/{job}").text)
    assert "Done kuhn" in page and told["text"] in page
    assert served.get(f"/jobs/{job}/plot.svg").text.count("<polyline") == 2
    opened = served.get(last["open"].replace("/p/kuhn", "/p/kuhn.json")).json()
    assert opened["exact"] is False
    assert served.client.post(f"/jobs/{job}/stop", headers={"accept": "application/json"}).status_code == 409


@pytest.mark.slow
def test_what_is_solved_or_sent_twice_is_kept_once(served: Served) -> None:
    sent = dumps(solve(games.kuhn(), "cfr+", iterations=7))

    def ours() -> list[str]:
        return [one["file"] for one in served.get("/library.json").json()["entries"] if one["origin"] in MADE_HERE]

    before = set(ours())
    for _ in range(2):
        job = served.post("/solve", 202, {"game": "nim", "parameters": {"heaps": "1,2"}})["id"]
        while served.get(f"/jobs/{job}.json").json()["state"] in ("waiting", "running"):
            time.sleep(0.05)
        served.client.post("/open", content=sent, headers={"accept": "application/json"})
    assert len(set(ours()) - before) == 2


@pytest.mark.slow
def test_stop_keeps_the_best_so_far(served: Served) -> None:
    job = served.post("/solve", 202, {"game": "leduc", "solver": "cfr", "gap": "0", "time": "300"})["id"]
    while not served.get(f"/jobs/{job}.json").json()["points"]:
        time.sleep(0.05)
    served.post(f"/jobs/{job}/stop", 202, {})
    told = served.ended(job)
    assert told["state"] == "stopped"
    assert told["open"] is not None and "interrupted" in str(told["note"])
    assert served.get(str(told["open"]).replace("/p/leduc", "/p/leduc.json")).json()["exact"] is False


@pytest.mark.slow
def test_size_first_and_refusal_with_advice(served: Served) -> None:
    told = served.ended(served.post("/solve", 202, {"game": "kuhn", "size": "yes"})["id"])
    assert (told["state"], told["open"]) == ("done", None)
    assert re.match(r"about \d+ nodes", str(told["text"]))
    large = {"game": "goofspiel", "parameters": {"cards": 13}}
    told = served.ended(served.post("/solve", 202, large)["id"])
    assert told["state"] == "failed"
    assert "smaller parameters" in str(told["text"])
    told = served.ended(served.post("/solve", 202, {**large, "size": "yes"})["id"])
    assert told["state"] == "done" and "smaller parameters" in str(told["note"])  # an answer, if not the wished one
    assert re.fullmatch(r"about 10\^\d+ nodes, more than 1,000 GB", str(told["text"]))
    page = words(served.get(f"/jobs/{told['id']}").text)
    assert page.count(str(told["text"])[1:]) == 1


@pytest.mark.parametrize(
    ("game", "solver", "told"),
    [
        pytest.param(games.phantom_tic_tac_toe(), "auto", "solved without its tree", marks=pytest.mark.soak),
        (games.four_in_a_row(), "auto", "solved without its tree"),
        (games.goofspiel(13), "mccfr", "which mccfr never writes down"),
        (games.resistance(17, 3, (2, 3, 3, 4, 4)), "auto", "size not counted: expected at most 16 players"),
        (games.resistance(5), "auto", "nodes by class"),
    ],
)
def test_sizes_that_are_no_obstacle(game: Game, solver: str, told: str) -> None:
    found = measured(game, solver)
    assert told in found.text and not found.problem
    assert "about about" not in found.text


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"game": "resistance", "parameters": {"players": 11}}, "expected spies and missions too"),
        ({"game": "resistance", "parameters": {"players": -1}}, "expected 2 to 26 players, got -1"),
        ({"game": "resistance", "parameters": {"missions": "two"}}, "for missions, got 'two'"),
        ({"game": "matrix", "parameters": {"payoffs": "1 2; 3"}}, "expected"),
        ({"game": "efg"}, "expected"),
        ({"game": "efg", "parameters": {"text": "EFG 9"}}, "expected"),
        ({"game": "openspiel"}, "as game, got none"),
        ({"game": "kuhn", "time": -1}, "more than 0 seconds"),
        ({"game": "kuhn", "iterations": -5}, "iterations, got -5"),
        ({"game": "kuhn", "seed": -5}, "seed"),
        ({"game": "kuhn", "gap": "-1"}, "gap of at least 0"),
        ({"game": "kuhn", "parameters": "x"}, "as parameters, got 'x'"),
        ({"game": "kuhn", "size": "maybe"}, "expected yes or no as size, got 'maybe'"),
        ({"game": "resistance", "players": 7}, "unknown field 'players'"),
    ],
)
def test_what_cannot_be_solved_is_refused_at_once(served: Served, sent: dict[str, object], said: str) -> None:
    assert said in str(served.post("/solve", 400, sent)["error"])


def test_a_form_that_is_refused_comes_back_as_it_was_typed(served: Served) -> None:
    typed = {"game": "resistance", "p-players": "11", "p-spies": "3", "solver": "cfr+", "gap": "0.5", "seed": "9"}
    answer = served.client.post("/solve", data=typed, headers={"accept": "text/html"})
    assert answer.status_code == 400 and "Expected spies and missions too" in words(answer.text)
    for field in ('name="p-players" type="text" value="11"', "<option selected>cfr+", 'value="0.5"', 'value="9"'):
        assert field in answer.text


def test_numbers_of_a_list_may_be_parted_by_spaces(served: Served) -> None:
    sent = {"game": "resistance", "parameters": {"players": 7, "missions": " 2 3, 3 4 4 "}, "size": "yes"}
    assert served.ended(served.post("/solve", 202, sent)["id"])["title"] == "resistance-7"


def test_the_page_solves_what_the_command_line_solves(served: Served) -> None:
    """A table that is too large to count its nodes, but not to solve."""
    sent = {"game": "resistance", "parameters": {"players": 17, "spies": 3, "missions": "2,3,3,4,4"}, "time": 30}
    job = served.post("/solve", 202, sent)["id"]
    while not str((told := served.get(f"/jobs/{job}.json").json())["size"]) and told["state"] in ("waiting", "running"):
        time.sleep(0.05)
    assert "size not counted" in told["size"]
    assert told["again"] == (
        "/solve?game=resistance&p-players=17&p-spies=3&p-missions=2%2C3%2C3%2C4%2C4&solver=auto&time=30"
    )
    assert 'value="2,3,3,4,4"' in served.get(told["again"]).text
    served.client.post(f"/jobs/{job}/stop")
    served.ended(job)  # before other tests look at the library


@pytest.mark.parametrize(("solver", "all_or_nothing"), [("lp", True), ("auto", False)])
def test_a_stop_says_what_fits_the_solver(monkeypatch: pytest.MonkeyPatch, solver: str, all_or_nothing: bool) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ruse.solving.pipeline.solve", stopped)
    spec = {"name": "4-in-a-row" if solver == "auto" else "kuhn", "parameters": {}, "solver": solver, "limits": {}}
    with pytest.raises(KeyboardInterrupt) as advice:
        worker.solve(spec, lambda _: None)
    assert ("has no answer until it is done" in str(advice.value)) is all_or_nothing


def test_verify_recomputes(served: Served) -> None:
    told = served.ended(served.post("/verify/resistance-5", 202, {})["id"])
    assert told["state"] == "done" and "-2/5" in str(told["note"])


def test_what_is_built_in_is_solved_on_first_use(served: Served) -> None:
    assert served.get("/p/mini-poker.json").json()["value"]["exact"] == "0"
    assert list(served.app.state.explorer.library.folder.glob(f"mini-poker-{identity(games.mini_poker())}.*.ruse"))


def test_a_page_that_takes_long_shows_its_job_first(tmp_path: Path, kuhn_file: Path) -> None:
    made = Served(tmp_path, (str(kuhn_file),), patience=0.0)
    try:
        html = {"accept": "text/html"}
        page = f"/p/kuhn@J?file={made.app.state.explorer.library.asked_for[0].source}&tab=proof"
        answer = made.client.get(page, headers=html)
        while answer.status_code == 202:
            assert f'data-back="{escape(page)}"' in answer.text
            time.sleep(0.05)
            answer = made.client.get(page, headers=html)
        assert "What the file claims" in answer.text
    finally:
        made.close()


def test_a_job_that_is_seen_to_be_done_is_done_for_everybody() -> None:
    """Also where its thread is held up just after it has said so."""
    jobs, begin, go = Jobs(1, 1, PATIENCE), Event(), Event()

    class HeldUp(Event):
        def set(self) -> None:
            go.wait()
            super().set()

    spec = {"file": "kuhn.ruse", "carried": None}
    job = jobs.start("open", spec, "kuhn", "open", begin.wait)
    job.ended = HeldUp()
    begin.set()
    while not job.over:
        time.sleep(0.01)
    assert (job.text, job.ended.is_set()) == ("ready", False)
    with pytest.raises(Late, match="this job has already ended \\(done\\)"):
        jobs.stop(job.id)
    assert jobs.start("open", spec, "kuhn", "open", lambda: None) is not job
    go.set()
    jobs.close()


@pytest.mark.slow
def test_jobs_are_bounded(tmp_path: Path) -> None:
    made = Served(tmp_path, most_running=1, most_waiting=1, patience=0.0)
    try:
        long = {"game": "leduc", "solver": "cfr", "gap": "0", "time": "300"}
        first = made.post("/solve", 202, long)["id"]
        while made.get(f"/jobs/{first}.json").json()["state"] == "waiting":
            time.sleep(0.02)
        made.post("/solve", 202, {**long, "seed": "1"})
        assert made.post("/solve", 429, {**long, "seed": "2"})["status"] == 429
        assert [job["state"] for job in made.get("/jobs.json").json()["jobs"]] == ["waiting", "running"]
        waits = made.get("/p/kuhn.json", 202).json()["id"]  # what is built in has a lane of its own
        assert made.ended(waits)["state"] == "done"
        while (process := made.app.state.explorer.jobs.find(first).process) is None:
            time.sleep(0.02)
    finally:
        made.close()
    assert process.wait(PATIENCE) != 0  # the worker ends with the server
