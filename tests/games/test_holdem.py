"""Hold'em: its rules, and its fast way against the plain walk, linear programs and another library."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from phevaluator import evaluate_cards  # type: ignore[import-untyped]
from tests.amounts import some

import ruse
from ruse.core.capabilities import constant
from ruse.core.game import GameError
from ruse.core.registry import presentation
from ruse.core.walk import check
from ruse.games.holdem import cards, ranges
from ruse.games.holdem.engine import HoldemRun
from ruse.games.holdem.layout import SpotLayout
from ruse.games.holdem.node import node_report
from ruse.games.holdem.proof import LEVELS, SpotJudge, equity, weight_kind
from ruse.games.holdem.rules import Holdem, holdem
from ruse.games.holdem.table import HoldemTable
from ruse.games.holdem.verify import HoldemVerifier
from ruse.solution.store import dumps, loads
from ruse.verify import tree as plain

SPOT = {
    "board": "TsJsQhKh", "oop": "random", "ip": "random", "deck": "5x2", "pot": 10, "stack": 12, "bets": "100%",
    "raises": "a",
}  # fmt: skip


# Cards and ranges.


def test_hands_rank_as_another_library_ranks_them() -> None:
    """phevaluator's numbers are smaller for better hands."""
    random = Random(7)
    drawn = [random.sample(range(cards.CARDS), 7) for _ in range(some(10_000))]
    theirs = [-evaluate_cards(*(cards.NAMES[card] for card in hand)) for hand in drawn]
    fast = [int(cards.strengths(np.array([hand[:2]]), [hand[2:]])[0, 0]) for hand in drawn]
    slow = [cards.plain_strength(hand) for hand in drawn]
    order = sorted(range(len(drawn)), key=theirs.__getitem__)
    for a, b in pairwise(order):
        same = theirs[a] == theirs[b]
        assert (fast[a] == fast[b], slow[a] == slow[b]) == (same, same)
        assert same or (fast[a] < fast[b] and slow[a] < slow[b])


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("88+", 7 * 6), ("99-22", 8 * 6), ("A8s+", 6 * 4), ("A5s-A2s", 4 * 4), ("AJo+", 3 * 12), ("KT", 16),
        ("QJs-54s", 8 * 4), ("AsKh", 1), ("random", 1326), ("AA,AsAh:0", 5), ("75s+", 2 * 4), ("", 0),
    ],
)  # fmt: skip
def test_ranges_have_the_hands_that_people_mean(text: str, hands: int) -> None:
    assert len(ranges.read_range(text, cards.Deck(13, 4), "oop")) == hands


def test_later_entries_of_a_range_count() -> None:
    weights = ranges.read_range("random:0.5, AA:1/4", cards.Deck(13, 4), "oop")
    assert {weights[hand] for hand in weights} == {Fraction(1, 2), Fraction(1, 4)}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"board": "QsQsJh"}, "has the card Qs twice"),
        ({"board": "QsJh2z"}, "'2z' in the board"),
        ({"board": "QsJh"}, "3, 4 or 5 cards"),
        ({"oop": "AA,XX"}, "'XX' at character 4 of the range of oop"),
        ({"oop": "AA:2"}, "a weight from 0 to 1 in 'AA:2'"),
        ({"ip": "KsKs"}, "'KsKs' at character 1 of the range of ip"),
        ({"oop": "KsKh", "board": "Ks7d4c3h2s"}, "shares a card with the board"),
        ({"oop": "AsAh", "ip": "AsKs", "board": "Qs7d4c3h2s"}, "widen a range"),
        ({"pot": 0}, "a pot of 1 to"),
        ({"stack": 0}, "a stack of 1 to"),
        ({"bets": "0%"}, "bets above 0"),
        ({"bets": "1000c"}, "up to the stack of 100"),
        ({"bets": "2x"}, "which only raises have"),
        ({"raises": "half"}, "'half' is no size for the raises"),
        ({"bets": "33%,50%"}, None),
        ({"deck": "1x9"}, "expected a deck"),
        ({"rake": "0.05"}, "not zero-sum"),
        ({"lock": '[[lock]]\nline = "check/bet7"\nodds = { call = 1 }'}, "there is no 'bet7'"),
        ({"lock": '[[lock]]\nline = "check"\nodds = { call = 1 }'}, "the moves there are check, bet100"),
        ({"lock": '[[lock]]\nline = "check"\nodds = { check = 0.5 }'}, "odds that add up to 1"),
        ({"lock": "nowhere.toml"}, "cannot read the lock file"),
        ({"spot": "nowhere.toml"}, "cannot read the spot file"),
        ({"spot": "bord = 'QsJh2h'"}, "did you mean 'board'"),
    ],
)
def test_bad_input_is_one_sentence(changed: dict[str, Any], words: str | None) -> None:
    spot: dict[str, Any] = {"board": "Ks7d4c3h2s", "oop": "AA,JTs", "ip": "KQs", "pot": 100, "stack": 100, **changed}
    if words is None:
        assert holdem(**spot).locks == []
        return
    with pytest.raises(GameError) as error:
        holdem(**spot).locks  # noqa: B018 - they are read when they are used
    assert words in str(error.value) and "\n" not in str(error.value)


