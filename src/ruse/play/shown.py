"""What there is to see of a game, for the terminal and the page alike: sentences, a grid, and what to do.

A drawing is made once, of cells with a text. A terminal writes the texts; a page makes a table of them, with what a
screen reader says, a colour beside the letter, and buttons where a cell is a move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ruse.core.capabilities import Open
from ruse.core.plain_games.matrix import Matrix
from ruse.games.four_in_a_row.rules import FourInARow
from ruse.games.guess_who import Board, GuessWho
from ruse.games.nim import Heaps
from ruse.games.phantom.rules import Unseen
from ruse.games.pig import Pig, Race
from ruse.games.resistance import Resistance, notation
from ruse.games.resistance.rules import RESISTANCE
from ruse.games.tic_tac_toe import CELLS
from ruse.play.session import Session

MOST_COLUMNS = 12  # of a table of payoffs
MOST_LISTED = 40  # moves, in a terminal
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NUMBER = re.compile(r"[-−]?[\d/.]*")
ROW = re.compile(r"[a-z](?=\d+$)|\d+(?=-\d+$)")  # of moves such as a1, a2 or 1-1, 1-2
RESULTS = {"+": "passed", "-": "failed", "?": "is out"}


@dataclass(frozen=True)
class Cell:
    text: str
    says: str = ""  # for those who cannot see what a sign means
    kind: str = ""  # how a page colours it
    move: str = ""  # that it stands for, if it is one


@dataclass(frozen=True)
class Grid:
    title: str
    heads: Sequence[Cell]  # of the columns
    rows: Sequence[Sequence[Cell]]  # the first cell of each is its head


@dataclass(frozen=True)
class Picture:
    lines: Sequence[str] = ()
    grid: Grid | None = None

    def text(self) -> list[str]:
        """For a terminal. Heads that have no text are for screen readers only."""
        if self.grid is None:
            return list(self.lines)
        table = [self.grid.heads, *self.grid.rows]
        columns = [[row[place].text for row in table] for place in range(len(self.grid.heads))]
        written = [_column(column) for column in columns if any(column)]
        rows = [f"  {' '.join(row)}".rstrip() for row in zip(*written, strict=True)]
        title = [f"{self.grid.title}:"] if self.grid.title else []
        return [*self.lines, *title, *(row for row in rows if row)]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def moves(self) -> set[str]:
        """Those that can be made by choosing a cell."""
        cells = [] if self.grid is None else [*self.grid.heads, *(cell for row in self.grid.rows for cell in row)]
        return {cell.move for cell in cells if cell.move}


def _column(texts: Sequence[str]) -> list[str]:
    """Texts of one width, numbers to the right."""
    wide = max(map(len, texts))
    numbers = all(NUMBER.fullmatch(text) for text in texts[1:])
    return [f"{text:>{wide}}" if numbers else f"{text:<{wide}}" for text in texts]


def picture(session: Session) -> Picture:
    """What the person knows, drawn where a drawing helps."""
    draw = PICTURES.get(session.solution.game.name)
    return Picture() if draw is None else draw(session, session.game.knows(session.states[-1], session.side))


def shown(session: Session) -> list[str]:
    """What the person knows, in lines: the position, and a picture if the game has one."""
    return [session.position, *picture(session).text()]


def news(session: Session) -> str:
    """What the person saw since its last move, or at all, in a sentence."""
    game, steps = session.solution.game, session.happened()
    when = "Since your last move" if isinstance(game, Open) else "From your last move on"
    if isinstance(game, Open):
        steps = [step.removeprefix("chance: ").replace(": ", " plays ") for step in steps]
    elif isinstance(game, Resistance):
        steps = [f"{step[:-1]} {RESULTS[step[-1]]}" if step[-1] in RESULTS else step for step in steps]
    return f"{when if session.decisions else 'So far'}: {', then '.join(steps)}." if steps else ""


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
    return ""


def too_many(session: Session) -> str:
    """What the person is to do where a terminal does not list the moves."""
    if (options := session.options) is not None and len(options) <= MOST_LISTED:
        return ""
    return f"Choose one of {len(session.choices):,} moves, such as {session.game.label(session.choices[0])}."


def numbered(options: Sequence[str]) -> bool:
    """Whether moves are called by their place in the list too: a few long names that are no numbers themselves."""
    return 0 < len(options) <= 9 and max(map(len, options)) > 3 and not any(one[:1].isdecimal() for one in options)


def in_rows(options: Sequence[str]) -> list[list[str]]:
    """Moves as they are listed: those from one heap, or of as many fingers, stand together."""
    rows: dict[str, list[str]] = {}
    for option in options:
        found = ROW.match(option)
        rows.setdefault(found[0] if found else "", []).append(option)
    return list(rows.values())


def _seats(session: Session, knowledge: Any) -> Picture:
    """A column a mission, a row a seat: + passed with it aboard, - failed, ? is out."""
    game = session.solution.game
    assert isinstance(game, Resistance)
    table = game.table
    results = [
        (mission.seats, "-" if sum(mission.cards) >= fails else "+")
        for mission, fails in zip(knowledge.done, table.sabotages, strict=False)
    ]
    if knowledge.out is not None:
        results.append((knowledge.out.seats, "?"))
    spies = (session.states[-1] if session.over else knowledge).spies or ()
    names = [*notation.seats(spies)]
    told = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
    passed, failed = knowledge.score
    lines = [
        f"{table.players} seats, {len(names) or table.spies} of them {'spies' if table.spies > 1 else 'a spy'}.",
        f"Points: resistance {passed}, spies {failed}; three win.",
    ]
    if session.side != RESISTANCE:
        are = "were" if session.over else "are"
        lines.insert(0, f"You {are} the {'spies' if table.spies > 1 else 'spy'}: {told}.")
    elif spies:
        lines.insert(0, f"The {'spies were' if table.spies > 1 else 'spy was'} {told}.")
    rows = [
        [Cell("seats sent"), *(Cell(str(size)) for size in table.missions)],
        [Cell("sabotages to fail"), *(Cell(str(fails)) for fails in table.sabotages)],
    ]
    for seat in range(table.players):
        spy = seat in spies
        head = Cell(f"{LETTERS[seat]} spy" if spy else LETTERS[seat], f"seat {LETTERS[seat]}", "spy" if spy else "seat")
        marks = [_mark(mark if seat in seats else ".") for seats, mark in results]
        rows.append([head, *marks, *[Cell("", "not yet")] * (len(table.missions) - len(marks))])
    heads = [Cell("mission"), *(Cell(str(number + 1)) for number in range(len(table.missions)))]
    return Picture(lines, Grid("", heads, rows))


def _mark(mark: str) -> Cell:
    says = {"+": "aboard, passed", "-": "aboard, failed", "?": "aboard, out now", ".": "not aboard"}
    kinds = {"+": "passed", "-": "failed", "?": "out", ".": "ashore"}
    return Cell(mark, says[mark], kinds[mark])


def _board(session: Session, cells: Sequence[str]) -> Picture:
    """Free cells show their letter."""

    def cell(name: str) -> Cell:
        if name not in cells:
            return Cell(name, f"{name}, free", "free", name)
        return _stone("XO", cells.index(name) % 2, session)

    rows = [
        [Cell("", where), *(cell(name) for name in CELLS[3 * number : 3 * number + 3])]
        for number, where in enumerate(("top", "middle", "bottom"))
    ]
    heads = [Cell("", one) for one in ("row", "left", "middle", "right")]
    return Picture([f"You are {'XO'[session.side]}."], Grid("", heads, rows))


def _stone(signs: str, side: int, session: Session) -> Cell:
    whose = "yours" if side == session.side else "the other side's"
    return Cell(signs[side], f"{signs[side]}, {whose}", "mine" if side == session.side else "theirs")


def _columns(session: Session, stones: Any) -> Picture:
    game = session.solution.game
    assert isinstance(game, FourInARow)
    rows = []
    for row in reversed(range(game.rows)):
        cells = [Cell("", f"row {row + 1}")]
        for column in range(game.columns):
            bit = 1 << column * (game.rows + 1) + row
            side = 0 if stones.first & bit else 1 if stones.second & bit else None
            cells.append(Cell(".", "free", "free") if side is None else _stone("xo", side, session))
        rows.append(cells)
    heads = [Cell("", "row"), *(Cell(letter, f"column {letter}", "", letter) for letter in LETTERS[: game.columns])]
    return Picture([f"You are {'xo'[session.side]}."], Grid("", heads, rows))


def _heaps(session: Session, state: Heaps) -> Picture:
    heads = [Cell("heap"), Cell("left"), Cell("", "drawn")]
    rows = [
        [Cell(LETTERS[number]), Cell(str(heap)), Cell("|" * heap, f"{heap} matches", "matches")]
        for number, heap in enumerate(state.heaps)
    ]
    return Picture((), Grid("", heads, rows))


def _race(session: Session, race: Race) -> Picture:
    game = session.solution.game
    assert isinstance(game, Pig)
    yours = race.turn == session.side
    you, other = (race.mine, race.theirs) if yours else (race.theirs, race.mine)
    total = str(race.total)
    heads = [Cell("", "who"), Cell("points"), Cell("this turn")]
    rows = [
        [Cell("you"), Cell(str(you)), Cell(total if yours else "", "" if yours else "waits")],
        [Cell("other side"), Cell(str(other)), Cell("" if yours else total, "waits" if yours else "")],
    ]
    return Picture([f"{game.goal} points win."], Grid("", heads, rows))


def _characters(session: Session, board: Board) -> Picture:
    you, other = (board.mine, board.theirs) if board.turn == session.side else (board.theirs, board.mine)
    heads = [Cell("", "who"), Cell("characters left to tell apart")]
    return Picture((), Grid("", heads, [[Cell("you"), Cell(str(you))], [Cell("other side"), Cell(str(other))]]))


def _payoffs(session: Session, chosen: Sequence[str]) -> Picture:
    """What the columns pay the rows, if that fits."""
    game = session.solution.game
    assert isinstance(game, Matrix)
    if max(len(game.rows), len(game.columns)) > MOST_COLUMNS:
        return Picture()
    heads = [Cell("", game.sides[0]), *map(Cell, game.columns)]
    rows = [[Cell(row), *(Cell(str(game.payoffs[row, one])) for one in game.columns)] for row in game.rows]
    first, second = game.sides
    lines = [] if session.over else [f"You choose {('a row', 'a column')[session.side]}."]
    return Picture(lines, Grid(f"What {second} {'pay' if second.endswith('s') else 'pays'} {first}", heads, rows))


def _hand(session: Session, knowledge: Any) -> Picture:
    """Cards or dice, which come first in what a side knows of these games."""
    lines = [f"You hold {', '.join(knowledge[0])}."] if knowledge[0] else []
    if public := getattr(knowledge, "public", ""):
        lines.append(f"The public card is {public}.")
    return Picture(lines)


PICTURES: Mapping[str, Callable[[Session, Any], Picture]] = {
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
    "mini-poker": _hand,
    "liars-dice": _hand,
}
