"""What was read from a file and not recomputed is never stated as a fact."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse as package
from ruse.insight import check, insight, insight_file
from ruse.insight.engine import TreeInsight
from ruse.solution import container
from ruse.solution.store import load
from ruse.verify import VerifyError
from toys import LabelGame

Ruse = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kuhn(tmp_path: Path) -> Path:
    return package.solve(package.games.kuhn()).save(tmp_path / "kuhn.ruse")


def rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a file and give it a checksum that fits."""
    fields = container.unpack(path.read_bytes())
    change(fields)
    path.write_bytes(container.pack(fields))


def worth_five(fields: dict[str, Any]) -> None:
    fields["value"] = "5"
    fields["certificate"] |= {"lower": "5", "upper": "5"}


def test_a_solution_that_was_changed_gets_no_insight(ruse: Ruse, kuhn: Path) -> None:
    rewrite(kuhn, worth_five)
    status, out, err = ruse("insight", str(kuhn))
    assert status == 1 and "5" not in out and "as is claimed, got -1/18" in err
    with pytest.raises(VerifyError, match="as is claimed"):
        insight(load(kuhn))


def test_a_file_is_a_claim_until_it_is_verified(ruse: Ruse, kuhn: Path) -> None:
    rewrite(kuhn, worth_five)
    assert load(kuhn).certificate.proof == "none" and load(kuhn).headline().endswith("; claimed")
    said = json.loads(ruse("show", str(kuhn), "--json")[1])["certificate"]
    assert (said["proof"], said["standing"]) == ("none", "claimed")
    text = ruse("show", str(kuhn))[1]
    assert "exact" not in text and "Claimed, not verified here." in text and "so both are optimal" not in text


def test_verifying_says_what_the_proof_rests_on(ruse: Ruse, kuhn: Path) -> None:
    said = json.loads(ruse("verify", str(kuhn), "--json")[1])
    assert (said["verified"], said["lower"], said["upper"], said["proof"]) == (True, "-1/18", "-1/18", "rules")
    assert "Proof: both best responses, computed from the rules." in ruse("verify", str(kuhn))[1]


@pytest.mark.parametrize("freedom", [99, 2, 0, -1, "1", True])
def test_a_number_of_dimensions_that_is_wrong_is_refused(ruse: Ruse, kuhn: Path, freedom: Any) -> None:
    assert ruse("insight", str(kuhn))[0] == 0
    beside = insight_file.insight_path(kuhn)
    assert check.check(beside.read_bytes()).certificates

    def change(fields: dict[str, Any]) -> None:
        (one,) = (one for one in fields["all"]["unique"] if not one["unique"])
        assert one["freedom"] == 1
        one["freedom"] = freedom

    rewrite(beside, change)
    status, out, err = ruse("verify", str(beside))
    assert status == 1 and ("dimensions" in out or "freedom" in err)


def test_insight_that_was_changed_or_made_elsewhere_is_found_anew(
    ruse: Ruse, kuhn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = json.loads(ruse("insight", str(kuhn), "kuhn@J", "--json")[1])
    beside = insight_file.insight_path(kuhn)
    assert insight_file.InsightFile(kuhn).load(False).ranges

    def change(fields: dict[str, Any]) -> None:
        for one in fields["all"]["ranges"]:
            one[4][0] = one[5][0] = "1"

    sealed = beside.read_bytes()
    rewrite(beside, change)
    assert not insight_file.InsightFile(kuhn).load(False).ranges
    assert json.loads(ruse("insight", str(kuhn), "kuhn@J", "--json")[1]) == right
    beside.write_bytes(sealed)
    assert insight_file.InsightFile(kuhn).load(False).ranges
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another user"))
    assert not insight_file.InsightFile(kuhn).load(False).ranges
    assert ruse("verify", str(beside))[0] == 0  # whoever made it, it can be checked


def test_a_symmetry_that_somebody_declares_proves_nothing_in_insight() -> None:
    class Marked(LabelGame):
        """One of the labels pays more, so that they cannot be renamed."""

        def payoff(self, state: Any) -> Any:
            return super().payoff(state) + (5 if "a" in str(state) else 0)

    game = Marked("ab", 1, (0, 3, -1, 2))
    true = package.solve(game, symmetry=False).value
    found = TreeInsight(package.solve(game))
    assert not found.up_to_symmetry and found.value == true
    assert isinstance(true, Fraction)