def test_a_spot_file_says_what_the_command_line_says(tmp_path: Any) -> None:
    path = tmp_path / "spot.toml"
    path.write_text(
        'board = "Ks7d4c3h"\noop = "AA"\nip = "KQs"\npot = 10\nstack = 90\n'
        'bets = { oop = "50%,33%+75%", ip = "2e" }\ndonks = "25%"\nraises = "2.5x"\ncap = 1\nadd-all-in = 2.5\n'
    )
    game = holdem(spot=str(path))
    assert game.parameters["bets"] == "oop:50%,33%+75%;ip:2e"
    again = holdem(**game.parameters)  # type: ignore[arg-type]
    assert (again.title, again.parameters, again.tree) == (game.title, game.parameters, game.tree)
    river = [node for node in game.tree.nodes if node.turn == 0 and node.street == 1 and "check" in node.moves]
    donks = [node for node in river if "bet5" in node.moves or any(move.startswith("bet") for move in node.moves)]
    assert donks
    assert not any(
        sum(move.startswith("raise") for move in game.tree.nodes[child].moves)
        for node in game.tree.nodes
        for move, child in zip(node.moves, node.children, strict=False)
        if move.startswith("raise")
    )


def test_bets_are_those_of_the_preset() -> None:
    """3betpotFAST: a bet of 52% of 180, then raises of 45% of the pot after the call on top of the call."""
    game = holdem(board="QsJh2h", oop="AA", ip="KK", pot=180, stack=910, bets="52%,55%,70%", raises="45%")
    root = game.tree.nodes[0]
    assert root.moves == ("check", "bet94")
    facing = game.tree.nodes[root.children[1]]
    assert facing.moves == ("fold", "call", "raise260")  # 94 + 0.45 * (180 + 188)
    assert constant(game) == 180


def test_plain_rules_keep_the_contract() -> None:
    check(holdem())
    check(holdem(**{**SPOT, "oop": "TT,JTs", "ip": "random", "stack": 10}))


# The fast way against the plain walk.


def random_spot(seed: int) -> Holdem:
    """A spot of at most some thousand pairs of hands: three in four on a river, most others on a turn."""
    random = Random(seed)
    ranks, suits = random.choice([(5, 2), (6, 2), (3, 3), (4, 3), (3, 4), (10, 1)])
    deck = cards.Deck(ranks, suits)
    count = 5 if random.random() < 0.75 or len(deck.cards) < 10 else 4
    board = random.sample(deck.cards, count)
    left = cards.pairs_of([card for card in deck.cards if card not in board]).tolist()

    def some_range() -> str:
        few = 14 if count == 5 else 5
        drawn = random.sample(left, min(len(left), random.randint(2, few)))
        weights = ["", ":0.5", ":0.25", ":1/3", ":0.9"]
        return ",".join(cards.text_of(hand) + random.choice(weights) for hand in drawn)

    sizes = ["33%", "50%+a", "100%", "a", "e", "75%", "3c"]
    while True:
        try:
            game = holdem(
                board=cards.text_of(board), oop=some_range(), ip=some_range(), deck=str(deck),
                pot=random.randint(1, 30), stack=random.randint(3, 40), bets=random.choice(sizes),
                raises=random.choice(["", "a", "2.5x", "50%"]), cap=random.choice([0, 1, 2]),
                donks=random.choice(["", "25%"]), merge=random.choice(["0", "0.1"]),
                add_all_in=random.choice(["0", "1.5"]), force_all_in=random.choice(["0", "0.2"]),
            )  # fmt: skip
        except GameError:
            continue
        return locked(game, random)


