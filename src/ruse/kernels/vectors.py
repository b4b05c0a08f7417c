"""Eight numbers at once, for sweeps whose inner loops are short: a vector type that compiled code holds in registers.

Loops over the hands of a public tree are too short for the compiler to turn into vector instructions by itself, since
it cannot rule out that two arrays overlap. Here it need not: `load` takes VECTOR_WIDTH neighbours out of a flat array,
then +, -, *, / are VECTOR_WIDTH operations, `store` puts them back. Indices are not checked, nor may they be negative.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending, njit
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.extending import overload, register_model

VECTOR_WIDTH = 8
Made = Callable[..., Any]
intrinsic: Callable[[Made], Made] = extending.intrinsic  # what it makes is called as compiled code calls it
_INNER: dict[str, Any] = {"cache": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
inner: Callable[[Made], Made] = njit(**_INNER)  # a sweep that only compiled code calls: compiled in half the time
spread: Callable[[Made], Made] = njit(**_INNER, forceinline=True)  # the same, put wherever it is called


class Vector(types.Type):
    """VECTOR_WIDTH numbers of one type."""

    def __init__(self, scalar: Any) -> None:
        self.scalar = scalar
        super().__init__(name=f"vector({scalar})")


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Vector) -> None:
        vector = ir.VectorType(manager.lookup(kind.scalar).get_value_type(), VECTOR_WIDTH)
        super().__init__(manager, kind, vector)  # type: ignore[no-untyped-call]


def address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """Where an item of a flat array lies."""
    structure = context.make_array(array_type)(context, builder, array)
    return builder.gep(structure.data, [index])


@intrinsic
def item(typing: Any, array: Any, index: Any) -> Any:
    """array[index], where the index is known to be good."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        return context.unpack_value(builder, array.dtype, address(context, builder, array, arguments[0], place))

    return array.dtype(array, index), made


@intrinsic
def load(typing: Any, array: Any, index: Any) -> Any:
    """array[index : index + VECTOR_WIDTH] of a flat array."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        pointer = address(context, builder, array, arguments[0], place)
        vector = context.get_value_type(signature.return_type)
        return builder.load(
            builder.bitcast(pointer, ir.PointerType(vector)), align=context.get_abi_sizeof(vector.element)
        )

    return Vector(array.dtype)(array, index), made


@intrinsic
def store(typing: Any, array: Any, index: Any, values: Any) -> Any:
    """array[index : index + VECTOR_WIDTH] = values"""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.cast(builder, arguments[1], index, types.int64)
        pointer = address(context, builder, array, arguments[0], place)
        vector = context.get_value_type(values)
        pointer = builder.bitcast(pointer, ir.PointerType(vector))
        builder.store(arguments[2], pointer, align=context.get_abi_sizeof(vector.element))
        return context.get_dummy_value()

    return types.void(array, index, values), made


def _splat(builder: Any, vector: Any, scalar: Any) -> Any:
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), scalar, cgutils.intp_t(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), VECTOR_WIDTH), [0] * VECTOR_WIDTH)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


@intrinsic
def splat(typing: Any, scalar: Any) -> Any:
    """Fill a vector with one number."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _splat(builder, context.get_value_type(signature.return_type), arguments[0])

    return Vector(scalar)(scalar), made


def _arithmetic(instruction: str) -> Any:
    @intrinsic
    def operation(typing: Any, a: Any, b: Any) -> Any:
        def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return a(a, b), made

    return operation


_add, _sub, _mul, _div = (_arithmetic(name) for name in ("fadd", "fsub", "fmul", "fdiv"))


def _both(a: Any, b: Any) -> bool:
    return isinstance(a, Vector) and isinstance(b, Vector)


@overload(operator.add, strict=False)
def _plus(a: Any, b: Any) -> Any:
    return (lambda a, b: _add(a, b)) if _both(a, b) else None


@overload(operator.sub, strict=False)
def _minus(a: Any, b: Any) -> Any:
    return (lambda a, b: _sub(a, b)) if _both(a, b) else None


@overload(operator.mul, strict=False)
def _times(a: Any, b: Any) -> Any:
    return (lambda a, b: _mul(a, b)) if _both(a, b) else None


@overload(operator.truediv, strict=False)
def _over(a: Any, b: Any) -> Any:
    return (lambda a, b: _div(a, b)) if _both(a, b) else None


@intrinsic
def above(typing: Any, a: Any, bound: Any, then: Any, otherwise: Any) -> Any:
    """then where a > bound, otherwise elsewhere; all are vectors."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        larger = builder.fcmp_ordered(">", arguments[0], arguments[1])
        return builder.select(larger, arguments[2], arguments[3])

    return then(a, bound, then, otherwise), made


@intrinsic
def added_up(typing: Any, values: Any) -> Any:
    """Add up all values of a vector, by halves: always in the same order."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (rest,) = arguments
        half = VECTOR_WIDTH // 2
        while half:
            low, high = (
                ir.Constant(ir.VectorType(ir.IntType(32), half), list(range(begin, begin + half)))
                for begin in (0, half)
            )
            nothing = ir.Constant(rest.type, ir.Undefined)
            rest = builder.fadd(builder.shuffle_vector(rest, nothing, low), builder.shuffle_vector(rest, nothing, high))
            half //= 2
        return builder.extract_element(rest, ir.Constant(ir.IntType(32), 0))

    return values.scalar(values), made


@intrinsic
def positive(typing: Any, a: Any) -> Any:
    """a where it is not below 0, and 0 elsewhere: what is not a number stays so."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero = ir.Constant(context.get_value_type(a), None)
        return builder.select(builder.fcmp_ordered("<", arguments[0], zero), zero, arguments[0])

    return a(a), made


@intrinsic
def multiply_add(typing: Any, a: Any, b: Any, c: Any) -> Any:
    """a * b + c, rounded once where the processor does that as quickly."""

    def made(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = context.get_value_type(signature.return_type)
        name = f"llvm.fmuladd.v{VECTOR_WIDTH}{vector.element.intrinsic_name}"
        kind = ir.FunctionType(vector, [vector] * 3)
        fused = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
        return builder.call(fused, arguments)

    return a(a, b, c), made
