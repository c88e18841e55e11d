"""What is true now: one model, its findings, the playback. QtCore only."""
