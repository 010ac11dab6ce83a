"""`python -m pbem` is the command `pbem`."""

from pbem.cli.main import main

main(prog_name="pbem")
