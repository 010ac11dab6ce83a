"""Polling against the bare fetch: `python tests/mail/bench.py [mails] [games]`. Prints ratios; kept out of the tests."""

import logging
import resource
import ssl
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from imap_server import DovecotServer  # noqa: E402 - the path has to be set first
from imapclient import IMAPClient  # noqa: E402
from smtp_server import SmtpSink  # noqa: E402
from table import HOST, PEOPLE, Table  # noqa: E402

from pbem.mail import loop  # noqa: E402


def bare(server: DovecotServer, first: int) -> float:
    """The same mails, one at a time, with nothing done to them."""
    start = time.perf_counter()
    context = ssl.create_default_context(cafile=server.cafile)
    with IMAPClient("localhost", server.ssl_port, ssl_context=context, timeout=20) as client:
        client.login(HOST, "pw")
        client.select_folder("INBOX", readonly=True)
        for uid in client.search(["UID", f"{first}:*"]):
            client.fetch([uid], ["BODY.PEEK[]"])
    return time.perf_counter() - start


def main(mails: int, games: int) -> None:
    logging.disable(logging.WARNING)
    with (DovecotServer(dict.fromkeys((HOST, *PEOPLE.values()), "pw")) as imap,
          SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: "pw"}) as smtp,
          tempfile.TemporaryDirectory() as folder):
        table = Table(Path(folder), imap, smtp)
        for number in range(1, games):
            table.add(f"game-{number}")
        table.run()
        table.config.limits["mails"] = mails
        for number in range(mails):
            table.post(f"someone{number % 50}@example.net", f"line {number}\n" * 20)
        fetched = min(bare(imap, 1) for _ in range(3))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        with ExitStack() as stack:
            kept = loop.Run(table.config, table.config.games(), table.now, stack)
            loop.collect(kept)
        fetching = time.perf_counter() - start
        start = time.perf_counter()
        summary = table.poll()
        took = time.perf_counter() - start
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"{kept.summary.fetched} mails, {games} games: bare fetch {fetched:.2f} s; fetched and kept {fetching:.2f} s, "
              f"ratio {fetching / fetched:.2f}; read and dealt with {took:.2f} s; memory +{grown // 1024} MB; {summary.counts}")
        start = time.perf_counter()
        table.poll()
        print(f"a poll with nothing new: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main(*([int(word) for word in sys.argv[1:]] or [1000, 1]))
