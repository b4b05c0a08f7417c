"""Positions of solved games as people look at them: `viewer(solution).at(position)`."""
