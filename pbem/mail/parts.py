"""The parts of a mail, within bounds: what its text is, which texts hang on it, and what is not read at all.

`email` does the parsing, under the old policy: the modern one raises on mails that occur.
"""

import codecs
import re
from binascii import a2b_base64, a2b_qp
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.policy import compat32
from email.utils import getaddresses
from typing import TYPE_CHECKING, NamedTuple

from pbem.mail.quotes import clean

MOST_BYTES = 10_000_000
MOST_HEADER = 256_000
MOST_PARTS = 100
MOST_DEPTH = 12
MOST_NESTED = 30                # multipart or message parts that a mail may announce
MOST_ANNOUNCED = 500            # types that stand anywhere in it
MOST_DASHED = 2_000             # lines that could part it
MOST_STEPS = 5_000_000          # lines times the depth in which the parser looks for an end
MOST_BLOCKS = 5_000             # blank lines in a delivery report: each begins another block
LONGEST_TYPE = 2_000            # a type with its parameters
MOST_TEXT = 500_000             # of one part
MOST_EMBEDDED = 20_000
LONGEST_SUBJECT = 1_000
LONGEST_ADDRESSES = 10_000
BARE = re.compile(r"[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,255}")         # an address and nothing else

if TYPE_CHECKING:
    Mime = Message[str, str]
else:                           # a class with parameters only for the type checker, until Python 3.13
    Mime = Message


class Why(NamedTuple):
    """Why a mail is what it is: the key of a sentence, and what that sentence is about."""

    key: str
    of: str = ""


class TooMuch(Exception):
    """A mail beyond the bounds; `why` says which."""

    def __init__(self, key: str, of: str = "") -> None:
        super().__init__(key)
        self.why = Why(key, of)


class Text(NamedTuple):
    text: str
    flowed: bool = False
    delsp: bool = False


class Parts(NamedTuple):
    plain: Text | None
    page: str
    attached: Sequence[Text]
    embedded: Sequence[str]         # texts of mails inside of this one
    unread: Sequence[str]           # names of what is no text


# --- Header fields --------------------------------------------------------------------------------


def header_of(raw: bytes) -> bytes:
    """The header with the empty line below it, cut where it gets too long."""
    head = raw[:MOST_HEADER + 1]
    found = re.search(rb"\r?\n\r?\n|\r\r", head)
    return head[:found.end()] if found else head


_FOLD = re.compile(r"[\r\n]+[ \t]*")


def fields(mail: Mime) -> Mapping[str, list[str]]:
    """Every header field as it came, unfolded; the names in lower case."""
    found: dict[str, list[str]] = {}
    for name, value in mail.raw_items():
        text = _FOLD.sub(" ", str(value)[:MOST_HEADER])
        found.setdefault(name.lower(), []).append(_no_surrogates(text).strip())
    return found


def _no_surrogates(text: str) -> str:
    """Bytes beyond ASCII in a header stand there as surrogates."""
    if text.isascii():
        return text
    return _guessed(text.encode("utf-8", "surrogateescape"))


def decoded(value: str, longest: int = LONGEST_SUBJECT) -> str:
    """A header field as people read it; what cannot be decoded stays as it is."""
    value = value[:longest]
    if "=?" in value:
        with suppress(ValueError, LookupError, MessageError):
            value = "".join(_piece(piece, charset) for piece, charset in decode_header(value))
    return re.sub(r"\s+", " ", clean(value)).strip()


