"""Strategies that somebody brings, in any of many shapes, and how well they play."""
