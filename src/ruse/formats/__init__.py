"""Other programs' files: one module a format."""
