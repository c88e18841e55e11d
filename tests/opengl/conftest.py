"""What needs a screen with OpenGL runs in a process of its own, which test_on_a_screen.py starts."""

import os

collect_ignore_glob = [] if os.environ.get("QT_QPA_PLATFORM") == "xcb" else ["screen/*"]
