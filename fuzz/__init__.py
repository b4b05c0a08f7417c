"""A differential fuzzer: random games, solved by ruse and by code that shares nothing with it (`oracle`).

`make fuzz`, or `python -m fuzz --games 300 --seed 1`; CONTRIBUTING.md says more. Modules named in `checks` hold what is
compared; everything else here knows nothing of ruse, but for `rules`, which plays a tree by ruse's protocol.
"""
