"""The addresses of the explorer, a file a topic."""
