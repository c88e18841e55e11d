"""Attention: what moving the words of a sentence does to one head, under each scheme of positions."""
