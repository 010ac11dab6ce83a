"""A flood before a deadline: so many mails of strangers, then the answers. `python tests/mail/flood.py [mails]` measures it."""

import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from smtp_server import SmtpSink  # noqa: E402 - the path has to be set first
from table import HOST, PASSWORD, Table, imap_server  # noqa: E402


def flooded(table: Table, mails: int) -> tuple[float, int, str]:
    """One run over all of it: nobody is silent who has answered. Seconds, megabytes, and what the run says."""
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.waited(47)
    for number in range(mails):
        table.deliver(table.write(f"stranger{number}@example.net", "buy this\n" + "x" * 2_000))
    for seat in ("blue", "yellow"):
        table.reply(seat, "pass")
    table.later(hours=2)
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, time.perf_counter()
    summary = table.run()
    seconds = time.perf_counter() - began
    (close,) = [entry for entry in table.log() if "close" in entry]
    assert close["answers"] == {"blue": "pass", "yellow": "pass"} and not close.get("silent"), close
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 - before, summary.text()


def main(mails: int) -> None:
    with (imap_server() as imap, tempfile.TemporaryDirectory() as folder,
          SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: PASSWORD}, deliver=imap) as smtp):
        seconds, megabytes, said = flooded(Table(Path(folder), imap, smtp), mails)
        print(f"{mails} mails: {seconds:.1f} s, memory +{megabytes} MB; {said}")


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:]] or [10_000])
