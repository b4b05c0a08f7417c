"""The wheel and the sdist, as others get them: `make wheel-test`.

They are built, looked into, and the wheel is installed into an empty environment, outside the checkout and with no more
than its own dependencies. There it solves, explores and plays.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parent.parent
SECONDS = 600  # for a command, pip's included
OURS = {"src", "tests", "docs", "fuzz", "soak", "benchmarks", "gambit", "wheels"}
OUR_FILES = {"README.md", "LICENSE", "Makefile", "CHANGELOG.md", "CONTRIBUTING.md", "pyproject.toml"}


def tracked(folder: str) -> set[str]:
    found = subprocess.run(["git", "ls-files", folder], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return set(found.splitlines())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], check=True, timeout=SECONDS)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


class Installed:
    """An empty environment with the wheel in it, and a folder to work in."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        venv.create(folder / "environment", with_pip=True)
        self.programs = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        self.environment = kept | {"XDG_STATE_HOME": str(folder / "state")}
        self.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel))

    def command(self, *words: str) -> list[str]:
        return [str(self.programs / words[0]), *words[1:]]

    def run(self, *words: str, typed: str = "", status: int = 0) -> subprocess.CompletedProcess[str]:
        found = subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment,
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
        assert found.returncode == status, found.stdout + found.stderr
        return found


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"), built[0])


def test_twine_takes_both(built: Sequence[Path]) -> None:
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *map(str, built)], check=True, timeout=SECONDS)


def test_the_wheel_has_the_package_and_nothing_else(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        (licence,) = (name for name in wheel.namelist() if name.endswith("/LICENSE"))
        assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()
    assert names == {name.removeprefix("src/") for name in tracked("src/ruse")}
    kinds = {Path(name).suffix or Path(name).name for name in names}
    assert {".html", ".css", ".js", ".svg", ".ruse", ".typed"} <= kinds


def test_the_sdist_has_what_its_tests_need_and_nothing_else(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    expected = OUR_FILES | {name for folder in OURS for name in tracked(folder)}
    assert names - {"PKG-INFO", ".gitignore"} == expected  # which hatchling adds


def test_it_is_the_installed_package_that_runs(installed: Installed) -> None:
    found = installed.run("python", "-c", "import ruse; print(ruse.__file__)").stdout
    assert Path(found.strip()).is_relative_to(installed.programs.parent)


def test_every_module_can_be_imported(installed: Installed) -> None:
    """No module needs a package that is only in an extra before it is asked to work."""
    code = (
        "import importlib, pkgutil, ruse\n"
        "names = [one.name for one in pkgutil.walk_packages(ruse.__path__, 'ruse.') if one.name != 'ruse.__main__']\n"
        "for name in names: importlib.import_module(name)\n"
        "print(len(names))"
    )
    assert int(installed.run("python", "-c", code).stdout) > 200


def test_a_game_is_solved_saved_and_verified(installed: Installed) -> None:
    found = json.loads(installed.run("ruse", "solve", "kuhn", "--json", "--out", "kuhn.ruse").stdout)
    assert found["value"]["exact"] == "-1/18"  # Kuhn 1950
    assert "verified" in installed.run("ruse", "verify", "kuhn.ruse").stdout


def test_learned_strategies_came_along(installed: Installed) -> None:
    assert json.loads(installed.run("ruse", "games", "nim", "--json").stdout)["best"]
    assert json.loads(installed.run("ruse", "evolve", "nim", "--games", "200", "--runs", "2", "--json").stdout)["words"]


def test_pictures_name_the_extra_that_draws_them(installed: Installed) -> None:
    found = installed.run("ruse", "solve", "kuhn", "--plot", "kuhn.png", status=1)
    assert found.stderr == "ruse: expected matplotlib for --plot, got none: pip install 'ruse[plots]'\n"


def test_pages_and_static_files_answer(installed: Installed) -> None:
    command = installed.command("ruse", "explore", "kuhn", "--no-browser", "--port", "0")
    with subprocess.Popen(
        command, cwd=installed.folder, env=installed.environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = "/".join(server.stdout.readline().split("/")[:3])
            page = read(address + "/").decode()
            assert "<title>" in page
            linked = set(re.findall(r'"(/static/[^"]+)"', page))
            static = {f"/static/{Path(name).name}" for name in tracked("src/ruse/explorer/static")}
            assert linked and linked <= static
            for link in static:
                assert read(address + link), link
            assert "bet" in read(f"{address}/p/kuhn@K").decode()
        finally:
            server.terminate()
            server.wait(timeout=60)


def read(address: str) -> bytes:
    with urlopen(address, timeout=60) as answer:
        assert answer.status in (200, 202)
        found: bytes = answer.read()
        return found


def test_a_game_is_played(installed: Installed) -> None:
    found = installed.run("ruse", "play", "kuhn", "--side", "first", "--seed", "1", typed="bet\nbet\n").stdout
    assert re.search(r"You (win|lose) \d\.", found) and "Lost in all" in found
