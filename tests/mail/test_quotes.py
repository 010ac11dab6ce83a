"""Where a sender's own words end, mark by mark: what stands above is his, what stands below is of somebody else."""

import pytest

from pbem.mail import quotes
from pbem.mail.quotes import ARMOUR, EARLIER, EMPTY_FIELD, FORWARDED, LEAD, QUOTED, TOO_LONG
from pbem.mail.reading import could_be_order

LONG = "march Antigonos with 2 loyal, 3 mercenary, and the rest > Halikarnassos"
SHORT = "march Antigonos with 2 loyal, 3 mercenary and rest > Ephesos"     # eight letters more would have stood in it too


def own(text: str, *, flowed: bool = False) -> list[str]:
    return quotes.own_lines(quotes.rows_of(text, flowed=flowed), could_be_order, ["Anna"])[0]


@pytest.mark.parametrize("mark", [
    "-----Original Message-----", "Original Message:", "*** Original Message ***", "Begin forwarded message:",
    "Forwarded message follows", "---------- Forwarded message by Anna ---------", "----- Original Message of Anna -----",
    "On 18 Nov 2026 Anna wrote:", "On 18.11. <anna@example.org> said:", "<anna@example.org> wrote:", "Anna wrote: ----",
    "2026年 Anna 写道：", "2026年Anna写道：", "From: Anna\nDate: today\nSubject: x", "Date: today\nFrom: Anna\nTo: Bruno",
    "From: Anna\nTo: Bruno\n" + "and others\n" * 7 + "Subject: x", "________________\nFrom: Anna\nSent: today\nSubject: x",
    "- Original Message -", " Original Message", "** Original Message", "On 18 Nov 2026,\nAnna\n<anna@example.org> wrote:",
    "On 18 Nov 2026 at 09:\n00 Anna <anna@example.org> wrote:", "2026年 Anna 写道：\n2026年 Bruno 写道：", "--\nAnna", "END",
])
def test_what_stands_below_is_not_his(mark: str) -> None:
    assert own(f"roll\n{mark}\nend") == ["roll"]


@pytest.mark.parametrize("mark", [
    "Original Message", "Original Message of Anna", "Forwarded message by Anna", f"-----Original Message-----{'x' * 70}",
    "Anna wrote:", "On 18.11. it is:", "<anna@example.org> knows:", "On 18 Nov 2026 Anna wrote", "From: Anna\nSubject: x",
    "Date: today\nTo: Bruno\nSubject: x", "From: Anna\nFrom: Bruno\nFrom: Chiara", "From: Anna\nVon: Bruno\nTo: Chiara",
    "From: Anna\nTo: Bruno\n" + "and others\n" * 8 + "Subject: x", "On 18 Nov 2026,\n\nAnna wrote:", "Anna wrote on 18.11. --",
    "*Original Message*", "Best regards", f"Sent from {'x' * 120}", "-----END PGP SIGNATURE-----", "end",
])
def test_what_only_looks_like_a_mark_cuts_nothing(mark: str) -> None:
    assert own(f"roll\n{mark}\nend") == ["roll", *mark.splitlines(), "end"]


@pytest.mark.parametrize("last", [
    "Thanks", "Best, Anna", "Kind regards Anna", "Kind regards Anna Example", "Thanks / Danke", "Best regards\nAnna\nSometown",
    "Sent from my iPhone", f"Sent from {'x' * 119}", "Anna", f"Thanks, {'x' * 42}", f"Thanks\n{'x' * 60}",
    "Thanks" + "\n\nTel. 1" * 16, "Am 18.11.2026 schrieb Anna <anna@example.org>\n> pass", "On 18.11.:\n\n> pass",
    "anna@example.org:\n> pass", "On 18 Nov 2026 Anna wrote:" + "\n" * 9 + "> pass"])
def test_how_he_ends_is_no_order(last: str) -> None:
    assert own(f"roll\n{last}") == ["roll"]


@pytest.mark.parametrize("last", [
    "Kind regards anna", "Kind regards Anna Maria Example", f"Thanks, {'x' * 43}", f"Thanks\n{'x' * 61}",
    "Thanks\nmrach Antigonos > Ephesos", "Thanks" + "\nTel. 1" * 17, "So you say:\n> pass", "I wrote:\nit\n> pass",
    "It is 18.11.2026\n> pass", "Ask anna@example.org\n> pass", "Ask anna@example.org on 18.11.2026\n\n> pass"])
def test_how_nobody_ends_is_kept(last: str) -> None:
    assert own(f"roll\n{last}") == ["roll", *(line for line in last.splitlines() if line and line != "> pass")]


@pytest.mark.parametrize(("text", "read"), [
    ("Anna", ["Anna"]), ("--\nAnna\n\nroll", ["roll"]), ("\n\nroll\n\n\n\nend\n\n", ["roll", "", "end"]), ("END\nroll", []),
    ("- -5\nroll", ["- -5", "roll"]), ("> -----BEGIN PGP SIGNED MESSAGE-----\nroll", ["roll"]),
    ("- 4\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: x\n\nroll\n- -5\n- From here\n-----BEGIN PGP SIGNATURE-----\nabc\n"
     "-----END PGP SIGNATURE-----\n- 6", ["- 4", "roll", "-5", "From here", "- 6"]),
    ("--\n\nroll", ["roll"]), ("--\nAnna\nConfidentiality notice\n\nroll", ["roll"]), (">>> x\nroll", ["roll"]),
    ("> Begin forwarded message:\nroll", ["roll"]), ("Thanks\nAnna\n> pass\nend", ["end"]),
    ("> 18.11.2026\nAnna wrote:\nroll", ["Anna wrote:", "roll"]), (f"{'x' * quotes.LONGEST_LINE}\n{'x' * 2001}", ["x" * 2000]),
    (f"{LONG}\n> Ephesos", [f"{LONG} > Ephesos"]), (f"{LONG}\n> Ephesos\n> pass", [LONG]),
    (f"{SHORT}\n> Pergamon", [SHORT]), (f"{SHORT}\n> Seleukeia", [f"{SHORT} > Seleukeia"]),
    (f"{LONG.replace(' > ', ' at ')},\n> Ephesos", [f"{LONG.replace(' > ', ' at ')},"]),
    (f"{'x' * 59},\nroll", [f"{'x' * 59}, roll"]), (f"{'x' * 58},\nroll", [f"{'x' * 58},", "roll"]),
    (f"{'x' * 60},\n\nroll", [f"{'x' * 60},", "", "roll"]), (f"> {'x' * 60},\nroll", ["roll"]),
])
def test_what_is_read_of_a_text(text: str, read: list[str]) -> None:
    assert own(text) == read


