"""Commands about matches: one file for starting, one for looking, one for mending."""

from __future__ import annotations

import typer

from referee.cli.match import mend, new, show

app = typer.Typer()
app.command("open")(new.open_match)
app.command()(new.new)
app.command("start")(new.start_match)
app.command("list")(show.list_matches)
app.command("show")(show.show_match)
app.command("history")(show.show_history)
mend.add_to(app)
mend.add_board_to(app)
