"""A terminal in a page: what is typed there goes to the very commands, in a folder in the memory of the reader's browser.

One request in, one answer out, both JSON, as at the order desk of a page. Of a shell there is nothing but words, quotation
marks and `> FILE`. Each answer has the step of the tutorial that comes next, and the folder, for the page to keep.
"""

import json
import re
import shlex
import shutil
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile
from zlib import error as BadlyPacked

from pbem.base.errors import PbemError
from pbem.cli.base import READ_IN, in_words, words_here
from pbem.cli.main import main
from pbem.desk.tutorial import CHECKS, blocks_of, opened, printed
from pbem.log.gamelog import GAME

VERSION, PROGRAM = 1, "pbem"            # of the protocol; the only one that is called
UNREADABLE = (PbemError, BadZipFile, BadlyPacked, ValueError, OSError)
Row = dict[str, Any]
HERE = Path()
STRAIGHT = str.maketrans(dict.fromkeys("“”„", '"'))


class Terminal:
    """A folder, and whoever types in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def answer(self, text: str) -> str:
        """One request, one answer under the same number; what is wrong with it is a sentence."""
        asked = json.loads(text)
        answer: Row = {"pbem": VERSION, "number": asked.get("number", 0)}
        self.folder.mkdir(parents=True, exist_ok=True)
        language = str(asked.get("language") or "")
        before = READ_IN.set(language)
        with chdir(self.folder):
            try:
                answer |= ASKED[asked["ask"]](asked, language)
            except PbemError as error:
                answer["error"] = in_words(error)
            finally:
                READ_IN.reset(before)
        return json.dumps(answer, ensure_ascii=False)


def begun(asked: Mapping[str, Any], language: str) -> Row:
    """The lesson in this language: as it is, as the page has kept it, or from the first step."""
    kept = str(asked.get("kept") or "")
    if kept or asked.get("anew"):
        emptied()
    try:
        if kept:
            ZipFile(BytesIO(b64decode(kept))).extractall(HERE)
        return how_far(language)
    except UNREADABLE:                                      # by another version, or somebody has had his hands in it
        emptied()
        return how_far(language)


def typed(asked: Mapping[str, Any], language: str) -> Row:
    """What a line prints; but for the step, which the page shows itself."""
    said, code = ran(str(asked["line"]))
    return {"printed": said.removesuffix(printed(opened(HERE, language))).rstrip(), "code": code, **how_far(language)}


def how_far(language: str) -> Row:
    """How far the lesson is, with all that is needed to go on another day."""
    lesson = opened(HERE, language)
    hints = [one for block in blocks_of(lesson, hints=True) for one in block.lines]
    return {"step": lesson.progress.step, "of": len(CHECKS), "blocks": [one._asdict() for one in blocks_of(lesson)],
            "asks": any(one.startswith(f"{PROGRAM} tutorial") for one in hints),
            "head": sha256((lesson.game / GAME).read_bytes()).hexdigest() if (lesson.game / GAME).is_file() else "",
            "kept": packed()}


def ran(line: str) -> tuple[str, int]:
    """What a terminal would show, and the exit code."""
    said = words_here()
    try:
        words, file = read(line)
    except ValueError:
        return str(said.phrase("quotation_left_open")), 2
    if not words:
        return "", 0
    if words[0] != PROGRAM:
        return str(said.phrase("only_this_program", text=words[0])), 127
    shown, kept = StringIO(), StringIO()
    code = 0
    with redirect_stdout(kept if file else shown), redirect_stderr(shown):
        try:
            main.main(words[1:], prog_name=PROGRAM)
        except SystemExit as end:
            code = int(end.code or 0)
    if file:
        try:
            Path(file).write_text(kept.getvalue(), "utf-8")
        except OSError as error:
            return in_words(PbemError("not_possible", file=file, why=str(error.strerror or error).lower())), 1
    return shown.getvalue(), code


def read(line: str) -> tuple[list[str], str]:
    """The words of a line, and the file behind `>`. Telephones make curly marks of straight ones, and a dash of two strokes."""
    if not set(line) & set("\"'"):
        line = line.translate(STRAIGHT)
    signs = shlex.shlex(re.sub(r"(?<=\s)[—–](?=\w)", "--", line), posix=True, punctuation_chars=">")
    signs.whitespace_split, signs.commenters = True, ""
    words = list(signs)
    return (words[:-2], words[-1]) if words[-2:-1] == [">"] else (words, "")


def packed() -> str:
    """All files of the folder, as a text."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for file in sorted(HERE.rglob("*")):
            if file.is_file():
                archive.write(file)
    return b64encode(made.getvalue()).decode()


def emptied() -> None:
    for one in HERE.iterdir():
        if one.is_dir():
            shutil.rmtree(one)
        else:
            one.unlink()


ASKED: dict[str, Callable[[Mapping[str, Any], str], Row]] = {"open": begun, "type": typed}
