"""An evening of The Resistance or Avalon as people play it: a seat each, secret roles, leaders, votes and cards.

`setting` deals the roles, `rules` has the game, `record` writes it down, `bots` fills the other seats, and `plan` holds
what ruse proves about them (docs/explanation/leaders-and-votes.md). Nothing here is solved: strategies come from the
mission game, which `ruse.games.resistance` solves. `session` seats a person, `terminal` and the explorer show it.
"""
