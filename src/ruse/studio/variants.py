"""The variants in some ranges: made, identified, and counted if impossible or excluded."""

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
from ruse.studio.conditions import Condition
from ruse.studio.ranges import ParameterAxis, Space, space

MOST_REASONS = 5  # that are listed


class VariantError(RuseError):
    """Ranges without any variant."""


@dataclass(frozen=True)
class Variant:
    """One game of a sweep, made by one option of each axis."""

    name: str  # of the game
    game: Game
    choice: tuple[str, ...]  # the option of each axis
    parameters: Mapping[str, Any]  # all arguments of the game
    key: str  # the identity of its canonical variant; equal keys are solved once
    solved_as: Mapping[str, Any]  # the parameters of the canonical variant

    def solvable(self) -> Game:
        """Return the canonical variant."""
        return self.game if self.solved_as == self.parameters else registry.make(self.name, self.solved_as)


@dataclass
class Variants:
    """All variants in some ranges, and why others are impossible."""

    name: str
    axes: tuple[ParameterAxis, ...]
    items: list[Variant] = field(default_factory=list)
    excluded: int = 0  # by the condition
    impossible: int = 0
    reasons: dict[str, str] = field(default_factory=dict)  # of some: the first variant with each sentence

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Variant]:
        return iter(self.items)

    def left_out(self) -> list[str]:
        """Say which variants are left out, one sentence per reason."""
        sentences = []
        if self.impossible:
            which, why = next(iter(self.reasons.items()))
            many = "1 variant is" if self.impossible == 1 else f"{self.impossible:,} variants are"
            sentences.append(f"{many} impossible and were skipped, such as {which}: {why}")
        if self.excluded:
            sentences.append(f"{self.excluded:,} are excluded by --where")
        return sentences


def parameter_space(name: str, given: Mapping[str, Any], whole: bool = False) -> Space:
    """Return the space of some parameters; with `whole` and without any range, the game's own span."""
    texts = {key: _text(value) for key, value in given.items() if value is not None}
    if whole and not space(texts).axes:
        game = registry.make(name, texts)
        named = {key.replace("_", "-") for key in texts}
        span = registry.call_optional(Adjustable.span, game)
        texts |= {key: text for key, text in span.items() if key not in named}
    return space(texts)


def make_variants(
    name: str,
    span: Space,
    condition_text: str | None = None,
    most: int | None = None,
    choices: Iterable[tuple[str, ...]] | None = None,
) -> Variants:
    """Make every possible variant of a space that meets the condition, at most the first `most`.

    `choices` restricts the search to some combinations of options.
    """
    condition = None if condition_text is None else Condition(condition_text)
    variants = Variants(name, span.axes)
    keys: dict[str, str] = {}
    for choice in span if choices is None else choices:
        tick()
        if most is not None and len(variants) >= most:
            break
        try:
            game = registry.make(name, span.at(choice))
        except RuseError as error:
            if not span.axes:
                raise
            variants.impossible += 1
            if len(variants.reasons) < MOST_REASONS and str(error) not in variants.reasons.values():
                variants.reasons[format_choice(span.axes, choice)] = str(error)
            continue
        made = make_variant(name, game, choice, span.at(choice), keys)
        if condition is not None and not condition(made.parameters):
            variants.excluded += 1
            continue
        variants.items.append(made)
    if not variants.items:
        reasons = "; ".join(variants.left_out()) or "no such variant is in the ranges"
        raise VariantError(f"no variant is left to solve: {reasons}")
    return variants


def make_variant(
    name: str,
    game: Game,
    choice: tuple[str, ...],
    given: Mapping[str, Any],
    keys: dict[str, str] | None = None,
) -> Variant:
    """Make the variant of a game and its parameters; `keys` caches the keys of canonical variants.

    Only built-in games may declare that variants have equal values; every variant of a user's own game is solved.
    """
    parameters = dict(game.parameters) if game.name == name else registry.arguments(name, given)
    if not isinstance(game, Adjustable) or not built_in(game) or game.name != name:
        return Variant(name, game, choice, parameters, identity(game), parameters)
    solved_as = dict(registry.call_optional(Adjustable.canonical, game))
    keys, text = {} if keys is None else keys, repr(solved_as)
    if text not in keys:
        keys[text] = identity(registry.make(name, solved_as))
    return Variant(name, game, choice, parameters, keys[text], solved_as)


def format_choice(axes: tuple[ParameterAxis, ...], choice: tuple[str, ...]) -> str:
    """Describe a variant by the axes that vary: "players = 5, missions 3 = 4"."""
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
