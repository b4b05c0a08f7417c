"""Games with hidden roles: the rules seat by seat and up to the names of seats, and roles of one's own."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ruse
from ruse.core.game import GameError, describe
from ruse.core.walk import check
from ruse.forms.reductions.forced import without_forced
from ruse.forms.reductions.refined import refined
from ruse.forms.sequence_form import SequenceForm, plain_form, sequence_form
from ruse.games import make
from ruse.games.hidden_roles import Cast, HiddenRoles, Role
from ruse.games.hidden_roles.orbits import Orbits
from ruse.games.resistance.table import make_table
from ruse.solvers.lp import lp

THREE: dict[str, Any] = {"players": 3, "spies": 1, "missions": [1, 1, 1, 1, 1]}
FOUR: dict[str, Any] = {"players": 4, "spies": 1, "missions": [1, 4, 3, 3, 4]}
TWO: dict[str, Any] = {"players": 4, "spies": 2, "missions": [2, 1, 4, 4, 1], "sabotages": [1, 1, 1, 2, 1]}
SMALL: list[dict[str, Any]] = [
    THREE,
    {**THREE, "missions": [1, 2, 1, 2, 1], "talk": "none"},
    {**THREE, "missions": [1, 3, 3, 1, 1], "talk": "round", "truth": "1/3"},
    {
        **THREE,
        "spies": 2,
        "missions": [1, 3, 3, 3, 1],
        "sabotages": [1, 2, 2, 2, 1],
        "roles": "merlin,assassin,mordred",
    },
    {**FOUR, "talk": "none"},
    {**THREE, "missions": [1, 1, 3, 1, 3], "roles": "merlin,assassin,percival"},
    {**TWO, "talk": "none"},
    {**TWO, "missions": [2, 1, 4, 4, 4], "roles": "merlin,assassin,oberon"},
    {**FOUR, "missions": [4, 1, 4, 3, 4]},
]


def value(form: SequenceForm) -> Fraction:
    """Of a form, exactly, after all that can be left out of it."""
    forced = without_forced(form)
    form = form if forced is None else forced.form
    alike = refined(form)
    certificate = lp(form if alike is None else alike.form).certificate
    assert certificate.exact
    return certificate.lower


def title(parameters: dict[str, Any]) -> str:
    return make("avalon", parameters).title


@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_both_games_keep_the_contract(parameters: dict[str, Any]) -> None:
    game = make("avalon", parameters)
    check(game, 300)
    check(Orbits(game), 300)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_nothing_is_lost_by_leaving_names_and_forced_moves_out(parameters: dict[str, Any]) -> None:
    game = make("avalon", parameters)
    assert value(plain_form(game)) == value(sequence_form(Orbits(game)))


def test_a_silent_merlin_at_five_players_is_found_out_one_time_in_three() -> None:
    form = sequence_form(Orbits(make("avalon", {"players": 5, "talk": "none"})))
    assert (1 + value(form)) / 2 == Fraction(3, 10) * Fraction(2, 3) == Fraction(1, 5)


def test_without_roles_it_is_the_resistance() -> None:
    table = make_table(3, 1, [1, 2, 1, 2, 1])
    game = HiddenRoles("resistance", table, Cast(3, 1))
    known = ruse.solve(ruse.games.resistance(3, 1, [1, 2, 1, 2, 1])).certificate
    assert known.exact and value(plain_form(game)) == value(sequence_form(Orbits(game))) == known.lower
    five = HiddenRoles("resistance", make_table(5), Cast(5, 2))
    assert value(sequence_form(Orbits(five))) == Fraction(-2, 5)


def test_a_truth_that_is_as_good_as_chance_is_worth_what_silence_is() -> None:
    """Of two others one is the spy, so Merlin who points at him every second time points at random."""
    table = {**THREE, "missions": [1, 1, 2, 1, 1]}
    silent, random = ({**table, "talk": "none"}, {**table, "talk": "round", "truth": 0})
    assert len({value(sequence_form(Orbits(make("avalon", one)))) for one in (silent, random)}) == 1


def test_spies_see_each_other_but_not_who_plays_alone() -> None:
    game = make("avalon", {**TWO, "roles": "merlin,assassin,oberon"})
    kinds = {role.name: kind for kind, role in enumerate(game.cast.kinds)}  # type: ignore[attr-defined]
    deal = tuple(kinds[name] for name in ("oberon", "merlin", "spy", "servant"))
    state = next(game.play(game.start(), move) for move in game.moves(game.start()) if move.kinds == deal)
    assert describe(game, game.knows(state, 1)) == f"{game.title}@c"
    (merlin,) = [claim for claim in state.said if claim is not None and claim.seats]
    assert merlin.seats == (0, 2)


def test_percival_cannot_tell_merlin_from_morgana_nor_merlin_see_mordred() -> None:
    cast = make("avalon", {"players": 5, "roles": "merlin,assassin,percival,morgana"}).cast  # type: ignore[attr-defined]
    kinds = {role.name: kind for kind, role in enumerate(cast.kinds)}
    deal = tuple(kinds[name] for name in ("spy", "merlin", "percival", "morgana", "servant"))
    assert cast.sees(deal, 2) == (1, 3) and cast.sees(deal, 1) == (0, 3) and cast.sees(deal, 4) == ()
    hidden = make("avalon", {"players": 5, "roles": "merlin,assassin,mordred"}).cast  # type: ignore[attr-defined]
    kinds = {role.name: kind for kind, role in enumerate(hidden.kinds)}
    assert hidden.sees(tuple(kinds[name] for name in ("mordred", "merlin", "spy", "servant", "servant")), 1) == (2,)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"roles": "merlin,assassin,mordred,morgana,percival", "players": 5}, "expected at most 2 evil roles"),
        ({**FOUR, "roles": "merlin,assassin,mordred"}, "expected at most 1 evil role, got spy, mordred"),
        ({"roles": "percival,assassin"}, "expected merlin beside"),
        ({"roles": "merlin"}, "expected assassin beside merlin, got 'merlin'"),
        ({"roles": "merlin,assassin,morgana"}, "expected percival beside morgana"),
        ({"roles": "merlin,assassin,galahad"}, "expected roles out of merlin, assassin, .*, got 'galahad'"),
        ({"roles": "merlin,assassin,merlin"}, "expected each role once, got 'merlin' twice"),
        ({"talk": "loud"}, "expected --talk to be one of none, private, round, got 'loud'"),
        ({"talk": "none", "truth": "1/3"}, "expected --truth only with --talk round, got --talk none"),
        ({"talk": "round", "truth": "3/2"}, "expected truth from 0 to 1, got 3/2"),
    ],
)
def test_bad_tables_are_told_in_a_sentence(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        make("avalon", parameters)


def test_the_spies_need_company_besides_one_who_plays_alone() -> None:
    with pytest.raises(GameError, match="expected one spy at most who plays alone, and others beside, got oberon"):
        Cast(4, 1, [Role("oberon", evil=True, alone=True)])


@pytest.mark.parametrize("parameters", SMALL, ids=title)
def test_a_title_makes_the_same_game(parameters: dict[str, Any]) -> None:
    from ruse.core.registry import game_of

    game = make("avalon", parameters)
    assert game_of(game.title).parameters == game.parameters
    assert make("avalon", game.parameters).title == game.title


def test_the_how_to_adds_a_role_in_twenty_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/add-a-role.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    assert len(code.splitlines()) <= 20
    (tmp_path / "lovers.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    private, silent = (ruse.solve(ruse.games.find("lovers.py:lovers", {"talk": talk})) for talk in ("private", "none"))
    assert private.certificate.exact and silent.certificate.exact
    assert private.certificate.lower > silent.certificate.upper  # two who agree outdo one who lies
