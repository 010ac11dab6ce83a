"""Tokens that a game gives out, for a question or a Game Turn, so that whoever writes can be told from whoever pretends to."""

from pbem.mail import tokens
from pbem.mail.desk import MailDesk

MOST_ISSUED = 500


def title(desk: MailDesk) -> str:
    return str(desk.game.header["game"])


def secret(desk: MailDesk) -> str:
    """The key from which the game's tokens are made."""
    if not desk.mail.secret:
        import secrets

        desk.mail.secret = secrets.token_hex(20)
    return desk.mail.secret


def turn_window(desk: MailDesk) -> str:
    """What a token is for that answers no window: this seat, this Game Turn; after an undo it is played anew."""
    return f"turn:{desk.match.g.turn}{desk.after_undo}"


def issue(desk: MailDesk, seat: str, window: str) -> str:
    """The token for an answer; that it was given is kept with the game."""
    given = (seat, window, desk.stretch if desk.asks(seat) else "")
    if given not in desk.mail.issued:
        desk.mail.issued.append(given)
        del desk.mail.issued[:-MOST_ISSUED]
    return tokens.make(secret(desk), title(desk), seat, window)


def token_given(desk: MailDesk, seat: str) -> str:
    """The token for what this seat is asked now, if it has been sent one; nothing is given out by this."""
    window = desk.open_as if desk.asks(seat) else turn_window(desk)
    was_given = (seat, window, desk.stretch if desk.asks(seat) else "") in desk.mail.issued
    return tokens.make(secret(desk), title(desk), seat, window) if was_given else ""


def token_now(desk: MailDesk, seat: str) -> str:
    """For the question this seat is asked; without one, for the turn."""
    return issue(desk, seat, desk.open_as if desk.asks(seat) else turn_window(desk))
