"""Ratios against published methods, each measured in one run, never asserted in a test."""