def _piece(piece: str | bytes, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    if charset is not None:
        return text_of(piece, charset)
    try:
        return piece.decode("raw-unicode-escape")
    except UnicodeDecodeError:
        return _guessed(piece)


def addresses(value: str) -> list[tuple[str, str]]:
    """(display name, address) of each mailbox: read before anything is decoded, so that a name cannot become an address."""
    if BARE.fullmatch(value):
        return [("", lower(value))]
    value = re.sub(r"<\s*@[^<>:@]{1,200}(?:,\s*@[^<>:@]{1,200}){0,9}:", "<", value[:LONGEST_ADDRESSES])     # a route of old
    # `anna@example.org <anna@example.org>`, without quotation marks, is not allowed and common.
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", value)
    one = re.fullmatch(r"[^<>,;:]*<\s*([^<>\s,;]+@[^<>\s,;]+)\s*>\s*", bare)
    if one and is_address(one[1]):
        return [(decoded(value.rpartition("<")[0].strip().strip('"')), lower(one[1]))]
    try:
        found = [(name, address) for name, address in getaddresses([value]) if address]
    except (ValueError, IndexError, TypeError, RecursionError):
        found = []
    good = [(decoded(name), lower(address)) for name, address in found if is_address(address)]
    return good if len(good) == len(found) else []


def is_address(text: str) -> bool:
    return bool(re.fullmatch(r"[^\s@<>,;:\"()\[\]\\\x00-\x1f\x7f]{1,64}@[^\s@<>,;:\"()\\/\x00-\x1f\x7f]{1,255}", text))


def lower(address: str) -> str:
    return clean(address).strip().casefold()


def ids(value: str) -> tuple[str, ...]:
    """The message ids in a header field, in brackets and without blanks, at most the last hundred."""
    found = re.findall(r"<([^<>]{1,998})>", value)
    if not found:
        found = value.split()[:1]
    cleaned = (re.sub(r"\s+|[\[\]]", "", clean(one)) for one in found[-100:])
    return tuple(f"<{one}>" for one in cleaned if one)


# --- Bytes to text --------------------------------------------------------------------------------

_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932", "iso8859-1": "cp1252", "latin-1": "cp1252",
    "big5": "cp950", "tis-620": "cp874", "iso8859-9": "cp1254",
}
_NAMED = {
    "ks_c_5601-1987": "cp949", "ks_c_5601_1987": "cp949", "x-gbk": "gb18030", "x-sjis": "cp932", "cp-850": "cp850",
    "iso-8859-8-i": "iso8859-8", "iso-8859-6-i": "iso8859-6", "x-mac-roman": "mac-roman", "utf8mb4": "utf-8",
    "unicode-1-1-utf-7": "utf-7", "windows-874": "cp874", "windows-31j": "cp932", "x-euc-jp": "euc_jp", "unicode": "utf-8",
}
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{20,}")
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WESTERN = re.compile(r"iso8859-|cp125")
# No codec that is a program in disguise (punycode, unicode_escape, zlib ...) is ever run on a stranger's bytes.
_KNOWN = re.compile(
    r"utf-(?:7|8|8-sig|16|16-le|16-be|32|32-le|32-be)|ascii|iso8859-\d+|cp\d+|koi8-[rut]|mac-\w+|gb18030|hz|big5hkscs|euc_\w+"
    r"|shift_jis\w*|iso2022_\w+|johab|kz1048|ptcp154|tis-620|hp-roman8")


def text_of(data: bytes, charset: str) -> str:
    """Decoded as declared if that is possible, else by guessing: UTF-8, then windows-1252."""
    codec = _codec(charset)
    if codec is None or (_WESTERN.match(codec) and _is_utf8(data)):
        return _guessed(data)
    if codec == "utf-16" and not data.startswith(_MARKS):
        codec = "utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"
    try:
        return data.decode(codec)
    except (UnicodeError, ValueError):
        return _guessed(data)


def _codec(charset: str) -> str | None:
    name = charset.strip().strip("\"'").lower()
    try:
        name = codecs.lookup(_NAMED.get(name, name)).name
    except (LookupError, ValueError):
        return None
    name = _WIDER.get(name, name)
    return name if _KNOWN.fullmatch(name) else None


def _is_utf8(data: bytes) -> bool:
    """Letters of one byte that happen to be whole letters of UTF-8 are a wrong label: nobody writes such words."""
    with suppress(UnicodeDecodeError):
        data.decode()
        return True
    return False


