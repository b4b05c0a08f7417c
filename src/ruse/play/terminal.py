"""`ruse play`: play a game in the terminal, or by text from another program.

Each line of input is a move (its number in the list, its name or the beginning of its name), `?`, `hint`, `back` or
`q`. The session is saved after every move, so nothing is lost by quitting, Ctrl-C, Ctrl-D or a lost connection.
"""

from __future__ import annotations

import argparse
import io
import re
import shlex
import sys
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from textwrap import fill, wrap
from typing import TextIO

from ruse.core.capabilities import Open, constant
from ruse.core.game import GameError, display_name, with_article
from ruse.core.identity import identity
from ruse.core.named_games import OWN
from ruse.core.registry import moves_text, rules_text
from ruse.insight.costs import Costs, costs_in_time, stored_costs
from ruse.insight.reasons import Explainer
from ruse.play import seats
from ruse.play.because import because
from ruse.play.coach import QuickInsight, Views, judge, views_of
from ruse.play.hint import hint
from ruse.play.manner import manner_of
from ruse.play.menu import Left, choose
from ruse.play.review import review
from ruse.play.rival import IllegalMove
from ruse.play.session import STORED, Session, SessionError, begin, side_of
from ruse.play.shown import in_rows, news, numbered, shown, too_many
from ruse.play.storage import Reference, SavedSession, Sessions
from ruse.present.screen import USUAL, coloured, columns, paint
from ruse.solution.state_folder import writable_folder
from ruse.solution.strategy import Solution

MOST_TYPED = 10_000  # characters of a line
MARKS = re.compile(r"(?<= )[+-](?= |$)")  # of missions, in a picture
COLOURS = {"+": "good", "-": "bad"}
HELP = """hint  what your side's strategy does here
back  take back your last move
?     show this help
q     quit; the game is saved"""


def play(given: argparse.Namespace) -> int:
    """Start or continue a game, play it and review it."""
    with ExitStack() as until_the_end:
        folder, lasts = writable_folder(until_the_end, "drills" if given.drill else "sessions")
        return _play(given, folder, lasts)


def _play(given: argparse.Namespace, folder: Path, lasts: bool) -> int:
    sessions = Sessions(folder / "sessions", lasts)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if given.own is not None:
        _name_game(given)
    if given.seat is not None:
        return seats.play(given, folder, lasts)
    _check_options(given)
    if given.game is None and given.source is None and given.resume is None and not given.json:
        try:
            choose(given, sessions)
        except Left:
            return 0
    if given.resume is not None and not sessions.has(given.resume):
        continued = seats.resume(given, folder, lasts)
        if continued is not None:
            return continued
    if given.forget:
        return _forget(given, folder)
    if given.resume is not None:
        return _resume(given, sessions)
    solution, source = _solution(given)
    side = side_of(solution.game, _default_side(solution, given.at) if given.side is None else given.side)
    if given.drill:
        return drill(given, solution, side, source, folder)
    judged = None if given.opponent == STORED else _against_reference(solution, source)
    session = begin(
        solution,
        side,
        seed=given.seed,
        coach=given.coach,
        source=source,
        position=given.at,
        reference=None if judged is None else judged.reference,
    )
    return TerminalGame(session, sessions, given.json, judged).run()


def _check_options(given: argparse.Namespace) -> None:
    """Raise SessionError for options that do not go together."""
    if given.parameters and (given.game is None or given.game.endswith(".ruse")):
        raise SessionError(f"name a game before --{next(iter(given.parameters))}; `ruse games` lists them")
    if given.bots is not None:
        raise SessionError("--bots works only with --seat")
    if given.drill and (stray := [name for name in ("resume", "at") if getattr(given, name) is not None]):
        raise SessionError(f"--{stray[0]} does not work with --drill, which deals its own positions")


def _resume(given: argparse.Namespace, sessions: Sessions) -> int:
    """Continue a saved game against the opponent that it began with."""
    judged: Costs | None = None
    source = sessions.read(given.resume).source if given.source is None else given.source

    def reference(solution: Solution) -> Solution | None:
        nonlocal judged
        judged = _against_reference(solution, source)
        return None if judged is None else judged.reference

    session = _resumed(given, sessions, reference)
    return TerminalGame(session, sessions, given.json, judged).run()


