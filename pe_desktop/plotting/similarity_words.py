"""What the similarity panel says of encodings whose rows differ, apart from its pictures, which are loaded later."""

OWN_ROWS = "depends on more than the offset"
