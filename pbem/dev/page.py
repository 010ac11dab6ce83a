"""The page that checks games (data/verifier.html), run without a browser: its core by QuickJS, for proofs and tests."""

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from pbem.play.proof import page

CORE = re.compile(r'<script id="core">\n(.*?)</script>', re.DOTALL)
SPOKEN = re.compile(r"^const WORDS = .*?^};$", re.DOTALL | re.MULTILINE)
ASKED = """
function told(log, heads, parts) {
  const kept = JSON.parse(parts), of = key => kept.filter(part => key in part).map(part => part[key]);
  return JSON.stringify(Checker.verify(Checker.parsed(log).value,
    {heads: JSON.parse(heads), openings: of("openings"), receipts: of("receipt"), blocks: of("turn")})
    .checks.map(one => [one.at, one.what, one.state]));
}
function checked(log, texts) {
  const {checks, kept, heads} = Checker.check(log, JSON.parse(texts));
  return JSON.stringify({checks: checks.map(one => [one.at, one.what, one.state, one.key]), kept, heads});
}
function spoken() { return JSON.stringify(WORDS); }
"""

Told = list[tuple[int, str, str]]           # entry, check, state


@cache
def core() -> Any:
    """The page's own functions."""
    import quickjs

    context = quickjs.Context()
    found, words = CORE.search(page()), SPOKEN.search(page())
    assert found is not None and words is not None
    context.eval(found[1] + words[0] + ASKED)
    return context


def checks(log: str, heads: Sequence[str] = (), kept: Sequence[Any] = ()) -> Told:
    """What the page finds in a log, and in what players kept, as the other checkers tell it."""
    found = core().get("told")(log, json.dumps(list(heads)), json.dumps(list(kept)))
    return [(at, what, state) for at, what, state in json.loads(found)]


def checked(log: str, *texts: str) -> dict[str, Any]:
    """What it finds with the texts that a player has kept."""
    made: dict[str, Any] = json.loads(core().get("checked")(log, json.dumps(texts)))
    return made


def words() -> dict[str, dict[str, Any]]:
    """What it says, in each language."""
    made: dict[str, dict[str, Any]] = json.loads(core().get("spoken")())
    return made
