"""Mail programs that Debian has log in to the demo's server and send."""

from __future__ import annotations

import shutil
import smtplib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.demo.servers import HOST, MailServers

ALICE, REFEREE, PASSWORD = "alice@example.test", "referee@example.test", "pw alice@%:/"

Command = Callable[[int, str, Path], list[str]]

LETTER = f"From: {ALICE}\r\nTo: {REFEREE}\r\nSubject: Zug\r\n\r\nplace D6\r\n"


@pytest.fixture
def copies() -> list[tuple[str, bytes]]:
    """Return the list that copies of all mail go to."""
    return []


@pytest.fixture
def servers(copies: list[tuple[str, bytes]]) -> Iterator[MailServers]:
    """Run servers for alice and the referee."""
    accounts = {ALICE: PASSWORD, REFEREE: "secret"}
    with MailServers(accounts, lambda to, data: copies.append((to, data))) as running:
        yield running


def neomutt(port: int, way: str, folder: Path) -> list[str]:
    """Return the command that sends with neomutt, its settings in a file.

    Told to use LOGIN alone, that of Debian 12 begins it twice, which no server understands.
    """
    ways = 'set smtp_authenticators = "plain"\n' if way == "PLAIN" else ""
    settings = folder / "neomuttrc"
    settings.write_text(
        f'set smtp_url = "smtp://alice%40example.test@{HOST}:{port}"\n'
        f'{ways}set smtp_pass = "{PASSWORD}"\n'
        f'set from = "{ALICE}"\nset ssl_starttls = no\nset ssl_force_tls = no\nset copy = no\n',
        encoding="utf-8",
    )
    return ["neomutt", "-n", "-F", str(settings), "-s", "Zug", REFEREE]


def msmtp(port: int, way: str, folder: Path) -> list[str]:
    """Return the command that sends with msmtp, the password in a file."""
    (folder / "password").write_text(PASSWORD, encoding="utf-8")
    server = f"--host={HOST} --port={port} --tls=off --auth={way.lower()} --user={ALICE}"
    ask = f"--passwordeval=cat {folder}/password"
    return ["msmtp", "--file=/dev/null", *server.split(), ask, f"--from={ALICE}", REFEREE]


def swaks(port: int, way: str, folder: Path) -> list[str]:
    """Return the command that sends with swaks."""
    words = f"swaks --server {HOST}:{port} --from {ALICE} --to {REFEREE} --data -"
    login = ["--auth", way, "--auth-user", ALICE, "--auth-password", PASSWORD]
    return [*words.split(), *login]


def curl(port: int, way: str, folder: Path) -> list[str]:
    """Return the command that sends with curl."""
    words = f"curl --silent --show-error --url smtp://{HOST}:{port} --upload-file -"
    addresses = f"--mail-from {ALICE} --mail-rcpt {REFEREE} --login-options AUTH={way}"
    return [*words.split(), *addresses.split(), "--user", f"{ALICE}:{PASSWORD}"]


@pytest.mark.parametrize("way", ["PLAIN", "LOGIN"])
@pytest.mark.parametrize("program", [neomutt, msmtp, swaks, curl])
def test_a_mail_program_logs_in_and_sends(
    program: Command,
    way: str,
    servers: MailServers,
    copies: list[tuple[str, bytes]],
    tmp_path: Path,
) -> None:
    """Its letter arrives once, as it was written."""
    command = program(servers.smtp_port, way, tmp_path)
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    written = "place D6\n" if program is neomutt else LETTER
    ran = subprocess.run(
        command, input=written, capture_output=True, text=True, check=False, timeout=60,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    ((to, data),) = copies
    assert to == REFEREE
    assert data.startswith(f"Return-Path: <{ALICE}>\r\n".encode())
    assert b"\r\nSubject: Zug\r\n" in data
    assert data.rstrip().endswith(b"\r\n\r\nplace D6")


@pytest.mark.parametrize("way", ["PLAIN", "LOGIN"])
def test_smtplib_logs_in_and_sends(
    way: str, servers: MailServers, copies: list[tuple[str, bytes]]
) -> None:
    """By the way it is told to, and by the one it chooses itself."""
    for chosen in (False, True):
        with smtplib.SMTP(HOST, servers.smtp_port) as smtp:
            smtp.ehlo()
            smtp.user, smtp.password = ALICE, PASSWORD
            if chosen:
                smtp.login(ALICE, PASSWORD)
            else:
                smtp.auth(way, smtp.auth_plain if way == "PLAIN" else smtp.auth_login)
            assert smtp.sendmail(ALICE, [REFEREE], LETTER) == {}
    assert [to for to, _ in copies] == [REFEREE, REFEREE]
