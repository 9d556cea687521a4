"""``referee doctor``: checks of the installation, with advice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict
from typing import Annotated, Final

import typer

from referee.cli import output, session
from referee.config import ConfigError, find_config, load
from referee.desk.desk import opened_desk
from referee.desk.service.doctor import checks
from referee.desk.service.doctor.finding import Finding
from referee.store.store import StoreError

SIGNS: Final = {"ok": "ok", "warning": "warning", "failure": "FAILURE", "skipped": "skipped"}


def doctor(
    *,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask no DNS and no mail servers.")
    ] = False,
    patience: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="How long a test letter may take.", min=1),
    ] = 60,
) -> None:
    """Check this installation, and give advice.

    It sends two letters to the referee itself. Exit status 1: something does not work.

    Example: referee doctor

    Example: referee doctor --offline --json
    """
    done: list[Finding] = []
    for finding in _findings(done, offline=offline, patience=patience):
        done.append(finding)
        if not session.JSON.get():
            _print(finding)
    output.result([asdict(each) for each in done])
    if any(each.grade == "failure" for each in done):
        raise typer.Exit(1)


def _findings(done: list[Finding], *, offline: bool, patience: float) -> Iterator[Finding]:
    path = None
    try:
        path = find_config(session.CONFIG.get(), os.environ)
        settings = load(path, os.environ)
    except ConfigError as fault:
        yield from checks.config_failed(path, fault)
        yield from checks.unmade(done, offline=offline)
        return
    yield from checks.of_machine(settings)
    with ExitStack() as stack:
        desk = None
        # The checks of the machine have found a database that cannot be opened.
        with suppress(StoreError):
            desk = stack.enter_context(opened_desk(settings))
        if desk is not None:
            yield from checks.of_database(settings, desk)
        if not offline:
            yield from checks.of_mail(settings, desk, patience)
    yield from checks.unmade(done, offline=offline)


def _print(finding: Finding) -> None:
    sign = f"{SIGNS[finding.grade]:<8}"
    output.print_marked(sign, f"{finding.check}: {finding.found}", finding.grade)
    if finding.advice:
        typer.echo(f"{'':<8} → {finding.advice}")
