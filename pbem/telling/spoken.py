"""Orders as a reader says them himself: his words between the names, the names in the forms that these words ask for.

What is written here `pbem.orders.parse` reads as the same order, whatever language it is in.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from pbem.base.language import sentences
from pbem.orders.tongues import SPOKEN

INFLECTED = {"all": "everything", "nothing": "nothing", "a minor": "minor"}        # words that stand where names do


class Forms(Protocol):
    """Who knows the names of a language in their forms."""

    language: str

    def named(self, kind: str, id: str, case: str = "nom") -> str: ...

    def inflected(self, forms: Any, number: int, case: str) -> str: ...


class Spoken:
    """Who speaks a language; what stands behind some of its words is in a case."""

    def __init__(self, words: Forms, case: str = "nom") -> None:
        self.words = words
        self.case = case
        self.terms = sentences(words.language, "terms")

    def word(self, english: str, number: int = 0) -> str:
        if english in self.terms["numbered"]:
            return self.words.inflected(self.terms["numbered"][english], number, self.case)
        if english in INFLECTED:
            return self.words.inflected(self.terms["joint"][INFLECTED[english]], 1, self.case)
        return SPOKEN[self.words.language].get(english, english)

    def line(self, words: Sequence[str]) -> str:
        """The whole order; with nothing may be no two words."""
        nothing = f"{self.word('with')} {self.after('with').word('nothing')}"
        return " ".join(words).replace(nothing, self.word("with nothing"))

    def after(self, english: str) -> "Spoken":
        return Spoken(self.words, self.terms["after"].get(english, "nom"))

    def count(self, number: int, cu: str) -> str:
        return f"{number} {self.words.inflected(self.terms['counted'][cu], number, self.case)}"

    def say(self, kind: str, id: str) -> str:
        if kind == "location":
            space, _, part = id.partition("/")
            return " ".join([self.words.named("space", space, self.case), *([self.word(part)] if part else [])])
        if kind == "cu":
            return str(self.terms["cu"][id])
        if kind == "seat":
            return str(self.terms["seat_in"].get(self.case, {}).get(id) or self.terms["seat"][id])
        if id in self.terms["royal"]:
            return self.words.inflected(self.terms["royal"][id], 1, self.case)
        return self.words.named(kind, id, self.case)
