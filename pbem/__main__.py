"""`python -m pbem` is the command `pbem`."""

import gc
import sys

from pbem import __version__


def run() -> None:
    """Which version this is needs no command line."""
    if sys.argv[1:] == ["--version"]:
        print(f"pbem, version {__version__}")
        return
    gc.set_threshold(50_000, 20, 20)                # nothing of what a command imports is ever garbage
    from pbem.cli.main import main

    main(prog_name="pbem")


if __name__ == "__main__":
    run()
