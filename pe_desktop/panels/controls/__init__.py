"""Small widgets that panels and windows are made of; they know no model."""
