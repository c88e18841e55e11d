"""Programs: the current table as code, listings of the texts as they run, and how a table is built step by step."""
