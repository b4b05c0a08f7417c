"""`ruse companion avalon` in the terminal: an evening with hidden roles, a line a mission, a report or a role."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ruse.core import rationals
from ruse.core.registry import presentation
from ruse.games.hidden_roles.companion import RolesCompanion, Team, solved
from ruse.games.hidden_roles.companion_record import RolesEvening, load
from ruse.games.hidden_roles.notation import cast_told, role_name
from ruse.games.hidden_roles.rules import GOOD, NONE, SPIES, HiddenRoles
from ruse.games.resistance import notation
from ruse.games.resistance.companion_terminal import (
    FEW,
    WIDTH,
    CompanionTerminal,
    display,
    percent,
    proved,
    share,
    standing,
)
from ruse.people.tables import RecordError
from ruse.present.console import print_json
from ruse.solution.strategy import Solution

if TYPE_CHECKING:
    from ruse.games.resistance.companion import Solve

HELP = """ab 1                       a and b went, and 1 sabotage appeared
edit 2 acd 0               correct mission 2
said c=merlin:bd           c claims to be Merlin and to see b and d
said c quiet               c reports nothing; said c nothing takes a report back
me c merlin bd             private advice for c, who is Merlin and sees b and d
me c servant               private advice for c, a servant
me c spy d                 private advice for c, a spy with d; me c spy d=mordred where roles matter
me nobody                  what everybody may see
slip 10%                   how often the other side slips: 0% plays as solved
missions                   every mission and how likely spies are aboard
order ab                   what solved spies do about a and b (after: me c spy d)
undo                       undo the last change
save FILE                  save the evening
?                          this help
q                          leave"""


def converse(
    game: HiddenRoles, source: Path | None, names: Sequence[str], slip: str | None, as_json: bool, solve: Solve
) -> int:
    """Go on with the evening in a file, or begin one at the game's table."""
    evening = RolesEvening.begin_with(game, names) if source is None else load(source)
    if slip is not None:
        evening = replace(evening, slip=share(slip)).checked()
    solution = solve(evening.rules.parameters)
    solved(solution)
    if as_json:
        print_json(evening_json(RolesCompanion(evening, solution)))
        return 0
    return RolesTerminal(evening, solution, source).run()


class RolesTerminal(CompanionTerminal):
    help = HELP
    evening: RolesEvening

    def __init__(self, evening: RolesEvening, solution: Solution, path: Path | None = None) -> None:
        super().__init__(evening, None, path)
        self.solution = solution

    def run(self) -> int:
        game = self.evening.rules
        display(fill(f"{game.title}: {cast_told(game)}. {presentation(game).model()}", WIDTH))
        return super().run()

    @property
    def acts(self) -> dict[str, Callable[[str], None]]:
        own = super().acts
        del own["spies"]
        return {**own, "said": self._said}

    def _said(self, rest: str) -> None:
        self._change(self.evening.report(rest))

    def _me(self, rest: str) -> None:
        self._change(self.evening.meet(rest))

    def _order(self, rest: str) -> None:
        companion, team = RolesCompanion(self.evening, self.solution), self._seats(rest)
        if companion.side != SPIES:
            raise RecordError("this needs a spy, as in: me c spy d")
        if len(team) != self._size():
            raise RecordError(f"expected {self._size()} seats, got {rest!r}")
        view = companion.order(team)
        if view is None:
            raise RecordError("expected what all spies reported, as in: said c quiet")
        for option in view.options:
            assert option.value is not None
            win = percent((1 - option.value) / 2)
            display(
                f"  {option.move:<12} {percent(option.odds):>6} of the time; then you win {win} if all go on as solved"
            )

    def _show(self) -> None:
        companion = RolesCompanion(self.evening, self.solution)
        heading = guess_told(companion) if companion.guessing else standing(self.evening, "good side")
        lines = [
            "",
            fill(heading, WIDTH),
            *(fill(line, WIDTH) for line in findings(companion)),
            *beliefs_told(companion),
        ]
        display("\n".join(lines))
        if not self.evening.over:
            display("\n".join(self._missions(FEW)) or "Type order ab to see what to do about a and b.")

    def _missions(self, most: int | None) -> list[str]:
        self._size()
        return teams_told(RolesCompanion(self.evening, self.solution), most)


