"""What holds for all optimal strategies, and against opponents who slip: `insight(solution).at(position)`."""
