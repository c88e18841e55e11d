"""Fact cards: claims of the texts, their verdicts, and how they are measured."""
