"""Somebody's own games: a game of ruse's with one rule changed, or a small tree, in a file or typed into Python.

Each has a parameter `p` and a setting that hides somewhere: in a global, a class attribute, a helper module, a file.
Both decide how much a rule is changed, so that whoever takes one setting for another is wrong.
"""
