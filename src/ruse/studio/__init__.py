"""For those who design games: sweep over variants of the rules, search for balance, compare, all by exact values."""
