"""`ruse companion` in the terminal: an evening of The Resistance, a line a mission.

Each line of input is a mission (the letters of those who went and the sabotages that appeared), a word of HELP, or `q`.
What cannot be is refused with the reason, and the evening stays as it was.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from textwrap import fill
from typing import Any

from ruse.core import atomic_files, rationals
from ruse.core.game import RuseError
from ruse.games.resistance import companion_record, notation
from ruse.games.resistance.companion import MissionAdvice, ResistanceCompanion, Solve, Tables, solved
from ruse.games.resistance.companion_record import Evening, OwnSeat, Round, Seats
from ruse.games.resistance.rules import ResistanceRules
from ruse.games.resistance.table import spy_count
from ruse.people.tables import RecordError
from ruse.present.console import print_json

WIDTH = 80
MOST_TYPED = 10_000  # characters of a line
FEW = 6  # missions that are listed before one asks for all
MISSION = re.compile(r"([a-z]+)\s+(\d{1,3})((?:\s+(?:leader|against)\s+[a-z-]+)*)")
MORE = re.compile(r"(leader|against)\s+([a-z-]+)")
SHARE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*%|\d{1,9}/[1-9]\d{0,8}|\d{1,9}(?:\.\d{1,9})?")
HELP = """ab 1                       a and b went, and 1 sabotage appeared
ab 1 leader c against de   a mission with its leader and the votes against it
edit 2 acd 0               correct mission 2
undo                       undo the last change
slip 10%                   how often spies slip; with 0% they play as solved
me c                       private advice for c, who is loyal
me c spy de                private advice for c, a spy with d and e
me nobody                  what everybody may see
missions                   every kind of mission and what it costs
order ab                   what solved spies do about a and b (after: me c spy de)
spies ab                   who the spies were, once they are revealed
save FILE                  save the evening, also for the page
?                          this help
q                          leave"""


def converse(
    game: ResistanceRules, source: Path | None, names: Sequence[str], slip: str | None, as_json: bool, solve: Solve
) -> int:
    """Go on with the evening in a file, or begin one at the game's table."""
    evening = Evening.begin(game.table, names) if source is None else companion_record.load(source)
    if slip is not None:
        evening = replace(evening, slip=share(slip)).checked()
    _, tables = solved(solve(evening.table.parameters))
    if as_json:
        print_evening(evening, tables)
        return 0
    return CompanionTerminal(evening, tables, source).run()


