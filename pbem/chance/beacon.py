"""A public beacon: which round of which chain is mixed into the deck and into each Game Turn, and what was heard of it.

The header announces one round, for a moment after the words: it goes into the deck and the first dice. Before the first die
of each later epoch an entry says when it was wanted, and so announces its round: the first one of an hour later. Nobody chooses
any of them, and nothing here asks the net.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from pbem.base.errors import NotNow, Refused
from pbem.chance.scheme import NO_BEACON, Beacon

# Each chain of drand by its name: when its first round came, in seconds of Unix, and how many seconds lie between two rounds
# (`genesis_time` and `period` of https://api.drand.sh/HASH/info), and its hash.
CHAINS = {"quicknet": (1692803367, 3), "default": (1595431050, 30)}
HASHES = {"quicknet": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
          "default": "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"}
HOST = "https://api.drand.sh"               # others answer alike
LATER = timedelta(hours=1)
OF_HEADER = (0, 1)          # the epochs of the announced round itself: the deck and the first Game Turn
NAMED = re.compile(r"drand:(\w+):([1-9]\d{0,17})")
MINUTE = "%Y-%m-%dT%H:%MZ"                                  # as an announcement has its moment
RANDOMNESS = re.compile(r"[0-9a-f]{64}")


class Round(NamedTuple):
    """A round of a beacon, as the header announces it and as an entry gives its id."""

    chain: str
    number: int

    def __str__(self) -> str:
        return f"drand:{self.chain}:{self.number}"

    @property
    def at(self) -> datetime:
        """From when on its value is public."""
        genesis, period = CHAINS[self.chain]
        return datetime.fromtimestamp(genesis + (self.number - 1) * period, UTC)

    def read_at(self, host: str = HOST) -> str:
        """Where anybody can read its value."""
        return f"{host}/{HASHES[self.chain]}/public/{self.number}"


def first_after(chain: str, moment: datetime) -> Round:
    genesis, period = CHAINS[chain]
    return Round(chain, max(1, -int((genesis - moment.timestamp()) // period) + 1))


def round_of(text: str) -> Round | None:
    found = NAMED.fullmatch(text)
    return Round(found[1], int(found[2])) if found and found[1] in CHAINS else None


def wished(text: str) -> Round:
    """`drand:CHAIN:ROUND`, or a moment in place of the round: the first one that comes then or later."""
    if (exact := round_of(text)) is not None:
        return exact
    kind, chain, moment = (*text.split(":", 2), "", "")[:3]
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        at = None
    if kind != "drand" or chain not in CHAINS or at is None:
        raise Refused("0", "beacon_not_known", beacon=text, known=sorted(CHAINS))
    return first_after(chain, at if at.tzinfo else at.replace(tzinfo=UTC))


def announced(header: Mapping[str, Any]) -> Round | None:
    """What the header says; only an exact round binds."""
    rule = str((header.get("chance") or {}).get("beacon") or NO_BEACON[0])
    if rule == NO_BEACON[0]:
        return None
    if (exact := round_of(rule)) is None:
        raise Refused("0", "beacon_not_known", beacon=rule, known=sorted(CHAINS))
    return exact


class Listening:
    """Which round belongs to which epoch, and the values that stand in the log, also in entries that were taken back."""

    def __init__(self, first: Round, entries: Iterable[Mapping[str, Any]] = ()) -> None:
        self.first = first
        self.rounds = dict.fromkeys(OF_HEADER, first)
        self.heard: dict[int, Beacon] = {}
        for entry in entries:
            self.take_in(entry)

    def take_in(self, entry: Mapping[str, Any]) -> None:
        with suppress(KeyError, TypeError, ValueError):         # what cannot be read was not said
            if "announce" in entry:
                at = datetime.strptime(entry["at"], MINUTE).replace(tzinfo=UTC)
                self.rounds.setdefault(entry["announce"], first_after(self.first.chain, at + LATER))
            if told := entry.get("beacon"):
                self.heard.setdefault(told["epoch"], (str(told["id"]), bytes.fromhex(told["value"])))

    @property
    def awaited(self) -> Round | None:
        """What was announced, and nobody has entered."""
        return next((there for epoch, there in self.rounds.items() if epoch not in self.heard), None)

    def value(self, epoch: int) -> Beacon:
        if epoch in self.heard:
            return self.heard[epoch]
        if epoch in self.rounds:
            raise waits(self.rounds[epoch])
        raise Unannounced(epoch)

    def entries(self, number: int, value: str, now: datetime) -> list[dict[str, Any]]:
        """What the log gets when the value of a round is public: one entry for each epoch that waits for it."""
        due = [epoch for epoch, there in self.rounds.items() if epoch not in self.heard and there.number == number]
        if not due:
            raise Refused("0", "beacon_not_awaited", round=number, awaited=str(self.awaited or ""))
        if not RANDOMNESS.fullmatch(value):
            raise Refused("0", "beacon_unfit_value", value=value)
        there = self.rounds[due[0]]
        if now < there.at:
            raise not_public(there)
        return [{"beacon": {"epoch": epoch, "id": str(there), "value": value}} for epoch in due]


class Unannounced(NotNow):
    """A die of an epoch whose round has still to be announced: that comes first, and then it waits."""

    def __init__(self, epoch: int) -> None:
        super().__init__("beacon_unannounced_yet", epoch=epoch)
        self.epoch = epoch


def not_public(there: Round) -> Refused:
    return Refused("0", "beacon_not_public", round=there.number, at=f"{there.at:%Y-%m-%dT%H:%MZ}")


def waits(awaited: Round) -> NotNow:
    return NotNow("beacon_awaited", id=str(awaited), round=awaited.number, at=f"{awaited.at:%Y-%m-%dT%H:%MZ}",
                  read_at=awaited.read_at())
