"""How raw mails are understood, for a person: `pbem mail read`."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.desk import showing
from pbem.mail import parts, quotes, reading
from pbem.mail.classes import BROKEN
from pbem.mail.parts import Why
from pbem.mail.sentences import mailed, why_of_class
from pbem.telling.words import Words


def read_file(path: Path) -> dict[str, Any]:
    """How a file is understood. One that is too large is not even loaded."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(parts.MOST_BYTES + 1)
        mail = reading.understand(raw)
    except OSError as problem:
        mail = reading.broken(Why("closed", str(problem.strerror)))
    removed = [{"text": one.text, "reason": one.reason} for one in mail.removed]
    if mail.class_ == BROKEN:
        removed.insert(0, {"text": "", "reason": why_of_class(mail.why)})
    return {"file": str(path), "class": mail.class_, "from": mail.from_, "subject": mail.subject, "lines": list(mail.lines),
            "attached": list(mail.attached), "removed": removed}


def show(mails: Sequence[Mapping[str, Any]]) -> str:
    """The same for people."""
    said = showing.plain_words()
    return "\n\n".join("\n".join(_shown(mail, said)) for mail in mails)


def _shown(mail: Mapping[str, Any], said: Words) -> Iterable[str]:
    yield quotes.clean(f"{mail['file']}: {mail['class']}")
    for title in ("from", "subject"):
        yield f"{said.term(title, 'mail_part'):<8} {mail[title] or '-'}"
    for title in ("lines", "attached"):
        for number, line in enumerate(mail[title]):
            yield f"{said.term(title, 'mail_part') if not number else '':<8} {line}"
    for cut in mail["removed"]:
        removed = mailed(said, "read_removed", reason=said.term(cut["reason"], "cut"), count=len(cut["text"].splitlines()),
                         text=cut["text"].partition("\n")[0][:60])
        yield f"{said.term('removed', 'mail_part'):<8} {removed}"
