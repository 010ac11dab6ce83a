"""What may stand behind a key of a game's files, by the names that terms.yaml has for it."""

import re
from collections.abc import Mapping
from typing import Any

from pbem.base.errors import BadLog
from pbem.base.yamlfile import line_of

TEXT, MAPPING, LIST, NUMBER, WHOLE, MOMENT, DIGEST = "text", "mapping", "sequence", "entry", "int", "moment", "digest"
TYPES = {TEXT: str, MAPPING: dict, LIST: list, NUMBER: int, WHOLE: int}
WRITTEN = {MOMENT: re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\dZ)?"), DIGEST: re.compile(r"[0-9a-f]{64}")}


def fits(value: Any, form: str) -> bool:
    if form in TYPES:
        return isinstance(value, TYPES[form])
    return WRITTEN[form].fullmatch(str(value or "")) is not None


def check_types(data: Mapping[str, Any], forms: Mapping[str, str], file: str) -> None:
    """A key without a form may hold anything."""
    for key, value in data.items():
        if key in forms and not fits(value, forms[key]):
            raise BadLog("wrong_type", file=file, line=line_of(data, key), found=key, wanted=forms[key])
