"""Kept variants count only under the seal of whoever solved them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ruse.solution.state_folder import state_folder, user_key
from ruse.studio.saved_variants import SavedVariants


@pytest.fixture
def swept(ruse: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert ruse("sweep", "kuhn", "--json")[0] == 0
    return state_folder() / "variants" / "kuhn.jsonl"


def test_rows_are_kept_under_a_seal_that_only_the_user_can_make(swept: Path) -> None:
    (row,) = SavedVariants("kuhn").rows.values()
    assert row.exact and row.certificate.proof == "form"
    assert (state_folder() / "key").stat().st_mode & 0o077 == 0 and len(user_key()) == 32


@pytest.mark.parametrize("seal", ["kept", "removed", "of 0.7"])
def test_a_row_that_was_changed_is_solved_again(ruse: Any, swept: Path, seal: str) -> None:
    lines = [json.loads(line) for line in swept.read_text().splitlines() if line]
    for line in lines:
        line["row"]["certificate"] |= {"lower": "5", "upper": "5"}
        line["row"]["value"] = {"exact": "5", "float": 5.0}
        if seal != "kept":
            line["check"] = line.pop("seal")
    swept.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert not SavedVariants("kuhn").rows
    (row,) = json.loads(ruse("sweep", "kuhn", "--json")[1])["rows"]
    assert row["value"]["exact"] == "-1/18"


def test_a_row_under_another_key_is_solved_again(swept: Path) -> None:
    assert SavedVariants("kuhn").rows
    (state_folder() / "key").write_bytes(bytes(32))
    assert not SavedVariants("kuhn").rows
