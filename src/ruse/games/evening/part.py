"""What The Resistance and Avalon bring for rooms that seat people and bots: `SEATS` of their companions."""

from __future__ import annotations

import argparse
import io
import secrets
import sys

from ruse.core.game import Game
from ruse.games.evening.line_protocol import BotSeat, serve_standard
from ruse.games.evening.models import models_for
from ruse.games.evening.page import SeatPages
from ruse.games.evening.session import SeatError, read_seat
from ruse.games.evening.setting import setting_of
from ruse.games.evening.terminal import play, resume
from ruse.play.session import MOST_SEED

__all__ = ["SeatPages", "bot", "play", "resume"]


def bot(game: Game, given: argparse.Namespace) -> int:
    """Seat a bot for another program. `given` has seat, model and seed."""
    setting = setting_of(game)
    models = models_for(setting, given.model)
    place = read_seat(setting, given.seat)
    if place is None:
        raise SeatError("name the bot's seat, such as --seat c")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    seed = secrets.randbelow(MOST_SEED) if given.seed is None else given.seed
    return serve_standard(BotSeat(setting, place, models, seed))
