"""The kinds of bots that `ruse play --seat` and `ruse bot` seat, by name."""

from __future__ import annotations

from dataclasses import dataclass

from ruse.core.game import GameError
from ruse.core.parameters import did_you_mean
from ruse.games.evening.bots import Bot, LoyalConvention, OptimalSpy, Players
from ruse.games.evening.people_bots import PeopleBot, check_people, knows_people
from ruse.games.evening.plan import PublicPlan, SpiesOrder, check_optimal, solved
from ruse.games.evening.setting import Setting

OPTIMAL, PEOPLE = "optimal", "people"
MODELS = {
    PEOPLE: "people: they play as in recorded games",
    OPTIMAL: "optimal: they keep the proved guarantee",
}


@dataclass(frozen=True)
class Models:
    """Which model plays the good seats, and which the spies."""

    good: str
    spies: str

    def __str__(self) -> str:
        return self.good if self.good == self.spies else f"{self.good},{self.spies}"

    def players(self, setting: Setting) -> Players:
        """The bots themselves: optimal spies act as the loyal seats of the other model would."""
        solution = solved(setting.table)
        good: Bot = PeopleBot() if self.good == PEOPLE else LoyalConvention(PublicPlan(solution))
        return Players(good, PeopleBot() if self.spies == PEOPLE else OptimalSpy(SpiesOrder(solution), good))

    def check(self, setting: Setting) -> None:
        """Refuse a model that cannot play a setting. Raises GameError."""
        if OPTIMAL in (self.good, self.spies):
            check_optimal(setting)
        if PEOPLE in (self.good, self.spies):
            check_people(setting)


def models_for(setting: Setting, text: str | None) -> Models:
    """The models that somebody asks for, checked; people, or optimal bots at tables where no people were recorded."""
    if text:
        models = read_models(text)
    else:
        models = Models(PEOPLE, PEOPLE) if knows_people(setting) else Models(OPTIMAL, OPTIMAL)
    models.check(setting)
    return models


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
