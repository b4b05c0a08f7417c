"""What a game declares besides its rules, in its own class body: `provides = (Symmetric, Public)`, `presentation = …`.

A capability (ruse.core.capabilities) changes how a game is solved, so nothing is inferred from the name of a method,
and nothing is inherited: a subclass that changes a rule may have made what its parent declares false, and declares anew
what still holds. An object whose instance dict replaces a rule or a method of a capability declares nothing, and
neither does one of a class of ruse's that somebody has patched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ruse.core.game import GameError, Titled, as_written, is_library
from ruse.core.presentation import Presentation

if TYPE_CHECKING:
    from abc import ABCMeta as ProtocolMeta
else:
    ProtocolMeta = type(Protocol)

RULES = ("start", "turn", "moves", "odds", "play", "knows", "payoff")
TEXTS = ("label", "format_position")  # which every game has, by default those of `Own`
# The names of methods up to 0.6.0.
FORMER_METHODS = {"format_position": "tell", "representative_position": "file", "format_choice": "told"}

CAPABILITIES: list[Capability] = []  # of games: ruse.core.capabilities lists them
Method = TypeVar("Method", bound=Callable[..., Any])


class Capability(ProtocolMeta):
    """The class of capabilities: `isinstance(game, Symmetric)` asks whether the game declares it."""

    methods: tuple[str, ...]  # that it must have
    optional: tuple[str, ...]  # that have a default: ruse.core.registry.call_optional

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any], **options: Any) -> None:
        super().__init__(name, bases, body, **options)
        own = {key: value for key, value in body.items() if callable(value) and not key.startswith("_")}
        needed = [key for key, value in own.items() if not hasattr(value, "has_default")]
        inherited = [method for base in bases for method in getattr(base, "methods", ())]
        defaults = [method for base in bases for method in getattr(base, "optional", ()) if method not in needed]
        cls.methods = (*inherited, *needed)
        cls.optional = (*defaults, *(key for key in own if key not in needed))

    def __instancecheck__(cls, thing: object) -> bool:
        return any(cls in declared.__mro__ for declared in provided(thing))


def has_default(method: Method) -> Method:
    """Mark a method of a capability that a game need not write."""
    setattr(method, "has_default", True)  # noqa: B010 - no type has it
    return method


def provided(thing: object) -> tuple[type, ...]:
    """The capabilities that an object declares."""
    kind = type(thing)
    declared = vars(kind).get("provides", ())
    if isinstance(declared, property):  # it depends on the object: on the game that a wrapper is around
        declared = declared.__get__(thing, kind)
    elif declared and replaced(thing):
        return ()
    return declared if isinstance(declared, tuple) else ()


def declares(thing: object, method: str) -> bool:
    """Whether an object declares a capability that needs this method."""
    return any(method in getattr(capability, "methods", ()) for capability in provided(thing))


def in_body(thing: object, name: str) -> Any:
    """What an object's class says under a name in its own body; None where rules were replaced since."""
    return None if replaced(thing) else vars(type(thing)).get(name)


def replaced(thing: object) -> bool:
    """Whether rules were replaced since the class was written: on the object, or by a patch of a class of ruse's."""
    kind = type(thing)
    return bool(shadowed(thing)) or (is_library(kind) and not as_written(kind))


def shadowed(thing: object) -> list[str]:
    """The rules and methods of capabilities that an object's instance dict replaces."""
    kind = type(thing)
    if kind.__module__.startswith("ruse.") and isinstance(vars(kind).get("provides"), property):
        return []  # a wrapper, which answers with what it is around
    return list(held_methods(thing))


def held_methods(thing: object) -> dict[str, Any]:
    """What an object's instance dict holds under the names of rules and of methods of capabilities."""
    reserved = _reserved(len(CAPABILITIES))
    held: dict[str, Any] = getattr(thing, "__dict__", {})
    return {name: value for name, value in held.items() if name in reserved and callable(value)}


def rule_of(thing: object, name: str) -> Any:
    """Find a method of an object, under its former name where that is nearer; None where it has none."""
    return getattr(thing, FORMER_METHODS[name] if has_former(thing, name) else name, None)


def has_former(thing: object, name: str) -> bool:
    """Whether an object has a method under its former name, and no nearer class has it under the current one."""
    former = FORMER_METHODS.get(name, name)
    if former == name or not callable(getattr(thing, former, None)):
        return False
    if former in getattr(thing, "__dict__", {}):
        return True
    bodies = [vars(kind) for kind in type(thing).__mro__ if not is_library(kind) and kind is not Titled]
    return next((each for body in bodies for each in (name, former) if each in body), name) == former


def former_methods(thing: object) -> list[str]:
    """The methods of a game, or of the capabilities that it declares, that it has under their former names."""
    relevant = (name for name in FORMER_METHODS if name in TEXTS or declares(thing, name))
    return [name for name in relevant if has_former(thing, name)]


@lru_cache(maxsize=8)
def _reserved(count: int) -> frozenset[str]:
    """The names of all rules and of the methods of so many capabilities: all that there are."""
    named = (name for capability in CAPABILITIES[:count] for name in (*capability.methods, *capability.optional))
    return frozenset((*RULES, *TEXTS, *FORMER_METHODS.values(), *named))


def check_declared(thing: object) -> None:
    """Raise GameError where `provides` or `presentation` is not what it has to be, or a declared method is missing."""
    kind = type(thing)
    named_presentation(thing)
    declared = vars(kind).get("provides", ())
    if isinstance(declared, property):
        return
    if not isinstance(declared, tuple) or not all(isinstance(item, Capability) for item in declared):
        raise GameError(
            f"`provides` of {kind.__name__} must be a tuple of capabilities, such as (Symmetric,) from "
            f"ruse.core.capabilities, not {declared!r}"
        )
    for capability in declared:
        if missing := [name for name in capability.methods if not callable(rule_of(thing, name))]:
            raise GameError(f"{kind.__name__} declares {capability.__name__} but has no method {missing[0]}")


def named_presentation(thing: object) -> type[Presentation[Any]] | None:
    """The class that `presentation` names in an object's class body. Raises GameError where that is no such class."""
    kind = type(thing)
    named = in_body(thing, "presentation")
    if named is None or (isinstance(named, type) and issubclass(named, Presentation)):
        return named
    raise GameError(
        f"`presentation` of {kind.__name__} must be a class derived from ruse.core.presentation.Presentation, "
        f"not {named!r}"
    )


def undeclared(thing: object) -> Iterator[Capability]:
    """Capabilities that an object has the methods of, and does not declare: helpers of the same name, or forgotten."""
    declared = provided(thing)
    for capability in CAPABILITIES:
        declares = any(capability in other.__mro__ for other in declared)
        looks = [callable(getattr(thing, name, None)) for name in capability.methods or capability.optional]
        if not declares and (all(looks) if capability.methods else any(looks)):
            yield capability
