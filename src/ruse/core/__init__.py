"""What everything stands on: what a game is, walks of it, exact numbers, files that are written whole."""
