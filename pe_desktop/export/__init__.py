"""Taking it away: what leaves the program as a file, for the window and the command line alike."""
