"""Lessons: a list of talks, and the step of one with its question, beside the views that it is about."""
