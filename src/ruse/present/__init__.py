"""What people see: positions with the stored strategies, strategies in words, reports, cards, drawings."""
