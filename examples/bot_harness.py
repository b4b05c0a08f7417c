"""Play an evening of The Resistance between `ruse bot` and seats of your own: python examples/bot_harness.py --ruse ab

Everything below is the standard library; the arena deals, asks, counts votes and tells everybody what happened. Replace
`RandomSeat` by your own program. The lines are described in docs/reference/bot-protocol.md.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from typing import Any

MISSIONS = {5: (2, 3, 2, 3, 3), 6: (2, 3, 4, 3, 4), 7: (2, 3, 3, 4, 4)}  # two sabotages fail mission 4 of seven seats
SPIES = {5: 2, 6: 2, 7: 3}


class RuseSeat:
    """A seat that ruse plays, in a process of its own."""

    def __init__(self, seat: str, players: int) -> None:
        command = [sys.executable, "-m", "ruse", "bot", "resistance", "--seat", seat, "--players", str(players)]
        command += ["--model", "optimal"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.read()  # ruse's hello

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line: dict[str, Any] = json.loads(self.process.stdout.readline())
        if line["type"] == "error":
            raise RuntimeError(line["message"])
        return line

    def ask(self, **line: Any) -> dict[str, Any]:
        """Write a line and read the answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        return self.read()

    def close(self) -> None:
        self.process.communicate(timeout=60)  # which closes its input: ruse leaves


class RandomSeat:
    """A seat of your own: it answers the same lines."""

    def __init__(self, seat: str, dice: random.Random) -> None:
        self.seat, self.dice, self.evil, self.size = seat, dice, False, 0

    def ask(self, **line: Any) -> dict[str, Any]:
        if line["type"] == "hello":
            self.evil = line["role"] == "minion"
        if line["type"] != "act":
            return {"type": "ok"}
        if line["phase"] == "propose":
            others = [seat for seat in line["seats"] if seat != self.seat]
            return {"act": "".join(sorted([self.seat, *self.dice.sample(others, line["size"] - 1)]))}
        if line["phase"] == "vote":
            return {"act": self.dice.choice(["approve", "reject"])}
        return {"act": self.dice.choice(["pass", "sabotage"]) if self.evil else "pass"}

    def close(self) -> None:
        """Nothing to end."""


def play(seated: dict[str, Any], dice: random.Random) -> str:
    """One evening; who wins."""
    letters, players = "".join(seated), len(seated)
    spies = dice.sample(letters, SPIES[players])
    for seat in letters:
        shown = "".join(sorted(other for other in spies if other != seat)) if seat in spies else ""
        seated[seat].ask(type="hello", role="minion" if seat in spies else "loyal", shown=shown)

    def tell(**event: Any) -> None:
        for seat in letters:
            seated[seat].ask(type="observe", **event)

    leader, points = 0, {True: 0, False: 0}
    for number, size in enumerate(MISSIONS[players]):
        tell(event="draw", public=f"{dice.getrandbits(64):x}")  # drawn now: nobody can have known it
        for _ in range(5):
            lead = letters[leader]
            team = seated[lead].ask(type="act", phase="propose", seats=letters, size=size)["act"]
            votes = {
                seat: seated[seat].ask(type="act", phase="vote", leader=lead, team=team)["act"] == "approve"
                for seat in letters
            }
            tell(event="proposal", leader=lead, team=team, votes=votes)
            leader = (leader + 1) % players
            if 2 * sum(votes.values()) > players:
                break
        else:
            return "spies"
        cards = [seated[seat].ask(type="act", phase="play")["act"] for seat in team]
        tell(event="mission", sabotages=cards.count("sabotage"))
        points[cards.count("sabotage") < (2 if players == 7 and number == 3 else 1)] += 1
        if 3 in points.values():
            break
    return "good" if points[True] == 3 else "spies"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ruse", default="a", help="the seats that ruse plays")
    parser.add_argument("--players", type=int, default=5, choices=MISSIONS)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    dice = random.Random(given.seed)
    letters = "abcdefg"[: given.players]
    seated = {seat: RuseSeat(seat, given.players) if seat in given.ruse else RandomSeat(seat, dice) for seat in letters}
    won = {"good": 0, "spies": 0}
    for _ in range(given.games):
        winner = play(seated, dice)
        won[winner] += 1
        for seat in letters:
            seated[seat].ask(type="result", winner=winner)
    for seat in letters:
        seated[seat].close()
    print(f"good {won['good']}, spies {won['spies']}")


if __name__ == "__main__":
    main()