def _guessed(data: bytes) -> str:
    for codec in ("utf-16", "cp1252") if data.startswith(_MARKS) else ("utf-8", "cp1252"):
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            continue
    return data.decode("cp1252", "replace")


# --- The tree of parts ----------------------------------------------------------------------------

# Seals of a mail program, further renderings of the same text, and what `classes` reads.
UNMENTIONED = frozenset("""
    application/pgp-signature application/pkcs7-signature application/x-pkcs7-signature text/enriched text/x-amp-html
    message/delivery-status message/disposition-notification text/rfc822-headers
""".split())
# In a mail in small letters; each begins with some, so that a long mail without them is soon looked through.
_TYPE = re.compile(rb"\n(content-(?:type|disposition)[ \t]*:(?:[^\r\n]|\r?\n[ \t]|\r[ \t])*)")
_DASHED = re.compile(rb"(?:\A|[\r\n])--[^\s]")
_NESTED = re.compile(rb"content-type:\s*(?:multipart|message)/")


def parsed(raw: bytes) -> Mime:
    """The mail as a tree, or TooMuch before any work is spent on a bomb."""
    if len(raw) > MOST_BYTES:
        raise TooMuch("much_in_all", str(MOST_BYTES // 10**6))
    if len(header_of(raw)) > MOST_HEADER:
        raise TooMuch("much_header", str(MOST_HEADER // 1000))
    small = b"\n" + raw.lower()
    nested = len(_NESTED.findall(small))
    types = _TYPE.findall(small)
    if nested > MOST_NESTED:
        raise TooMuch("much_in_parts")
    if len(types) > MOST_ANNOUNCED or raw.count(b"--") > MOST_DASHED and len(_DASHED.findall(raw)) > MOST_DASHED:
        raise TooMuch("much_parts")
    if any(len(one) > LONGEST_TYPE for one in types):
        raise TooMuch("much_type")
    if b"delivery-status" in raw and raw.count(b"\n\n") + raw.count(b"\n\r\n") > MOST_BLOCKS:
        raise TooMuch("much_report")
    if (nested + 2) * (raw.count(b"\n") + raw.count(b"\r")) > 2 * MOST_STEPS:
        raise TooMuch("much_lines")
    head = header_of(raw)
    raw = re.sub(rb"(?m)^>From [^\n]*\n", b"", head) + raw[len(head):]     # an old mailbox's mark, for the parser the end
    raw = raw.replace(b"message/global-delivery-status", b"message/delivery-status")    # in letters beyond ASCII (RFC 6533)
    try:
        return message_from_bytes(raw, policy=compat32)
    except RecursionError:
        raise TooMuch("much_depth") from None


def header_only(raw: bytes) -> Mime:
    return message_from_bytes(header_of(raw), policy=compat32)


def walk(mail: Mime) -> Iterator[tuple[Mime, bool]]:
    """Every part that is not a container, and whether it stands inside of an embedded mail."""
    left: list[tuple[Mime, int, bool]] = [(mail, 0, False)]
    count = 0
    while left:
        part, depth, embedded = left.pop()
        count += 1
        if count > MOST_PARTS:
            raise TooMuch("much_parts")
        if depth > MOST_DEPTH:
            raise TooMuch("much_depth")
        if part.is_multipart() and kind(part) != "message/delivery-status":
            embedded = embedded or kind(part).startswith("message/")
            left += [(one, depth + 1, embedded) for one in reversed(children(part))]
        else:
            yield part, embedded


def children(part: Mime) -> list[Mime]:
    """What stands in a container. Of anything else even the question would run a stranger's choice of codec."""
    inside = part.get_payload() if part.is_multipart() else None
    return [one for one in inside if isinstance(one, Message)] if isinstance(inside, list) else []


def kind(part: Mime) -> str:
    try:
        return part.get_content_type()
    except (ValueError, TypeError, LookupError, AttributeError):
        return "text/plain"


def parameter(part: Mime, name: str, header: str = "content-type") -> str:
    """A parameter of a header field, whatever way it is written; empty if that way is wrong."""
    try:
        value = part.get_param(name, "", header)
        if isinstance(value, tuple):
            return text_of(value[2].encode("latin-1", "replace"), value[0] or "utf-8")
        return str(value)
    except (ValueError, TypeError, LookupError, AttributeError, IndexError):
        return ""


def disposition(part: Mime) -> str:
    return str(part.get("content-disposition", "")).partition(";")[0].strip().lower()


def name_of(part: Mime) -> str:
    return decoded(_no_surrogates(parameter(part, "filename", "content-disposition") or parameter(part, "name")), 200)


def content(part: Mime) -> bytes:
    """The bytes of a part; how they travelled may be told with a comment, and soft line breaks may have grown blanks."""
    how = re.split(r"[\s;(]", str(part.get("content-transfer-encoding", "")).strip().lower())[0]
    quoted = how == "quoted-printable"
    if how:
        part.replace_header("content-transfer-encoding", "8bit" if quoted else how)
    try:
        data = part.get_payload(decode=True)
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError):
        data = None
    if not isinstance(data, bytes):
        return b""
    if how == "base64" and len(found := b"".join(data.split())) % 4 and _BASE64.fullmatch(found):
        return a2b_base64(found[:len(found) // 4 * 4])      # cut short on its way: as much as came
    if quoted:
        part.replace_header("content-transfer-encoding", how)
        return a2b_qp(re.sub(rb"=[ \t]+(?=\r?\n)", b"=", data))
    return data


def text(part: Mime) -> str:
    """The text of a part. UTF-16 counts two bytes a letter, so bytes are cut generously before and letters after decoding."""
    data = content(part)[:4 * MOST_TEXT]
    charset = _no_surrogates(parameter(part, "charset")) or (_told_by(data) if kind(part) == "text/html" else "")
    return text_of(data, charset)[:MOST_TEXT].removeprefix("\ufeff")


def _told_by(page: bytes) -> str:
    """The charset that a page names in its own head."""
    found = re.search(rb"<meta\s[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", page[:4_000], re.IGNORECASE)
    return found[1].decode("ascii", "replace") if found else ""


def _is_text_file(part: Mime, type_: str) -> bool:
    if type_ in ("text/plain", "text/markdown", "text/x-markdown", "text/yaml", "text/csv"):
        return True
    return type_ == "application/octet-stream" and name_of(part).lower().endswith((".txt", ".text", ".md"))


def parts_of(mail: Mime) -> Parts:
    """The first usable plain text, the first page, texts that hang on the mail, and what else there is."""
    plain: Text | None = None
    page = ""
    attached: list[Text] = []
    embedded: list[str] = []
    unread: list[str] = []
    for part, inside in walk(mail):
        type_ = kind(part)
        if inside:
            if type_ == "text/plain" and len(embedded) < 5:
                embedded.append(text(part)[:MOST_EMBEDDED])
            continue
        loose = disposition(part) != "attachment" and (part is mail or not name_of(part))
        if type_.startswith("multipart/"):                  # announced and not there: the boundary is wrong
            type_, loose = "text/plain", True
        if loose and type_ == "text/html":
            page = page or text(part)
        elif loose and type_ == "text/plain":
            found = Text(text(part), parameter(part, "format").lower() == "flowed", parameter(part, "delsp").lower() == "yes")
            if not found.text.strip():
                continue
            if plain is None:
                plain = found
            else:
                attached.append(found)
        elif _is_text_file(part, type_):
            attached.append(Text(text(part)))
        elif type_ not in UNMENTIONED:
            unread.append(name_of(part) or decoded(_no_surrogates(type_), 100))
    return Parts(plain, page, attached, embedded, unread)