@pytest.mark.parametrize(("text", "is_one"), [
    ("", True), ("Hello Anna", True), ("hello my old friend", True),
    ("cheers", True), ("Anna", False), ("roll", False), ("hello 5", False),
    ("hello > x", False), ("hello there my old friend", False),
    ("hello " + "x" * 34, True), ("hello " + "x" * 35, False)])
def test_what_is_only_kind(text: str, is_one: bool) -> None:
    assert quotes.is_pleasantry(text) is is_one
    assert quotes.is_pleasantry("Anna", names=["", "Anna"])


@pytest.mark.parametrize(("text", "delsp", "rows"), [
    ("a \nb", False, [("a b", "")]), ("a \nb", True, [("ab", "")]), ("> a \n> b\nc", False, [("a b", "quoted"), ("c", "")]),
    ("-- \nx", False, [("--", ""), ("x", "")]), ("a \n-- \nx", False, [("a", ""), ("--", ""), ("x", "")]),
    ("  \nx", False, [("", ""), ("x", "")]), ("> a \nb", False, [("a", "quoted"), ("b", "")])])
def test_a_flowed_text_goes_on_where_its_lines_end_with_a_blank(text: str, delsp: bool, rows: list[tuple[str, str]]) -> None:
    assert [(row.text, row.why) for row in quotes.rows_of(text, flowed=True, delsp=delsp)] == rows


@pytest.mark.parametrize(("text", "read"), [
    ("> -----BEGIN PGP SIGNED MESSAGE-----\n> Hash: x\nroll", ["roll"]), ("> END\nroll", ["roll"]),
    ("On 18 Nov 2026 Anna wrote:\n>\nroll", ["roll"])])
def test_what_a_flowed_text_quotes_bears_no_mark_and_is_a_quote_all_the_same(text: str, read: list[str]) -> None:
    assert own(text, flowed=True) == read


@pytest.mark.parametrize(("text", "cuts"), [
    ("> roll\n\n> pass", [("> roll\n> pass", QUOTED)]), ("> roll\nwhy?\n\n> pass", [("> roll", QUOTED), ("> pass", QUOTED)]),
    ("> roll\n[ ] pass", [("> roll", QUOTED), ("[ ] pass", EMPTY_FIELD)]),
    ("Anna wrote: ----\n\n", [("Anna wrote: ----", LEAD)]),
    ("Original Message:\n> roll\nend", [("Original Message:", EARLIER), ("> roll", QUOTED), ("end", EARLIER)]),
    ("Forwarded message:\nOn 18.11. Anna wrote:\n> roll", [
        ("Forwarded message:\nOn 18.11. Anna wrote:", FORWARDED), ("> roll", QUOTED)]),
    ("-----BEGIN PGP SIGNATURE-----\nabc\n> roll", [("-----BEGIN PGP SIGNATURE-----\nabc", ARMOUR), ("> roll", QUOTED)]),
])
def test_what_was_cut_is_told_with_its_reason(text: str, cuts: list[tuple[str, str]]) -> None:
    assert [tuple(cut) for cut in quotes.own_lines(quotes.rows_of(text), could_be_order)[1]] == cuts


def test_of_a_mail_without_end_the_first_lines_are_read_and_some_of_the_others_told() -> None:
    lines = [f"{number}x" for number in range(quotes.MOST_ROWS // 2 + 200)]
    read, cuts = quotes.own_lines(quotes.rows_of("\n\n".join(lines)), could_be_order)
    assert [line for line in read if line] == lines[:quotes.MOST_LINES]
    half = quotes.MOST_ROWS // 2
    assert [tuple(cut) for cut in cuts] == [("\n".join(lines[quotes.MOST_LINES:half]), TOO_LONG),
                                            ("\n\n".join(lines[half:half + 50]) + "\n", TOO_LONG)]


@pytest.mark.parametrize(("text", "typed"), [
    ("*roll*", "roll"), ("roll", "roll"), ("**march** Antigonos", "march Antigonos"), ("ｒｏｌｌ！～", "roll!~"),
    ("｟ｒ｠", "｟r｠"), ("＞ ｒｏｌｌ", "＞ ｒｏｌｌ"), ("play “Plague”", "play Plague"), ("say “hello”", "say “hello”"),
    ("Surprise: „Pest“", "Surprise: Pest"), ("roll, thanks", "roll"), ("march Antigonos,", "march Antigonos,"),
    ("march Antigonos, Demetrios", "march Antigonos, Demetrios"),
    ("march Antigonos → Ephesos", "march Antigonos → Ephesos"), ("march Antigonos ➔ Ephesos", "march Antigonos > Ephesos"),
])
def test_a_handsome_line_is_read_as_it_was_typed(text: str, typed: str) -> None:
    assert quotes.as_typed(text) == typed
