"""Settings of the explorer: address, folders and limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ruse.play.coach import QUICK

PORT = 8765


@dataclass(frozen=True)
class Settings:
    """Settings of a server."""

    folder: Path  # of solutions
    sessions: Path  # folder of unfinished and finished games
    host: str = "127.0.0.1"
    port: int = PORT
    token: str | None = None  # that requests must carry, where others can reach the server
    patience: float = 1.5  # seconds that a page waits for a quick solve before it shows progress
    moment: float = 2.0  # seconds that a variant may take in the studio, and a map twice as long
    glance: float = QUICK  # seconds that a page waits for what a move costs if it is always made
    ahead: bool = True  # whether pages start computing insight at once
    most_running: int = 2  # jobs at a time
    most_waiting: int = 8  # jobs
    most_seconds: float = 3600.0  # of a job
    most_body: int = 8 << 20  # bytes of a request, but for
    most_upload: int = 64 << 20  # bytes of a solution file

    @property
    def reports(self) -> Path:
        """The folder of the studio's reports."""
        return self.sessions.with_name("reports")

    @property
    def drills(self) -> Path:
        """The folder of drill scores."""
        return self.sessions.with_name("drills")
