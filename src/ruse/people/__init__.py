"""How people play The Resistance and Avalon: a model fitted on 6,367 recorded games, and what follows from it.

    from ruse import people

    record = people.load_record(path)             # or people.read_record(json)
    people.beliefs(record, seat=2, role="loyal")  # {seat: probability of being a spy}
    people.beliefs_after(record, viewer)          # the same after each mission

    model = people.model()                        # the fitted PeopleModel
    state = people.TableState.of(record)          # what everybody has seen; also .begin(table, plain)
    model.card_odds(state, aboard=2)              # the odds of 0, 1, 2 sabotages on the next mission
    model.vote_odds(state, leader, team, seat, people.Seen.of(roles, seat))
    model.team_odds(state, leader, people.Seen.of(roles, seat))  # {team: odds}
    people.shot_odds(model, record, spies, mordred)              # {seat: odds} of the Assassin's shot

Seats are numbers from 0, teams and sets of spies are numbers whose bits are the seats (`people.members(5) == (0, 2)`).
Tables are official ones with 5 to 10 seats (`people.people_table(7)`), with any roles of Avalon but Lancelot and the
like; `plain` says that there are none.

Moves for bots are in `ruse.people.play`, odds without leaders and votes in `ruse.people.missions`.
"""

from ruse.people.beliefs import Beliefs, BeliefTracker, SeatKnowledge, beliefs, beliefs_after, viewer_of
from ruse.people.model import PeopleModel, model
from ruse.people.records import (
    EveningRecord,
    PlayedMission,
    Proposal,
    load_record,
    read_record,
)
from ruse.people.shots import shot_odds
from ruse.people.situations import Seen, TableState
from ruse.people.tables import PeopleTable, RecordError, members, people_table

__all__ = [
    "BeliefTracker",
    "Beliefs",
    "EveningRecord",
    "PeopleModel",
    "PeopleTable",
    "PlayedMission",
    "Proposal",
    "RecordError",
    "SeatKnowledge",
    "Seen",
    "TableState",
    "beliefs",
    "beliefs_after",
    "load_record",
    "members",
    "model",
    "people_table",
    "read_record",
    "shot_odds",
    "viewer_of",
]
