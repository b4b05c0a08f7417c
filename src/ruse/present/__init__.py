"""What people read: strategies in words, reports, cards, progress."""
