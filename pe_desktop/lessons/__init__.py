"""Talks and lessons: lists of steps, each a state with words, as data files, and what their numbers are."""
