"""The data as they are shipped: one JSON file, made of the YAML files beside it by `python -m pbem.components.catalogue`."""

import json
from pathlib import Path
from typing import Any

FACTS_FILE = Path(__file__).parents[1] / "data" / "facts.json"


def shipped() -> dict[str, Any]:
    """The tree of all data, with texts as keys: whoever asks gets one of his own."""
    tree: dict[str, Any] = json.loads(FACTS_FILE.read_bytes())
    return tree
