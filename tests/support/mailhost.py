"""Postfix and Dovecot with the files of deploy/mail/, moved to free ports and a folder of ours."""

from __future__ import annotations

import email.policy
import os
import pwd
import shutil
import signal
import smtplib
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from secrets import token_hex
from typing import Final

from imapclient import IMAPClient
from support.dovecot import free_ports

SHIPPED: Final = Path(__file__).parents[2] / "deploy" / "mail"
DOMAIN: Final = "example.org"
PASSWORD: Final = "pw"
WAIT: Final = 60.0


def why_not() -> str | None:
    """Return why the two cannot be started here, or None."""
    if os.geteuid() != 0:
        return "Postfix starts as root only"
    for program in ("postfix", "dovecot", "openssl"):
        if shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None:
            return f"{program} is not installed"
    version = subprocess.run(["dovecot", "--version"], capture_output=True, text=True, check=False)
    return None if version.stdout.startswith("2.3.") else "this Dovecot is not 2.3"


class MailHost:
    """The two servers, running, with a mailbox for each name.

    With ``introspection``, the address where tokens are judged (RFC 7662), they also take tokens,
    by one of the mechanisms ``xoauth2`` and ``oauthbearer``, and the first name's password is a
    secret.
    """

    def __init__(
        self, *names: str, introspection: str | None = None, mechanism: str = "xoauth2"
    ) -> None:
        self.introspection, self.mechanism = introspection, mechanism
        # Unix sockets allow paths of 108 bytes only.
        self.home = Path(tempfile.mkdtemp(prefix="mh.", dir="/tmp"))
        self.home.chmod(0o755)
        self.names = names
        self.smtp, self.submission, self.imaps = free_ports(3)
        self.cafile = self.home / "ssl" / "fullchain.pem"
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Write the shipped files with our paths and ports, and start both servers."""
        for folder in ("etc", "ssl", "queue", "data", "vmail", "run"):
            (self.home / folder).mkdir()
        shutil.chown(self.home / "data", "postfix")
        shutil.chown(self.home / "vmail", "nobody")
        self._certify()
        moved = {
            "/etc/ssl/mail": f"{self.home}/ssl",
            "/etc/postfix/mailboxes": f"{self.home}/etc/mailboxes",
            "/etc/dovecot/users": f"{self.home}/etc/users",
            "/var/spool/postfix": f"{self.home}/queue",
            "/var/vmail": f"{self.home}/vmail",
            "uid=vmail gid=vmail": f"uid={pwd.getpwnam('nobody').pw_uid} gid=65534",
            "port = 993": f"port = {self.imaps}",
            "listen = *": "listen = 127.0.0.1",
            "inet_interfaces = all": "inet_interfaces = loopback-only",
            "myhostname = mail.example.org": "myhostname = localhost",
            "ARGON2ID": "PLAIN",
            "smtp         inet": f"127.0.0.1:{self.smtp} inet",
            "submission   inet": f"127.0.0.1:{self.submission} inet",
        }
        for name in ("main.cf", "master.cf", "mailboxes", "dovecot.conf"):
            text = (SHIPPED / name).read_text(encoding="utf-8")
            for old, new in moved.items():
                text = text.replace(old, new)
            (self.home / "etc" / name).write_text(text + self._own(name), encoding="utf-8")
        accounts = [f"{name}@{DOMAIN}" for name in self.names]
        boxes, users = self.home / "etc" / "mailboxes", self.home / "etc" / "users"
        boxes.write_text("".join(f"{each} box\n" for each in accounts), encoding="utf-8")
        passwords = dict.fromkeys(accounts, PASSWORD)
        if self.introspection:
            self._take_tokens(self.introspection)
            # Listed all the same: Dovecot delivers to nobody whom it does not know.
            passwords[accounts[0]] = token_hex()
        lines = [f"{each}:{{PLAIN}}{word}::::::\n" for each, word in passwords.items()]
        users.write_text("".join(lines), encoding="utf-8")
        self._launch("postfix", "-c", str(self.home / "etc"), "start-fg")
        self._answers(self.smtp)
        self._launch("dovecot", "-F", "-c", str(self.home / "etc" / "dovecot.conf"))
        self._answers(self.imaps, tells=False)

    def _own(self, name: str) -> str:
        """Return what a second instance on this machine needs besides."""
        if name == "main.cf":
            return (
                f"\nqueue_directory = {self.home}/queue\ndata_directory = {self.home}/data\n"
                f"maillog_file = {self.home}/postfix.log\nmaillog_file_prefixes = /tmp\n"
            )
        if name == "dovecot.conf":
            return (
                f"\nbase_dir = {self.home}/run\nstate_dir = {self.home}/run\n"
                f"log_path = {self.home}/dovecot.log\ninstance_name = mailhost-{self.imaps}\n"
            )
        return ""

    def _take_tokens(self, introspection: str) -> None:
        """Have Dovecot ask about tokens before it looks for passwords."""
        file = self.home / "etc" / "dovecot.conf"
        text = file.read_text(encoding="utf-8")
        asked = self.home / "etc" / "oauth2.conf"
        passdb = (
            f"passdb {{\n  driver = oauth2\n  mechanisms = {self.mechanism}\n  args = {asked}\n}}\n"
        )
        others = "passdb {\n  mechanisms = plain login none\n"
        text = text.replace("passdb {\n", passdb + others, 1)
        ways = f"plain login {self.mechanism}"
        file.write_text(
            text.replace("auth_mechanisms = plain login", f"auth_mechanisms = {ways}")
            + "auth_failure_delay = 0\nservice anvil {\n  unix_listener anvil-auth-penalty {\n"
            "    mode = 0\n  }\n}\n",
            encoding="utf-8",
        )
        asked.write_text(
            f"introspection_mode = post\nintrospection_url = {introspection}\n"
            "username_attribute = username\nactive_attribute = active\nactive_value = true\n",
            encoding="utf-8",
        )

    def _certify(self) -> None:
        names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        files = ["-keyout", f"{self.home}/ssl/privkey.pem", "-out", str(self.cafile)]
        subject = ["-days", "2", "-subj", "/CN=localhost", "-addext", names]
        subprocess.run([*command.split(), *subject, *files], check=True, capture_output=True)

    def _launch(self, *command: str) -> None:
        with (self.home / "output").open("ab") as output:
            self._processes.append(
                subprocess.Popen(
                    command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
                )
            )

    def _answers(self, port: int, *, tells: bool = True) -> None:
        """Wait until a port is served; with ``tells`` until it greets. Raises RuntimeError."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end and self._processes[-1].poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", port), 5) as connection:
                    if not tells or connection.recv(64):
                        return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"no answer on {port}: {self.log()[-2000:]}")

    def log(self) -> str:
        """Return everything the servers have said."""
        files = ("output", "postfix.log", "dovecot.log")
        return "".join((self.home / each).read_text(errors="replace") for each in files
                       if (self.home / each).exists())  # fmt: skip

    def submit(self, sender: str, raw: bytes, to: str) -> None:
        """Send a letter as a mail program does: over TLS, logged in."""
        with smtplib.SMTP("127.0.0.1", self.submission, timeout=WAIT) as client:
            client.starttls()
            client.login(f"{sender}@{DOMAIN}", PASSWORD)
            client.sendmail(f"{sender}@{DOMAIN}", [to], raw)

    def inbox(self, name: str) -> list[EmailMessage]:
        """Return the mails in a person's mailbox."""
        context = ssl.create_default_context(cafile=str(self.cafile))
        with IMAPClient("localhost", self.imaps, ssl_context=context, timeout=WAIT) as client:
            client.login(f"{name}@{DOMAIN}", PASSWORD)
            client.select_folder("INBOX", readonly=True)
            found = client.fetch(client.search(), ["BODY.PEEK[]"])
        parser = BytesParser(EmailMessage, policy=email.policy.default)
        return [parser.parsebytes(each[b"BODY[]"]) for each in found.values()]

    def next_mail(
        self, name: str, wanted: Callable[[EmailMessage], bool] = lambda _: True
    ) -> EmailMessage:
        """Wait until a person has a mail that is wanted; return the latest."""
        found: list[EmailMessage] = []

        def look() -> bool:
            found[:] = [each for each in self.inbox(name) if wanted(each)]
            return bool(found)

        self.wait(look)
        return found[-1]

    def letters(self, name: str) -> int:
        """Return how many mails lie in a person's inbox, those read by nobody yet."""
        box = self.home / "vmail" / DOMAIN / name / "Maildir"
        return len([*box.glob("new/*"), *box.glob("cur/*")])

    def wait(self, seen: Callable[[], bool]) -> None:
        """Wait until something is true."""
        end = time.monotonic() + WAIT
        while not seen():
            assert time.monotonic() < end, self.log()[-3000:]
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop both, with all their children, and remove what they left."""
        # Its daemons have sessions of their own, which only Postfix itself knows.
        subprocess.run(["postfix", "-c", str(self.home / "etc"), "stop"], capture_output=True,
                       check=False)  # fmt: skip
        for each in self._processes:
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(each.pid, number)
                    each.wait(10)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    continue
        shutil.rmtree(self.home, ignore_errors=True)
