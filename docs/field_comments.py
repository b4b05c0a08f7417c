"""Fields are described by the comments behind them: this makes docstrings of those for the reference."""

from __future__ import annotations

import re
from typing import Any

from griffe import Attribute, Docstring, Extension

COMMENT = re.compile(r"\s#\s(.+)$")


class FieldComments(Extension):
    """`odds: Fraction  # under the stored strategies`, as the reference shows it."""

    def on_attribute_instance(self, *, attr: Attribute, **_: Any) -> None:
        if attr.docstring is not None or attr.lineno is None or attr.endlineno is None:
            return
        found = COMMENT.search(attr.lines_collection[attr.filepath][attr.endlineno - 1])
        if found is not None:
            attr.docstring = Docstring(f"{found[1][0].upper()}{found[1][1:]}.", parent=attr)
