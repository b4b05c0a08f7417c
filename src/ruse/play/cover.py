"""The scene of a game in a list of games: a position from the middle of a game, without a solution."""

from __future__ import annotations

from random import Random

from ruse.core.game import CHANCE, END, Game, State, describe
from ruse.core.registry import presentation
from ruse.play.pictures import Cell, Grid, Picture, read, usual
from ruse.play.shown import guarded
from ruse.present.scene import BETWEEN, HEAD, Scene, Square


def cover(game: Game) -> Scene:
    """Draw a position from the middle of a game, as the side to move sees it. The same game gives the same scene."""
    show = presentation(game)

    def draw() -> Picture:
        state = _played(game, show.cover_moves)
        turn = game.turn(state)
        side = max(turn, 0)
        knowledge = game.knows(state, side)
        drawn = read(show.picture(knowledge, side, None), ())
        return drawn if drawn.scene or drawn.grid else usual(game, describe(game, knowledge))

    drawn = guarded(game, draw)
    if drawn.scene is not None or drawn.grid is None:
        return drawn.scene or Scene()
    return Scene(board=_squares(drawn.grid))


def _squares(grid: Grid) -> list[list[Square]]:
    """Return the cells of a grid, without heads that only a screen reader needs."""
    table = [grid.heads, *grid.rows]
    columns = [place for place in range(len(grid.heads)) if any(row[place].text for row in table)]
    rows = [row for row in table if any(cell.text for cell in row)]
    return [[_square(row[place], head=place == 0 or row is grid.heads) for place in columns] for row in rows]


def _square(cell: Cell, head: bool) -> Square:
    if cell.text == "|":
        return Square(kind=BETWEEN)
    head = head and not cell.move
    return Square("" if cell.text == "." else cell.text, cell.says, HEAD if head else cell.kind, cell.sign)


def _played(game: Game, moves: int) -> State:
    """Return a state after so many random moves of the sides, before the end."""
    random, state = Random(game.name), game.start()
    while (turn := game.turn(state)) != END and (moves or turn == CHANCE):
        after = game.play(state, random.choice(game.moves(state)))
        if game.turn(after) == END:
            break
        state, moves = after, moves - (turn != CHANCE)
    return state
