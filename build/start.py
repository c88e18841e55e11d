"""Where the frozen application begins."""

import sys

from pe_desktop.app.frozen import main

sys.exit(main())
