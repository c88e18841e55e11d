"""The state of the moment: one model, its findings, the playback. QtCore only."""
