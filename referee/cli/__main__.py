"""`python -m referee.cli`: the command line, where `referee` itself is not on the path."""

from referee.cli import main

main()
