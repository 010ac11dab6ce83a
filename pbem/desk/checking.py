"""What a check of a log has found, said to a reader."""

from typing import TYPE_CHECKING, Any

from pbem.base.errors import PbemError
from pbem.base.language import sentences
from pbem.telling.words import Words

if TYPE_CHECKING:
    from pbem.chance.check import Check
    from pbem.play.verify import Summary


def check(one: "Check", said: Words) -> str:
    """What a check of `pbem verify` has found."""
    return checked("check", one, said)


def summary(whole: "Summary", said: Words, *, more: bool) -> list[str]:
    """What was checked, what cannot be yet, what rests on the moderator's word, what is wrong; and the verdict."""
    rows = [said.tell("checks", f"summary_{part}", {"counts": counts})
            for part, counts in zip(("ok", "closed", "remarks", "failed"), whole, strict=False) if counts]
    return [str(row) for row in (*rows, said.tell("checks", "summary_verdict", {"verdict": whole.verdict, "more": more}))]


def checked(frame: str, one: "Check", said: Words) -> str:
    """A check on its own, or as a part of the row of its entry."""
    known = [kind for kind in sentences(said.language, "terms")["checked"] if f"{one.what} ".startswith(f"{kind} ")]
    kind = max(known, key=len, default=one.what.partition(" ")[0])
    what = said.term(kind, "checked") + one.what[len(kind):]
    return str(said.tell("checks", frame, {"entry": one.entry, "what": what, "state": one.state, "said": facts_of(one, said)}))


def facts_of(one: "Check", said: Words) -> str:
    """A refusal among the facts is said as any other, and so are the checks that make a row."""
    facts: dict[str, Any] = {name: said.refusal(fact) if isinstance(fact, PbemError) else fact
                             for name, fact in one.facts.items()}
    if "parts" in facts:
        facts["parts"] = [checked("part", part, said) for part in facts["parts"]]
    return str(said.tell("checks", one.detail, facts)) if one.detail else ""
