"""What players kept of a game as text: mails and posts, and what stands in them to be checked."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pbem.chance import forms, scheme
from pbem.chance.check import OK, Check, Verdict, judged, verdict
from pbem.chance.scheme import Wrong
from pbem.log.gamelog import GameFile

MAILBOX = re.compile(rb"^From .*\r?\n", re.MULTILINE)
QUOTE = re.compile(r"^(?:> ?)+", re.MULTILINE)


def texts_of(file: Path) -> list[str]:
    """A post, a mail or a mailbox as text: as it stands in the file, and as its sender wrote it."""
    from email import message_from_bytes

    data = file.read_bytes()
    texts = [data.decode(errors="replace")]
    for mail in MAILBOX.split(data):
        for part in message_from_bytes(mail).walk():
            written = part.get_payload(decode=True)
            if part.get_content_maintype() == "text" and isinstance(written, bytes):
                texts.append(written.decode(errors="replace"))
    return list(dict.fromkeys(texts))


def parts(text: str, key: str) -> list[Any]:
    """What stands behind each `{"receipt": ...}` of a text, whatever line breaks a mail program has put between its words."""
    text, found = " ".join(QUOTE.sub("", text).split()), list[Any]()
    begins, decoder = f'{{"{key}":', json.JSONDecoder()
    at = text.find(begins)
    while at >= 0:
        try:
            found.append(decoder.raw_decode(text, at)[0][key])
        except ValueError:
            found.append(text[at:at + 60])
        at = text.find(begins, at + 1)
    return found


# --- the block of a turn -----------------------------------------------------------------------------------------


def block_checks(game: GameFile, chain: Sequence[str], texts: Sequence[str]) -> Iterator[Check]:
    """The blocks of Game Turns that everybody got: is this the log that they speak of?"""
    blocks = {str(part): part for text in texts for part in parts(text, "turn")}
    for block in blocks.values():
        at = block["entries"] if isinstance(block, dict) and forms.number(block.get("entries")) else 0
        yield judged(at, "block", of_this_log, game, chain, block)


def of_this_log(game: GameFile, chain: Sequence[str], block: Any) -> Verdict:
    if not forms.BLOCK(block):
        raise Wrong("not_of_the_form")
    if block["game"] != game.header["game"]:
        raise Wrong("receipt_other_game", game=block["game"])
    at = block["entries"]
    if at >= len(chain) or not chain[at].startswith(block["head"]) or game.entries[at - 1].get("turn_end") != block["turn"]:
        raise Wrong("block_other", entries=at)
    promised = game.header.get("chance") or {}
    if "link" in block:
        epoch, link, first = block.get("epoch", 0), scheme.unhex(block["link"]), scheme.unhex(promised["dice"])
        if not 1 <= epoch <= promised["links"] or not scheme.is_link(game.header["game"], link, epoch, first):
            raise Wrong("link_unpromised")
    return verdict(OK, "turn_block", turn=block["turn"])
