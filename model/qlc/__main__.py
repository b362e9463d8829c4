"""`python -m qlc`."""

import sys

from qlc.cli import main

sys.exit(main())
