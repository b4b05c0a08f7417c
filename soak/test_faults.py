"""kill -9, full disks, read-only folders and closed pipes at random moments: nothing is unreadable, nothing is lost
that was told as kept, and nobody sees a traceback.

RUSE_FAULTS says how many moments (1,000), RUSE_SEED where to begin. A failure names its moment: `RUSE_SEED=that
RUSE_FAULTS=1` has it again, but for what depends on the clock. Disks are small tmpfs mounts, which take root.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from ruse.contests.learned import load as load_learned
from ruse.solution import checkpoint
from ruse.solution.container import OtherKind
from ruse.solution.store import load

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from serving import JSON, Server, begin, play_on

MOMENTS = int(os.environ.get("RUSE_FAULTS", "1000"))
SEED = int(os.environ.get("RUSE_SEED", "2026"))
SERVED = 25  # moments to one of a server, which takes longer to start
LONGEST = 1.0  # seconds before a run is killed
COMMANDS = (
    "--help",
    "games",
    "solve kuhn",
    "solve leduc --solver cfr+ --time 2",
    "solve resistance",
    "solve pig",
    "sizes leduc",
    "evolve nim --time 1",
    "explore --no-browser --port 0",
    "play kuhn",
    "verify none.ruse",
)
NEXT = ["export", "kuhn", "--efg", "next.efg"]
PATIENCE = 120.0  # seconds, after which a run hangs


class Forks:
    """Runs of `ruse`, each forked from a process that has imported everything (soak/forks.py)."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forks.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _ask(self, **asked: Any) -> int:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def start(self, words: list[str], folder: Path, stdout: Path, stderr: Path) -> int:
        return self._ask(words=words, folder=str(folder), stdout=str(stdout), stderr=str(stderr))

    def wait(self, pid: int) -> int:
        return self._ask(wait=pid)

    def close(self) -> None:
        with self._process:
            self._process.kill()


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    made = Forks()
    yield made
    made.close()


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A small disk; skips where nobody may mount one."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(f"expected to be allowed to mount a small disk, got {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def remount(folder: Path, how: str) -> bool:
    """Change a disk: read-only, writable again, another size; False while somebody writes."""
    return not subprocess.run(
        ["mount", "-o", f"remount,{how}", str(folder)], capture_output=True, check=False
    ).returncode


def command(chance: Random, folder: Path, old: Path) -> list[str]:
    """Something that writes, over files that may be there already."""
    kind = chance.choice(["solve", "solve", "evolve", "export", "sampled"])
    if kind == "export":
        shutil.copyfile(old / "kuhn.ruse", folder / "kuhn.ruse")
        form = chance.choice(["csv", "parquet", "efg", "mps", "card"])
        return ["export", "kuhn.ruse", f"--{form}", "written.html" if form == "card" else f"written.{form}"]
    with suppress(FileNotFoundError):
        if kind != "evolve" and chance.random() < 0.5:
            shutil.copyfile(old / f"{kind}.checkpoint", folder / "run.checkpoint")
    if kind == "evolve":
        words = ["evolve", "nim", "--iterations", str(chance.randrange(1, 30))]
        return [*words, "--checkpoint", "run.checkpoint", "--resume", "--out", "run.ruse"]
    solver = ["kuhn", "--solver", "mccfr"] if kind == "sampled" else ["leduc", "--solver", "cfr+"]
    words = ["solve", *solver, "--iterations", str(chance.randrange(1_000, 20_000)), "--seed", "5"]
    return [*words, "--checkpoint", "run.checkpoint", "--resume", "--log", "run.csv", "--out", "run.ruse"]


def check(folder: Path, old: Path, said: str, errors: str, status: int, killed: bool) -> None:
    """All that is there can be read; what was told as kept is there; what was there before is no less."""
    assert "Traceback" not in errors and "Traceback" not in said, errors
    assert killed or status in (0, 1), (status, errors)
    assert status == 0 or killed or "ruse: " in errors or not said, errors
    for path in folder.iterdir():
        check_file(path)
    if "Saved to run.ruse" in said:
        assert (folder / "run.ruse").exists()
    if "Written: " in said:
        assert (folder / said.split("Written: ")[1].strip()).exists()


def check_file(path: Path) -> None:
    if path.name.startswith(".ruse-"):
        return  # half-written, under a name that nobody reads
    if path.suffix == ".ruse":
        try:
            load(path)
        except OtherKind:
            load_learned(path)
    elif path.suffix == ".checkpoint":
        checkpoint.read(path)
    elif path.name == "run.csv":
        rows = list(csv.reader(path.read_text().splitlines()))
        assert rows[0] == ["iteration", "seconds", "lower", "upper", "gap"] and path.read_bytes().endswith(b"\n")
        assert all(len(list(map(float, row))) == 5 for row in rows[1:])
    else:
        content = path.read_bytes()
        ends = {".csv": b"\n", ".parquet": b"PAR1", ".efg": b"\n", ".mps": b"ENDATA\n", ".html": b"</html>\n"}
        assert content.endswith(ends[path.suffix]), path


def iterations(path: Path) -> int:
    """How far a checkpoint has come; 0 where there is none."""
    if not path.exists():
        return 0
    arrays = checkpoint.read(path)[1]
    counts = (arrays.get(name) for name in ("solver.done", "solver.iterations", "done"))
    return next(int(count.flat[0]) for count in counts if count is not None)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of earlier runs."""
    folder = tmp_path_factory.mktemp("old")
    options = ["--solver", "cfr+", "--iterations", "500", "--seed", "5"]
    for words in (
        ["solve", "kuhn", "--out", "kuhn.ruse"],
        ["solve", "leduc", *options, "--checkpoint", "solve.checkpoint"],
        ["solve", "kuhn", "--solver", "mccfr", *options[2:], "--checkpoint", "sampled.checkpoint"],
        ["evolve", "nim", "--iterations", "1"],
    ):
        subprocess.run([sys.executable, "-m", "ruse", *words], cwd=folder, capture_output=True, check=True)
    return folder


@pytest.mark.parametrize("moment", [number for number in range(SEED, SEED + MOMENTS) if number % SERVED])
def test_a_fault_at_a_random_moment_spoils_nothing(moment: int, forks: Forks, old: Path, tmp_path: Path) -> None:
    chance = Random(moment)
    fault = chance.choice(["kill", "kill", "full", "read-only", "pipe"])
    folder, said, errors = tmp_path / "folder", tmp_path / "said", tmp_path / "errors"
    free = chance.choice([0, 4, 16, 40, 100, 200])  # kB
    with mounted(folder, "size=20000k"):
        words = command(chance, folder, old)
        if fault == "full":
            used = sum(-(-path.stat().st_size // 4096) * 4 for path in folder.iterdir())
            assert remount(folder, f"size={max(4, used + free)}k")
        before = iterations(folder / "run.checkpoint")
        if fault == "pipe":
            os.mkfifo(said)
            os.mkfifo(errors)
        status, heard = _run(forks, words, folder, (said, errors), fault, chance)
        texts = heard if fault == "pipe" else (said.read_text(), errors.read_text())
        try:
            check(folder, old, *texts, status, killed=status < 0)
            assert iterations(folder / "run.checkpoint") >= before
            if fault == "full" and words[0] != "export":
                assert ":" in texts[0] or "ruse: " in texts[1]  # an answer, or why not
        except BaseException as error:
            error.add_note(f"moment {moment}: {fault} ({free} kB) of {' '.join(words)}; status {status}; {texts[1]}")
            raise
        if fault == "kill" and (left := list(folder.glob(".ruse-*.tmp"))):  # the next run clears them away
            for path in left:
                os.utime(path, (0, 0))
            pid = forks.start(NEXT, folder, tmp_path / "o", tmp_path / "e")
            assert forks.wait(pid) == 0 and not list(folder.glob(".ruse-*.tmp"))


def _run(
    forks: Forks, words: list[str], folder: Path, streams: tuple[Path, Path], fault: str, chance: Random
) -> tuple[int, tuple[str, str]]:
    """One run with its fault: the exit status, and what was heard before the pipes were closed."""
    ends = [os.open(one, os.O_RDONLY | os.O_NONBLOCK) for one in streams] if fault == "pipe" else []
    pid = forks.start(words, folder, *streams)
    time.sleep(chance.random() ** 2 * LONGEST)
    heard = ["", ""]
    if fault == "kill":
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    elif fault == "read-only":
        until = time.monotonic() + 1
        while not remount(folder, "ro") and time.monotonic() < until:
            pass
    for number, end in enumerate(ends):
        with suppress(BlockingIOError):
            heard[number] = os.read(end, chance.choice([1, 100, 100_000])).decode(errors="replace")
        os.close(end)
    stop = time.monotonic() + PATIENCE
    status = forks.wait(pid)
    assert time.monotonic() < stop
    if fault == "read-only":
        remount(folder, "rw")
    return status, (heard[0], heard[1])


@pytest.mark.parametrize("moment", range(SEED, SEED + MOMENTS // 10))
def test_ctrl_c_at_a_random_moment_shows_no_traceback(moment: int, tmp_path: Path) -> None:
    """From its first moments, but for those in which Python itself starts and nothing of ruse runs yet."""
    chance = Random(moment)
    words = chance.choice(COMMANDS).split()
    script = "import sys; from ruse.start import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", script, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
    ) as process:
        time.sleep(chance.random() ** 2 * 2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    started = errors.replace("ruse/__init__.py", "")  # whose first line is Python's own beginning
    assert "Traceback" not in errors or "ruse/" not in started, f"moment {moment}: {words}: {errors}"
    assert process.returncode in (0, 1, -signal.SIGINT)


@pytest.mark.parametrize("moment", [number for number in range(SEED, SEED + MOMENTS) if not number % SERVED])
def test_a_server_keeps_the_games_that_it_has_told_of(moment: int, tmp_path: Path) -> None:
    """The explorer's state on a small disk: it fills up, turns read-only, or the server is killed between two moves."""
    chance = Random(moment)
    fault = chance.choice(["kill", "full", "read-only"])
    (tmp_path / "state").mkdir()
    with mounted(tmp_path / "state", "size=4000k"):
        server = Server(tmp_path, patient=False)
        try:
            with httpx.Client(base_url=server.address, timeout=60) as client:
                told = [begin(client, "kuhn", "first", number) for number in range(2)]
                told[0] = play_on(client, told[0], chance, most=1)
                if fault == "full":
                    with suppress(OSError):
                        (tmp_path / "state" / "ballast").write_bytes(bytes(8 << 20))
                elif fault == "read-only":
                    assert remount(tmp_path / "state", "ro")
                if fault != "kill":
                    for number in range(3):
                        sent = {"game": "kuhn", "side": "first", "seed": number}
                        answer = client.post("/play", json=sent, headers=JSON)
                        assert answer.status_code < 600 and "Traceback" not in answer.text
                        if answer.status_code == 201:
                            told.append(answer.json())
                    assert client.get("/").status_code == 200
                else:
                    time.sleep(chance.random() * 0.2)
            server.stop(signal.SIGKILL)
            remount(tmp_path / "state", "rw")
            (tmp_path / "state" / "ballast").unlink(missing_ok=True)
            server.start()
            with httpx.Client(base_url=server.address, timeout=60) as client:
                for session in told:
                    answer = client.get(f"/play/{session['id']}.json")
                    assert answer.status_code == 200, answer.text
                    assert answer.json()["number"] == session["number"]
        except BaseException as error:
            error.add_note(f"moment {moment}: {fault} of a server")
            raise
        finally:
            server.stop()
        assert "Traceback" not in (tmp_path / "stderr").read_text()