class CompanionTerminal:
    """The screen, the keyboard and the evening between them."""

    help = HELP

    def __init__(self, evening: Evening, tables: Tables | None, path: Path | None = None) -> None:
        self.evening, self.tables, self.path = evening, tables, path
        self.undo: list[Evening] = []
        self.saved = evening
        self.warned = False

    def run(self) -> int:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        display(f"{self.evening.table}. Nothing is sent anywhere.")
        display("Type a mission, such as ab 1. Type ? for help, q to leave.")
        self._show()
        try:
            while (typed := self._read()) is not None:
                self._take(typed)
        except KeyboardInterrupt:
            display("")
        if self.evening != self.saved:
            display("The evening was not saved.")
        return 0

    def _read(self) -> str | None:
        print("> ", end="" if sys.stdin.isatty() else "\n", flush=True)
        line = sys.stdin.readline(MOST_TYPED)
        typed = line.strip()
        if not line or typed not in ("q", "quit") or self.evening == self.saved or self.warned:
            return None if not line or typed in ("q", "quit") else typed
        self.warned = True
        return "unsaved"

    @property
    def acts(self) -> dict[str, Callable[[str], None]]:
        """What a line may begin with, if not with a mission."""
        return {
            "edit": self._edit,
            "slip": self._slip,
            "me": self._me,
            "order": self._order,
            "spies": self._reveal,
            "save": self._save,
        }

    def _take(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        try:
            if typed in ("", "?", "help"):
                display(self.help if typed else "Type a mission, such as ab 1, or ? for help.")
            elif typed == "unsaved":
                display("Not saved yet: type save FILE to save it, or q again to leave without saving.")
            elif typed == "undo":
                self._undo()
            elif typed == "missions":
                display("\n".join(self._missions(None)))
            elif word in self.acts:
                self.acts[word](rest.strip())
            else:
                self._change(self.evening.add(self._round(typed)))
        except RuseError as error:
            display(f"{error}")
        except OSError as error:
            display(f"ruse cannot write the file: {atomic_files.reason(error)}")

    # What lines ask for.

    def _change(self, evening: Evening) -> None:
        self.undo.append(self.evening)
        self.evening, self.warned = evening, False
        self._show()

    def _undo(self) -> None:
        if not self.undo:
            raise RecordError("there is nothing to undo yet")
        self.evening = self.undo.pop()
        self._show()

    def _round(self, typed: str) -> Round:
        match = MISSION.fullmatch(typed)
        if match is None:
            raise RecordError(f"expected a mission such as ab 1, or ? for help, got {typed[:40]!r}")
        more = dict(MORE.findall(match[3]))
        leader = self._seats(more["leader"]) if "leader" in more else ()
        if len(leader) > 1:
            raise RecordError(f"expected one leader, got {more['leader']!r}")
        against = more.get("against")
        votes = None if against is None else () if against == "-" else self._seats(against)
        return Round(self._seats(match[1]), int(match[2]), leader[0] if leader else None, votes)

    def _seats(self, text: str) -> Seats:
        return notation.read_seats(text, self.evening.table)

    def _edit(self, rest: str) -> None:
        number, _, mission = rest.partition(" ")
        if not number.isdecimal() or not number.isascii():
            raise RecordError(f"expected the number of a mission after edit, such as edit 2 acd 0, got {number[:20]!r}")
        self._change(self.evening.edit(int(number) - 1, self._round(mission.strip())))

    def _slip(self, rest: str) -> None:
        self._change(replace(self.evening, slip=share(rest)).checked())

    def _me(self, rest: str) -> None:
        seat, _, partners = rest.partition(" spy")
        if seat == "nobody":
            self._change(replace(self.evening, role=None))
            return
        mine = self._seats(seat.strip())
        if len(mine) > 1:
            raise RecordError(f"expected your own seat, got {seat!r}")
        loyal = " spy" not in rest
        others = self._seats(partners.strip()) if partners.strip() else ()
        self._change(replace(self.evening, role=OwnSeat(mine[0], loyal, others)).checked())

    def _order(self, rest: str) -> None:
        role, table = self.evening.role, self.evening.table
        if role is None or role.loyal or len(role.partners) < table.spies - 1:
            raise RecordError("this needs a spy who knows all the others, as in: me c spy de")
        team, size = self._seats(rest), self._size()
        if len(team) != size:
            raise RecordError(f"expected {size} seats, got {rest!r}")
        order = ResistanceCompanion(self.evening, self._strategy()).order(
            team, tuple(sorted((role.seat, *role.partners)))
        )
        if order.failing is None:
            display(f"{spy_count(order.aboard).capitalize()} aboard, too few to fail it. Pass.")
            return
        display(
            f"The solved strategy sabotages this team {percent(order.sabotage)} of the time. If all go on as solved, "
            f"you win {percent(1 - order.failing)} if it fails and {percent(1 - order.passing)} if it passes."
        )

    def _size(self) -> int:
        if self.evening.over:
            raise RecordError("this game is over; undo takes the last mission back")
        return self.evening.table.missions[len(self.evening.rounds)]

    def _strategy(self) -> Tables:
        if self.tables is None:
            raise RecordError("expected a solved strategy of this table, got none")
        return self.tables

    def _reveal(self, rest: str) -> None:
        self._change(replace(self.evening, revealed=self._seats(rest)).checked())

    def _save(self, rest: str) -> None:
        path = Path(rest) if rest else self.path
        if path is None:
            raise RecordError("name a file after save, such as save evening.json")
        write(self.evening, path)
        self.path, self.saved = path, self.evening
        display(f"Saved to {path}.")

    # What is shown.

    def _show(self) -> None:
        evening = self.evening
        companion = ResistanceCompanion(evening, self.tables)
        display("\n".join(["", standing(evening), *findings(companion), *self._beliefs(companion)]))
        if not evening.over and companion.advises:
            display("\n".join(self._missions(FEW)))

    def _beliefs(self, companion: ResistanceCompanion) -> list[str]:
        evening, role = self.evening, self.evening.role
        slip = evening.slip if self.tables is not None else Fraction(1)
        believed, facts = companion.beliefs(slip, role), companion.facts(role)
        wide = max(map(len, evening.names))
        yours = "" if role is None else f", as {evening.names[role.seat]} sees it"
        lines = [f"Spies{yours}: if they slip {percent(slip)} of the time, and by the facts alone"]
        for seat, name in enumerate(evening.names):
            lines.append(
                f"  {notation.seats([seat])} {name:<{wide}}  {percent(believed.seats[seat]):>6}  "
                f"{percent(facts.seats[seat]):>6}"
            )
        if believed.slips:
            lines.append(
                "Solved spies would not have come here. These numbers assume that they slipped only "
                f"{'once' if believed.slips == 1 else f'{believed.slips} times'}."
            )
        return lines

    def _missions(self, most: int | None) -> list[str]:
        role, companion = self.evening.role, ResistanceCompanion(self.evening, self._strategy())
        self._size()
        if not companion.advises:
            raise RecordError(f"expected a table small enough to advise on, got {self.evening.table}")
        spy = role is not None and not role.loyal
        missions = sorted(companion.missions(role), key=lambda mission: (mission.loss, mission.fails))
        if spy:
            return advice(companion, missions[::-1], spy, most)
        return [*advice(companion, missions, spy, most), *risk_bought(companion, missions)]


def advice(companion: ResistanceCompanion, missions: list[MissionAdvice], spy: bool, most: int | None) -> list[str]:
    """Whom to send, and what others cost; for spies, whom they would like to see go."""
    worths = [1 - mission.win if spy else mission.win for mission in missions]
    best = max(worths)
    head = "Best for the spies" if spy else "Whom to send" if companion.listed else "Whom to send (a best reply)"
    lines = [f"{head}: {'spies win' if spy else 'resistance wins'}, costs, spies can fail it"]
    for mission, win in list(zip(missions, worths, strict=True))[:most]:
        plan = " *" if mission.sent else ""
        cost = points(best - win)
        lines.append(
            f"  {notation.seats(mission.team)}{plan:<2}  {percent(win):>6}  {cost:>11}  {percent(mission.risk):>6}"
        )
        lines.append(fill(mission.gloss, WIDTH, initial_indent="      ", subsequent_indent="      "))
    if companion.listed:
        lines.append("  * the solved strategy sends this team; its guarantee holds against any spies")
    return lines


def risk_bought(companion: ResistanceCompanion, missions: Sequence[MissionAdvice]) -> list[str]:
    """What the first mission buys, if another one fails less often."""
    best, safest = missions[0], min(missions, key=lambda mission: (mission.fails, mission.risk))
    if best.fails <= safest.fails:
        return []
    failing = companion.win_after_failure(best.team, companion.evening.role)
    return [
        f"{notation.seats(safest.team)} fails less often: {percent(safest.fails)} of the time instead of "
        f"{percent(best.fails)}. What the risk buys: {notation.seats(best.team)} wins {percent(best.win)} of games "
        f"instead of {percent(safest.win)}, because once it fails the resistance still wins {percent(failing)}."
    ]


def standing(evening: Evening, good: str = "resistance") -> str:
    """Where the game stands, in a sentence."""
    passed, failed = evening.score
    if evening.over:
        won = f"The {good} has" if passed > failed else "The spies have"
        return f"{won} won, {max(evening.score)} to {min(evening.score)}."
    number = len(evening.rounds)
    fails = evening.table.sabotages[number]
    return (
        f"Mission {number + 1} of 5 sends {evening.table.missions[number]}; "
        f"{'1 sabotage fails' if fails == 1 else f'{fails} sabotages fail'} it. "
        f"{good.capitalize()} {passed}, spies {failed}."
    )


def proved(evening: Evening, spies: Sequence[Fraction], loyal: str) -> list[str]:
    """Who must be a spy, and who cannot be one, by how likely each seat is a spy."""
    lines = []
    for odds, singular, plural in ((1, "is a spy", "are spies"), (0, f"is {loyal}", f"are {loyal}")):
        if seats := [seat for seat, share in enumerate(spies) if share == odds]:
            lines.append(f"Proved: {evening.named(seats)} {singular if len(seats) == 1 else plural}.")
    return lines


def findings(companion: ResistanceCompanion) -> list[str]:
    """What the facts prove, and what solved spies would not have done."""
    evening, role = companion.evening, companion.evening.role
    facts = companion.facts(role)
    lines = proved(evening, facts.seats, "loyal")
    seen = "what you know" if role is not None else "what everybody saw"
    ways = f"{companion.table.spy_sets} ways in which {spy_count(companion.table.spies)} can sit"
    if facts.deals == companion.table.spy_sets:
        lines.append(f"All {ways} fit {seen}.")
    else:
        lines.append(f"Of the {ways}, {facts.deals} {'fits' if facts.deals == 1 else 'fit'} {seen}.")
    for number in companion.odd_counts():
        count, needed = evening.rounds[number].sabotages, companion.table.sabotages[number]
        lines.append(
            f"Mission {number + 1} showed {count} {'sabotage' if count == 1 else 'sabotages'}. Solved spies show "
            f"exactly {needed} or none, so this has probability 0 under solved play: somebody slipped."
        )
    if any(round.against is not None for round in evening.rounds):
        lines.append("Votes prove nothing: a spy may vote like anybody else. They change no number here.")
    return [fill(line, WIDTH) for line in lines]


def print_evening(evening: Evening, tables: Tables | None) -> None:
    """All that can be said of an evening, as one JSON object."""
    companion, role = ResistanceCompanion(evening, tables), evening.role
    slip = evening.slip if tables is not None else Fraction(1)
    believed, facts = companion.beliefs(slip, role), companion.facts(role)
    missions = companion.missions(role) if tables is not None else []
    print_json(
        {
            "evening": evening.to_json(),
            "score": {"resistance": evening.score[0], "spies": evening.score[1]},
            "deals": facts.deals,
            "seats": {
                name: {"facts": rationals.write(facts.seats[seat]), "slip": rationals.write(believed.seats[seat])}
                for seat, name in enumerate(evening.names)
            },
            "slips": believed.slips,
            "missions": [_mission(evening, mission) for mission in missions],
        }
    )


def _mission(evening: Evening, mission: MissionAdvice) -> dict[str, Any]:
    exact = {
        "win": mission.win,
        "loss": mission.loss,
        "sent": mission.sent,
        "risk": mission.risk,
        "fails": mission.fails,
    }
    return {
        "team": notation.seats(mission.team),
        "names": [evening.names[seat] for seat in mission.team],
        **{name: rationals.write(value) for name, value in exact.items()},
        "price": None if mission.price is None else rationals.write(mission.price),
    }


def write(evening: Evening, path: Path) -> None:
    atomic_files.replace(path, f"{json.dumps(evening.to_json(), indent=1, ensure_ascii=False)}\n".encode())


def share(text: str) -> Fraction:
    """A chance as people write it: 10%, 1/10 or 0.1."""
    match = SHARE.fullmatch(text.strip())
    if match is None:
        raise RecordError(f"expected a chance such as 10%, 1/10 or 0.1, got {text[:40]!r}")
    return Fraction(match[1]) / 100 if match[1] is not None else Fraction(match[0])


def percent(share: Fraction) -> str:
    """A share as people read it: 70%, 33.3%, and never 0% or 100% of what is neither."""
    text = f"{100 * float(share):.1f}".removesuffix(".0")
    if text in ("0", "100") and share not in (0, 1):
        return "<0.1%" if text == "0" else ">99.9%"
    return f"{text}%"


def points(share: Fraction) -> str:
    """A difference of two shares, in percentage points."""
    text = f"{100 * float(share):.1f}".removesuffix(".0")
    return "nothing" if not share else f"{text} points" if text != "0" else "<0.1 points"


def display(text: str) -> None:
    print(text, flush=True)
