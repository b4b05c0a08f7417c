"""What the explorer is told when it starts: where it listens, where it keeps things, how much it does at once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

PORT = 8765


def state_folder() -> Path:
    """Where ruse keeps what should survive a restart."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "ruse"


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = PORT
    token: str | None = None  # that requests must carry, where others can reach the server
    folder: Path = field(default_factory=lambda: state_folder() / "solutions")  # what is solved here
    sessions: Path = field(default_factory=lambda: state_folder() / "sessions")  # games being played
    patience: float = 1.5  # seconds that a page waits for a quick solve before it shows progress instead
    most_running: int = 2  # jobs at a time
    most_waiting: int = 8  # jobs
    most_seconds: float = 3600.0  # of a job
    most_body: int = 8 << 20  # bytes of a request, but for
    most_upload: int = 64 << 20  # bytes of a solution file
