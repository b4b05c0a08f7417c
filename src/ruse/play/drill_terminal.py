"""`ruse play GAME --drill`: practise decisions in the terminal, or by text from another program."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from secrets import randbits

from ruse.core.game import Game, display_name
from ruse.play.coach import QuickInsight, amount
from ruse.play.drill import Drill, DrillQuestion, Marked
from ruse.play.rival import IllegalMove
from ruse.play.scores import AnswerTally, DrillScore, Scores
from ruse.play.storage import Sessions
from ruse.play.terminal import TerminalGame, chosen
from ruse.present.console import Progress, print_json
from ruse.present.screen import paint
from ruse.present.viewer import viewer
from ruse.solution.strategy import Solution

HELP = "Type the move that you would make here, or q to quit. ruse saves your score after every answer."
MOST_DAYS = 14  # listed at the end


def run(solution: Solution, side: int, file: Path | None, seed: int | None, as_json: bool, folder: Path) -> int:
    """Ask questions until the person leaves. `folder` holds the scores."""
    with Progress(sys.stderr, "judging positions"):
        views = viewer(solution)
    glance, scores = QuickInsight(solution, views, file), Scores(folder / "drills")
    drill, random = Drill(solution, side, views, glance), Random(randbits(64) if seed is None else seed)
    score, game = scores.of(solution.game, side), solution.game
    marked: list[Marked] = []
    sessions = Sessions(folder / "sessions")
    said = sys.stderr if as_json else sys.stdout
    print(f"A drill of {display_name(game.sides[side])} in {game.title}. {HELP}", file=said, flush=True)
    try:
        while (answer := _answered(drill, score, random, as_json, sessions)) is not None:
            question, marking = answer
            number = score.total.answered + 1
            score = scores.add(game, side, number, question.position, marking.right, marking.cost)
            marked.append(marking)
            print(paint(marking.text(solution), "good" if marking.right else "bad", said), file=said)
            print(f"Today: {format_tally(game, list(score.days.values())[-1])}", file=said, flush=True)
    except KeyboardInterrupt:
        print("", file=said)
    finally:
        glance.keep()
    if as_json:
        answers = [marking.to_json(solution) for marking in marked]
        print_json({"game": game.title, "side": game.sides[side], "answers": answers, "score": score.to_json()})
    else:
        print(format_days(game, score))
    return 0


def _answered(
    drill: Drill, score: DrillScore, random: Random, as_json: bool, sessions: Sessions
) -> tuple[DrillQuestion, Marked] | None:
    """Ask one question and judge the answer; None if the person leaves."""
    question = drill.deal(score, random)
    table = TerminalGame(question.session, sessions, as_json)
    table.show()
    while (typed := table.read()) is not None:
        if typed in ("", "?") and typed not in (question.session.options or ()):
            table.print(HELP)
            continue
        try:
            return question, drill.mark(question, chosen(question.session, typed))
        except IllegalMove as error:
            table.print(paint(f"{error}", "bad", table.out))
    return None


def format_tally(game: Game, tally: AnswerTally) -> str:
    """Write a tally as a sentence, such as "3 of 4 right; the mistakes cost 2/9 in total."."""
    if tally.right == tally.answered:
        return f"{tally.right} of {tally.answered} right."
    cost = amount(game, tally.cost) if tally.cost else "nothing"
    return f"{tally.right} of {tally.answered} right; the mistakes cost {cost} in total."


def format_days(game: Game, score: DrillScore) -> str:
    """Write one line per day, for the last days, and the total."""
    if not score.days:
        return "No answers yet."
    lines = [f"{day}  {format_tally(game, tally)}" for day, tally in list(score.days.items())[-MOST_DAYS:]]
    return "\n".join([*lines, f"{'In total':<10}  {format_tally(game, score.total)}"])
