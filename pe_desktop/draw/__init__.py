"""How things are drawn: marks, painter, type, theme, plots, canvas."""
