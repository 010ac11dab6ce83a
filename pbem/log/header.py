"""What may stand in the header of a log, and which format of logs it names."""

from collections.abc import Mapping
from typing import Any

from pbem.base.errors import BadLog, meant
from pbem.base.yamlfile import Mapping as Entry
from pbem.base.yamlfile import line_of
from pbem.log.forms import LIST, MAPPING, TEXT, WHOLE, check_types

FORMAT = 3                  # of new games; 1 are logs that name none, and every format opens for ever
TELLING = 3                 # from here on entries say which hidden cards they move, and chance has version 2

KEYS = {key: frozenset(parts.split()) for key, _, parts in (line.partition(":") for line in """\
game:
format:
data:
fixes:
engine:
title:
language:
rules: edition options windows polls seating abilities deadlines silence
seats:
box: by on hash corrections confirmed printed
chance: scheme deck dice links words beacon entropy deadline
start: position scenario turn""".splitlines())}
NEEDED = ("game", "engine", "rules", "seats")
SEAT_KEYS = frozenset(("name", "language", "channel", "format", "zone", "people"))
FORMS = {"game": TEXT, "engine": TEXT, "title": TEXT, "rules": MAPPING, "seats": MAPPING, "chance": MAPPING, "box": MAPPING,
         "corrections": LIST, "confirmed": LIST, "printed": MAPPING,
         "start": MAPPING, "edition": TEXT, "options": LIST, "windows": TEXT, "words": MAPPING, "name": TEXT, "language": TEXT}


def format_of(header: Mapping[str, Any]) -> int:
    number: int = header.get("format", 1)
    return number


def check_header(header: Entry, file: str) -> None:
    """The format before all else: what a newer one may have is not known here."""
    check_types(header, {"format": WHOLE, "data": WHOLE, "fixes": WHOLE}, file)
    if not 1 <= format_of(header) <= FORMAT:
        raise BadLog("other_format", file=file, line=line_of(header, "format"), found=format_of(header), known=FORMAT,
                     engine=str(header.get("engine", "")))
    _check_part(header, "", frozenset(KEYS), file)
    for key in NEEDED:
        if key not in header:
            raise BadLog("missing_in_header", file=file, line=header.line, found=key, part="")
    for key, value in header.items():
        if KEYS[key]:
            _check_part(value, key, KEYS[key], file)
    for seat, facts in header["seats"].items():
        if not isinstance(facts, Entry):
            raise BadLog("seat_without_name", file=file, line=line_of(header["seats"], seat), seat=seat, example="{name: ...}")
        _check_part(facts, "seat", SEAT_KEYS, file)
    if "edition" not in header["rules"]:
        raise BadLog("missing_in_header", file=file, line=header["rules"].line, found="edition", part="rules")
    words = header.get("chance", {}).get("words", {})
    check_types(words, dict.fromkeys(words, TEXT), file)


def _check_part(part: Entry, name: str, known: frozenset[str], file: str) -> None:
    for key in part:
        if key not in known:
            raise BadLog("unknown_in_header", file=file, line=line_of(part, key), found=key, part=name,
                         nearest=meant(key, sorted(known)))
    check_types(part, FORMS, file)
