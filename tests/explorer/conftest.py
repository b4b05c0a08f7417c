"""An explorer that tests of a worker share, with a few games solved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ruse import games
from ruse.explorer.solution_files import keep
from ruse.solution.store import save
from ruse.solving.pipeline import solve
from served import Served


@pytest.fixture(scope="session")
def kuhn_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(solve(games.kuhn()), tmp_path_factory.mktemp("kept") / "kuhn.ruse")


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, kuhn_file: Path) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("explorer")
    for game in (games.resistance(5), games.kuhn(), games.morra()):
        keep(folder / "solutions", solve(game))
    made = Served(folder, (str(kuhn_file),))
    yield made
    made.close()
