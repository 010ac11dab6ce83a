"""`undo`: a player asks before all eyes that something be taken back; the others say what they think of it."""

import re

from pbem.base.language import fill
from pbem.desk import showing, wishes
from pbem.desk.notes import note
from pbem.mail import letters
from pbem.mail.request import Request
from pbem.mail.sentences import mailed
from pbem.orders.asking import NUMBER


def ask(ask: Request, rest: str) -> str:
    """`undo: the wrong General`, `undo 14: why`, and of the others `undo yes` or `undo no`."""
    desk, seat, public = ask.desk, ask.seat, showing.words(ask.desk)
    word = rest.strip(" .!?:").casefold()
    if word in ("yes", "no"):
        one = wishes.agree(desk, seat, word == "yes")
        note(desk, "undo_agreed", seat=seat, entry=one.entry, yes=word)
        return fill(mailed(ask.said, "undo_noted", seat=one.seat, entry=one.entry, yes=word == "yes"))
    named = re.match(NUMBER, rest)
    reason = " ".join(rest.partition(":")[2].split()) or str(mailed(public, "undo_no_reason"))
    one = wishes.wish(desk, seat, int(named[0]) if named else 0, reason)
    note(desk, "undo_wished", seat=seat, entry=one.entry, reason=reason, asked=one.asked)
    if ask.config is not None:
        ask.mails.extend(letters.notice(ask.config, desk.now, letters.for_the_moderator(
            f"undo-{desk.game.header['game']}-{len(desk.game.entries)}", "undo",
            [wishes.command(desk, one), f'pbem undo {desk.folder} {one.entry} --refuse --reason "..."'],
            game=desk.game.header["game"], seat=seat, entry=one.entry, reason=reason)))
    return fill(mailed(ask.said, "undo_asked", entry=one.entry, asked=one.asked))
