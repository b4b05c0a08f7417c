"""Mafia, also known as Werewolf: citizens who know nothing against a mafia that kills at night.

By day the citizens eliminate a seat; by night the mafia kills a citizen. Whoever is eliminated or killed shows its
role. The citizens win once no mafia is left, the mafia once it is at least half of those who live: then the citizens
have no majority any more. A detective, if there is one, checks a seat in each night that she survives.

The model follows Braverman, Etesami and Mossel (2008), by whose abstract random votes are optimal without a detective.
The citizens decide as one mind, by majority and with common dice, so that nobody of the mafia can sway them. To them
all seats that they have not checked are alike, and to the mafia all citizens are, because nothing that happens in
public tells living seats apart. So whoever is eliminated is drawn from the unchecked seats, and whoever is killed from
the citizens: a state is how many of each kind live. What is left to decide is whom to suspect, and whether to spare
somebody (`skip`).

With a detective the citizens know what she knows, as if she whispered it to an honest host, and even after her death:
a table without such a host cannot do better, so its citizens win at most as often. The mafia does not know what she has
found; it has nothing to decide that could use it.

`mafia@day/5,2` is the start: five citizens and two of the mafia, by day. With a detective there are five numbers,
`@day/4,2,0,0,1`: citizens and mafia who are unchecked, the same who are checked, and whether she lives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, NamedTuple

from ruse.core.capabilities import Memoryless
from ruse.core.game import CHANCE, END, GameError, Titled
from ruse.core.parameters import game_factory
from ruse.core.presentation import Presentation

TOWN, MAFIA = 0, 1
PLAYERS, SIZE, MOST = 7, 2, 60
DAY, VOTE, NIGHT, MURDER, CHECK = "day", "vote", "night", "murder", "check"  # VOTE, MURDER and CHECK are up to chance
TURNS = {DAY: TOWN, NIGHT: MAFIA}
Start = Literal["day", "night"]
Skip = Literal["none", "day", "night"]
FIRST: Start = "day"
NOBODY: Skip = "none"


class Town(NamedTuple):
    """How many of each kind live."""

    phase: str
    citizens: int  # unchecked
    mafia: int  # unchecked
    cleared: int = 0  # citizens whom the detective has checked
    caught: int = 0  # mafia whom she has checked
    detective: int = 0

    @property
    def good(self) -> int:
        return self.citizens + self.cleared + self.detective

    @property
    def evil(self) -> int:
        return self.mafia + self.caught


class MafiaGame(Titled):
    name = "mafia"
    sides = ("town", "mafia")
    wins = ("town", "mafia")
    provides = (Memoryless,)
    parts: ClassVar[Mapping[str, str]] = {"presentation": "ruse.games.mafia:MafiaPresentation"}

    def __init__(
        self,
        players: int = PLAYERS,
        mafia: int = SIZE,
        detective: bool = False,
        start: Start = FIRST,
        skip: Skip = NOBODY,
    ) -> None:
        if not 2 <= players <= MOST:
            raise GameError(f"expected 2 to {MOST} players, got {players}")
        if not 1 <= mafia < players:
            raise GameError(f"expected 1 to {players - 1} of the mafia among {players} players, got {mafia}")
        if detective and skip == "night":
            raise GameError(
                "expected no --skip night with a detective: the mafia would have to guess what she has found; "
                "leave one of them out"
            )
        self.players, self.mafia, self.detective, self.first, self.skip = players, mafia, detective, start, skip
        self.parameters: dict[str, object] = {"players": players, "mafia": mafia}
        changed = [f"players={players}"] * (players != PLAYERS) + [f"mafia={mafia}"] * (mafia != SIZE)
        for name, value, usual in (("detective", detective, False), ("start", start, FIRST), ("skip", skip, NOBODY)):
            if value != usual:
                self.parameters[name] = value
                changed.append(f"{name}={'yes' if value is True else value}")
        self.title = f"{self.name}({','.join(changed)})" if changed else self.name

    def start(self) -> Town:
        citizens = self.players - self.mafia - self.detective
        return Town(self.first, citizens, self.mafia, detective=int(self.detective))

    def turn(self, state: Town) -> int:
        return END if not state.evil or state.evil >= state.good else TURNS.get(state.phase, CHANCE)

    def moves(self, state: Town) -> Sequence[str]:
        """Of chance, what kind of seat it is."""
        if state.phase == DAY:
            kinds = ["caught"] * bool(state.caught) + ["unchecked"] * bool(state.citizens + state.mafia)
            return kinds + ["spare"] * (self.skip == DAY)
        if state.phase == NIGHT:
            return ["kill"] + ["spare"] * (self.skip == NIGHT)
        return [kind for kind, count in self._kinds(state) if count]

    def _kinds(self, state: Town) -> list[tuple[str, int]]:
        """What seat chance may pick, and how many there are of each kind."""
        if state.phase == MURDER:
            return [("citizen", state.citizens), ("cleared", state.cleared), ("detective", state.detective)]
        return [("citizen", state.citizens), ("mafia", state.mafia)]

    def odds(self, state: Town) -> Sequence[Fraction]:
        counts = [count for _, count in self._kinds(state) if count]
        return [Fraction(count, sum(counts)) for count in counts]

    def play(self, state: Town, move: str) -> Town:
        match state.phase, move:
            case "day", "spare":
                return state._replace(phase=NIGHT)
            case "day", "caught":
                return state._replace(phase=NIGHT, caught=state.caught - 1)
            case "day", _:
                return state._replace(phase=VOTE)
            case "vote", "mafia":
                return state._replace(phase=NIGHT, mafia=state.mafia - 1)
            case "vote", _:
                return state._replace(phase=NIGHT, citizens=state.citizens - 1)
            case "night", "spare":
                return state._replace(phase=DAY)
            case "night", _:
                return state._replace(phase=MURDER)
            case "check", "mafia":
                return state._replace(phase=DAY, mafia=state.mafia - 1, caught=state.caught + 1)
            case "check", _:
                return state._replace(phase=DAY, citizens=state.citizens - 1, cleared=state.cleared + 1)
        after = {
            "citizen": state._replace(citizens=state.citizens - 1),
            "cleared": state._replace(cleared=state.cleared - 1),
            "detective": state._replace(detective=0),
        }[move]
        return after._replace(phase=CHECK if after.detective and after.citizens + after.mafia else DAY)

    def knows(self, state: Town, side: int) -> Town:
        return state

    def payoff(self, state: Town) -> Fraction:
        return Fraction(-1 if state.evil else 1)

    def label(self, move: str) -> str:
        return move

    def format_position(self, knowledge: Town) -> str:
        counts = knowledge[1:] if self.detective else knowledge[1:3]
        return f"@{knowledge.phase}/{','.join(map(str, counts))}"

    def board(self, state: Town) -> Town:
        return state

    def returns(self) -> bool:
        return False  # one of the sides at least takes somebody in every round


class MafiaPresentation(Presentation[MafiaGame]):
    """How Mafia is shown: who lives, and what the moves are called."""

    def setup(self) -> str:
        more = " and a detective" * self.game.detective
        return f"{self.game.players} players, {self.game.mafia} of them mafia{more}; the first is {self.game.first}"

    def model(self) -> str:
        return (
            "The citizens decide as one, with common dice, and nobody of the mafia can sway their vote. Seats that "
            "nobody has checked are alike to them, and citizens to the mafia. A detective whispers to an honest host."
        )

    def move_phrase(self, position: str, move: str) -> str:
        if "@night" in position:
            return "kill a citizen" if move == "kill" else "kill nobody"
        return {
            "unchecked": "eliminate an unchecked seat",
            "caught": "eliminate a seat that the detective has caught",
            "spare": "eliminate nobody",
        }.get(move, move)

    def picture(self, knowledge: Town, side: int, end: Town | None) -> Sequence[str]:
        lines = [f"It is {'night' if knowledge.phase in (NIGHT, MURDER) else 'day'}."]
        lines.append(f"Unchecked: {knowledge.citizens} citizens and {knowledge.mafia} of the mafia.")
        if self.game.detective:
            lives = "lives" if knowledge.detective else "is dead"
            lines.append(f"Checked: {knowledge.cleared} citizens and {knowledge.caught} of the mafia.")
            lines.append(f"The detective {lives}.")
        return lines


@game_factory
def mafia(
    players: Annotated[int, f"seats, 2 to {MOST}"] = PLAYERS,
    mafia: Annotated[int, "how many of them are mafia"] = SIZE,
    detective: Annotated[bool, "whether a citizen is a detective"] = False,
    start: Annotated[Start, "whether the first is a day or a night"] = FIRST,
    skip: Annotated[Skip, "when nobody need die: none, day or night"] = NOBODY,
) -> MafiaGame:
    """Mafia (Werewolf): the citizens vote by day, the mafia kills by night."""
    return MafiaGame(players, mafia, detective, start, skip)
