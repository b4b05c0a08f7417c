"""Conditions on parameters, such as `spies*2 < players and missions[4] >= missions[3]`.

The language has arithmetic in fractions, comparisons, `and`, `or`, `not`, lists with entries counted from 1, and `sum`,
`min`, `max`, `len`, `abs` and `sorted`. Python's parser reads a condition and this module evaluates it; nothing in it
is ever executed.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ruse.core import rationals
from ruse.core.game import RuseError
from ruse.core.parameters import did_you_mean

MOST_CHARACTERS = 500
MOST_DIGITS = 50  # of a number

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


class Condition:
    """A condition on parameters; call it with the parameters of a variant."""

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > MOST_CHARACTERS:
            raise ConditionError(f"expected a condition of at most {MOST_CHARACTERS} characters, got {len(text):,}")
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ConditionError(f"expected a condition such as spies*2 < players, got {text!r}") from error

    def __call__(self, parameters: Mapping[str, object]) -> bool:
        names = {name.replace("-", "_"): _value(value) for name, value in parameters.items()}
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

    def _compare(self, node: ast.Compare, names: Mapping[str, Any]) -> bool:
        values = [self._evaluate(operand, names) for operand in (node.left, *node.comparators)]
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
