"""Receipts: what proves to its giver, and in his hands to others, that a sealed answer was taken, and which."""

from typing import Any, NamedTuple

from pbem.chance.scheme import H, Secrets, enc, hmac256

SALT = 16                               # bytes


class Receipt(NamedTuple):
    """A sealed answer as it was taken. `before` is the digest of the one that it takes the place of."""

    game: str
    question: str
    seat: str
    number: int                         # of this seat's answers to this question
    entries: int                        # how long the log was, and its head there
    head: str
    at: str
    text: str
    salt: str
    before: str
    digest: str
    code: str

    def plain(self) -> dict[str, Any]:
        """As it stands in a mail."""
        return {"receipt": self._asdict()}

    @property
    def own_digest(self) -> str:
        """What the close of the question lists. Only who has the salt can say which answer it is of."""
        told = (self.game, self.question, self.seat, str(self.number), str(self.entries), self.head, self.at,
                " ".join(self.text.split()), self.salt, self.before)
        return H(enc("pbem/receipt/2", *told)).hex()


def code(secret: bytes, game: str, digest: str) -> str:
    """Only who has the deck secret can make it, and who has seen it opened can check it."""
    return hmac256(hmac256(secret, enc("pbem/receipt-key/2", game)), enc("pbem/receipt-code/2", digest)).hex()


def given(secrets: Secrets, unsigned: Receipt) -> Receipt:
    """With its salt, its digest and its code."""
    salted = unsigned._replace(salt=hidden(secrets, unsigned)[: 2 * SALT])
    digest = salted.own_digest
    return salted._replace(digest=digest, code=code(secrets.deck, salted.game, digest))


def nobodys(secrets: Secrets, game: str, question: str, seat: str, entries: int) -> str:
    """What stands in the place of a digest for who said nothing, where nobody may see that."""
    return hidden(secrets, Receipt(game, question, seat, 0, entries, "", "", "", "", "", "", ""))


def hidden(secrets: Secrets, about: Receipt) -> str:
    """A number that nobody can guess: it hangs on the last link of the chain, which is never opened."""
    told = (about.game, about.question, about.seat, str(about.number), str(about.entries), about.text, about.before)
    return hmac256(secrets.link(secrets.links), enc("pbem/receipt-salt/2", *told)).hex()
