"""Playing against a solution: sessions, the coach and the review. `ruse play` is in `ruse.play.terminal`."""
