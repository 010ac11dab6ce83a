"""The value of a round of drand, read where everybody can read it. Nothing else of pbem asks the net for it, and nobody without
being told to."""

import hashlib
import http.client
import json
import re
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pbem.base.errors import Refused
from pbem.chance.beacon import HOST, Round

PATIENCE = 20.0                             # seconds
LARGEST = 10_000                            # bytes; an answer has about 400
ADDRESS = re.compile(r"https?://[^\s/]+(?:/\S*)?")
HEX = re.compile(r"(?:[0-9a-f]{2})+")


class Straight(HTTPRedirectHandler):
    """What is asked there is answered there."""

    def redirect_request(self, *moved: object) -> Request | None:
        return None


def fetched(there: Round, host: str = HOST, patience: float = PATIENCE) -> str:
    """The randomness of a round: SHA-256 of its signature, which is what makes it one; who signed is not checked here."""
    address = there.read_at(host.rstrip("/"))
    if not ADDRESS.fullmatch(address):
        raise Refused("0", "beacon_not_fetched", read_at=address, what="http:// or https://")
    try:
        with build_opener(Straight).open(Request(address, headers={"User-Agent": "pbem"}), timeout=patience) as answer:
            told = json.loads(answer.read(LARGEST))
        number, value, signature = told["round"], told["randomness"], told["signature"]
        proper = number == there.number and HEX.fullmatch(signature)
    except HTTPError as problem:
        problem.close()
        raise Refused("0", "beacon_not_fetched", read_at=address, what=f"{problem.code} {problem.reason}") from None
    except (http.client.HTTPException, OSError) as problem:
        raise Refused("0", "beacon_not_fetched", read_at=address, what=str(getattr(problem, "reason", problem))) from None
    except (ValueError, TypeError, KeyError):
        proper = None
    if not proper or hashlib.sha256(bytes.fromhex(signature)).hexdigest() != value:
        raise Refused("0", "beacon_odd_answer", read_at=address, round=there.number)
    return str(value)
