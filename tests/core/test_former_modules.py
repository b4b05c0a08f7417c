"""Documented modules that moved are still there under their former names, which warn."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from ruse.core.former_modules import FORMER, RENAMED


@pytest.mark.parametrize("name", FORMER)
def test_former_names_give_the_successor_and_warn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{name} is now {FORMER[name]}"):
        former = import_module(name)
    successor = import_module(FORMER[name])
    public = [key for key in vars(successor) if not key.startswith("_")]
    assert all(getattr(former, key) is getattr(successor, key) for key in public)
    for before, now in RENAMED.get(name, {}).items():
        assert getattr(former, before) is getattr(successor, now)


def test_names_that_never_were_are_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'ruse\.views'"):
        import_module("ruse.views")


@pytest.mark.parametrize(
    ("module", "former", "current"),
    [
        ("ruse.studio.rows", "Row", "VariantRow"),
        ("ruse.studio.balance", "Balance", "BalanceResult"),
        ("ruse.formats.frames", "Row", "StrategyRow"),
        ("ruse.solvers.plans", "Solved", "CertifiedPlans"),
        ("ruse.solvers.plans", "Strategies", "StateStrategies"),
        ("ruse.solving.iterate", "Ended", "RunResult"),
        ("ruse.forms.sequence_form", "SequenceForm", "FormArrays"),
    ],
)
def test_former_names_of_classes_warn(module: str, former: str, current: str) -> None:
    imported = import_module(module)
    with pytest.warns(DeprecationWarning, match=f"{former} is now {current}"):
        assert getattr(imported, former) is getattr(imported, current)
    with pytest.raises(AttributeError, match="has no attribute 'Never'"):
        _ = imported.Never
