"""`ruse play GAME --seat c`: an evening in the terminal, or by text from another program.

Each line of input is an act (a team, approve or yes, reject or no, pass, sabotage or a seat to shoot; the start of a
word is enough), a word of HELP, or `q`. The evening is saved after every act.
"""

from __future__ import annotations

import argparse
import io
import sys
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import TextIO

from ruse.core.game import Game
from ruse.games.evening import words
from ruse.games.evening.judge import judge_of, plan_left, review
from ruse.games.evening.models import models_for
from ruse.games.evening.record import record
from ruse.games.evening.rules import PLAY, PROPOSE, SHOOT, VOTE, ActError
from ruse.games.evening.session import SeatSession, begin, read_side
from ruse.games.evening.setting import MERLIN, setting_of
from ruse.games.evening.storage import FOLDER, SeatSessions
from ruse.games.hidden_roles.rules import HiddenRoles
from ruse.play.session import SessionError
from ruse.present.console import print_json
from ruse.present.screen import columns, paint

MOST_TYPED = 10_000  # characters of a line
MISTYPED = "Type what you do, or ? for help."
SHORT = {VOTE: " (y/n)", PLAY: " (p/s)"}  # answers to a question
HELP = """table  every proposal and vote so far
role   what you are, and what you see
hint   what to believe or to do here, by the model of people or by the plan
back   take back your last act
?      show this help
q      quit; the evening is saved"""


def play(game: Game, given: argparse.Namespace, folder: Path, lasts: bool) -> int:
    """Begin an evening at a seat."""
    names = ("good", "spies") if isinstance(game, HiddenRoles) else tuple(game.sides)
    setting = setting_of(game)
    session = begin(
        setting,
        models_for(setting, given.bots),
        given.seat,
        side=read_side(given.side, names),
        seed=given.seed,
        coach=given.coach,
    )
    return SeatTerminal(session, SeatSessions(folder / FOLDER, lasts), given.json).run()


def resume(identity: str, given: argparse.Namespace, folder: Path, lasts: bool) -> int | None:
    """Go on with a saved evening; None if there is none of that id."""
    sessions = SeatSessions(folder / FOLDER, lasts)
    if not sessions.has(identity):
        return None
    session = sessions.read(identity)
    return SeatTerminal(replace(session, coach=session.coach or given.coach), sessions, given.json).run()


class SeatTerminal:
    """The screen, the keyboard and the session between them."""

    def __init__(self, session: SeatSession, sessions: SeatSessions, as_json: bool) -> None:
        self.session, self.sessions, self.as_json = session, sessions, as_json
        self.out: TextIO = sys.stderr if as_json else sys.stdout
        self._printed: list[str] = []  # rows of the history that were printed
        self._warned = False  # that the guarantee ended

    def run(self) -> int:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self.sessions.save(self.session)
        self._greet()
        try:
            self._show()
            while not self.session.over:
                if (typed := self._read()) is None:
                    return self._leave()
                self._take(typed)
            return self._end()
        except KeyboardInterrupt:
            self.print("")
            return self._leave()

    def print(self, text: str = "", style: str = "") -> None:
        text = "\n".join(fill(line, columns(self.out)) if line else "" for line in text.split("\n"))
        print(paint(text, style, self.out) if style else text, file=self.out, flush=True)

    def _greet(self) -> None:
        session = self.session
        others = [session.name(seat) for seat in range(session.setting.table.players)]
        self.print(f"{session.setting.title}: {', '.join(others)}.", "strong")
        self.print(words.RULES)
        if MERLIN in session.setting.roles:
            self.print("After three passed missions the Assassin shoots; if he finds Merlin, the spies win.")
        self.print(words.bots_text(session))
        self.print(session.deal.words(session.seat), "strong")
        self.print("Type ? for help, q to quit.")

    def _read(self) -> str | None:
        print("> ", end="" if sys.stdin.isatty() else "\n", file=self.out, flush=True)
        line = sys.stdin.readline(MOST_TYPED)
        typed = line.strip()
        return None if not line or typed in ("q", "quit") else typed

    def _take(self, typed: str) -> None:
        if typed in ("", "?", "help"):
            self.print(MISTYPED if not typed else f"{self._how()}\n{HELP}")
        elif typed == "hint":
            self.print(f"{judge_of(self.session.setting.table).hint(self.session)}.", "said")
        elif typed == "role":
            self.print(self.session.deal.words(self.session.seat))
        elif typed == "table":
            self.print("\n".join(row.text() for row in words.history(self.session.evening)) or "No team yet.")
        elif typed == "back":
            self._take_back()
        else:
            self._act(typed)

    def _how(self) -> str:
        phase = self.session.evening.phase
        if phase == PROPOSE:
            return f"A team: {self.session.evening.asked(self.session.seat)}, by their letters."
        if phase == SHOOT:
            return "A seat, by its letter."
        return "approve (a, y) or reject (r, n)." if phase == VOTE else "pass (p) or sabotage (s)."

    def _act(self, typed: str) -> None:
        try:
            self.session = self.sessions.act(self.session.id, self.session.number, typed)
        except ActError as error:
            self.print(f"{str(error)[:1].upper()}{str(error)[1:]}.", "bad")
            return
        except SessionError as error:  # this evening has moved on in another window
            self.print(f"{error}")
            self.session = self.sessions.read(self.session.id)
            self._show()
            return
        if self.session.coach:
            verdict = judge_of(self.session.setting.table).verdict(self.session, len(self.session.acts))
            self.print(f"Coach: {verdict.act}: {verdict.grade}; {verdict.text}.", "said")
        if not self.session.over:
            self._show()

    def _take_back(self) -> None:
        try:
            self.session = self.sessions.take_back(self.session.id, self.session.number)
        except SessionError as error:
            self.print(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        self._warned = bool(plan_left(self.session))
        self._show()

    def _news(self) -> None:
        """Print what has happened since the last time."""
        rows = [row.text() for row in words.history(self.session.evening)]
        for row in rows:
            if row not in self._printed:
                self.print(row)
        self._printed = rows
        if not self._warned and (left := plan_left(self.session)):
            self._warned = True
            self.print(left, "bad")

    def _show(self) -> None:
        if self.session.over:
            return
        self.print()
        self._news()
        self.print(" ".join(words.status(self.session)))
        self.print(f"{words.question(self.session)}{SHORT.get(self.session.evening.phase, '')}", "strong")

    def _end(self) -> int:
        session = self.session
        self.print()
        self._news()
        self.print(words.end(session), "good" if session.won else "bad")
        self.print(words.roles_text(session.evening))
        reviewed = review(session)
        if self.as_json:
            print_json({"record": record(session.evening), "review": reviewed.to_json()})
            return 0
        if reviewed.verdicts:
            self.print("\nYour acts:", "strong")
            for line in reviewed.lines():
                print(line, file=self.out)
        return 0

    def _leave(self) -> int:
        if self.sessions.lasts:
            self.print(f"The evening is saved. To continue: ruse play --resume {self.session.id}")
        else:
            self.print("The evening is not saved.")
        if self.as_json:
            print_json({"id": self.session.id, "over": False})
        return 0
