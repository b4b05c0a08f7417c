"""The rules of some games once more, on arrays (ruse.core.game.ArrayRules): each file says what its rows hold.

The game's own file has the rules in words. The tests walk both and compare.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
