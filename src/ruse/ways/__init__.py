"""Ways from a game to strategies and what they are certified for, one for each kind of game with a way of its own.

`ruse.run` chooses. Games without one are written as a sequence form, and solved by `ruse.solving`.
"""
