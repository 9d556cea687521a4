"""Servers for every test that asks: ``dovecot``, ``smtp_server`` and ``postgresql``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support import dovecot as dovecots
from support import postgresql as databases
from support.smtpd import SmtpServer


@pytest.fixture(scope="session")
def dovecot() -> Iterator[dovecots.Dovecot]:
    """Run a Dovecot; take a fresh ``account`` for every mailbox."""
    if reason := dovecots.why_not():
        pytest.skip(reason)
    server = dovecots.Dovecot()
    try:
        server.prepare()
        server.start()
        yield server
    finally:
        server.stop()
        server.remove()


@pytest.fixture(scope="session")
def running_smtp_server() -> Iterator[SmtpServer]:
    """Run the SMTP server that ``smtp_server`` hands out."""
    server = SmtpServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def smtp_server(running_smtp_server: SmtpServer) -> Iterator[SmtpServer]:
    """Hand out an SMTP server that has taken nothing yet and behaves well."""
    running_smtp_server.reset()
    yield running_smtp_server
    running_smtp_server.reset()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[databases.PostgreSQL]:
    """Run a PostgreSQL; its databases are the caller's to make and drop."""
    if reason := databases.why_not():
        pytest.skip(reason)
    server = databases.PostgreSQL()
    try:
        server.start()
        yield server
    finally:
        server.stop()
