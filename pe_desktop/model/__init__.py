"""What is true now: one model, its worker, the playback. QtCore only."""
