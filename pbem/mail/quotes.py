"""Which lines of a mail its sender wrote: quotes, signatures, earlier and forwarded mails are cut, each with the reason.

Cutting is generous, because a line too few is told in the receipt and a line too many would be an order of somebody else.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from pbem.mail import tongues

LONGEST_LINE = 2_000
MOST_LINES = 2_000
MOST_ROWS = 10_000
LOOKED_AT = 400                 # how much of a line the patterns see
LONGEST_SIGNATURE = 16
HARD_WRAP = 60                  # lines shorter than this were not broken by a mail program

QUOTED, LEAD, EARLIER, FORWARDED = "quoted", "line before a quote", "earlier mail", "forwarded"
SIGNATURE, DISCLAIMER, AFTER_END, EMPTY_FIELD = "signature", "small print", "after END", "field left empty"
HIDDEN, TOO_LONG, ARMOUR = "hidden text", "too long", "signature of the mail program"

Reads = Callable[[str], bool]


class Row(NamedTuple):
    """A line of the mail; `why` it is not the sender's own, if that is known; `plain` where > may still be a quote's mark."""

    text: str
    why: str = ""
    plain: bool = True


class Cut(NamedTuple):
    text: str
    reason: str


# --- Text that can be looked at -------------------------------------------------------------------

_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]")
_SPACE = re.compile(r"\s+")


def clean(text: str) -> str:
    """One line without what a terminal would obey or nobody would see."""
    text = text[:4 * LONGEST_LINE]              # what is longer is not read, and ordering its accents takes for ever
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", _UNSEEN.sub("", _SPACE.sub(_one_blank, text)))


def _one_blank(found: re.Match[str]) -> str:
    return " " * len(found[0].replace("\r", "").replace("\n", " "))


def rows_of(text: str, *, flowed: bool = False, delsp: bool = False) -> list[Row]:
    """The lines of a plain part; with `format=flowed` soft breaks are undone and quotes known (RFC 3676)."""
    lines = [clean(line) for line in text.splitlines()[:2 * MOST_ROWS]]
    return _unflowed(lines, delsp) if flowed else _unwrapped([Row(line.rstrip()) for line in lines])


def _unflowed(lines: Iterable[str], delsp: bool) -> list[Row]:
    rows: list[Row] = []
    soft = -1                                   # depth of the quote of a line that goes on
    parts: list[str] = []

    def close() -> None:
        if parts:
            rows.append(Row("".join(parts).rstrip(), QUOTED if soft > 0 else "", plain=False))
            parts.clear()

    for line in lines:
        bare = line.lstrip(">")
        depth = len(line) - len(bare)
        bare = bare.removeprefix(" ")
        if bare.rstrip() == "--" or depth != soft:
            close()
        soft = depth
        goes_on = bare.endswith(" ") and bare.rstrip() != "--" and bool(bare.strip())
        parts.append(bare[:-1] if goes_on and delsp else bare)
        if not goes_on:
            close()
    close()
    return rows


_JOINED = re.compile(r"[,>&+]\Z")


def _unwrapped(rows: Sequence[Row]) -> list[Row]:
    """Orders that a mail program broke in two: a long line that cannot end there, or goes on with a step of its path."""
    joined: list[Row] = []
    for index, row in enumerate(rows):
        before = joined[-1].text if joined else ""
        if len(before) >= HARD_WRAP and not _is_marked(before) and row.text.strip() and (
                _step(before, rows, index) or (_JOINED.search(before) and not _is_marked(row.text))):
            joined[-1] = Row(f"{before} {row.text.strip()}")
        else:
            joined.append(row)
    return joined


def _step(before: str, rows: Sequence[Row], index: int) -> bool:
    """`> Larisa` under a long `march ... > Lamia`, alone, is no quote: the word before it did not fit."""
    text = rows[index].text
    alone = index + 1 == len(rows) or not _is_marked(rows[index + 1].text)
    return bool(alone and " > " in before and re.match(r"> \w", text) and len(before) + len(text.split()[1]) > 68)


# --- One line at a time ---------------------------------------------------------------------------

_MARKED = re.compile(r"\s{0,4}(?:>|\|(?:\s|\Z)|»|[A-Z][A-Za-z]{0,2}>(?:\s|\Z))")


def _is_marked(text: str) -> bool:
    return bool(_MARKED.match(text))


def _fold(text: str) -> str:
    """For comparing. The dot that folding leaves over a Turkish I is dropped."""
    return text.casefold().replace("\u0307", "")


def _plain(text: str) -> str:
    """Folded, without marks around it."""
    return _fold(text[:LOOKED_AT].strip(" \t*_~=-–—.,;:!…()[]<>\"'"))


@cache
def _any(words: Sequence[str], before: str = r"(?<!\w)") -> re.Pattern[str]:
    listed = "|".join(sorted((re.escape(_fold(word)) for word in words), key=len, reverse=True))
    return re.compile(rf"{before}(?:{listed})(?!\w)")


@cache
def _starts(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@cache
def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(_fold(word) for word in words)


_NO_SPACE_SCRIPT = ("写道", "寫道", "書きました", "のメール", "작성", "님이 작성")
_DATED = re.compile(r"\d{1,2}[:.h]\d\d|\d{4}|\d{1,2}[./-]\d{1,2}")
_ADDRESS = re.compile(r"<[^<>\s]+@[^<>\s]+>|[\w.+-]+@[\w-]+\.\w+|\[mailto:")


FRAME = ">>> "
_FRAMED = re.compile(rf"{FRAME}.*\d.* >>>\s*")         # GroupWise: what stands below bears no marks


def _says_wrote(text: str) -> bool:
    folded = _fold(text[:LOOKED_AT])
    return bool(_any(tongues.WROTE).search(folded)) or any(word in folded for word in _NO_SPACE_SCRIPT)


def _is_lead(text: str) -> bool:
    """`On Tue, 18 Nov 2026 at 09:00, Anna wrote:` in any of the languages."""
    text = text.strip()[:LOOKED_AT]
    if re.search(r"wrote:?\s*-{2,}\Z", text):
        return True
    if not text.endswith((":", "：", ":*")):
        return False
    dated, address = bool(_DATED.search(text)), bool(_ADDRESS.search(text))
    if _says_wrote(text):
        return dated or address
    return dated and address


def _is_divider(text: str) -> str:
    """`-----Original Message-----`, `Begin forwarded message:` and the like: the reason to cut what follows."""
    bare = _plain(text)
    ruled = bool(re.match(r"[-\s]|[_=*]{2}", text)) or text.rstrip().endswith((":", "："))
    if bare.removesuffix(" follows") in _folded(tongues.FORWARDED):
        return FORWARDED
    if bare in _folded(tongues.ORIGINAL) and ruled:
        return EARLIER
    dashed = re.fullmatch(r"\s*-{2,}\s*(.{1,80}?)\s*-{2,}\s*", text[:LOOKED_AT])
    if dashed and any(bare.startswith(one) for one in _folded(tongues.FORWARDED)):
        return FORWARDED
    if dashed and any(bare.startswith(one) for one in _folded(tongues.ORIGINAL)):
        return EARLIER
    return ""


@cache
def _kinds() -> dict[str, str]:
    return {_fold(label): kind for kind, labels in tongues.LABELS.items() for label in labels}


def _label(text: str) -> str:
    found = re.match(r"[\s*_]*([^\W\d_][^:：\d]{0,22}?)[\s*_]*[:：]", text[:60])
    return _kinds().get(_fold(found[1]), "") if found else ""


def _is_header_block(texts: Sequence[str]) -> bool:
    """A sender, and two more of date, addressee, copy and subject; the first line is the sender's or the date's."""
    if _label(texts[0]) not in ("from", "date"):
        return False
    kinds = {_label(text) for text in texts} - {""}
    return "from" in kinds and len(kinds) >= 3


def is_pleasantry(text: str, *, names: Iterable[str] = ()) -> bool:
    """A greeting, thanks or a name, with nothing in it to do."""
    bare = _plain(text)
    if not bare or bare in _folded(tongues.CLOSINGS) or bare in {_fold(name) for name in names if name}:
        return True
    if len(bare) > 40 or len(bare.split()) > 4:
        return False
    return bool(_any(tongues.GREETINGS, r"\A").match(bare)) and not re.search(r"\d|>", bare)


def _is_closing(text: str) -> bool:
    """`Best regards`, in two languages too; with something short behind a comma, or with a name of one word or two."""
    bare, closings = _plain(text), _folded(tongues.CLOSINGS)
    if all(one.strip() in closings for one in re.split(r"[/|]", bare)):
        return True
    words = bare.split()
    return len(bare) <= 50 and (bare.partition(",")[0].strip() in closings or any(
        " ".join(words[:count]) in closings and text.split()[count][:1].isupper()
        for count in (len(words) - 1, len(words) - 2)))


def _is_sent_from(text: str) -> bool:
    bare = _fold(text.strip(" *_[]<>()\t")[:200])
    return len(bare) < 130 and bool(_starts(tongues.SENT_FROM).match(bare))


def is_away(lines: Sequence[str]) -> bool:
    """Do the first lines say that their sender is away?"""
    return any(_starts(tongues.AWAY_SAID).search(_fold(line[:200])) for line in lines[:3])


def _is_disclaimer(text: str) -> bool:
    return bool(_starts(tongues.DISCLAIMERS).match(_fold(text.strip(" *_-\t")[:200])))


# --- The form under a question --------------------------------------------------------------------

_TICKED = r"[\[(]\s*(?:[xX✓✔✗✘☒☑*])\s*[\])]|[☒☑✓✔]"
_UNTICKED = r"[\[(][\s_.]*[\])]|☐"
_LETTER = r"\(?([a-zA-Z])[.):]?"
_FIELD = (r"(?:\d{1,2}[.)]\s*)?(?:your |my )?(?:answers?|orders?|line|choice|antwort|befehl|réponse|risposta|respuesta|resposta"
          r"|antwoord)(?: \d{1,2})?\s*[:=]")


_TICKED_LETTER = re.compile(rf"{_LETTER}\s*(?:{_TICKED})(?:\s|\Z)|(?:{_TICKED})\s*{_LETTER}(?:\s|\Z)")
_TICKED_TEXT = re.compile(rf"(?:{_TICKED})\s*(\S.*)")
_FILLED = re.compile(rf"(?:>\s*)?{_FIELD}\s*(.*)", re.IGNORECASE)


@lru_cache(2000)                        # a line is looked at from many sides
def filled_in(text: str) -> str:
    """What a line of a form says: `b [x] Lysimachos with all` is b, `answer: b` is b; any other line is itself."""
    text = text.strip()
    if found := _TICKED_LETTER.match(text):
        return (found[1] or found[2]).lower()
    if found := _TICKED_TEXT.match(text):
        return found[1].strip()
    if found := _FILLED.match(text):
        return found[1].strip(" _")
    return text


_ARROWS = re.compile(r"(?<=[\w)])\s*(?:&gt;|[⇒➔➙➜➝➞➡⟶]|»(?!.*«))\s*(?=\w)")
_EMPHASIS = re.compile(r"(\*\*|__|~~|[*_`])(\S.*\S|\S)\1")
_BOLD = re.compile(r"\*\*(\S|\S.*?\S)\*\*")
_WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}


def as_typed(text: str) -> str:
    """A line as its writer typed it, before a program made it handsome: bold, wide letters, other arrows; without thanks."""
    text = text.strip()
    if found := _EMPHASIS.fullmatch(text):
        text = found[2]
    text = _BOLD.sub(r"\1", text)
    if text[:1] != "\uff1e":                                # a quoted line stays one
        text = text.translate(_WIDE)
    if re.match(r"(?i)(?:play|surprise)\b", text):
        text = re.sub('[“”„«»"]', "", text)
    head, _, tail = text.partition(",")
    if tail and is_pleasantry(tail.strip()):
        text = head
    return _ARROWS.sub(" > ", text)


def is_left_empty(text: str) -> bool:
    """A line of a form that nobody filled in."""
    text = text.strip()
    if re.match(rf"(?:{_LETTER}\s*)?(?:{_UNTICKED})(?:\s|\Z)", text):
        return True
    return bool(re.fullmatch(rf"(?i)(?:{_FIELD})?\s*_{{2,}}[\s_]*", text))


def is_ticked(text: str) -> bool:
    """A box with a cross in it."""
    return bool(re.match(rf"(?:{_LETTER}\s*)?(?:{_TICKED})(?:\s|\Z)", text.strip()))


# --- The whole mail -------------------------------------------------------------------------------


def own_lines(rows: Sequence[Row], reads: Reads, names: Iterable[str] = ()) -> tuple[list[str], list[Cut]]:
    """The sender's own lines in sequence, and what was cut, neighbours with one reason together.

    An empty line stands where he left one. `reads` tells whether a line could be an order: only then is it worth
    keeping under a greeting.
    """
    unread = "\n".join(row.text for row in rows[MOST_ROWS:MOST_ROWS + 100])
    rows = rows[:MOST_ROWS]
    whys = [row.why or (QUOTED if row.plain and _is_marked(row.text) else "") for row in rows]
    texts = [row.text for row in rows]
    _cut_armour(texts, whys)
    _cut_leads(texts, whys)
    _cut_earlier(texts, whys)
    _cut_end(texts, whys)
    _cut_signatures(texts, whys, reads, [name for name in names if name])
    _cut_rest(texts, whys)
    lines: list[str] = []
    for text in [text.strip() for text, why in zip(texts, whys, strict=True) if not why]:
        if text or (lines and lines[-1]):
            lines.append(text)
    cuts = _together(texts, whys) + ([Cut(unread, TOO_LONG)] if unread else [])
    return lines[:-1] if lines and not lines[-1] else lines, cuts


def _cut_armour(texts: list[str], whys: list[str]) -> None:
    """A signed mail in the old way: marks, a block of letters, and a dash before lines that begin with one."""
    inside = ""
    for index, text in enumerate(texts):
        if whys[index]:
            continue
        if text.startswith("-----BEGIN PGP "):
            inside = "head" if "SIGNED" in text else "block"
        if inside == "text":
            texts[index] = text.removeprefix("- ")
        elif inside:
            whys[index] = ARMOUR
        if inside == "head" and not text.strip():
            inside = "text"
        elif text.startswith("-----END PGP "):
            inside = ""


def _own(texts: Sequence[str], whys: Sequence[str], index: int) -> bool:
    return 0 <= index < len(texts) and not whys[index] and bool(texts[index].strip())


def _own_lines(texts: Sequence[str], whys: Sequence[str]) -> list[int]:
    """Those that nothing has cut so far: of a mail that quotes everything there are few."""
    return [index for index, why in enumerate(whys) if not why and texts[index].strip()]


def _next_why(texts: Sequence[str], whys: Sequence[str], index: int) -> str:
    """The reason at the next line that is not blank: does a quote follow?"""
    return next((whys[after] for after in range(index + 1, len(texts)) if texts[after].strip() or whys[after]), "")


def _cut_leads(texts: Sequence[str], whys: list[str]) -> None:
    """The line or lines before a quote. If the quote after it bears no marks, it takes everything with it."""
    for index in _own_lines(texts, whys):
        if not _may_lead(texts, whys, index) or _lines_of_lead(texts, whys, index + 1) > 1:
            continue
        text = texts[index]
        after = _next_why(texts, whys, index)
        count = _lines_of_lead(texts, whys, index)
        if not count and after == QUOTED and (_says_wrote(text) or _DATED.search(text) or _ADDRESS.search(text)):
            count = 1
        for line in range(index + 1 - count, index + 1):
            whys[line] = LEAD
        if count and not after:
            _cut_from(index + 1, texts, whys, EARLIER)
            return


def _may_lead(texts: Sequence[str], whys: Sequence[str], index: int) -> bool:
    text = texts[index][:LOOKED_AT]
    if text.rstrip().endswith((":", "：", ":*", "--")):
        return True
    right_above = index + 1 < len(whys) and whys[index + 1] == QUOTED
    return bool(right_above and _DATED.search(text) and _ADDRESS.search(text))


def _lines_of_lead(texts: Sequence[str], whys: Sequence[str], last: int) -> int:
    """How many lines make up the lead that ends here: mail programs break it in two or three, mostly behind the date."""
    best = 0
    for count in (1, 2, 3):
        first = last + 1 - count
        if not _own(texts, whys, first):
            break
        text = " ".join(line.strip() for line in texts[first:last + 1])
        dated, address = bool(_DATED.search(text)), bool(_ADDRESS.search(text))
        if _is_lead(text) and (not best or (dated and address)):
            best = count
        if dated and address:
            break
    return best


def _cut_earlier(texts: Sequence[str], whys: list[str]) -> None:
    """From a divider or a header block on everything is an earlier mail."""
    for index, text in enumerate(texts):
        if _FRAMED.fullmatch(text[:LOOKED_AT]):
            _cut_from(index, texts, whys, EARLIER)
            return
        if whys[index] != LEAD and (whys[index] or not text.strip()):
            continue
        if reason := _is_divider(text) or (EARLIER if _is_header_block(texts[index:index + 10]) else ""):
            first = index - 1 if index and re.fullmatch(r"\s*[_=-]{5,}\s*", texts[index - 1][:LOOKED_AT]) else index
            _cut_from(first, texts, whys, reason)
            return


def _cut_end(texts: Sequence[str], whys: list[str]) -> None:
    """`END`, in capitals: nothing below it is read."""
    for index, text in enumerate(texts):
        if not whys[index] and text.strip() == "END":
            _cut_from(index, texts, whys, AFTER_END)
            return


def _cut_signatures(texts: Sequence[str], whys: list[str], reads: Reads, names: Sequence[str]) -> None:
    is_on_top = True
    for index in _own_lines(texts, whys):
        if whys[index]:
            continue
        text = texts[index]
        if text.strip() == "--":
            _cut_from(index, texts[:_on_top(texts, index)] if is_on_top else texts, whys, SIGNATURE)
        elif _is_disclaimer(text):
            _cut_from(index, texts, whys, DISCLAIMER)
        elif _is_sent_from(text):
            whys[index] = SIGNATURE
        else:
            is_on_top = False
    for index in _own_lines(texts, whys):
        if _is_closing(texts[index]):
            block = _block(texts, whys, index + 1)
            if len(block) <= LONGEST_SIGNATURE and not any(
                    len(texts[line]) > 60 or " > " in texts[line] or reads(texts[line]) for line in block):
                for line in (index, *block):
                    whys[line] = SIGNATURE
    _cut_names(texts, whys, names)


def _on_top(texts: Sequence[str], index: int) -> int:
    """Some programs put the signature above what is written: then it ends with the first empty line."""
    return next((line for line in range(index, len(texts)) if not texts[line].strip()), len(texts))


def _cut_from(index: int, texts: Sequence[str], whys: list[str], reason: str) -> None:
    for line in range(index, len(texts)):
        if texts[line].strip() and (not whys[line] or (whys[line] == LEAD and reason in (EARLIER, FORWARDED))):
            whys[line] = reason


def _block(texts: Sequence[str], whys: Sequence[str], index: int) -> list[int]:
    """The own lines from here to the next line that is not, so far as a signature could go."""
    block: list[int] = []
    for line in range(index, len(texts)):
        if whys[line] in (QUOTED, LEAD, EARLIER, FORWARDED) or len(block) > LONGEST_SIGNATURE:
            break
        if texts[line].strip() and not whys[line]:
            block.append(line)
    return block


def _cut_names(texts: Sequence[str], whys: list[str], names: Sequence[str]) -> None:
    """The sender's name alone at the end of what he wrote is no order; as the only line it may be an answer."""
    own = _own_lines(texts, whys)
    if len(own) > 1 and _plain(texts[own[-1]]) in {_fold(name) for name in names}:
        whys[own[-1]] = SIGNATURE


def _cut_rest(texts: Sequence[str], whys: list[str]) -> None:
    count = 0
    for index, text in enumerate(texts):
        if whys[index] or not text.strip():
            continue
        if len(text) > LONGEST_LINE or count >= MOST_LINES:
            whys[index] = TOO_LONG
        elif is_left_empty(text):
            whys[index] = EMPTY_FIELD
        else:
            count += 1


def _together(texts: Sequence[str], whys: Sequence[str]) -> list[Cut]:
    cuts: list[tuple[list[str], str]] = []
    apart = True
    for text, why in zip(texts, whys, strict=True):
        if not why:
            apart = apart or bool(text.strip())
            continue
        if cuts and cuts[-1][1] == why and not apart:
            cuts[-1][0].append(text.strip()[:LONGEST_LINE])
        else:
            cuts.append(([text.strip()[:LONGEST_LINE]], why))
        apart = False
    return [Cut("\n".join(lines).strip("\n"), why) for lines, why in cuts]
