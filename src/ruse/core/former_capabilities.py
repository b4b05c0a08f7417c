"""Capabilities up to 0.6.0 that `Presentation` and fewer capabilities have replaced.

Own games that declare them go on as they did. `ruse.core.capabilities` finds them here by name, with a
DeprecationWarning that says what to write instead.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ruse.core.capabilities import Adjustable, Memoryless, Representatives
from ruse.core.declared import Capability, provided
from ruse.core.game import Game, Knowledge, State
from ruse.core.presentation import Drawn, Presentation

SHOWN: Mapping[str, Mapping[str, str]] = {  # their methods, and what Presentation calls them
    "Glossed": {"gloss": "explain_move"},
    "Worded": {
        "write_rules": "write_rules",
        "read_rules": "read_rules",
        "in_a_line": "setup",
        "convention": "rules_note",
        "filed_moves": "rule_moves",
    },
    "Outlined": {"outline": "outline"},
    "Modelled": {"model": "model"},
    "Hidden": {"hidden": "hidden_from"},
    "Pictured": {"picture": "picture"},
    "Advising": {"adviser": "adviser", "why_advice": "advice_reason"},
    "Mirrored": {"openspiel": "openspiel_name"},
    "Sized": {"sizes": "size_report"},
}
MOVED: Mapping[str, tuple[type, str, str]] = {  # what they are a kind of, their method, and what to do instead
    "Graphed": (Memoryless, "graph", "declare Memoryless, and write graph in the body of the class"),
    "Countable": (Game, "check_countable", "declare Memoryless, and write check_countable in the body of the class"),
    "Canonical": (Adjustable, "canonical", "declare Adjustable, and write canonical in the body of the class"),
    "Monotone": (Adjustable, "directions", "declare Adjustable, and write directions in the body of the class"),
    "Spanned": (Adjustable, "span", "declare Adjustable, and write span in the body of the class"),
    "Filed": (
        Representatives,
        "representative_position",
        "declare Representatives, and rename the method file to representative_position",
    ),
    "Foretold": (Game, "formula", "declare Ranged, and write known_value and known_by in the body of the class"),
    "Known": (Game, "known_value", "declare Ranged, and write known_value in the body of the class"),
    "RisingBids": (Game, "bidding", "declare Public, and write bidding in the body of the class"),
    "Built": (object, "content", "leave it out: ruse tells games apart by what their rules do"),
}


def _former(name: str, base: type, methods: Mapping[str, Any]) -> Capability:
    kind = Capability(
        name, (base, Protocol) if base is not object else (Protocol,), {"__module__": __name__, **methods}
    )
    kind.optional = ()  # what else the base may have was not declared by this name
    return kind


FORMER: Mapping[str, Capability] = {
    **{name: _former(name, Game, dict.fromkeys(methods, getattr)) for name, methods in SHOWN.items()},
    **{name: _former(name, base, {method: getattr}) for name, (base, method, _) in MOVED.items()},
}


def find_former(name: str) -> type:
    """Return a former capability, with a DeprecationWarning where it is imported. Raises AttributeError."""
    if name not in FORMER:
        raise AttributeError(f"module 'ruse.core.capabilities' has no attribute {name!r}")
    if name in MOVED:
        instead = MOVED[name][2]
    else:
        instead = (
            f"derive a class from ruse.core.presentation.Presentation that overrides {', '.join(SHOWN[name].values())} "
            "and set `presentation` to it in the body of the game's class"
        )
    warnings.warn(f"the capability {name} is deprecated: {instead}", DeprecationWarning, stacklevel=3)
    return FORMER[name]


class FormerPresentation(Presentation[Game]):
    """The presentation of a game that has none of its own: methods of former capabilities, under their new names."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        for capability in provided(game):
            for former, name in SHOWN.get(capability.__name__, {}).items() if capability in FORMER.values() else ():
                method = getattr(game, former)
                setattr(self, name, _without_end(method) if name == "picture" else method)
                self.rules_by_position &= name != "read_rules"


def _without_end(draw: Callable[[Knowledge, int], Drawn]) -> Callable[[Knowledge, int, State | None], Drawn]:
    return lambda knowledge, side, end: draw(knowledge, side)
