"""`python -m ruse` is `ruse`."""

from ruse.start import run

run()
