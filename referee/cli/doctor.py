"""``referee doctor``: checks of the installation, with advice."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from referee.cli import output, session
from referee.cli.options import flag, option
from referee.desk.service.doctor import Finding, checks
from referee.value import asdict


def doctor(
    *,
    offline: Annotated[bool, flag("Ask no DNS and no mail servers.", "--offline")] = False,
    patience: Annotated[float, option("SECONDS", "How long a test letter may take.", min=1)] = 60,
) -> None:
    """Check this installation, and give advice.

    It sends two letters to the referee itself. Exit status 1: something does not work.

    Example: referee doctor

    Example: referee doctor --offline --json
    """
    done: list[Finding] = []
    config = session.CONFIG.get()
    for finding in checks.examine(config, os.environ, offline=offline, patience=patience):
        done.append(finding)
        if session.JSON.get():
            continue
        sign = "FAILURE" if finding.grade == "failure" else finding.grade
        output.print_marked(f"{sign:<8}", f"{finding.check}: {finding.found}", finding.grade)
        if finding.advice:
            typer.echo(f"{'':<8} → {finding.advice}")
    output.result([asdict(finding) for finding in done])
    if any(finding.grade == "failure" for finding in done):
        raise typer.Exit(1)
