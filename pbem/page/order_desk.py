"""`desk.js`: the order desk of a page, with its words in all languages and the published log for its engine."""

import json

from pbem.base.language import sentences
from pbem.base.paths import data_dir, languages
from pbem.browser.opened import log_of
from pbem.log.gamelog import GameFile
from pbem.page.packed import packed, stripped

DESK = "desk.js"
SCRIPTS = ("page/lzma.js", "page/unpack.js", "desk/parts.js", "desk/runtime.js", "desk/hand_over.js",
           "desk/in_advance.js", "desk/desk.js")


def order_desk(game: GameFile) -> str:
    """The script, the same for every reader: what he holds he enters himself."""
    code = stripped("\n".join((data_dir() / name).read_text("utf-8") for name in SCRIPTS))
    words = json.dumps({language: sentences(language, "desk") for language in languages()}, ensure_ascii=False)
    text, size = packed(log_of(game))
    safe = words.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f'(() => {{\n"use strict";\n{code}\ndesk({safe}, "{text}", {size});\n}})();\n'