def _costs(solution: Solution, source: str | None) -> Costs | None:
    """The costs of moves, if the game is small enough; against the stored strategy if others take too long."""
    from ruse.present.console import Progress

    with suppress(GameError), Progress(sys.stderr, "comparing all optimal strategies"):
        return costs_in_time(solution, None if source is None else Path(source)) or stored_costs(solution)
    return None


def _against_reference(solution: Solution, source: str | None) -> Costs | None:
    """The costs of moves against a reference opponent, if the game may have one."""
    return None if isinstance(solution.game, Open) or not solution.certificate.exact else _costs(solution, source)


def _name_game(given: argparse.Namespace) -> None:
    """Read `--game`: the game of a file or session, or for openspiel a parameter of the game."""
    from ruse.core.registry import know

    if given.source is not None or given.resume is not None or given.game is None or given.game.endswith(".ruse"):
        know(given.own)
    else:
        given.parameters["game"] = given.own


def _default_side(solution: Solution, at: str | None) -> int:
    """The first side, or the side whose position is given."""
    if at is None:
        return 0
    from ruse.present.viewer import viewer

    return viewer(solution).at(at).side


def _solution(given: argparse.Namespace) -> tuple[Solution, str | None]:
    """The solution to play against, from a file or solved now, and its file."""
    from ruse.core.registry import find

    if given.source is None:
        if given.game is None:
            raise SessionError("name a game to play, or give --from FILE.ruse or --resume ID")
        if given.game.endswith(".ruse"):
            return _loaded(given.game)
        return _solved(SavedSession("", find(given.game, given.parameters), 0, 0, False, (), None)), None
    solution, source = _loaded(given.source)
    if given.game is not None:
        wanted = find(given.game, given.parameters)
        if identity(solution.game) != identity(wanted):
            other = solution.game.title
            got = other if other != wanted.title else f"another game with the same title, {other}"
            raise SessionError(f"expected a solution of {wanted.title} in {given.source}, got one of {got}")
    return solution, source


def _loaded(path: str) -> tuple[Solution, str]:
    from ruse.solution.store import load

    return load(path), str(Path(path).absolute())


def _solved(kept: SavedSession) -> Solution:
    """The solution for a session, from its file or solved again."""
    from ruse.present.console import Progress
    from ruse.solving.pipeline import solve

    if kept.source is not None:
        return _loaded(kept.source)[0]
    manner_of(kept.game).check(kept.game)
    with Progress(sys.stderr, "solving") as progress:
        return solve(kept.game, report=progress.report)


def _resumed(given: argparse.Namespace, sessions: Sessions, reference: Reference) -> Session:
    for option in ("game", "side", "seed", "at", "opponent"):
        if getattr(given, option) is not None:
            written = "GAME" if option == "game" else f"--{option}"
            raise SessionError(f"--resume already knows the {option}; leave out {written}")

    def solution_of(kept: SavedSession) -> Solution:
        return _solved(kept if given.source is None else replace(kept, source=given.source))

    session = sessions.load(given.resume, solution_of, reference)
    return replace(session, coach=session.coach or given.coach)


def drill(given: argparse.Namespace, solution: Solution, side: int, source: str | None, folder: Path) -> int:
    """Run a drill instead of a game."""
    from ruse.play.drill_terminal import run

    return run(solution, side, None if source is None else Path(source), given.seed, given.json, folder)


def _forget(given: argparse.Namespace, folder: Path) -> int:
    """Delete drill scores of a game: of one side, or of both."""
    from ruse.core.registry import find
    from ruse.play.drill_terminal import forget

    if not given.drill or given.game is None:
        raise SessionError("--forget clears the scores of a game's drills: ruse play GAME --drill --forget")
    is_file = given.game.endswith(".ruse")
    game = _loaded(given.game)[0].game if is_file else find(given.game, given.parameters)
    sides = list(game.sides) if given.side is None else [game.sides[side_of(game, given.side)]]
    return forget(game, sides, folder, given.json)


