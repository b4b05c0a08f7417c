"""The questions of `ruse.cli.assistant` as tools of the Model Context Protocol, over standard input and output.

This module needs the package mcp; `ruse serve` names the extra where it is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import Annotated, Any, ParamSpec

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from ruse.cli.assistant import Assistant, Json
from ruse.core.game import RuseError

P = ParamSpec("P")
INSTRUCTIONS = """ruse solves two-player zero-sum games with hidden information and proves the results in fractions.
Start with list_games. A position is written as the game's title and steps: kuhn@K/check or leduc@Ks/raise. solve
returns the positions where a game begins, and look_up returns the positions that follow as `after`. To answer "what
should I do here", call best_move with what the player knows. Values are payoffs to the first side of the game unless a
field says otherwise. Report a value as proved only if `certificate.exact` is true and `certificate.proof` is neither
"none" nor "declared"; otherwise report the bounds."""

Game = Annotated[str, Field(description="a name that list_games returns, or a title such as liars-dice(faces=3)")]
Parameters = Annotated[
    dict[str, str] | None, Field(description='parameters of the game as texts, such as {"faces": "3"}')
]
Position = Annotated[str, Field(description="what one side knows, such as kuhn@K/check or leduc@Ks/raise")]
Side = Annotated[str, Field(description="whose view to take, if both sides know the same position")]
Seconds = Annotated[float | None, Field(description="a time limit")]


def server(assistant: Assistant) -> MCPServer[Any]:
    """The server with its five tools."""
    made: MCPServer[Any] = MCPServer(
        "ruse", title="ruse", instructions=INSTRUCTIONS, version=version("ruse"), log_level="WARNING"
    )
    reading = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

    def tool(description: str) -> Callable[[Callable[P, Json]], Callable[P, Json]]:
        def add(question: Callable[P, Json]) -> Callable[P, Json]:
            @wraps(question)
            def answered(*arguments: P.args, **named: P.kwargs) -> Json:
                try:
                    return question(*arguments, **named)
                except RuseError as error:
                    raise ToolError(f"{error}") from error
                except MemoryError as error:
                    raise ToolError("not enough memory; use smaller parameters") from error

            made.tool(description=description, annotations=reading)(answered)
            return answered

        return add

    @tool("List the games that ruse can solve; with a name, the rules and parameters of one game.")
    def list_games(name: Annotated[str, Field(description="a game; empty for all")] = "") -> Json:
        return assistant.list_games(name)

    @tool("Solve a game within a time limit: its value or bounds on it, with what proves them.")
    def solve(game: Game, parameters: Parameters = None, seconds: Seconds = None) -> Json:
        return assistant.solve(game, parameters, seconds)

    @tool("Look up a position: its value, what may happen next with odds, and what the side should believe.")
    def look_up(position: Position, side: Side = "", seconds: Seconds = None) -> Json:
        return assistant.look_up(position, side, seconds)

    @tool(
        "Say what to do at a position: the optimal move, or the odds of each move to draw from, with values. "
        "In `moves`, `value` is the payoff to the side that moves and `loss` is what the move costs."
    )
    def best_move(position: Position, side: Side = "", seconds: Seconds = None) -> Json:
        return assistant.best_move(position, side, seconds)

    @tool("Check a solution: recompute both best responses from the rules, in exact fractions.")
    def verify(game: Game, parameters: Parameters = None, seconds: Seconds = None) -> Json:
        return assistant.verify(game, parameters, seconds)

    return made
