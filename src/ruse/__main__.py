"""`python -m ruse` is `ruse`."""

import sys

from ruse.cli import main

sys.exit(main())