def findings(companion: RolesCompanion) -> list[str]:
    """What the facts prove."""
    evening, game = companion.evening, companion.game
    beliefs = companion.beliefs()
    lines = []
    for seat in evening.dead() if companion.side == GOOD else ():
        claim = evening.said[seat]
        assert claim is not None
        lines.append(f"What {evening.names[seat]} reported cannot be true, so {evening.names[seat]} is a spy.")
    lines += proved(evening, [seat.spy_by_facts for seat in beliefs.seats], "good")
    seen = "what you know" if evening.me is not None else "what everybody saw"
    total = len(game.cast.deals)
    fits = "fits" if beliefs.deals == 1 else "fit"
    lines.append(f"Of {total:,} ways to deal the roles, {beliefs.deals:,} {fits} {seen}.")
    if beliefs.slips:
        them = "Solved good players" if companion.side == SPIES else "Solved spies"
        times = "once" if beliefs.slips == 1 else f"{beliefs.slips} times"
        lines.append(f"{them} would not have come here. These numbers assume that they slipped only {times}.")
    return lines


def beliefs_told(companion: RolesCompanion) -> list[str]:
    """A row a seat, a column a role: with slips, and by the facts alone in brackets."""
    evening, beliefs = companion.evening, companion.beliefs()
    heads = ["spy", *map(str.capitalize, beliefs.seats[0].roles)]
    rows = [["", "", *heads]]
    for seat, name in zip(beliefs.seats, evening.names, strict=True):
        pairs = [(seat.spy, seat.spy_by_facts), *((role.odds, role.by_facts) for role in seat.roles.values())]
        rows.append([seat.name, name, *(f"{percent(odds)} ({percent(facts)})" for odds, facts in pairs)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    yours = "" if evening.me is None else f", as seen by {evening.my_role()}"
    them = "the good side slips" if companion.side == SPIES else "spies slip"
    head = f"Probability of each role{yours}, if {them} {percent(evening.slip)} of the time (and by the facts alone):"
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return [fill(head, WIDTH), *(f"  {'  '.join(row)}".rstrip() for row in padded)]


def teams_told(companion: RolesCompanion, most: int | None) -> list[str]:
    """Whom to send; to a spy, whom the good side may send."""
    teams = companion.teams()
    if companion.side == SPIES:
        lines = ["Missions, and whether enough spies are aboard to fail them (order ab: what to do about a team)"]
        return [] if most is not None else [*lines, *(_team(team) for team in teams)]
    head = "Whom to send: how likely spies can fail it"
    if any(team.win is not None for team in teams):
        head = "Whom to send: good wins, how often the solved strategy sends it, spies can fail it"
    elif companion.game.talk != NONE:
        head += ". Enter everybody's report (said …) to see what the solved strategy sends."
    return [fill(head, WIDTH), *(_team(team) for team in teams[:most])]


def _team(team: Team) -> str:
    win = "" if team.win is None else f"{percent(team.win):>6}  {percent(team.sent or Fraction(0)):>6}  "
    return f"  {notation.seats(team.team)}  {win}{percent(team.risk):>6}"


def guess_told(companion: RolesCompanion) -> str:
    """The last guess, to whoever asks."""
    game, seats = companion.game, companion.beliefs().seats
    hunted = role_name(game.cast.kinds[game.cast.hunted or 0])
    odds = {
        seat.name: role_odds.odds
        for seat in seats
        for role, role_odds in seat.roles.items()
        if role.capitalize() == hunted
    }
    if companion.side == GOOD:
        return f"Three missions have passed: now the spies name {hunted}."
    best = max(odds, key=lambda name: odds[name])
    name = companion.evening.names[ord(best) - ord("a")]
    return f"Three missions have passed. The last guess: {name} is {hunted} with {percent(odds[best])}."


def evening_json(companion: RolesCompanion) -> dict[str, Any]:
    """All that can be said of an evening, for programs."""
    evening, beliefs = companion.evening, companion.beliefs()
    return {
        "evening": evening.to_json(),
        "score": {"good": evening.score[0], "spies": evening.score[1]},
        "deals": beliefs.deals,
        "slips": beliefs.slips,
        "dead": [evening.names[seat] for seat in evening.dead()],
        "seats": {
            name: {
                "spy": _pair(seat.spy, seat.spy_by_facts),
                **{role: _pair(entry.odds, entry.by_facts) for role, entry in seat.roles.items()},
            }
            for seat, name in zip(beliefs.seats, evening.names, strict=True)
        },
        "missions": [
            {
                "team": notation.seats(entry.team),
                "risk": rationals.write(entry.risk),
                "sent": None if entry.sent is None else rationals.write(entry.sent),
                "win": None if entry.win is None else rationals.write(entry.win),
            }
            for entry in companion.teams()
        ],
    }


def _pair(slip: Fraction, facts: Fraction) -> dict[str, str]:
    return {"slip": rationals.write(slip), "facts": rationals.write(facts)}
