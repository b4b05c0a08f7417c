"""Hidden roles where all is said in the open: what that is worth, best responses played, and forged files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

import ruse
from ruse.core.identity import identity
from ruse.core.walk import check
from ruse.forms.certificate import Certificate, best_response
from ruse.forms.sequence_form import plain_form, sequence_form
from ruse.games import make
from ruse.games.hidden_roles import Cast, HiddenRoles, HiddenRolesGame
from ruse.games.hidden_roles.classes import seat_policy
from ruse.games.hidden_roles.orbits import Orbits, renamed_seats, smallest
from ruse.games.hidden_roles.suspects import Missions, SuspicionGame, fits
from ruse.games.hidden_roles.verify import BestResponses
from ruse.games.resistance.table import make_table
from ruse.solution import store
from ruse.solution.store import StoreError
from ruse.solution.strategy import Solution
from ruse.solvers.lp import lp
from ruse.solving.writing import as_tables, odds_of
from ruse.verify import VerifyError
from ruse.verify import tree as plain
from seated import games_won
from stored import packed, unpacked

THREE: dict[str, Any] = {"players": 3, "spies": 1, "missions": [1, 3, 3, 1, 1]}
FOUR: dict[str, Any] = {"players": 4, "spies": 1, "missions": [3, 3, 3, 3, 3]}
VOUCH: dict[str, Any] = {**FOUR, "talk": "vouch", "truth": 1}


def hidden(parameters: dict[str, Any]) -> HiddenRoles:
    game = make("avalon", parameters)
    assert isinstance(game, HiddenRoles)
    return game


def good_wins(form: Any) -> Fraction:
    certificate = lp(form).certificate
    assert certificate.exact
    return (1 + certificate.lower) / 2


def test_a_game_of_vouching_keeps_the_contract_with_and_without_names() -> None:
    game = hidden({**THREE, "talk": "vouch", "truth": "1/3"})
    check(game, 300)
    check(Orbits(game), 300)
    check(SuspicionGame(hidden(VOUCH)), 300)
    assert good_wins(plain_form(game)) == good_wins(sequence_form(Orbits(game)))


@pytest.mark.soak
@pytest.mark.slow
def test_three_suspicions_are_worth_what_the_missions_are() -> None:
    game = hidden(VOUCH)
    assert fits(game, Missions(game))
    assert good_wins(sequence_form(SuspicionGame(game))) == good_wins(sequence_form(Orbits(game)))


def test_missions_that_can_do_more_than_try_three_suspicions_are_told_apart() -> None:
    four = hidden({**VOUCH, "spies": 2, "missions": [2, 2, 2, 2, 2]})
    assert fits(four, Missions(four))
    safe = hidden({**VOUCH, "missions": [2, 2, 2, 2, 2]})
    assert Missions(safe).value == 1 and not fits(safe, Missions(safe))
    large = hidden({**VOUCH, "missions": [3, 3, 4, 3, 3]})  # nobody can be left out
    assert not fits(large, Missions(large))
    alone = hidden({**VOUCH, "spies": 2, "missions": [2, 2, 2, 2, 2], "roles": "merlin,assassin,oberon"})
    assert not fits(alone, Missions(alone))


@pytest.mark.parametrize(
    ("talk", "truth", "share"),
    [
        ("round", "0", Fraction(1, 2)),  # at random, which is silence
        ("round", "1/3", Fraction(35, 81)),  # as found with missions and guesses played out
        ("round", "1/2", Fraction(43, 108)),  # the same
        ("vouch", "0", Fraction(1, 2)),
        ("vouch", "1", Fraction(109, 216)),  # more than silence
    ],
)
def test_to_accuse_costs_and_to_vouch_pays_at_four_seats(talk: str, truth: str, share: Fraction) -> None:
    assert good_wins(sequence_form(SuspicionGame(hidden({**VOUCH, "talk": talk, "truth": truth})))) == share


@pytest.mark.slow
def test_a_merlin_who_vouches_at_five_players_wins_more_than_a_silent_one() -> None:
    vouch = hidden({"players": 5, "talk": "vouch", "truth": 1})
    assert fits(vouch, Missions(vouch))
    assert good_wins(sequence_form(SuspicionGame(vouch))) == Fraction(17, 60) > Fraction(1, 5)
    accuse = hidden({"players": 5, "talk": "round", "truth": 1})
    assert good_wins(sequence_form(SuspicionGame(accuse))) == Fraction(361, 1280)


@pytest.mark.parametrize(
    ("parameters", "share"),
    [
        ({"players": 5, "talk": "vouch", "truth": 1}, Fraction(17, 60)),
        ({"players": 5, "talk": "round", "truth": 1}, Fraction(361, 1280)),
        ({"players": 5, "talk": "round", "truth": 0}, Fraction(1, 5)),
        (VOUCH, Fraction(109, 216)),
    ],
    ids=str,
)
def test_spies_who_point_at_random_hold_the_good_side_to_the_value(parameters: dict[str, Any], share: Fraction) -> None:
    """So vouching is the best convention that treats all seats alike (docs/explanation/hidden-roles.md)."""
    suspects = SuspicionGame(hidden(parameters))
    form, view = sequence_form(suspects), suspects.orbits.start().play
    assert view.deal is not None
    lies = suspects.game.lies(suspects.game.spies(view.deal))
    classes = [smallest(view._replace(said=lie), suspects.players)[0] for lie in lies]
    plan = [Fraction(1)]
    for lie in suspects.orbits.lies:
        plan.append(Fraction(classes.count(smallest(view._replace(said=lie), suspects.players)[0]), len(lies)))
    assert (1 + best_response(form, 0, plan)[0]) / 2 == share


def test_a_rule_for_people_wins_more_than_silence() -> None:
    """Suspect three pairs whose others vouch for each other the most; as any of them, where several do as much."""
    suspects = SuspicionGame(hidden({"players": 5, "talk": "vouch", "truth": 1}))
    form = sequence_form(suspects)
    plan = [Fraction(1)] + [Fraction(0)] * (form.trees[0].sequences - 1)
    for number, (_, first, end) in enumerate(form.trees[0].sets()):
        view, _ = form.knowledge[0][number]

        def vouched(spies: tuple[int, ...], said: Any = view.said) -> int:
            others = [seat for seat in range(5) if seat not in spies]
            return max(0, sum(said[seat].seats[0] not in spies for seat in others) - 1)

        group = suspects.group(view)
        moves = form.moves[0][number]
        worth = [sum(map(vouched, three)) for three in moves]
        alike = [len({tuple(sorted(renamed_seats(one, names) for one in three)) for names in group}) for three in moves]
        best = [many if one == max(worth) else 0 for one, many in zip(worth, alike, strict=True)]
        plan[first:end] = [Fraction(many, sum(best)) for many in best]
    assert (1 + best_response(form, 1, plan)[0]) / 2 == Fraction(47, 180) > Fraction(1, 5)


def test_five_missions_are_three_guesses_at_ten_pairs() -> None:
    assert Missions(HiddenRoles("five", make_table(5), Cast(5, 2))).value == Fraction(3, 10)


# Games played.


@pytest.fixture(scope="module")
def vouched() -> Solution:
    return ruse.solve(hidden(VOUCH))


def test_the_strategies_hold_by_the_rules(vouched: Solution) -> None:
    assert vouched.certificate.exact and vouched.verify() == vouched.certificate
    assert vouched.win["good"] == Fraction(109, 216) and "three suspicions" in vouched.note


def test_where_nobody_is_hunted_talk_is_worth_nothing() -> None:
    solution = ruse.solve(HiddenRolesGame("plain", make_table(4, 1, [3] * 5), Cast(4, 1), "round"))
    assert solution.win["good"] == Fraction(3, 4) and solution.verify() == solution.certificate


@pytest.mark.parametrize(
    "talk", [{"talk": "vouch", "truth": "1/3"}, {"talk": "round", "truth": 1}, {"talk": "none"}, {"talk": "private"}]
)
def test_a_best_response_gets_what_is_certified_and_no_more(talk: dict[str, Any]) -> None:
    game = hidden({**THREE, **talk})
    form = sequence_form(Orbits(game))
    solved = lp(form)
    tables = as_tables(Orbits(game), odds_of(form, solved.plans))
    for side in (0, 1):
        answer = BestResponses(game)
        left = (answer.to_good if side == 0 else answer.to_spies)(tables[side].__getitem__)
        stored, reply = seat_policy(game, side, tables[side]), seat_policy(game, 1 - side, answer.reply)
        found = plain.outcomes(game, (stored, reply) if side == 0 else (reply, stored))
        assert sum(payoff * share for payoff, share in found.items()) == 2 * left - 1 == solved.certificate.lower


@pytest.mark.parametrize("answering", [0, 1], ids=["good answers", "spies answer"])
def test_games_are_won_as_often_as_certified(vouched: Solution, answering: int) -> None:
    games, share = 200, float(vouched.win["good"])
    won = games_won(vouched, games, 11, answering)
    assert abs(won / games - share) < 4 * sqrt(share * (1 - share) / games)


# Files that were changed by hand, with their checksum mended.


@pytest.fixture(scope="module")
def text(vouched: Solution) -> str:
    return json.dumps(unpacked(store.dumps(vouched)))


def forged(text: str, change: Callable[[dict[str, Any]], object]) -> Solution:
    fields = json.loads(text)
    change(fields)
    return store.loads(packed(json.dumps(fields).encode()), "here")


@pytest.mark.parametrize(
    ("side", "kind", "odds"),
    [(0, "/a.b,b.a,c.a,d.a", {"abc": "1"}), (1, "?", {"sabotage": "1"}), (1, "", {"name-d": "1"})],
)
def test_odds_that_are_changed_are_found(text: str, side: int, kind: str, odds: dict[str, str]) -> None:
    def alter(fields: dict[str, Any]) -> None:
        table = fields["strategies"][side]
        changed = {place: odds for place in table if (place.endswith(kind) if kind else "name-" in str(table[place]))}
        assert changed
        table.update(changed)

    with pytest.raises(VerifyError, match=r"as is claimed, got|expected odds at"):
        forged(text, alter).verify()


@pytest.mark.parametrize(
    ("side", "change", "sentence"),
    [
        (0, lambda table, start: table.pop(start), r"expected odds at .*, got none"),
        (0, lambda table, start: table.update({start: {"ab": "1/2"}}), "expected odds that sum to 1"),
        (0, lambda table, start: table.update({start: {"ab": "-1", "ac": "2"}}), "expected odds of at least 0"),
        (0, lambda table, start: table.update({start + "/ab-/cd-/ab-": {"abc": "1"}}), "that good comes to, got"),
        (1, lambda table, start: table.pop(start), r"expected odds at .*, got none"),
        (1, lambda table, start: table.update({start + "/a.a,b.a,c.a,d.a": {"name-b": "1"}}), "that spies comes to"),
        (
            1,
            lambda table, start: [table.pop(at) for at in list(table) if "name-" in str(table[at])],
            "expected odds at",
        ),
        (1, lambda table, start: table.update({start: {"quiet": "1"}}), "expected one of the moves"),
    ],
)
def test_positions_that_are_missing_or_made_up_are_found(
    text: str, side: int, change: Callable[[dict[str, Any], str], object], sentence: str
) -> None:
    def alter(fields: dict[str, Any]) -> None:
        table = fields["strategies"][side]
        change(table, min(table, key=len))

    with pytest.raises(VerifyError, match=sentence):
        forged(text, alter).verify()


def test_a_value_that_is_made_up_is_found(vouched: Solution) -> None:
    for lower, upper in ((Fraction(1, 2), Fraction(1, 2)), (Fraction(-1), Fraction(1))):
        with pytest.raises(VerifyError, match="as is claimed, got"):
            replace(vouched, certificate=Certificate(lower, upper)).verify()


OTHERS: list[dict[str, Any]] = [
    {"talk": "round"},
    {"talk": "private", "truth": "1/2"},
    {"truth": "1/2"},
    {"roles": "merlin,mordred"},
    {"missions": [2, 3, 2, 3, 3]},
    {"players": 5, "spies": 2},
]


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_a_file_of_another_model_or_table_is_never_taken_for_this_one(
    vouched: Solution, text: str, other: dict[str, Any]
) -> None:
    game = hidden({**VOUCH, **other})
    assert identity(game) != identity(vouched.game) and game.title != vouched.game.title

    def claim(fields: dict[str, Any]) -> None:
        fields["parameters"] = dict(game.parameters)

    with pytest.raises(StoreError, match="expected"):
        forged(text, claim)

    def claim_wholly(fields: dict[str, Any]) -> None:
        claim(fields)
        fields["identity"] = identity(game)

    with pytest.raises(VerifyError, match="expected"):
        forged(text, claim_wholly).verify()

    def claim_by_name(fields: dict[str, Any]) -> None:
        claim_wholly(fields)
        fields["strategies"] = [
            {place.replace(vouched.game.title, game.title): odds for place, odds in table.items()}
            for table in fields["strategies"]
        ]

    with pytest.raises(VerifyError, match="expected"):
        forged(text, claim_by_name).verify()
