"""The page of the tutorial, without a browser: what it asks the program, and what stands on it then."""

import json
from pathlib import Path
from typing import Any

from pbem.base.paths import templates_dir
from pbem.cli.terminal import Terminal
from pbem.desk.tutorial import HINT
from pbem.telling.guide import blocks, sections


class Page:
    """A page that shows the tutorial, in a language."""

    def __init__(self, folder: Path, language: str = "en", **facts: Any) -> None:
        self.terminal, self.language = Terminal(folder), language
        self.found = self.ask("open", **facts)

    def ask(self, what: str, **facts: Any) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.terminal.answer(json.dumps(
            {"pbem": 1, "number": 3, "ask": what, "language": self.language, **facts})))
        assert told["number"] == 3
        if "error" not in told:
            self.found = told
        return told

    def type(self, *lines: str) -> str:
        """What the last of these lines prints."""
        return [str(self.ask("type", line=line)["printed"]) for line in lines][-1]

    @property
    def step(self) -> int:
        return int(self.found["step"])

    @property
    def tasks(self) -> list[str]:
        """What stands there to be typed, and has a button."""
        return [line for block in self.found["blocks"] if block["info"] == "do" for line in block["lines"]]

    @property
    def heading(self) -> str:
        return str(self.found["blocks"][0]["lines"][0])


def hints(language: str) -> list[list[str]]:
    pages = sections((templates_dir() / language / "guide" / "tutorial.md").read_text("utf-8"))
    return [one.lines for page in pages[1:-1] for one in blocks(page) if one.info == HINT]
