"""`python -m ruse` is `ruse`."""

import sys

from ruse.start import main

sys.exit(main())
