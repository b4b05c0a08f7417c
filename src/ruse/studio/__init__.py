"""Tools for game designers: sweeps over variants, searches for balance, comparisons, by exact values."""
