"""The states whose windows are kept as pictures: each page of each panel, each workspace, tables of every size."""

from typing import Final

from tests.tables import table

# By name, what is set as after --set; each page of each panel stands in front in one of them.
STATES: Final[dict[str, dict[str, str]]] = table("golden/states")
THEMES: Final = ("light", "dark")
SIZES: Final = ((1280, 720), (1600, 1000), (1920, 1200))
