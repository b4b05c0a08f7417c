"""Positions read back, and tables of the states around one, where a game has a way of its own (ruse.view)."""
