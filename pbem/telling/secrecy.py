"""Does anything public depend on what is secret? The check behind every secrecy test.

What everybody may read is rendered twice: from a fold that never had the private side, and from one that had it. The
two must be the same, byte for byte; what differs is a leak, shown line by line.
"""

from collections.abc import Iterable, Mapping

from pbem.kernel.procedures import Question
from pbem.table.events import Event
from pbem.table.state import Game
from pbem.telling.formats import FORMATS
from pbem.telling.report import report, status
from pbem.telling.views import view
from pbem.telling.words import Words

NOBODY: Mapping[str, str] = {"now": "2000-01-01T00:00+00:00"}


def public_texts(g: Game, events: Iterable[Event], question: Question | None, words: Words) -> dict[str, str]:
    """Everything that goes out to everybody, by what it is."""
    seen = view(g, None, question)
    told = list(events)
    texts = {f"report.{fmt}": report(seen, told, (), words, fmt) for fmt in FORMATS}
    texts["status"] = status(seen, NOBODY, words)
    return texts


def leaks(without: Mapping[str, str], having: Mapping[str, str]) -> list[str]:
    """Where texts made with the private side say something else than those made without it."""
    from difflib import unified_diff

    return [line for name in sorted({*without, *having})
            for line in unified_diff(without.get(name, "").splitlines(), having.get(name, "").splitlines(),
                                     f"{name} from the published log", f"{name} with the private file", "", "", 0, "")]
