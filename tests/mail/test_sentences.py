"""The mailbox's sentences: each is used, and none is missing."""

import ast
import re
from collections.abc import Collection

from the_code import every, trees

from pbem.base.language import sentences
from pbem.mail import quotes, reading

CUT = {quotes: "QUOTED LEAD EARLIER FORWARDED SIGNATURE DISCLAIMER AFTER_END EMPTY_FIELD HIDDEN TOO_LONG ARMOUR",
       reading: "EMBEDDED NO_TEXT"}
MODULES = "pbem/mail/", "pbem/cli/mail.py"


def used() -> set[str]:
    """Keys in calls of `mailed`; an f-string stands for all that begin like it."""
    found: set[str] = set()
    known = sentences("en", "mail").keys()
    for tree in trees(*MODULES).values():
        for node in every(tree, ast.Call):
            if ast.unparse(node.func) in ("mailed", "letters.mailed"):
                found |= keys_of(node.args[1], known)
    return found


def keys_of(said: ast.expr, known: Collection[str]) -> set[str]:
    if isinstance(said, ast.JoinedStr):
        start = str(said.values[0].value)  # type: ignore[attr-defined]
        return {key for key in known if key.startswith(start)}
    if isinstance(said, ast.IfExp):
        return keys_of(said.body, known) | keys_of(said.orelse, known)
    assert isinstance(said, ast.Constant), ast.unparse(said)
    return {said.value}


def test_every_sentence_of_the_mailbox_is_used_and_there() -> None:
    assert used() == sentences("en", "mail").keys()


def test_every_class_of_a_mail_has_its_reason_and_every_cut() -> None:
    keys = {one.value for tree in trees(*MODULES).values() for node in every(tree, ast.Call)
            if ast.unparse(node.func) in ("Why", "TooMuch", "parts.TooMuch")
            for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)}
    assert {f"class_{key}" for key in keys} == {key for key in sentences("en", "mail") if key.startswith("class_")}
    reasons = {getattr(module, name) for module, names in CUT.items() for name in names.split()}
    assert reasons == sentences("en", "terms")["cut"].keys()


def test_sentences_hold_no_markup_of_their_own() -> None:
    for key, source in sentences("en", "mail").items():
        plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", source, flags=re.DOTALL)
        assert not re.search(r"[\\`*_<|~&$@]", plain), key
