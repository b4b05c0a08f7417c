"""`ruse serve --mcp`: answer an assistant's questions over standard input and output."""

from __future__ import annotations

import argparse
import sys

from ruse.core.game import RuseError


class McpServerError(RuseError):
    """The MCP server cannot start."""


def serve(given: argparse.Namespace) -> int:
    """Serve until the other end closes. `given` has mcp, files, own and time."""
    from ruse.cli.commands import UsageError

    if not given.mcp:
        raise UsageError("choose what to serve: --mcp; for the page in the browser, use ruse explore")
    if given.json:
        raise UsageError("--mcp speaks its own JSON; leave out --json")
    if given.time is not None and not given.time > 0:
        raise McpServerError(f"expected a positive number of seconds for --time, got {given.time:g}")
    try:
        from ruse.cli.mcp_server import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise McpServerError("--mcp needs the package mcp; install it with pip install 'ruse[mcp]'") from error
    from ruse.cli.assistant import MOST_SECONDS, Assistant
    from ruse.solution.store import load
    from ruse.verify.verifier import proved, refusal

    solutions = [load(file, given.own) for file in given.files]
    solutions = [solution if refusal(solution) else proved(solution) for solution in solutions]
    print("ruse: serving over standard input and output; an assistant's program starts this", file=sys.stderr)
    server(Assistant(solutions, given.time or MOST_SECONDS)).run()
    return 0
