"""Games as environments of PettingZoo: its own tests, what agents see, and opponents."""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import ruse
from ruse.core.game import Game, describe
from ruse.core.walk import visits
from ruse.play.aec import Encoding, Environment
from stored import ODD_TABLE, solved

pettingzoo_test = pytest.importorskip("pettingzoo.test")
NAMED: list[tuple[str, Callable[[], Game]]] = [
    ("kuhn", ruse.games.kuhn),
    ("leduc", ruse.games.leduc),
    ("goofspiel", lambda: ruse.games.goofspiel(cards=3)),
    ("nim", lambda: ruse.games.nim(heaps=[1, 2])),
    ("resistance of three", lambda: ruse.games.resistance(*ODD_TABLE)),
]
UNUSUAL = ("Observation is not a NumPy array", "Observation space for each agent probably", "is all zeros")


@pytest.fixture
def dicts_are_fine() -> Iterator[None]:
    """PettingZoo warns of observations that are dicts, except in its own environments, and of masks without moves."""
    with warnings.catch_warnings():
        for text in UNUSUAL:
            warnings.filterwarnings("ignore", message=f".*{text}")
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("dicts_are_fine")
@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in NAMED])
def test_pettingzoo_accepts_it(make: Callable[[], Game]) -> None:
    game = make()
    pettingzoo_test.api_test(ruse.env(game, render_mode="ansi"), num_cycles=30)
    pettingzoo_test.seed_test(lambda: ruse.env(game), num_cycles=20)
    solution = ruse.solve(game)
    for side in (0, 1):
        pettingzoo_test.api_test(ruse.env(game, opponent=solution, side=side), num_cycles=30)
        pettingzoo_test.seed_test(lambda side=side: ruse.env(game, opponent=solution, side=side), num_cycles=20)


def played(env: Environment, random: Random) -> dict[str, float]:
    """One game by random actions: what each agent got."""
    env.reset(seed=random.randrange(1_000_000))
    rewards: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, ended, _, _ = env.last()
        if ended:
            rewards[agent] = reward
            env.step(None)
        else:
            env.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return rewards


def test_what_agents_see() -> None:
    env = ruse.env(ruse.games.kuhn())
    env.reset(seed=1)
    observation, _, _, _, info = env.last()
    card = info["position"][-1]
    seen = {env.features[place] for place in np.flatnonzero(observation["observation"])}
    assert seen == {"this is Player 1", f"step 0 is @{card}"}
    assert [env.moves[place] for place in np.flatnonzero(observation["action_mask"])] == ["check", "bet"]
    waiting = env.observe("player_1")
    assert not waiting["action_mask"].any()
    assert [env.features[place] for place in np.flatnonzero(waiting["observation"])] == ["this is Player 2"]
    env.step(env.moves.index("bet"))
    observation, _, _, _, info = env.last()
    assert env.agent_selection == "player_1" and info["moves"] == ["fold", "call"]
    assert not env.observe("player_0")["action_mask"].any()
    assert {env.features[place] for place in np.flatnonzero(observation["observation"])} == {
        "this is Player 2",
        f"step 0 is @{info['position'][5]}",
        "step 1 is bet",
    }
    env.step(env.moves.index("fold"))
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0} and all(env.terminations.values())


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in NAMED])
def test_information_sets_and_observations_are_one_to_one(make: Callable[[], Game]) -> None:
    game = make()
    encoding = Encoding.of(game)
    seen: dict[bytes, tuple[int, str]] = {}
    for state, _, _ in visits(game):
        turn = game.turn(state)
        if turn in (0, 1):
            knowledge = game.knows(state, turn)
            key = encoding.observation(turn, game.format_position(knowledge)).tobytes()
            assert seen.setdefault(key, (turn, describe(game, knowledge))) == (turn, describe(game, knowledge))
    assert seen and len(set(encoding.features)) == len(encoding.features)


def test_an_optimal_opponent_concedes_no_more_than_the_value() -> None:
    """Against the optimal second side no play gets more than -1/18 on average; this one's exact average is known."""
    env, random = ruse.env(ruse.games.kuhn(), opponent=solved("kuhn")), Random(1)
    average = sum(played(env, random)["player_0"] for _ in range(4_000)) / 4_000
    solution = solved("kuhn")
    uniform = {
        f"kuhn@{card}{line}": dict.fromkeys(moves, Fraction(1, 2))
        for card in "JQK"
        for line, moves in (("", ("check", "bet")), ("/check/bet", ("fold", "call")))
    }
    from ruse.verify.verifier import verifier

    shares = verifier(solution.game).outcomes((uniform, solution.tables[1]))
    exact = float(sum(payoff * share for payoff, share in shares.items()))
    assert exact < -1 / 18 and average == pytest.approx(exact, abs=0.12)  # five standard errors


