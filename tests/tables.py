"""What tests expect, typed in JSON files beside them."""

import json
from pathlib import Path
from typing import Any


def table(name: str) -> Any:
    """The rows of a file, by its folder and name: "core/refused"."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
