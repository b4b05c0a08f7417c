"""A game as a PettingZoo environment, in which agents take turns (AEC; Terry et al. 2021).

This module needs the package pettingzoo; `ruse.play.environments` names the extra where it is missing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import zip_longest
from random import SystemRandom
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ruse.core import size_estimate
from ruse.core.arrays import Array
from ruse.core.capabilities import Memoryless, payoff_to
from ruse.core.game import CHANCE, END, Game, GameError, State, describe, display_name
from ruse.core.registry import call_optional
from ruse.core.walk import SIDES, visits
from ruse.play.rival import IllegalMove, Rival, drawn

MOST_STATES = 600_000  # of a tree, which are all visited: seconds
MOST_POSITIONS = 100_000  # of a game that goes by states: each is a text of its own


@dataclass(frozen=True)
class Encoding:
    moves: tuple[str, ...]  # the label of each action
    features: tuple[str, ...]  # what each entry of an observation says
    places: dict[tuple[int, str], int]  # the entry of each text at each step

    @staticmethod
    def of(game: Game) -> Encoding:
        """Visit every state of a game. Raises GameError if it has too many."""
        most = MOST_POSITIONS if isinstance(game, Memoryless) else MOST_STATES
        if isinstance(game, Memoryless):
            try:
                call_optional(Memoryless.check_countable, game, "for an environment")
            except GameError as error:
                raise too_large(game, most) from error
        elif size_estimate.nodes(game, most) > most:
            raise too_large(game, most)
        labels: dict[str, None] = {}  # as sets that keep the order of the rules
        texts: list[dict[str, None]] = []
        known: tuple[set[object], set[object]] = (set(), set())
        for number, (state, _, _) in enumerate(visits(game)):
            if number >= most:
                raise too_large(game, most)
            turn = game.turn(state)
            if turn not in SIDES or (knowledge := game.knows(state, turn)) in known[turn]:
                continue
            known[turn].add(knowledge)
            labels |= dict.fromkeys(map(game.label, game.moves(state)))
            for step, text in enumerate(game.format_position(knowledge).split("/")):
                if step == len(texts):
                    texts.append({})
                texts[step][text] = None
        places: dict[tuple[int, str], int] = {}
        features = [f"this is {display_name(side)}" for side in game.sides]
        for step, group in enumerate(texts):
            for text in filter(None, group):
                places[step, text] = len(features)
                features.append(f"step {step} is {text}")
        return Encoding(tuple(labels), tuple(features), places)

    def start(self, side: int) -> Array:
        """The observation of a side that has not moved yet."""
        observation = np.zeros(len(self.features), np.int8)
        observation[side] = 1
        return observation

    def observation(self, side: int, text: str) -> Array:
        """The observation of a side at a position, of which `text` follows the title."""
        observation = self.start(side)
        for step, part in enumerate(text.split("/")):
            if part:
                observation[self.places[step, part]] = 1
        return observation


def too_large(game: Game, most: int) -> GameError:
    return GameError(f"{game.title} has more than {most:,} states, too many for an environment: use smaller parameters")


Observation = dict[str, Array]
WAIT = "(wait)"
MOST_SEED = 1 << 53


def ends_without(game: Game, sides: Collection[int]) -> bool:
    """Whether a game can end before any of these sides has moved."""
    stack, seen = [game.start()], set[State]()
    while stack:
        state = stack.pop()
        turn = game.turn(state)
        if turn == END:
            return True
        if turn in sides or state in seen:
            continue
        seen.add(state)
        odds = game.odds(state) if turn == CHANCE else ()
        moves = zip_longest(game.moves(state), odds, fillvalue=1)
        stack.extend(game.play(state, move) for move, share in moves if share)
    return False


class Environment(AECEnv):  # type: ignore[misc]  # pettingzoo has no types
    """A game for two agents, `player_0` and `player_1`, or for one against a solution.

    Attributes
    ----------
    game
        The rules.
    moves
        The label of each action: action 3 is `moves[3]`, wherever it is legal.
    features
        What each entry of an observation says, in words.

    `infos[agent]` has the position, as ruse writes it, and the legal moves of the agent whose turn it is. Rewards come
    at the end: what the side gets. Where a game can end before anybody here has moved, there is one more action,
    `WAIT`, which is then the only legal one.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: Game, rival: Rival | None, render_mode: str | None) -> None:
        super().__init__()
        self.game, self.render_mode, self._rival = game, render_mode, rival
        self.metadata = {**self.metadata, "name": f"{game.name}_v0"}
        encoding = Encoding.of(game)
        seats = (0, 1) if rival is None else (1 - rival.side,)
        self.moves = (*encoding.moves, *[WAIT] * ends_without(game, seats))
        self.features, self._encoding = encoding.features, encoding
        self._actions = {label: action for action, label in enumerate(self.moves)}
        self._sides = {f"player_{side}": side for side in seats}
        self.possible_agents = list(self._sides)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (len(self.features),), np.int8),
                    "action_mask": spaces.Box(0, 1, (len(self.moves),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.moves)) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._seeds = np.random.default_rng(SystemRandom().randrange(MOST_SEED))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; the same seed and the same actions give the same games."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._seed, self._ply = int(self._seeds.integers(MOST_SEED)), 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._seen = {agent: self._encoding.start(side) for agent, side in self._sides.items()}
        self.agent_selection = self.agents[0]
        self._go_on(self.game.start())
        if self._ended:  # before anybody here has moved
            self._wait()

    def observe(self, agent: str) -> Observation:
        """What an agent knows at its turn; while it waits, what it knew at its last one, and no legal action."""
        mask = np.zeros(len(self.moves), np.int8)
        if agent == self.agent_selection and not self.terminations[agent]:
            mask[[self._actions[label] for label in self._legal]] = 1
        return {"observation": self._seen[agent].copy(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move for the agent whose turn it is, then those of chance and of the opponent."""
        if not self.agents:
            raise IllegalMove(f"no game of {self.game.title} is being played; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        label = self.moves[action] if action is not None and 0 <= action < len(self.moves) else None
        if label not in self._legal:
            legal = ", ".join(f"{self._actions[action]} ({action})" for action in self._legal)
            raise IllegalMove(f"expected one of the actions {legal} in {self.game.title}, got {action!r}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos = {agent: {} for agent in self.agents}
        self._ply += 1
        if self._ended:
            self._end()
        else:
            self._go_on(self.game.play(self._state, self._legal[label]))
            if self._ended:
                self._end()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as the agent knows it whose turn it is: a text, which "human" prints."""
        position = self.infos.get(self.agent_selection, {}).get("position", "the end") if self.agents else "the end"
        text = f"{self.game.title}, {self.agent_selection}: {position}"
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Do nothing: there is nothing open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def _go_on(self, state: State) -> None:
        """Play for chance and the opponent until an agent has to move or the game ends."""
        game, rival = self.game, self._rival
        while (turn := game.turn(state)) != END:
            if turn == CHANCE:
                odds = dict(zip(game.moves(state), game.odds(state), strict=True))
            elif rival is not None and turn == rival.side:
                odds = dict(rival.odds(state))
            else:
                break
            state = game.play(state, drawn(odds, self._seed, self._ply))
            self._ply += 1
        self._state, self._legal, self._ended = state, dict[str, Any](), turn == END
        if self._ended:
            return
        agent = f"player_{turn}"
        self.agent_selection = agent
        self._legal = {game.label(move): move for move in game.moves(state)}
        knowledge = game.knows(state, turn)
        self._seen[agent] = self._encoding.observation(turn, game.format_position(knowledge))
        self.infos[agent] = {"position": describe(game, knowledge), "moves": list(self._legal)}

    def _end(self) -> None:
        """Pay both sides."""
        payoff = self.game.payoff(self._state)
        self.rewards = {agent: float(payoff_to(self.game, self._sides[agent], payoff)) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _wait(self) -> None:
        """Let the first agent see that a game begins; it ends with the next step."""
        self._legal = {WAIT: None}
        self.infos[self.agent_selection] = {"position": "", "moves": [WAIT]}
