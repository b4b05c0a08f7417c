"""Solutions: strategies with their certificate, and the files that hold them."""
