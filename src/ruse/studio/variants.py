"""The variants that ranges span: made, told apart, and those that cannot be counted rather than met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ruse.core import registry
from ruse.core.capabilities import Adjustable
from ruse.core.clock import tick
from ruse.core.contract import built_in
from ruse.core.game import Game, RuseError
from ruse.core.identity import identity
from ruse.studio.ranges import Axis, Space, space
from ruse.studio.where import Where

MOST_REASONS = 5  # that are told


class VariantError(RuseError):
    """Ranges without a variant, or with too many."""


@dataclass(frozen=True)
class Variant:
    """A game of its own, as one choice of each axis makes it."""

    name: str  # of what makes it
    game: Game
    choice: tuple[str, ...]  # the option of each axis
    parameters: Mapping[str, Any]  # what that was called with
    key: str  # the identity of its canonical variant: what has the same is solved once
    solved_as: Mapping[str, Any]  # the parameters of that one

    def solvable(self) -> Game:
        """The canonical variant."""
        return self.game if self.solved_as == self.parameters else registry.make(self.name, self.solved_as)


@dataclass
class Variants:
    """All of some ranges, and why others are none."""

    name: str
    axes: tuple[Axis, ...]
    found: list[Variant] = field(default_factory=list)
    excluded: int = 0  # by the condition
    impossible: int = 0
    reasons: dict[str, str] = field(default_factory=dict)  # of some: the first variant with each sentence

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Variant]:
        return iter(self.found)

    def left_out(self) -> list[str]:
        """Sentences about what is not there."""
        told = []
        if self.impossible:
            which, why = next(iter(self.reasons.items()))
            many = "1 variant is" if self.impossible == 1 else f"{self.impossible:,} variants are"
            told.append(f"{many} impossible and skipped, such as {which}: {why}")
        if self.excluded:
            told.append(f"{self.excluded:,} are excluded by --where")
        return told


def spelled(name: str, given: Mapping[str, Any], whole: bool = False) -> Space:
    """The space of some parameters as texts or values; with `whole`, the game's own span of what is not given."""
    texts = {key: _text(value) for key, value in given.items() if value is not None}
    if whole and not space(texts).axes:
        game = registry.make(name, texts)
        named = {key.replace("_", "-") for key in texts}
        span = registry.call_optional(Adjustable.span, game)
        texts |= {key: text for key, text in span.items() if key not in named}
    return space(texts)


def variants(
    name: str,
    span: Space,
    where: str | None = None,
    most: int | None = None,
    choices: Iterable[tuple[str, ...]] | None = None,
) -> Variants:
    """Every variant of a space that can be, and that the condition lets through; at most the first so many.

    `choices` are the options of those to look at, where not all of them are.
    """
    condition = None if where is None else Where(where)
    found = Variants(name, span.axes)
    keys: dict[str, str] = {}
    for choice in span if choices is None else choices:
        tick()
        if most is not None and len(found) >= most:
            break
        try:
            game = registry.make(name, span.at(choice))
        except RuseError as error:
            if not span.axes:
                raise
            found.impossible += 1
            if len(found.reasons) < MOST_REASONS and str(error) not in found.reasons.values():
                found.reasons[told(span.axes, choice)] = str(error)
            continue
        made = variant(name, game, choice, span.at(choice), keys)
        if condition is not None and not condition(made.parameters):
            found.excluded += 1
            continue
        found.found.append(made)
    if not found.found:
        reasons = "; ".join(found.left_out()) or "no such variant is in the ranges"
        raise VariantError(f"no variant is left to solve: {reasons}")
    return found


def variant(
    name: str,
    game: Game,
    choice: tuple[str, ...],
    given: Mapping[str, Any],
    keys: dict[str, str] | None = None,
) -> Variant:
    """A game that was made of some parameters, as a variant; `keys` holds those of canonical variants that are known.

    That some variants are worth the same is believed of ruse's own games only: each of a stranger's is solved.
    """
    parameters = dict(game.parameters) if game.name == name else registry.arguments(name, given)
    if not isinstance(game, Adjustable) or not built_in(game) or game.name != name:
        return Variant(name, game, choice, parameters, identity(game), parameters)
    solved_as = dict(registry.call_optional(Adjustable.canonical, game))
    keys, text = {} if keys is None else keys, repr(solved_as)
    if text not in keys:
        keys[text] = identity(registry.make(name, solved_as))
    return Variant(name, game, choice, parameters, keys[text], solved_as)


def told(axes: tuple[Axis, ...], choice: tuple[str, ...]) -> str:
    """A variant by what varies: "players 5, missions 3 is 4"."""
    return ", ".join(f"{axis.name} = {option}" for axis, option in zip(axes, choice, strict=True)) or "this one"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, range):
        return "|".join(map(str, value))
    if isinstance(value, list | tuple):
        return ",".join(map(_text, value))
    return str(value)
