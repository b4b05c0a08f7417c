"""The race, the methods, learned strategies in files, tournaments and engines."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amounts import some
from ruse.contests import arena, budget, search
from ruse.contests.arena.contest import CUT, DRAW, LOSS, WIN, Contest, ContestError, scores
from ruse.contests.budget import Budget, BudgetError, MatchRunner, Spent
from ruse.contests.engine import EngineError, Job, run, stopped
from ruse.contests.learned import Learned, WinningRate, dumps, load, loads
from ruse.contests.matches import play
from ruse.contests.methods import METHODS, method
from ruse.contests.race import Race, RaceError
from ruse.contests.runs import best_of, evolve_many
from ruse.contests.search import evolve
from ruse.contests.tournament import Tournament, TournamentError, contestants, hold
from ruse.solution import checkpoint, container
from ruse.solution.checkpoint import CheckpointError
from ruse.solution.container import OtherKind, StoreError

PIG = arena.find("pig")


def raced(rate: float, random: np.random.Generator, **options: float) -> Race:
    race = Race(**options)
    while not race.over:
        race.add((random.random(race.next_batch()) < rate).astype(float))
    return race


def test_a_race_names_the_better_one_within_its_risk() -> None:
    """A bound that holds at every look can only be wrong less often than its risk."""
    random = np.random.default_rng(1)
    races = [raced(0.53, random, risk=0.1) for _ in range(400)]
    decided = [race for race in races if race.decided]
    assert len(decided) > 300  # a difference of three times the precision is seen
    assert sum(not race.better for race in decided) <= 0.1 * len(races)


def test_equals_are_told_apart_no_more_often_than_the_risk_allows() -> None:
    random = np.random.default_rng(2)
    races = [raced(0.5, random, risk=0.1, precision=0.05) for _ in range(400)]
    assert sum(race.decided for race in races) <= 0.1 * 400
    assert all(race.radius <= 0.05 for race in races if not race.decided)


def test_a_race_without_the_correction_would_be_wrong_more_often() -> None:
    """Looks repeated at a fixed risk err more often than that risk: the reason for the correction."""
    random = np.random.default_rng(3)
    wrong = 0
    for _ in range(300):
        race = Race(risk=0.2, precision=0.03)
        while True:
            race.add((random.random(race.next_batch()) < 0.5).astype(float))
            variance = race.mean * (1 - race.mean)
            if abs(race.mean - 0.5) > 1.28 * (variance / race.count) ** 0.5:  # 20% at a single look
                wrong += 1
                break
            if race.over:
                break
    assert wrong > 0.3 * 300


def test_certain_winners_are_found_at_once_and_the_limit_stops_a_race() -> None:
    race = Race()
    race.add(np.ones(100))
    assert race.decided and race.better and race.looks == 1
    race = raced(0.5, np.random.default_rng(0), precision=0.01)
    assert race.over and race.count < 200_000


@pytest.mark.parametrize("options", [{"risk": 0.0}, {"risk": 1.0}, {"precision": 0.0}, {"risk": float("nan")}])
def test_races_that_make_no_sense(options: dict[str, float]) -> None:
    with pytest.raises(RaceError, match="of at least 1e-09 and below 1"):
        Race(**options)


def test_scores() -> None:
    assert scores(np.array([WIN, LOSS, DRAW, CUT], dtype=np.int8)).tolist() == [1, 0, 0.5, 0.5]


@settings(max_examples=some(20))
@given(st.integers(0, 2**40), st.integers(1, 500), st.integers(1, 5))
def test_matches_are_the_same_on_one_core_or_many(seed: int, count: int, threads: int) -> None:
    first, second = PIG.strategy([0.3]), PIG.strategy([-0.5])
    whole = PIG.play(first, second, seed, 0, count)
    assert (play(PIG, first, second, seed, count, threads=threads) == whole).all()
    half = count // 2
    assert (PIG.play(first, second, seed, half, count - half) == whole[half:]).all()


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_repeatable_and_resumes(tmp_path: Path, name: str) -> None:
    kept = tmp_path / "c"
    whole = evolve("pig", name, iterations=8, seed=5)
    again = evolve("pig", name, iterations=8, seed=5, threads=1)
    assert again == replace(whole, seconds=again.seconds)
    evolve("pig", name, iterations=3, seed=5, checkpoint=kept)
    resumed = evolve("pig", name, iterations=8, seed=5, checkpoint=kept, resume=True)
    assert resumed == replace(whole, seconds=resumed.seconds)
    other = evolve("pig", name, iterations=8, seed=6)
    assert (other.parameters, other.matches) != (whole.parameters, whole.matches)


@pytest.mark.soak
@pytest.mark.slow
def test_methods_learn() -> None:
    """From hold at 40 · exp(…): the family's best is near 25, and 20 is the baseline."""
    found = evolve("pig", "iterative", games=3_000_000, seed=1)
    assert found.baseline.rate > 0.5 and 0.05 < found.parameters[0] < 0.4
    assert found.matches <= 3_000_000 and found.words().startswith("Roll until the turn has gathered 2")


