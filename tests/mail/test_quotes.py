"""Where a sender's own words end, mark by mark: what stands above is his, what stands below is of somebody else."""

import pytest

from pbem.mail import quotes
from pbem.mail.reading import could_be_order

LONG = "march Antigonos with 2 loyal, 3 mercenary, and the rest > Halikarnassos"
SHORT = "march Antigonos with 2 loyal, 3 mercenary, and > Ephes"      # the next step would have stood in this line too


def own(text: str) -> list[str]:
    return quotes.own_lines(quotes.rows_of(text), could_be_order, ["Anna"])[0]


@pytest.mark.parametrize("mark", [
    "-----Original Message-----", "Original Message:", "*** Original Message ***", "Begin forwarded message:",
    "Forwarded message follows", "---------- Forwarded message by Anna ---------", "----- Original Message of Anna -----",
    "On 18 Nov 2026 Anna wrote:", "On 18.11. <anna@example.org> said:", "<anna@example.org> wrote:", "Anna wrote: ----",
    "2026年 Anna 写道：", "From: Anna\nDate: today\nSubject: x", "Date: today\nFrom: Anna\nTo: Bruno", "--\nAnna", "END",
])
def test_what_stands_below_is_not_his(mark: str) -> None:
    assert own(f"roll\n{mark}\nend") == ["roll"]


@pytest.mark.parametrize("mark", [
    "Original Message", "Original Message of Anna", "Forwarded message by Anna", f"-----Original Message-----{'x' * 70}",
    "Anna wrote:", "On 18.11. it is:", "<anna@example.org> knows:", "On 18 Nov 2026 Anna wrote", "From: Anna\nSubject: x",
    "Date: today\nTo: Bruno\nSubject: x", "From: Anna\nFrom: Bruno\nFrom: Chiara", "Kind regards anna", "Best regards",
    f"Sent from my iPhone {'x' * 120}", "-----END PGP SIGNATURE-----", "end",
])
def test_what_only_looks_like_a_mark_cuts_nothing(mark: str) -> None:
    assert own(f"roll\n{mark}\nend") == ["roll", *mark.splitlines(), "end"]


@pytest.mark.parametrize("last", [
    "Thanks", "Best, Anna", "Kind regards Anna", "Thanks / Danke", "Best regards\nAnna\nSometown", "Sent from my iPhone",
    "Anna", "Am 18.11.2026 schrieb Anna <anna@example.org>\n> pass"])
def test_how_he_ends_is_no_order(last: str) -> None:
    assert own(f"roll\n{last}") == ["roll"]


@pytest.mark.parametrize(("text", "read"), [
    ("Anna", ["Anna"]), ("--\nAnna\n\nroll", ["roll"]), ("\n\nroll\n\n\n\nend\n\n", ["roll", "", "end"]), ("END\nroll", []),
    ("- -5\nroll", ["- -5", "roll"]), ("> -----BEGIN PGP SIGNED MESSAGE-----\nroll", ["roll"]),
    ("- 4\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: x\n\nroll\n- -5\n- From here\n-----BEGIN PGP SIGNATURE-----\nabc\n"
     "-----END PGP SIGNATURE-----\n- 6", ["- 4", "roll", "-5", "From here", "- 6"]),
    (f"{LONG}\n> Ephesos", [f"{LONG} > Ephesos"]), (f"{LONG}\n> Ephesos\n> pass", [LONG]),
    (f"{SHORT}\n> Ephesos", [SHORT]),
    (f"{LONG.replace(' > ', ' at ')},\n> Ephesos", [f"{LONG.replace(' > ', ' at ')},"]),
    (f"{'x' * 59},\nroll", [f"{'x' * 59}, roll"]), (f"{'x' * 58},\nroll", [f"{'x' * 58},", "roll"]),
    (f"{'x' * 60},\n\nroll", [f"{'x' * 60},", "", "roll"]), (f"> {'x' * 60},\nroll", ["roll"]),
])
def test_what_is_read_of_a_text(text: str, read: list[str]) -> None:
    assert own(text) == read


@pytest.mark.parametrize(("text", "is_one"), [
    ("", True), ("Hello Anna", True), ("cheers", True), ("Anna", False), ("roll", False), ("hello 5", False),
    ("hello > x", False), ("hello there my old friend", False), ("hello " + "x" * 34, True), ("hello " + "x" * 35, False)])
def test_what_is_only_kind(text: str, is_one: bool) -> None:
    assert quotes.is_pleasantry(text) is is_one
    assert quotes.is_pleasantry("Anna", names=["", "Anna"])


@pytest.mark.parametrize(("text", "delsp", "rows"), [
    ("a \nb", False, [("a b", "")]), ("a \nb", True, [("ab", "")]), ("> a \n> b\nc", False, [("a b", "quoted"), ("c", "")]),
    ("-- \nx", False, [("--", ""), ("x", "")]), ("a \n-- \nx", False, [("a", ""), ("--", ""), ("x", "")]),
    ("  \nx", False, [("", ""), ("x", "")]), ("> a \nb", False, [("a", "quoted"), ("b", "")])])
def test_a_flowed_text_goes_on_where_its_lines_end_with_a_blank(text: str, delsp: bool, rows: list[tuple[str, str]]) -> None:
    assert [(row.text, row.why) for row in quotes.rows_of(text, flowed=True, delsp=delsp)] == rows
