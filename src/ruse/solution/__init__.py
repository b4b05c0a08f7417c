"""What is found: strategies with their certificate, and the files that keep them."""
