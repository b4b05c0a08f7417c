"""`ruse play GAME --drill`: practise decisions in the terminal, or by text from another program."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from secrets import randbits

from ruse.core.game import Game, display_name
from ruse.core.identity import identity
from ruse.insight.costs import costs
from ruse.play.coach import QuickInsight, amount
from ruse.play.drill import Drill, DrillQuestion, DrillRun, Marked
from ruse.play.rival import IllegalMove
from ruse.play.scores import AnswerTally, DrillScore, Scores
from ruse.play.storage import Sessions
from ruse.play.terminal import TerminalGame, chosen
from ruse.present.console import Progress, print_json
from ruse.present.screen import paint
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution

HELP = (
    "Type the move that you would make here, hint for a hint, skip for another decision, or q to quit. "
    "ruse saves your score after every answer."
)
AGAIN = "You got this one wrong before."
ALL_SEEN = "You have seen every decision that matters. From now on they come up again."
MOST_DAYS = 14  # listed at the end


def run(solution: Solution, side: int, file: Path | None, seed: int | None, as_json: bool, folder: Path) -> int:
    """Ask questions until the person leaves. `folder` holds the scores."""
    drill = TerminalDrill(solution, side, file, folder, as_json)
    random = Random(randbits(64) if seed is None else seed)
    drill.print(f"A drill of {display_name(solution.game.sides[side])} in {solution.game.title}. {HELP}")
    try:
        while drill.ask(random):
            pass
    except KeyboardInterrupt:
        drill.print("")
    finally:
        drill.look.keep()
    drill.end()
    return 0


def forget(game: Game, sides: list[str], folder: Path, as_json: bool) -> int:
    """Delete the scores of some sides of a game."""
    scores = Scores(folder / "drills")
    for side in sides:
        scores.forget(identity(game), side)
    names = " and ".join(map(display_name, sides))
    if as_json:
        print_json({"game": game.title, "sides": sides, "forgotten": True})
    else:
        print(f"Forgot the drills of {game.title} as {names}.")
    return 0


class TerminalDrill:
    """A run of drills with the screen and the keyboard."""

    def __init__(self, solution: Solution, side: int, file: Path | None, folder: Path, as_json: bool) -> None:
        self.solution, self.side, self.as_json = solution, side, as_json
        self.out = sys.stderr if as_json else sys.stdout
        with Progress(sys.stderr, "judging positions"):
            views = viewer(solution)
            judged = costs(solution, views, file)
        self.look = QuickInsight(solution, views, file)
        self.drill = Drill(solution, side, views, judged, self.look)
        self.scores, self.sessions = Scores(folder / "drills"), Sessions(folder / "sessions")
        self.score = self.scores.of(solution.game, side)
        self.run = DrillRun(seen=self.score.answered_today())
        self.marked: list[Marked] = []

    def print(self, text: str) -> None:
        print(text, file=self.out, flush=True)

    def ask(self, random: Random) -> bool:
        """Ask one question and judge the answer; return False if the person leaves."""
        rounds = self.run.rounds
        question = self.drill.deal(self.score, self.run, random)
        if rounds == 1 < self.run.rounds:
            self.print(ALL_SEEN)
        table = TerminalGame(question.session, self.sessions, self.as_json)
        table.show()
        if question.again:
            self.print(AGAIN)
        options, hinted = question.session.options or (), False
        while (typed := table.read()) is not None:
            if typed in options or typed not in ("", "?", "hint", "skip"):
                try:
                    self._mark(question, chosen(question.session, typed), hinted)
                    return True
                except IllegalMove as error:
                    self.print(paint(f"{error}", "bad", self.out))
            elif typed == "skip":
                return True
            else:
                hinted = hinted or typed == "hint"
                self.print(question.hint if typed == "hint" else HELP)
        return False

    def _mark(self, question: DrillQuestion, move: str, hinted: bool) -> None:
        game, marking = self.solution.game, self.drill.mark(question, move)
        name = self.drill.name(question.position)
        self.score = self.scores.add(game, self.side, name, marking.right, marking.cost, hinted=hinted)
        self.marked.append(marking)
        self.print(paint(marking.text(self.solution), "good" if marking.right else "bad", self.out))
        self.print(f"Today: {format_tally(game, list(self.score.days.values())[-1])}")

    def end(self) -> None:
        """Print the score, or everything as JSON."""
        game = self.solution.game
        if self.as_json:
            answers = [marking.to_json(self.solution) for marking in self.marked]
            side = game.sides[self.side]
            print_json({"game": game.title, "side": side, "answers": answers, "score": self.score.to_json()})
        else:
            print(format_days(game, self.score))


def format_tally(game: Game, tally: AnswerTally) -> str:
    """Write a tally as a sentence, such as "3 of 4 right; the mistakes cost 2/9 in total."."""
    if tally.right == tally.answered:
        return f"{tally.right} of {tally.answered} right."
    cost = amount(game, tally.cost) if tally.cost else "nothing"
    return f"{tally.right} of {tally.answered} right; the mistakes cost {cost} in total."


def format_days(game: Game, score: DrillScore) -> str:
    """Write one line per day, for the last days, the total, and what comes back."""
    if not score.days:
        return "No answers yet."
    lines = [f"{day}  {format_tally(game, tally)}" for day, tally in list(score.days.items())[-MOST_DAYS:]]
    lines.append(f"{'In total':<10}  {format_tally(game, score.total)}")
    return "\n".join([*lines, *filter(None, [format_waiting(score)])])


def format_waiting(score: DrillScore) -> str:
    """Say how many decisions come back, and when the first does; empty if none does."""
    days = sorted(answers.spacing.due for answers in score.positions.values() if answers.spacing.box)
    if not days:
        return ""
    decisions = "1 decision comes" if len(days) == 1 else f"{len(days)} decisions come"
    return f"{decisions} back because you got {'it' if len(days) == 1 else 'them'} wrong, the first on {days[0]}."
