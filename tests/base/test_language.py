"""Lines of text that a player typed."""

import sys

from pbem.base.language import clean


def test_of_what_is_typed_only_what_is_seen_is_kept() -> None:
    assert clean("a\r\nb\u200b\u202ec") == "a b c"
    assert clean("Σπάρτη – 17 £") == "Σπάρτη – 17 £"


def test_whatever_is_printed_is_as_it_was() -> None:
    """Such a line is not looked through sign by sign; where one sign in it is not printed, the others stay all the same."""
    printed = "".join(filter(str.isprintable, map(chr, range(sys.maxunicode + 1))))
    assert clean(printed) == printed and clean(f"{printed}\n") == f"{printed} "
