"""The variants in some ranges: made, identified, and counted if impossible or excluded."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ruse.core import rationals, registry
from ruse.core.capabilities import Adjustable
from ruse.core.clock import tick
from ruse.core.contract import built_in
from ruse.core.game import Game, RuseError
from ruse.core.identity import identity
from ruse.core.parameters import did_you_mean
from ruse.studio.ranges import ParameterAxis, Space, space
from ruse.studio.rows import VariantMetrics, VariantRow

# Conditions on parameters, such as `spies*2 < players and missions[4] >= missions[3]`.
#
# The language has arithmetic in fractions, comparisons, `and`, `or`, `not`, lists with entries counted from 1, `in`,
# and `sum`, `min`, `max`, `len`, `abs` and `sorted`. Python's parser reads a condition and this module evaluates it;
# nothing in it is ever executed.

MOST_CHARACTERS = 500
MOST_DIGITS = 50  # of a number


def _contains(entries: Any, value: Any) -> bool:
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise TypeError(f"expected a list after `in`, got {entries!r}")
    return value in entries


ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda value, entries: _contains(entries, value),
    ast.NotIn: lambda value, entries: not _contains(entries, value),
}
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sum": sum,
    "min": min,
    "max": max,
    "len": len,
    "abs": abs,
    "sorted": sorted,
}


class ConditionError(RuseError):
    """A condition that cannot be read or evaluated."""


class NoFigure(ConditionError):
    """A metric without a figure for this game."""


METRIC = "metric"  # as in metric.length


class Condition:
    """A condition on parameters and metrics; call it with the parameters of a variant, and its metrics if any."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > MOST_CHARACTERS:
            raise ConditionError(f"expected a condition of at most {MOST_CHARACTERS} characters, got {len(text):,}")
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ConditionError(f"expected a condition such as spies*2 < players, got {text!r}") from error

    @property
    def metrics(self) -> list[str]:
        """The metrics that it is about, such as "length" for metric.length and metric.length.least."""
        paths = [path for node in ast.walk(self._tree) if (path := _dotted(node)) and path[0] == METRIC]
        return list(dict.fromkeys(path[1] for path in paths if len(path) > 1))

    def __call__(self, parameters: Mapping[str, object], metrics: VariantMetrics | None = None) -> bool:
        names = {name.replace("-", "_"): _value(value) for name, value in parameters.items()}
        if metrics is not None:
            names[METRIC] = metrics
        try:
            answer = self._evaluate(self._tree, names)
        except (TypeError, ZeroDivisionError, ValueError, RecursionError) as error:
            raise ConditionError(f"the condition {self.text!r} has no answer: {error}") from error
        if not isinstance(answer, bool):
            raise ConditionError(f"expected a condition that is true or false, got {self.text!r}, which is {answer}")
        return answer

    def _evaluate(self, node: ast.expr, names: Mapping[str, Any]) -> Any:
        match node:
            case ast.BoolOp():
                truths = (self._truth(value, names) for value in node.values)
                return all(truths) if isinstance(node.op, ast.And) else any(truths)
            case ast.UnaryOp(op=ast.Not()):
                return not self._truth(node.operand, names)
            case ast.UnaryOp(op=ast.USub()):
                return -self._number(node.operand, names)
            case ast.BinOp() if type(node.op) in ARITHMETIC:
                first, second = self._number(node.left, names), self._number(node.right, names)
                return ARITHMETIC[type(node.op)](first, second)
            case ast.Compare() if {*map(type, node.ops)} <= COMPARISONS.keys():
                return self._compare(node, names)
            case ast.Subscript():
                return self._entry(self._evaluate(node.value, names), self._evaluate(node.slice, names))
            case ast.List():
                return [self._evaluate(entry, names) for entry in node.elts]
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
                result = FUNCTIONS[name](self._evaluate(argument, names))
                return Fraction(result) if isinstance(result, int) else result
            case ast.Attribute() if (path := _dotted(node)) is not None and path[0] == METRIC:
                return self._measured(path[1:], names.get(METRIC))
            case ast.Constant(value=bool() | str()):
                return node.value
            case ast.Constant(value=int() | float()) if len(str(node.value)) <= MOST_DIGITS:
                return Fraction(str(node.value))
            case ast.Name(id=name):
                if name not in names:
                    expected = f"a parameter, one of {', '.join(names)}" if names else "no parameter"
                    raise ConditionError(
                        f"expected {expected}, got {name!r} in {self.text!r}{did_you_mean(name, list(names))}"
                    )
                return names[name]
        raise ConditionError(
            f"expected numbers, parameters and comparisons, got {ast.unparse(node)!r} in {self.text!r}"
        )

    def _measured(self, path: Sequence[str], metrics: VariantMetrics | None) -> Fraction:
        """The figure of a metric, or a number inside its JSON."""
        name = ".".join(path)
        if metrics is None:
            raise NoFigure(f"{METRIC}.{name} in {self.text!r} is not measured")
        value: Any = metrics.figures.get(path[0])
        if len(path) > 1 or path[0] not in metrics.figures:
            value = metrics.fields
            for key in path:
                value = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(value, str):
            value = rationals.read(value)
        if value is None or isinstance(value, bool) or not isinstance(value, int | float | Fraction):
            raise NoFigure(f"this game has no figure for {METRIC}.{name}")
        return Fraction(value)

    def _compare(self, node: ast.Compare, names: Mapping[str, Any]) -> bool:
        values = [self._evaluate(operand, names) for operand in (node.left, *node.comparators)]
        if any(isinstance(value, list) for value in values) and {*map(type, node.ops)} <= {ast.Eq, ast.NotEq}:
            values = [_words(value) if isinstance(value, str) else value for value in values]
        pairs = zip(node.ops, values, values[1:], strict=False)
        return all(COMPARISONS[type(operation)](first, second) for operation, first, second in pairs)

    def _truth(self, node: ast.expr, names: Mapping[str, Any]) -> bool:
        value = self._evaluate(node, names)
        if not isinstance(value, bool):
            raise ConditionError(f"expected something true or false, got {ast.unparse(node)!r} in {self.text!r}")
        return value

    def _number(self, node: ast.expr, names: Mapping[str, Any]) -> Fraction:
        value = self._evaluate(node, names)
        if not isinstance(value, Fraction):
            raise ConditionError(f"expected a number, got {ast.unparse(node)!r} in {self.text!r}")
        return value

    def _entry(self, entries: Any, place: Any) -> Any:
        if not isinstance(entries, Sequence) or isinstance(entries, str) or not isinstance(place, Fraction):
            raise ConditionError(f"expected an entry of a list, such as missions[1], in {self.text!r}")
        if not (place.denominator == 1 and 1 <= place <= len(entries)):
            raise ConditionError(f"expected an entry from 1 to {len(entries)}, got {place} in {self.text!r}")
        return entries[int(place) - 1]


