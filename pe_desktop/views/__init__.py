"""One folder a view: layout, picture, scene."""
