"""Notes that the program writes itself: in the words of the game in the log, and as facts for all who are told."""

from typing import Any

from pbem.desk import showing
from pbem.desk.desk import Desk


def note(desk: Desk, what: str, **facts: Any) -> list[int]:
    """Everybody hears it, each in his own language (`pbem/play/notes.py` has what there is)."""
    text = showing.words(desk).phrase(f"note_{what}", **facts)
    return desk.enter({"note": str(text), "says": {"note": what, **facts}})