def test_steps_double_or_shrink() -> None:
    runner = MatchRunner(PIG, Budget(), 1)
    for name in ("naive", "iterative", "real", "approximate"):
        run_ = method(name, PIG, 1)
        for _ in range(5):
            before = run_.step_size
            assert run_.step(runner) is (run_.step_size == 2 * before) and run_.step_size in (2 * before, 0.84 * before)


def test_a_spent_budget_leaves_the_search_as_it_was() -> None:
    run_ = method("real", PIG, 1)
    with pytest.raises(Spent):
        run_.step(MatchRunner(PIG, Budget(matches=150), 1))
    assert run_.iterations == 0 and (run_.best == PIG.baseline).all() and run_.step_size == 1


def test_ctrl_c_keeps_what_was_found() -> None:
    calls = []

    def report(text: str, lower: float | None, upper: float | None) -> None:
        calls.append(text)
        if len(calls) == 4:
            raise KeyboardInterrupt

    found = evolve("pig", "naive", iterations=1000, report=report)
    assert calls[0] == "iteration 1, 0 matches" and calls[3].startswith("iteration 4, ")
    assert found.iterations == 3


def test_a_search_that_is_asked_to_stop_hands_in_what_it_has() -> None:
    looks = iter([False] * 50)
    found = evolve("pig", "naive", iterations=1000, stopped=lambda: next(looks, True))
    assert 0 < found.iterations < 50 and found.baseline.matches == PIG.series


