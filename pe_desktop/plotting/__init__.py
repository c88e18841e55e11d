"""How things are drawn: theme, type, marks and the pictures made of them."""
