"""What the drawing says, in the reader's language and in plain text: names as the edition has them, letters, sentences."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pbem.base.language import PLAIN, sentences
from pbem.base.paths import data_dir
from pbem.orders import CU_ORDER
from pbem.telling.words import Words

Row = Mapping[str, Any]


@cache
def printed(edition: str) -> dict[str, dict[str, str]]:
    """What the map of an edition calls things otherwise, by kind."""
    from pbem.base.yamlfile import load

    return dict(load(data_dir() / "drawing/names.yaml").get(edition) or {})


class Voice:
    """The words of a drawing."""

    def __init__(self, words: Words, edition: str) -> None:
        self.words = words.inked(PLAIN)
        self.table = sentences(words.language, "drawing")
        self.own = sentences(words.language, "terms").get("name", {})
        self.printed = printed(edition)

    def say(self, key: str, /, **facts: Any) -> str:
        return str(self.words.tell("drawing", key, facts))

    def letter(self, seat: str) -> str:
        return str(self.table["letter"][seat])

    def _edition(self, kind: str, name: str) -> str | None:
        """The name that another edition prints, where the language has no alphabet of its own."""
        return None if name in self.own.get(kind, {}) else self.printed.get(kind, {}).get(name)

    def space(self, space: str) -> str:
        return self._edition("space", space) or str(self.words.place(space))

    def province(self, province: str) -> str:
        return self._edition("province", province) or str(self.words.province(province))

    def general(self, general: str) -> str:
        return str(self.words.general(general))

    def royal(self, royal: str) -> str:
        return str(self.table[royal]) if royal in ("cart", "tomb") else str(self.words.royal(royal))

    def kinds(self, cus: Mapping[str, int]) -> str:
        """`4L 3m`."""
        letters = self.table["cu"]
        return " ".join(f"{cus[kind]}{letters[kind]}" for kind in CU_ORDER if cus.get(kind))

    def army(self, army: Row) -> str:
        """A stack on one line."""
        return self.say(
            "army",
            **{
                **army,
                "kinds": self.kinds(army["cus"]) if army["generals"] or len(army["cus"]) > 1 else "",
                "total": army["total"] if army["generals"] or len(army["cus"]) > 1 else self.kinds(army["cus"]),
            },
        )
