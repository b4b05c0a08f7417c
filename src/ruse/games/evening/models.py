"""The kinds of bots that `ruse play --seat` and `ruse bot` seat, by name."""

from __future__ import annotations

from dataclasses import dataclass

from ruse.core.game import GameError
from ruse.core.parameters import did_you_mean
from ruse.games.evening.bots import LoyalConvention, OptimalSpy, Players
from ruse.games.evening.plan import PublicPlan, SpiesOrder, check_optimal, solved
from ruse.games.evening.setting import Setting

OPTIMAL = "optimal"
MODELS = {OPTIMAL: "optimal: they keep the proved guarantee"}
DEFAULT = OPTIMAL


@dataclass(frozen=True)
class Models:
    """Which model plays the good seats, and which the spies."""

    good: str
    spies: str

    def __str__(self) -> str:
        return self.good if self.good == self.spies else f"{self.good},{self.spies}"

    def players(self, setting: Setting) -> Players:
        """The bots themselves. Raises GameError where a model cannot play a setting."""
        if OPTIMAL in (self.good, self.spies):
            check_optimal(setting)
        solution = solved(setting.table)
        good = LoyalConvention(PublicPlan(solution))
        return Players(good, OptimalSpy(SpiesOrder(solution), good))

    def check(self, setting: Setting) -> None:
        """Refuse what `players` would refuse, before anything is solved."""
        if OPTIMAL in (self.good, self.spies):
            check_optimal(setting)


def read_models(text: str) -> Models:
    """The models of `--bots optimal` or `--bots people,optimal`: of the good seats, and of the spies."""
    names = [name.strip().lower() for name in text.split(",")]
    for name in names:
        if name not in MODELS:
            hint = did_you_mean(name, list(MODELS)) or f"; choose from {', '.join(MODELS)}"
            raise GameError(f"unknown bots {name[:40]!r}{hint}")
    if len(names) > 2:
        raise GameError(f"expected one model, or one of the good seats and one of the spies, got {text[:40]!r}")
    return Models(names[0], names[-1])