def _dotted(node: ast.AST) -> list[str] | None:
    """Return the names of a.b.c; None for anything else."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute) and (before := _dotted(node.value)) is not None:
        return [*before, node.attr]
    return None


def split_conditions(
    given: str | Sequence[str] | None, files: Sequence[str] = ()
) -> tuple[str | None, tuple[Condition, ...]]:
    """Split conditions into one on parameters and those that are about metrics. Raise RuseError for an unknown metric.

    `files` hold metrics of one's own.
    """
    texts = [] if given is None else [given] if isinstance(given, str) else list(given)
    conditions = [Condition(text) for text in texts]
    about = tuple(condition for condition in conditions if condition.metrics)
    if about:
        from ruse.metrics.metric import asked_here, load_metrics
        from ruse.metrics.results import check_name

        with asked_here():
            for file in files:
                load_metrics(file)
        for condition in about:
            for name in condition.metrics:
                check_name(name)
    others = [condition.text for condition in conditions if not condition.metrics]
    if len(others) < 2:
        return (others[0] if others else None), about
    return " and ".join(f"({text})" for text in others), about


def own_metrics(game: Game) -> list[str]:
    """Return the metrics that apply to a game and are not ruse's."""
    from ruse.metrics.metric import metrics

    return [name for name, spec in metrics(game).items() if spec.own]


def failure(conditions: Sequence[Condition], row: VariantRow) -> str | None:
    """Say which condition on metrics a solved variant fails, or that it has no such figure; None if all hold."""
    for condition in conditions:
        try:
            if not condition(row.parameters, row.metrics):
                return condition.text
        except NoFigure as error:
            reasons = {} if row.metrics is None else row.metrics.reasons
            why = next((reasons[name] for name in [*condition.metrics, "metrics"] if name in reasons), "")
            return f"{error}{f': {why}' if why else ''}"
    return None


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")]


def _lists(parameters: Mapping[str, Any], listed: Sequence[str]) -> dict[str, list[str]]:
    """The list parameters that a game holds as a text: the roles of "merlin,assassin"."""
    return {name: _words(parameters[name]) for name in listed if isinstance(parameters.get(name), str)}


def _value(value: object) -> Any:
    """Convert a parameter for the language: numbers become fractions."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, str):
        try:
            return rationals.read(value)
        except ValueError:
            return value
    if isinstance(value, Sequence):
        return [_value(entry) for entry in value]
    return value


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
            verb = "is" if self.excluded == 1 else "are"
            sentences.append(f"{self.excluded:,} {verb} excluded by --where")
        return sentences


def parameter_space(name: str, given: Mapping[str, Any], whole: bool = False) -> Space:
    """Return the space of some parameters; with `whole` and without any range, the game's own span."""
    texts = {key: _text(value) for key, value in given.items() if value is not None}
    lists = [parameter.name for parameter in registry.parameters_of(name) if parameter.is_list]
    if whole and not space(texts, lists).axes:
        game = registry.make(name, texts)
        named = {key.replace("_", "-") for key in texts}
        span = registry.call_optional(Adjustable.span, game)
        texts |= {key: text for key, text in span.items() if key not in named}
    return space(texts, lists)


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
    listed = [parameter.name.replace("-", "_") for parameter in registry.parameters_of(name) if parameter.is_list]
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
        if condition is not None and not condition({**made.parameters, **_lists(made.parameters, listed)}):
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
    parameters = registry.arguments(name, given)
    if game.name == name:  # which may leave out what is as usual, though it varies here
        asked = {key: parameters[key] for spelled in given if (key := spelled.replace("-", "_")) in parameters}
        parameters = {**game.parameters, **{key: asked[key] for key in asked.keys() - game.parameters.keys()}}
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
        words = list(map(_text, value))
        return ("; " if any(map(_is_whole_list, value)) else ",").join(words)
    return str(value)


def _is_whole_list(entry: Any) -> bool:
    """Whether an entry of a list is a list itself, and so an alternative for a parameter that is one."""
    return isinstance(entry, list | tuple) or (isinstance(entry, str) and "," in entry)