def chosen(session: Session, typed: str) -> str:
    """Find the move that a person means; the rules refuse an unknown one."""
    options = session.options
    if options is None:
        return typed
    if typed in options:
        return typed
    folded = typed.lower()
    if numbered(options) and typed in [str(number) for number in range(1, len(options) + 1)]:
        return options[int(typed) - 1]
    for meant in (
        [option for option in options if option.lower() == folded],
        [option for option in options if folded and option.lower().startswith(folded)],
    ):
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise IllegalMove(f"{typed[:40]!r} could be {', '.join(meant[:8])}; type more of the name")
    return typed


def help_text(session: Session) -> str:
    """Explain what the person can type here."""
    options, name = session.options, session.solution.game.name
    if options is None:
        how = f"A move: its whole name, such as {session.game.label(session.choices[0])}."
    else:
        number = "its number in the list, " * numbered(options)
        how = f"A move: {number}its name, or the start of its name if that is unambiguous."
    return "\n".join(filter(None, [fill(rules_text(name), USUAL), fill(moves_text(name), USUAL), how, HELP]))


class TerminalGame:
    """A session with the screen and the keyboard."""

    def __init__(self, session: Session, sessions: Sessions, as_json: bool, judged: Costs | None = None) -> None:
        """`judged`: the costs of moves, if they are known already."""
        self.session, self.sessions, self.as_json = session, sessions, as_json
        self.out: TextIO = sys.stderr if as_json else sys.stdout
        self._seen: Views | None = None
        self._glance: QuickInsight | None = None
        self._made = judged
        self._explainer: Explainer | None = None

    def run(self) -> int:
        self.sessions.save(self.session)
        game = self.session.solution.game
        sides = [with_article(name) for name in game.sides]
        self.print(paint(f"{self.session.solution.headline()}", "strong", self.out))
        if self.session.source is not None and self.session.solution.judged:
            self.print("These are the file's own claims; check them with ruse verify.")
        self.print(f"You are {sides[self.session.side]}, against the strategy of {sides[1 - self.session.side]}.")
        for text in (rules_text(game.name), moves_text(game.name)):
            if text:
                self.print(fill(text, columns(self.out)))
        if self.session.note:
            self.print(f"{self.session.note[:1].upper()}{self.session.note[1:]}.")
        self.print("Type ? for help, q to quit.")
        try:
            self.show()
            while not self.session.over:
                if (typed := self.read()) is None:
                    return self._leave()
                self._take(typed)
            return self._end()
        except KeyboardInterrupt:
            self.print("")
            return self._leave()

    def print(self, text: str) -> None:
        print(text, file=self.out, flush=True)

    def read(self) -> str | None:
        """Read a line of input; None to leave."""
        print("> ", end="" if sys.stdin.isatty() else "\n", file=self.out, flush=True)
        line = sys.stdin.readline(MOST_TYPED)
        typed = line.strip()
        return None if not line or (typed in ("q", "quit") and typed not in (self.session.options or ())) else typed

    def _take(self, typed: str) -> None:
        """Carry out a line of input."""
        options = self.session.options or ()
        if not typed or (typed == "?" and typed not in options):
            self.print(help_text(self.session) if typed else "Type your move, or ? for help.")
            return
        if typed == "hint" and typed not in options:
            self.print(f"{hint(self.session, self._costs())}.")
            return
        if typed == "back" and typed not in options:
            self._take_back()
            return
        try:
            move = chosen(self.session, typed)
            self.session = self.sessions.play(self.session.id, self.session.number, move, self._solution, self._pair)
        except IllegalMove as error:
            self.print(paint(f"{error}", "bad", self.out))
            return
        except SessionError as error:  # this game has moved on in another window
            self.print(f"{error}")
            self.session = self.sessions.load(self.session.id, self._solution, self._pair)
            self.show()
            return
        if self.session.coach:
            views = self._views()
            self._glance = self._glance or QuickInsight(self.session.solution, views)
            verdict = judge(self.session, views, len(self.session.decisions), self._glance.prices, self._costs())
            reasons = self._because()
            text = f"Coach: {verdict.text(self.session.solution.game)}.{f' {reasons}' * bool(reasons)}"
            self.print(paint(text, "said", self.out))
        if not self.session.over:
            self.show()

    def _take_back(self) -> None:
        try:
            self.session = self.sessions.take_back(self.session.id, self.session.number, self._solution, self._pair)
        except SessionError as error:
            self.print(f"{error}")
            self.session = self.sessions.load(self.session.id, self._solution, self._pair)
        self.show()

    def show(self) -> None:
        """Print what the person knows and can do."""
        session = self.session
        if session.over:
            return
        self.print("\n".join(["", *self._news(), *self._shown()]))
        if question := session.rival.manner.ask(session) or too_many(session):
            self.print(question)
            return
        options = session.options or ()
        if numbered(options):
            options = [f"{number} {option}" for number, option in enumerate(options, 1)]
        for row in in_rows(options):
            lines = wrap(
                "   ".join(row), columns(self.out), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
            )
            self.print("\n".join(lines))

    def _news(self) -> list[str]:
        text = news(self.session)
        return [paint(text, "strong", self.out)] if text else []

    def _shown(self) -> list[str]:
        """The lines of the picture, with passed and failed missions in colour."""
        if not coloured(self.out):
            return shown(self.session)
        return [
            MARKS.sub(lambda mark: paint(mark[0], COLOURS[mark[0]], self.out), line) for line in shown(self.session)
        ]

    def _solution(self, kept: SavedSession) -> Solution:
        return self.session.solution

    def _pair(self, solution: Solution) -> Solution | None:
        return self.session.rival.reference

    def _views(self) -> Views:
        if self._seen is None:
            from ruse.present.console import Progress

            with Progress(sys.stderr, "judging positions"):
                self._seen = views_of(self.session.solution)
        return self._seen

    def _costs(self) -> Costs | None:
        """The costs of moves, if the game is small enough; against the stored strategy if others take too long."""
        if self._made is None:
            self._made = _costs(self.session.solution, self.session.source)
        return self._made

    def _because(self) -> str:
        """Why the last move was right or wrong; empty if the game is too large to say."""
        if self._explainer is None and (costs := self._costs()) is not None:
            self._explainer = Explainer(costs)
        return "" if self._explainer is None else because(self._explainer, self.session)

    def _end(self) -> int:
        session = self.session
        gain = session.gain
        if session.game.wins:
            result = "You win." if gain > 0 else "You lose." if gain < 0 else "A draw."
        elif total := constant(session.game):
            rival = display_name(session.game.sides[session.rival.side])
            result = f"You get {gain} of {total}, {rival} the other {total - gain}."
        else:
            result = f"You win {gain}." if gain > 0 else f"You lose {-gain}." if gain < 0 else "Nobody wins."
        self.print("\n".join(["", *self._news(), *self._shown()]))
        if session.secret != session.position:
            self.print(f"The other side's view: {session.secret}")
        self.print(paint(result, "good" if gain > 0 else "bad" if gain < 0 else "strong", self.out))
        self._review()
        if session.opening is None:
            self.print(f"\nTo replay this deal: --side {session.game.sides[session.side]} --seed {session.seed}")
        return 0

    def _leave(self) -> int:
        own = OWN.get(self.session.solution.game.name)
        named = f" --game {shlex.quote(own.spelled)}" if own else ""
        if self.sessions.lasts:
            self.print(f"The game is saved. To continue: ruse play --resume {self.session.id}{named}")
        else:
            self.print("The game is not saved.")
        if self.as_json:
            self._review()
        return 0

    def _review(self) -> None:
        """Print the review: one line per move, or JSON."""
        game_review = review(self.session, self._views(), self._costs())
        if self.as_json:
            from ruse.present.console import print_json

            print_json(game_review.to_json())
        elif game_review.verdicts:
            self.print(f"\n{game_review.text()}")
