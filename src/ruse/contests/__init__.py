"""Contests of learned strategies: races, five learning methods, and tournaments."""