def locked(game: Holdem, random: Random) -> Holdem:
    """Half of the spots get a lock or two."""
    entries = []
    for _ in range(random.choice([0, 0, 1, 2])):
        node, line = 0, []
        while True:
            here = game.tree.nodes[node]
            if here.turn >= 0 and random.random() < 0.4:
                share = Fraction(random.randint(0, 4), 4)
                first, second = random.sample(here.moves, 2) if len(here.moves) > 1 else (here.moves[0], "")
                odds = f'{first} = "{share}", {second} = "{1 - share}"' if second else f"{first} = 1"
                hands = ""
                if random.random() < 0.5:
                    held = random.sample(sorted(game.weights[here.turn]), 1 + len(game.weights[here.turn]) // 2)
                    hands = 'hands = "{}"\n'.format(",".join(map(cards.text_of, held)))
                entries.append(f'[[lock]]\nline = "{"/".join(line)}"\n{hands}odds = {{ {odds} }}\n')
                break
            if not here.children:
                break
            number = random.randrange(len(here.children))
            line.append(here.moves[number] if here.moves else "*")
            node = here.children[number]
    if not entries:
        return game
    return holdem(**{**game.parameters, "lock": "\n".join(entries)})  # type: ignore[arg-type]


def solved(game: Holdem, iterations: int, compress: bool = False) -> tuple[HoldemRun, SpotJudge, Any, tuple[Any, Any]]:
    """A run, its judge, its certificate and its tables."""
    layout = SpotLayout(game)
    kind = np.dtype(weight_kind(layout))
    judge = SpotJudge(layout, LEVELS[kind])
    run = HoldemRun(layout, 1, compress)
    run.run(iterations)
    sources = [[(state.totals[side], state.total_scales[side]) for side in (0, 1)] for state in run.states]
    weights = judge.weights(sources, kind)
    first, second = (HoldemTable(layout, side, [pair[side] for pair in weights]) for side in (0, 1))
    return run, judge, judge.certify(sources), (first, second)


@pytest.mark.parametrize("seed", range(1000))
@pytest.mark.cases(12)
def test_bounds_are_those_of_the_plain_walk_and_contain_the_value(seed: int) -> None:
    """The same strategies: by the fast way, by the verifier, and by best responses on the rules; and an exact LP."""
    game = random_spot(seed)
    run, _, certificate, tables = solved(game, 1 + seed % 40, compress=seed % 3 == 0)
    by_walk = [
        plain.guarantee(game, side, plain.table_policy(game, tables[side], side, by_class=False)) for side in (0, 1)
    ]
    assert [certificate.lower, certificate.upper] == by_walk
    assert HoldemVerifier(game).bounds(tables) == certificate
    floats = run.judge()
    most = game.pot + 2 * game.stack
    assert sum(floats) == pytest.approx(float(certificate.gap), abs=1e-3 * most if seed % 3 == 0 else 2e-6 * most)
    value = ruse.solve(game, "lp").certificate
    assert value.exact and certificate.lower <= value.lower <= certificate.upper


def test_suits_that_nothing_tells_apart_are_dealt_once() -> None:
    """On a board of two suits, the other two are one class; every runout still has its strategies, and all is exact."""
    game = holdem(board="AsKhQs", oop="AA,KQ,JJ:0.5", ip="QQ,AJ", deck="4x4", pot=10, stack=15, bets="100%", raises="a")
    layout = SpotLayout(game)
    assert len(layout.group) == 2
    assert [len(street.boards) for street in layout.streets] == [1, 9, 88]
    _, _, certificate, tables = solved(game, 30)
    assert HoldemVerifier(game).bounds(tables) == certificate
    position = f"{game.title}@AdAc/check/check/Kd/check/check/Jc"
    twin = f"{game.title}@AdAc/check/check/Kc/check/check/Jd"
    assert tables[0][position] == tables[0][twin]
    assert equity(layout) == Fraction(1, 2) + _shown(game)


def _shown(game: Holdem) -> Fraction:
    """What oop wins more often than ip, halved, by going through all deals."""
    total, won = Fraction(0), 0
    for first, one in game.weights[0].items():
        for second, other in game.weights[1].items():
            if set(first) & set(second):
                continue
            left = [card for card in game.deck.cards if card not in (*game.board, *first, *second)]
            for turn in left:
                for river in left:
                    if turn < river:
                        board = (*game.board, turn, river)
                        a, b = cards.plain_strength((*first, *board)), cards.plain_strength((*second, *board))
                        total += one * other
                        won += one * other * ((a > b) - (a < b))
    return won / total / 2


@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("board", ["TsJsQhKhAs", "TsJsQhKh", "TsJsQh"])
@pytest.mark.cases(3)
def test_any_number_of_threads_gives_the_same_bits(board: str, compress: bool) -> None:
    game = holdem(**{**SPOT, "board": board, "deck": "5x3"})
    runs = [HoldemRun(SpotLayout(game), threads, compress) for threads in (1, 2, 3)]
    for run in runs:
        run.run(20)
    first, *others = [run.state() for run in runs]
    for other in others:
        assert all(np.array_equal(first[name], other[name]) for name in first)


def test_dcfr_comes_close_and_its_run_can_be_resumed(tmp_path: Any) -> None:
    game = holdem(**SPOT)
    whole = ruse.solve(game, "dcfr", gap=0.05)
    assert whole.certificate.gap <= 0.05 and whole.certificate.proof == "game-verifier"
    path = tmp_path / "run"
    ruse.solve(game, "dcfr", iterations=15, checkpoint=path)
    resumed = ruse.solve(game, "dcfr", iterations=40, checkpoint=path, resume=True)
    assert resumed.tables == ruse.solve(game, "dcfr", iterations=40).tables


def test_files_hold_the_strategies(tmp_path: Any) -> None:
    solution = ruse.solve(holdem(**SPOT), "dcfr", iterations=30)
    again = loads(dumps(solution), "file")
    assert again.tables == solution.tables
    assert again.verify() == solution.certificate
    fields = solution.to_json()
    assert fields["constant"] == "10" and set(fields["equity"]) == {"oop", "ip"}
    assert fields["exploitability_percent"] == pytest.approx(100 * fields["gap"] / 20)


def test_a_lock_is_played_and_the_rest_is_solved() -> None:
    """Whoever must always fold to a bet gives the pot to whoever bets."""
    lock = '[[lock]]\nline = "bet100"\nodds = { fold = 1 }\n'
    game = holdem(board="Ks7d4c3h2s", oop="AA,JTs", ip="KQs", pot=100, stack=100, bets="100%", raises="a", lock=lock)
    assert ruse.solve(game).value == 100
    assert ruse.solve(holdem()).value < 100


def test_a_node_shows_all_hands(tmp_path: Any, capsys: Any) -> None:
    """Values of a node's hands, weighted by how often they meet, are those of the whole game; so are equities."""
    from ruse.cli.program import main

    game = holdem(**SPOT)
    solution = ruse.solve(game, "dcfr", iterations=60)
    path, table = solution.save(tmp_path / "spot.ruse"), tmp_path / "hands.csv"
    assert main(["show", str(path), game.title, "--hands", str(table)]) == 0
    assert "oop to move" in capsys.readouterr().out
    report = node_report(game, solution.tables, "")  # type: ignore[arg-type]
    fields = report.to_json()
    assert fields["values"]["oop"] + fields["values"]["ip"] == pytest.approx(10)
    bounds = solution.certificate
    assert float(bounds.lower) - 1e-9 <= fields["values"]["oop"] <= float(bounds.upper) + 1e-9
    assert fields["equity"]["oop"] == pytest.approx(float(equity(SpotLayout(game))))
    lines = table.read_text().splitlines()
    assert len(lines) == 1 + sum(len(side.hands) for side in report.sides)
    assert sum(fields["moves"].values()) == pytest.approx(1)


def test_a_side_sees_the_board_its_hand_and_the_chips() -> None:
    """And the other hand after a showdown only."""
    game = holdem(board="QsJh2h", oop="AA", ip="KK", pot=180, stack=910, bets="52%,55%,70%", raises="45%")

    def picture(line: str, side: int, over: bool = False) -> Any:
        state = game.start()
        for move in ("AsAh", "KsKc", *line.split("/")):
            state = game.play(state, move)
        return presentation(game).picture(game.knows(state, side), side, state if over else None)

    drawn = picture("check/bet94/call/7d/check", 1)
    assert drawn.text()[-1] == "The pot has 368 chips: 180 at first, 94 from you, 94 from the other side."
    assert [row.words() for row in drawn.scene.rows] == [
        "Other side: a hidden card, a hidden card, 94 chips put in, last did: check.",
        "On the table: queen of spades, jack of hearts, 2 of hearts, 7 of diamonds.",
        "In the pot: 180 chips at first.",
        "You: king of spades, king of clubs, 94 chips put in.",
    ]
    hidden = "Other side: a hidden card, a hidden card"
    assert picture("bet94/fold", 0, over=True).scene.rows[0].words().startswith(hidden)
    shown = picture("check/check/7d/check/check/3c/check/check", 0, over=True).scene.rows[0].words()
    assert shown.startswith("Other side: king of spades, king of clubs")
    assert not presentation(game).picture(game.knows(game.start(), 0), 0, None).text()
