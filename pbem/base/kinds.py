"""What a file is, by what stands in it: so that a wrong one can be refused by name."""

import re
from pathlib import Path

HEAD = 100_000                      # bytes that are looked at
UNKNOWN = ""                        # a text, and who wants one has to read it

# What only such a file begins with; then keys of YAML that stand together in no other file; then how a text begins.
BEGINNINGS = (
    ("picture", rb"\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0\0|RIFF.{4}WEBP|\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?<svg"),
    ("pdf", rb"%PDF-"),
    ("archive", rb"PK\x03\x04|\x1f\x8b|7z\xbc\xaf|BZh|\xfd7zXZ"),
    ("page", rb"(?i)\s*(?:<!doctype html|<html)"),
    ("mail", rb"(?i)(?=(?:.*\r?\n)*?(?:received|return-path|message-id|mime-version):)(?:from [^\n]*\n)?(?:[\w-]+: .*\r?\n)"),
    ("proof", rb'\{"chance":'),
)
KEYS = (
    ("log", ("game", "seats", "rules")), ("private", ("tray",)), ("settings", ("address", "imap")),
    ("settings", ("address", "smtp")), ("form", ("by", "on", "battle_table")), ("position", ("turn", "forces")),
    ("position", ("turn", "segment")), ("position", ("turn", "spaces")),
)
DATA = (".yaml", ".yml", ".json")


def kind_of(path: Path) -> str:
    """The key of its name in `terms`, UNKNOWN for a text like any other."""
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    for kind, beginning in BEGINNINGS:
        if re.match(beginning, head, re.DOTALL if kind == "picture" else 0):
            return kind
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf16"
    try:
        text = head.decode() if len(head) < HEAD else head.decode(errors="ignore")
    except UnicodeDecodeError:
        return "bytes"
    if "\0" in text:
        return "bytes"
    keys = set(re.findall(r"(?m)^(\w+):", text))
    found = next((kind for kind, some in KEYS if keys.issuperset(some)), UNKNOWN)
    return found or ("data" if path.suffix in DATA else UNKNOWN)