def test_the_same_seed_gives_the_same_games() -> None:
    first, second = (ruse.env(ruse.games.leduc(), opponent=solved("leduc"), side="second") for _ in range(2))
    assert [played(first, Random(5)) for _ in range(3)] == [played(second, Random(5)) for _ in range(3)]
    first.reset(seed=3)
    begun = [first.last()[4]["position"]]
    first.reset()
    begun.append(first.last()[4]["position"])
    first.reset(seed=3)
    again = [first.last()[4]["position"]]
    first.reset()
    assert [*again, first.last()[4]["position"]] == begun


class Toss:
    """Side 0 guesses a coin or leaves it; a game that may end before side 1 has moved."""

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, state: tuple[str, ...]) -> int:
        return ruse.END if state[:1] == ("leave",) or len(state) == 2 else len(state)

    def moves(self, state: tuple[str, ...]) -> list[str]:
        return ["leave", "guess"] if not state else ["heads", "tails"]

    def odds(self, state: tuple[str, ...]) -> list[Fraction]:
        return []

    def play(self, state: tuple[str, ...], move: str) -> tuple[str, ...]:
        return (*state, move)

    def knows(self, state: tuple[str, ...], side: int) -> tuple[str, ...]:
        return state

    def payoff(self, state: tuple[str, ...]) -> int:
        return 1 if state == ("leave",) else 0


def test_a_game_that_ends_before_an_agent_has_moved() -> None:
    env = ruse.env(Toss(), opponent=ruse.solve(Toss()), side=1)
    env.reset(seed=1)
    observation, reward, ended, _, info = env.last()
    assert (reward, ended, info["moves"]) == (0.0, False, ["(wait)"])
    assert observation["action_mask"].tolist() == [0, 0, 0, 0, 1] and env.moves[-1] == "(wait)"
    env.step(4)
    assert env.last()[1:4] == (-1.0, True, False)
    env.step(None)
    assert env.agents == []
    assert "(wait)" not in ruse.env(Toss(), opponent=ruse.solve(Toss()), side=0).moves


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = ruse.env(ruse.games.kuhn(), render_mode="ansi")
    env.reset(seed=1)
    assert env.render().startswith("kuhn, player_0: kuhn@")
    env = ruse.env(ruse.games.kuhn(), render_mode="human")
    env.reset(seed=1)
    assert env.render() is None and capsys.readouterr().out.startswith("kuhn, player_0: kuhn@")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"opponent": "leduc"}, "a solution of leduc, not of kuhn"),
        ({"opponent": 3}, "expected a solution as the opponent"),
        ({"side": "third"}, "'third' is not a side of kuhn; use 0, 1, Player 1 or Player 2"),
        ({"render_mode": "rgb_array"}, "expected None, 'ansi' or 'human'"),
    ],
)
def test_what_cannot_be_made(arguments: dict[str, Any], sentence: str) -> None:
    if arguments.get("opponent") == "leduc":
        arguments = {"opponent": solved("leduc")}
    with pytest.raises(ruse.RuseError, match=sentence):
        ruse.env(ruse.games.kuhn(), **arguments)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: ruse.games.resistance(players=7), "more than 600,000 states"),
        (lambda: ruse.games.four_in_a_row(), "more than 100,000 states"),
    ],
    ids=["resistance-7", "4-in-a-row"],
)
def test_a_game_that_is_too_large(make: Callable[[], Game], sentence: str) -> None:
    with pytest.raises(ruse.RuseError, match=sentence):
        ruse.env(make())


def test_actions_that_do_not_exist() -> None:
    env = ruse.env(ruse.games.kuhn())
    with pytest.raises(ruse.RuseError, match=r"call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    for action in (2, -1, 99, None):
        with pytest.raises(ruse.RuseError, match=r"expected one of the actions 0 \(check\), 1 \(bet\)"):
            env.step(action)


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *more: Any) -> Any:
        if name == "ruse.play.aec":
            raise ModuleNotFoundError("No module named 'pettingzoo'", name="pettingzoo")
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ruse.RuseError, match=r"pip install 'ruse\[pettingzoo\]'"):
        ruse.env(ruse.games.kuhn())