def test_the_clock_is_looked_at_within_long_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes a second each thousand matches."""
    clock = [0.0]

    def slowly(contest: Contest, *rest: Any, **more: Any) -> Any:
        clock[0] += rest[-1] / 1000
        return play(contest, *rest, **more)

    monkeypatch.setattr(budget, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(budget, "play", slowly)
    runner = MatchRunner(PIG, Budget(seconds=10), 1)
    waits: list[int] = []
    runner.waiting = lambda: waits.append(runner.matches)
    with pytest.raises(Spent):
        runner.scores(PIG.baseline, PIG.baseline, 0, 0, 1_000_000)
    assert 10 <= runner.seconds < 10.3 and len(waits) > 40


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time": 0}, "a budget of more than 0 for time, got 0"),
        ({"time": -1}, "a budget of more than 0 for time"),
        ({"games": 0}, "a budget of more than 0 for games"),
        ({"iterations": -3}, "a budget of more than 0 for iterations"),
        ({"seed": -1}, "a seed from 0 to"),
        ({"resume": True}, "a checkpoint to resume from, got none"),
        ({"method_name": "annealing"}, "a method, one of naive"),
        ({"method_name": "nevergrad:Nothing"}, "an optimiser of nevergrad"),
    ],
)
def test_searches_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BudgetError, match=message):
        evolve("pig", **options)


def test_strategies_that_do_not_fit() -> None:
    for numbers, message in (
        ([1.0, 2.0], "expected 1 parameters for pig, got 2"),
        ([float("nan")], "expected finite parameters for pig, got nan"),
        ([float("inf")], "expected finite parameters for pig, got inf"),
        (["x"], "expected .* numbers for"),
    ):
        with pytest.raises(ContestError, match=message):
            PIG.strategy(numbers)  # type: ignore[arg-type]
    with pytest.raises(arena.UnknownContest, match="did you mean 'pig'"):
        arena.find("pigs")


def test_nevergrad_is_asked_and_told() -> None:
    found = evolve("pig", "nevergrad:OnePlusOne", iterations=40, seed=2)
    assert found.iterations == 40 and found.matches == 40 * 200
    assert found.parameters == evolve("pig", "nevergrad:OnePlusOne", iterations=40, seed=2).parameters


LEARNED = Learned("pig", (0.25,), "seed", 3, 5, 1000, 0.5, WinningRate(0.51, 0.01, 10_000, 0.0))


def test_learned_strategies_survive_their_file(tmp_path: Path) -> None:
    path = LEARNED.save(tmp_path / "s.ruse")
    assert load(path) == LEARNED
    assert json.loads(json.dumps(LEARNED.to_json()))["parameters"] == [0.25]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("parameters", [1, 2], "expected 1 parameters for pig, got 2"),
        ("parameters", [10**400], "finite numbers as parameters"),
        ("parameters", "x", "a list as parameters"),
        ("parameters", [True, None], "finite numbers"),
        ("contest", "chess", "unknown contest"),
        ("seed", -1, "a whole number of at least 0 as seed"),
        ("baseline", [1], "expected 4 numbers as baseline, got 1"),
        ("history", [[1]], "expected 5 numbers as history"),
        ("kind", "solution", "holds no learned strategy"),
    ],
)
def test_files_that_are_wrong(field: str, value: Any, message: str) -> None:
    fields = container.unpack(dumps(LEARNED)) | {field: value}
    with pytest.raises(StoreError, match=message):
        loads(container.pack(fields), "x.ruse")


@settings(max_examples=some(60))
@given(st.binary(max_size=300))
def test_no_bytes_are_a_learned_strategy_by_accident(content: bytes) -> None:
    with pytest.raises(StoreError):
        loads(content, "x")


def test_checkpoints_of_other_searches_are_refused(tmp_path: Path) -> None:
    kept = tmp_path / "c"
    evolve("pig", "real", iterations=2, checkpoint=kept)
    with pytest.raises(CheckpointError, match="a run with method 'seed', got one with 'real'"):
        evolve("pig", "seed", iterations=4, checkpoint=kept, resume=True)
    about = {"contest": "pig", "method": "real", "seed": 0, "risk": 0.05, "precision": 0.01}
    arrays = checkpoint.load(kept, about)
    assert arrays is not None
    for name, forged in (
        ("x", np.zeros(3)),
        ("population", np.zeros(3)),
        ("step", np.array([np.nan])),
        ("done", 1j),
        ("population", np.zeros((0, 1))),
        ("done", [-5]),
        ("spent", [1e300, 1.0]),
    ):
        checkpoint.save(kept, about, {**arrays, name: np.asarray(forged)})
        with pytest.raises(CheckpointError, match="arrays of this search"):
            evolve("pig", "real", iterations=4, checkpoint=kept, resume=True)


def score(rate: float) -> WinningRate:
    return WinningRate(rate, 0.02, 1000, 0.0)


def test_cycles_are_named() -> None:
    def met(*names: str, **rates: float) -> Tournament:
        pairs = {(names.index(one[0]), names.index(one[1])): score(rate) for one, rate in rates.items()}
        return Tournament("pig", names, pairs, 0, True)

    stone = met("r", "p", "s", rp=0.2, ps=0.2, rs=0.9)
    assert stone.cycles() == [("r", "s", "p")] and stone.undefeated() == []
    assert "r beats s beats p beats r" in stone.format()
    ladder = met("r", "p", "s", rp=0.9, ps=0.9, rs=0.9)
    assert ladder.cycles() == [] and ladder.undefeated() == ["r"]
    unsure = met("r", "p", "s", rp=0.49, ps=0.2, rs=0.9)
    assert unsure.cycles() == [] and unsure.undefeated() == ["r"]
    four = met("a", "b", "c", "d", ab=0.9, bc=0.9, cd=0.9, ad=0.1, ac=0.5, bd=0.5)
    assert four.cycles() == [("a", "b", "c", "d")]


@pytest.mark.soak
@pytest.mark.slow
def test_cycles_among_many_are_found_quickly() -> None:
    """Two hundred in a strict order, but for the last who beats the first: a circle of three, and then none."""
    names = tuple(map(str, range(200)))
    pairs = {(one, other): score(0.9) for one in range(200) for other in range(one + 1, 200)}
    assert Tournament("pig", names, pairs, 0, True).cycles() == []
    circled = Tournament("pig", names, {**pairs, (0, 199): score(0.1)}, 0, True)
    assert ("0", "1", "199") in circled.cycles()


def test_a_tournament_that_is_stopped_keeps_what_was_played() -> None:
    def report(text: str, lower: float | None, upper: float | None) -> None:
        if text.startswith("2 of"):
            raise KeyboardInterrupt

    strategies = {"baseline": PIG.baseline, "timid": PIG.strategy([-1.5]), "bold": PIG.strategy([1.0])}
    found = hold("pig", strategies, 20_000, report=report, workers=1)
    assert not found.complete and found.scores[0, 1].matches == 10_000 and (1, 2) not in found.scores
    assert found.undefeated() == [] and found.rate(1, 2) is None


def test_a_forged_score_is_refused() -> None:
    for wrong in ([7, 0.1, 10, 0], [0.5, -1, 10, 0], [0.5, 0.1, -5, 0], [0.5, 0.1, 10, -3]):
        fields = container.unpack(dumps(LEARNED)) | {"baseline": wrong}
        with pytest.raises(StoreError, match="a rate, its error, matches and a share"):
            loads(container.pack(fields), "x.ruse")


def test_one_match_proves_nothing() -> None:
    assert search.score_of(np.array([WIN], dtype=np.int8)).error == 1


def test_tournaments_are_repeatable_and_can_be_drawn(tmp_path: Path) -> None:
    strategies = contestants(PIG, ["baseline", "hold-at-25"]) | {"timid": PIG.strategy([-1.5])}
    found = hold("pig", strategies, 2000, seed=3)
    assert found == hold("pig", strategies, 2000, seed=3, workers=1) and found.complete
    assert found.averages()[2] < 0.4 and "timid" not in found.undefeated()
    assert found.rate(0, 2) == 1 - found.rate(2, 0)  # type: ignore[operator]
    for form in ("csv", "parquet"):
        assert found.write(tmp_path / f"t.{form}", form).stat().st_size > 100
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == "first,second,rate,error,matches,cut"
    found.plot(tmp_path / "t.svg")
    assert "timid" in (tmp_path / "t.svg").read_text() or (tmp_path / "t.svg").stat().st_size > 1000


def test_contestants_that_cannot_meet(tmp_path: Path) -> None:
    other = container.pack(container.unpack(dumps(LEARNED)) | {"contest": "nim", "parameters": [0.0] * 383})
    (tmp_path / "nim.ruse").write_bytes(other)
    for spelled, message in (
        (["x"], "expected FILE.ruse or one of the strategies baseline, hold-at-25, got 'x'"),
        ([str(tmp_path / "nim.ruse")], "expected strategies for pig, got one for nim"),
        (["baseline", "baseline"], "different names, got 'baseline' twice"),
    ):
        with pytest.raises(TournamentError, match=message):
            contestants(PIG, spelled)
    with pytest.raises(OtherKind):
        from ruse.solution import store

        store.load(tmp_path / "nim.ruse")
    with pytest.raises(TournamentError, match="expected 2 to 200 strategies, got 1"):
        hold("pig", {"a": PIG.baseline})
    with pytest.raises(TournamentError, match=r"expected 1 to 1,000,000,000 games, got 0"):
        hold("pig", {"a": PIG.baseline, "b": PIG.baseline}, 0)


def test_several_searches_at_once() -> None:
    found = evolve_many("pig", "naive", 3, seed=10, iterations=4)
    assert [one.seed for one in found] == [10, 11, 12]
    one = evolve("pig", "naive", iterations=4, seed=11)
    assert found[1] == replace(one, seconds=found[1].seconds)
    assert best_of(found).parameters in [one.parameters for one in found]
    unmeasured = replace(found[0], baseline=WinningRate(0.5, 0.5, 0, 0.0))  # it was interrupted before it was scored
    worse = replace(found[1], baseline=WinningRate(0.4, 0.01, 10_000, 0.0))
    assert best_of([unmeasured, worse]).parameters == worse.parameters
    assert unmeasured.baseline.format() == "not measured"
    with pytest.raises(BudgetError, match="expected 1 to 10,000 runs, got 0"):
        evolve_many("pig", "naive", 0)


def double(number: int) -> int:
    return 2 * number


def die_once(number: int, folder: str) -> int:
    """Kills its process, the first time."""
    mark = Path(folder) / str(number)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), 9)
    return number


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_workers_that_die_are_replaced(tmp_path: Path) -> None:
    jobs = [(die_once, (number, str(tmp_path))) if number == 2 else (double, (number,)) for number in range(6)]
    found = dict(run(jobs, workers=2))
    assert found == {0: 0, 1: 2, 2: 2, 3: 6, 4: 8, 5: 10}


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_a_dask_cluster_gives_the_same_though_a_worker_dies(tmp_path: Path) -> None:
    """A real cluster of processes; one of them is killed during the run."""
    strategies = {"baseline": PIG.baseline, "timid": PIG.strategy([-1.5])}
    here = hold("pig", strategies, 10_000, seed=1)
    assert hold("pig", strategies, 10_000, seed=1, engine="dask", workers=2) == here
    jobs = [(die_once, (number, str(tmp_path))) if number == 1 else (double, (number,)) for number in range(4)]
    assert dict(run(jobs, "dask", None, 2)) == {0: 0, 1: 1, 2: 4, 3: 6}


def until_begun(mark: str) -> str:
    while not Path(mark).exists():
        sleep(0.01)
    return "the other has begun"


def until_stopped(mark: str) -> str:
    Path(mark).touch()
    while not stopped():
        sleep(0.01)
    return "handed in"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Dask's own
@pytest.mark.parametrize(("engine", "threads"), [("local", True), ("local", False), ("dask", False)])
def test_ctrl_c_lets_jobs_under_way_hand_in_what_they_have(
    engine: str, threads: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruse.contests.engine.HANDING_IN", 120.0)  # seconds, on a busy machine
    mark = str(tmp_path / "begun")
    jobs: list[Job] = [(until_begun, (mark,)), *[(until_stopped, (mark,))] * 8]
    found = {}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
    try:
        for number, result in run(jobs, engine, None, 2, threads=threads):
            found[number] = result
            if number == 0:
                os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.pop(0) == "the other has begun" and 1 <= len(found) <= 3 and set(found.values()) == {"handed in"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("threads", [True, False])
def test_no_jobs_are_no_trouble(threads: bool) -> None:
    """A report that was killed after its last search has none left when it goes on."""
    assert [*run([], threads=threads)] == []


def test_engines_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    from ruse.contests import engine

    monkeypatch.setattr(engine, "PATIENCE", "1s")
    for arguments, message in (
        (("slurm", None), "one of the engines local, dask, got 'slurm'"),
        (("local", "host:1"), "an address with --engine dask only"),
        (("dask", "127.0.0.1:9"), "no Dask scheduler answers at '127.0.0.1:9'"),
        (("dask", "nonsense"), "no Dask scheduler answers at 'nonsense'"),
        (("local", None, 0), "at least one worker, got 0"),
    ):
        with pytest.raises(EngineError, match=message):
            list(run([(double, (1,))], *arguments))  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_command_line(ruse: Any, tmp_path: Path) -> None:
    out, table, plot = (str(tmp_path / name) for name in ("s.ruse", "t.csv", "t.png"))
    status, text, _ = ruse("evolve", "pig", "--method", "iterative", "--iterations", "20", "--seed", "1", "--out", out)
    assert status == 0 and "against the baseline" in text and "hold" in text
    assert ruse("show", out)[1].splitlines()[:3] == text.splitlines()[:3]
    found = json.loads(ruse("show", out, "--json")[1])
    assert found["method"] == "iterative" and found["iterations"] == 20
    status, text, _ = ruse("tournament", "pig", out, "baseline", "--games", "500", "--csv", table, "--plot", plot)
    assert status == 0 and "rows against columns" in text and Path(table).exists() and Path(plot).exists()
    found = json.loads(ruse("tournament", "pig", out, "baseline", "--games", "500", "--json")[1])
    assert found["names"] == ["s", "baseline"] and found["complete"]
    for words, message in (
        (("verify", out), "expected a solution"),
        (("show", out, "pig@x"), "is a learned strategy; it has no positions"),
        (("evolve", "pig", "--time", "0"), "a budget of more than 0"),
        (("evolve", "pig", "--runs", "2", "--checkpoint", out), "only with one search on this machine"),
        (("tournament", "nim", out, "baseline"), "expected strategies for nim, got one for pig"),
    ):
        status, text, err = ruse(*words)
        assert (status, text) == (1, "") and message in err and err.count("\n") == 1


def test_scoring_is_in_other_matches_than_learning() -> None:
    assert search.JUDGE > (1 << 40) * (1 << 20)
