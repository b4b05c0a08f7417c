"""A position as text: what the person's side knows, drawn where a drawing helps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ruse.games.four_in_a_row import FourInARow
from ruse.games.guess_who import Board, GuessWho
from ruse.games.matrix import Matrix
from ruse.games.nim import Heaps
from ruse.games.pig import Race
from ruse.games.resistance import Resistance
from ruse.games.resistance.rules import RESISTANCE
from ruse.games.tic_tac_toe import CELLS
from ruse.games.unseen import Unseen
from ruse.play.session import Session

MOST_COLUMNS = 12  # of a table of payoffs
MOST_LISTED = 40  # moves
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def shown(session: Session) -> list[str]:
    """What the person knows, in lines: the position, and a picture if the game has one."""
    draw = PICTURES.get(session.solution.game.name)
    state = session.states[-1]
    knowledge = session.game.knows(state, session.side)
    return [session.position, *(draw(session, knowledge) if draw is not None else [])]


def ask(session: Session) -> str:
    """What the person is to do, where a list of moves would not say it."""
    game = session.solution.game
    if isinstance(game, Unseen):
        return f"Write a list of places, such as {game.lists[0]}: each turn takes the first that has room."
    if isinstance(game, Resistance) and session.side == RESISTANCE:
        done = len(session.game.knows(session.states[-1], RESISTANCE).done)
        size, fails = game.table.missions[done], game.table.sabotages[done]
        also = f"; it takes {fails} sabotages to fail" if fails > 1 else ""
        return f"Mission {done + 1}: send {size} seats, such as {LETTERS[:size]}{also}."
    if isinstance(game, GuessWho):
        return f"About how many of your characters do you ask, 1 to {len(session.choices)}?"
    if (options := session.options) is None or len(options) > MOST_LISTED:
        return f"Choose one of {len(session.choices):,} moves, such as {session.game.label(session.choices[0])}."
    return ""


def _seats(session: Session, knowledge: Any) -> list[str]:
    """A row a seat, a column a mission: + passed with it aboard, - failed, ? is out."""
    game = session.solution.game
    assert isinstance(game, Resistance)
    spies = knowledge.spies or ()
    results = [
        (mission.seats, "-" if sum(mission.cards) >= fails else "+")
        for mission, fails in zip(knowledge.done, game.table.sabotages, strict=False)
    ]
    if knowledge.out is not None:
        results.append((knowledge.out.seats, "?"))
    passed, failed = knowledge.score
    rows = [f"{game.table}", f"Points: resistance {passed}, spies {failed}."]
    for seat in range(game.table.players):
        marks = " ".join(mark if seat in seats else "." for seats, mark in results)
        rows.append(f"  {LETTERS[seat]}  {marks:<9}{'  spy' if seat in spies else ''}".rstrip())
    return rows


def _board(session: Session, cells: Sequence[str]) -> list[str]:
    """Free cells show their letter."""
    drawn = ["XO"[cells.index(cell) % 2] if cell in cells else cell for cell in CELLS]
    return [f"  {' '.join(drawn[row : row + 3])}" for row in (0, 3, 6)] + [f"You are {'XO'[session.side]}."]


def _columns(session: Session, stones: Any) -> list[str]:
    game = session.solution.game
    assert isinstance(game, FourInARow)
    lines = []
    for row in reversed(range(game.rows)):
        bits = [1 << column * (game.rows + 1) + row for column in range(game.columns)]
        lines.append(
            "  " + " ".join("x" if stones.first & bit else "o" if stones.second & bit else "." for bit in bits)
        )
    return [*lines, "  " + " ".join(LETTERS[: game.columns]), f"You are {'xo'[session.side]}."]


def _heaps(session: Session, state: Heaps) -> list[str]:
    return [f"  {LETTERS[number]}  {'|' * heap}".rstrip() for number, heap in enumerate(state.heaps)]


def _race(session: Session, race: Race) -> list[str]:
    you, other = (race.mine, race.theirs) if race.turn == session.side else (race.theirs, race.mine)
    total = f"; this turn so far {race.total}" if race.total else ""
    return [f"You have {you}, the other side {other}{total}."]


def _characters(session: Session, board: Board) -> list[str]:
    you, other = (board.mine, board.theirs) if board.turn == session.side else (board.theirs, board.mine)
    return [f"You have {you} characters left to tell apart, the other side {other}."]


def _payoffs(session: Session, chosen: Sequence[str]) -> list[str]:
    """What the columns pay the rows, if that fits."""
    game = session.solution.game
    assert isinstance(game, Matrix)
    if max(len(game.rows), len(game.columns)) > MOST_COLUMNS:
        return []
    table = [["", *game.columns], *([row, *(str(game.payoffs[row, one]) for one in game.columns)] for row in game.rows)]
    wide = max(len(cell) for line in table for cell in line)
    return [f"What {game.sides[1]} pays {game.sides[0]}:"] + [
        "  " + " ".join(f"{cell:>{wide}}" for cell in line).rstrip() for line in table
    ]


def _hand(session: Session, knowledge: Any) -> list[str]:
    """Cards or dice, which come first in what a side knows of these games."""
    return [f"You hold {', '.join(knowledge[0])}."] if knowledge[0] else []


PICTURES: Mapping[str, Callable[[Session, Any], list[str]]] = {
    "resistance": _seats,
    "tic-tac-toe": _board,
    "4-in-a-row": _columns,
    "nim": _heaps,
    "pig": _race,
    "guess-who": _characters,
    "matrix": _payoffs,
    "rock-paper-scissors": _payoffs,
    "kuhn": _hand,
    "leduc": _hand,
    "liars-dice": _hand,
}
