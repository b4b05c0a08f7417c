"""Solutions in files: the same when they are read again, verified as they were, refused once tampered with."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import ruse
from fuzz.case import Contradiction, expect
from ruse.core.game import RuseError
from ruse.solution import container, store
from ruse.solution.strategy import Solution
from ruse.verify import VerifyError


def check_kept(solution: Solution, folder: Path, random: Random) -> None:
    """Save, load, verify; then damage, and tamper with the checksum mended."""
    path = solution.save(folder / "kept.ruse")
    again = ruse.load(path)
    expect("the strategies of a saved solution", again.tables, tuple(solution.tables))
    expect("the bounds of a saved solution", again.certificate, solution.certificate)
    expect("the bounds of a saved solution, verified", again.verify(), solution.certificate)
    content = path.read_bytes()
    at = random.randrange(len(content))
    damaged = content[:at] + bytes([content[at] ^ (1 << random.randrange(8))]) + content[at + 1 :]
    try:
        store.loads(damaged, "here")
    except RuseError:
        pass
    else:
        raise Contradiction("a damaged file", f"read, with bit {at} changed", "refused")
    fields = container.unpack(content)
    change = random.choice(CHANGES)
    if not change(fields, random):
        return
    try:
        found = store.loads(container.pack(fields), "here").verify()
    except (RuseError, VerifyError):
        return
    claimed = fields["certificate"]
    if (found.lower, found.upper) != (Fraction(claimed["lower"]), Fraction(claimed["upper"])):
        raise Contradiction(f"a file with {change.__name__} mended", f"verified as {found}", claimed)
    if change not in (shifted_odds, missing_position):  # other odds may be as good, or needed nowhere
        raise Contradiction("a tampered file", f"verified in spite of {change.__name__}", "refused")


def better_bounds(fields: dict[str, Any], random: Random) -> bool:
    bounds = fields["certificate"]
    bounds["lower"] = str(Fraction(bounds["lower"]) + Fraction(1, 7))
    if Fraction(bounds["upper"]) < Fraction(bounds["lower"]) or fields["value"] is not None:
        bounds["upper"] = bounds["lower"]
        fields["value"] = bounds["lower"]
    return True


def shifted_odds(fields: dict[str, Any], random: Random) -> bool:
    """All of it on one move."""
    places = [(side, at) for side in (0, 1) for at in fields["strategies"][side]]
    if not places:
        return False
    side, at = random.choice(places)
    odds = fields["strategies"][side][at]
    chosen = random.choice(list(odds))
    fields["strategies"][side][at] = {move: "1" if move == chosen else "0" for move in odds}
    return True


def negative_odds(fields: dict[str, Any], random: Random) -> bool:
    places = [(side, at) for side in (0, 1) for at, odds in fields["strategies"][side].items() if len(odds) > 1]
    if not places:
        return False
    side, at = random.choice(places)
    odds = fields["strategies"][side][at]
    first, second, *rest = odds
    fields["strategies"][side][at] = {first: "2", second: "-1", **dict.fromkeys(rest, "0")}
    return True


def missing_position(fields: dict[str, Any], random: Random) -> bool:
    places = [(side, at) for side in (0, 1) for at in fields["strategies"][side]]
    if not places:
        return False
    side, at = random.choice(places)
    del fields["strategies"][side][at]
    return True


def stray_move(fields: dict[str, Any], random: Random) -> bool:
    places = [(side, at) for side in (0, 1) for at in fields["strategies"][side]]
    if not places:
        return False
    side, at = random.choice(places)
    fields["strategies"][side][at] = {"no-such-move-": "1"}
    return True


CHANGES = (better_bounds, shifted_odds, negative_odds, missing_position, stray_move)
