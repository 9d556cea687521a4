"""A private Dovecot 2.3 on loopback: any user name with the password ``pw`` has a mailbox."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path

from referee.mail.transport.servers import Security, Server

DOMAIN = "example.test"
PASSWORD = "pw"
TRIES = 10

CONFIGURATION = """\
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/dovecot.log
instance_name = referee-test-{imap}
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_format = %Lu
auth_failure_delay = 0
ssl = yes
ssl_cert = <{home}/cert.pem
ssl_key = <{home}/key.pem
mail_location = maildir:~/Maildir
mail_fsync = never
protocol imap {{
  mail_max_userip_connections = 100
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  service_count = 0
  process_min_avail = 1
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  user = {user}
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}/home/%u allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
protocol lmtp {{
  postmaster_address = postmaster@{domain}
}}
"""


QUOTA = """\
mail_plugins = $mail_plugins quota
protocol imap {
  mail_plugins = $mail_plugins imap_quota
}
plugin {
  quota = maildir:User quota
  quota_rule = *:storage=2M:messages=100
}
"""
"""More of a configuration: every account has room for two megabytes."""


def why_not() -> str | None:
    """Return why Dovecot cannot be started here, or None."""
    program = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        return "Dovecot is not installed (Debian: dovecot-imapd dovecot-lmtpd)"
    if shutil.which("openssl") is None:
        return "openssl is not installed"
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    if not version.stdout.startswith("2.3."):
        return f"Dovecot {version.stdout.split()[:1]} has another configuration than 2.3"
    return None


def free_ports(number: int) -> list[int]:
    """Return ports of loopback nobody listens on."""
    sockets = [socket.socket() for _ in range(number)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Dovecot:
    """The running server. Use a fresh account per test; nothing is cleaned between them."""

    def __init__(self, more: str = "") -> None:
        self.more = more
        # Unix sockets allow paths of 108 bytes only, so pytest's own folders are too deep;
        # and where TMPDIR says, the server's user may have no way to.
        self.home = Path(tempfile.mkdtemp(prefix="dv.", dir="/tmp"))
        self.imap = self.imaps = self.lmtp = 0
        self.cafile = self.home / "cert.pem"
        self._accounts = count(1)
        # Dovecot refuses to read mail as root.
        self._owner = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.getuid())
        self._process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Write a certificate for localhost and make room for what the server keeps."""
        for folder in ("run", "state", "home"):
            (self.home / folder).mkdir()
        key, names = self.home / "key.pem", "subjectAltName=DNS:localhost,IP:127.0.0.1"
        command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        subject = ["-days", "2", "-subj", "/CN=localhost", "-addext", names]
        files = ["-keyout", str(key), "-out", str(self.cafile)]
        subprocess.run([*command.split(), *subject, *files], check=True, capture_output=True)
        if os.geteuid() == 0:
            self.home.chmod(0o755)
            for each in [self.home, *self.home.rglob("*")]:
                os.chown(each, self._owner.pw_uid, self._owner.pw_gid)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        for _ in range(TRIES):
            # Between our look and its own somebody else may take a port that was free.
            self.imap, self.imaps, self.lmtp = free_ports(3)
            self._configure()
            self._launch()
            if self._is_ready():
                return
            said = self._said()
            self.stop()
            if "in use" not in said:
                break
        raise RuntimeError(f"Dovecot did not start: {said[-2000:]}")

    def _configure(self) -> None:
        file = self.home / "dovecot.conf"
        file.write_text(
            CONFIGURATION.format(
                home=self.home,
                imap=self.imap,
                imaps=self.imaps,
                lmtp=self.lmtp,
                user=self._owner.pw_name,
                group=grp.getgrgid(self._owner.pw_gid).gr_name,
                uid=self._owner.pw_uid,
                gid=self._owner.pw_gid,
                password=PASSWORD,
                domain=DOMAIN,
            )
            + self.more
        )
        file.chmod(0o644)

    def _launch(self) -> None:
        program = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        assert program is not None
        root = os.geteuid() == 0
        # Its clock is the real one: what libfaketime leaves in shared memory of a process of ours
        # that was killed keeps another user's from starting, once it has the same number.
        environ = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        with (self.home / "output").open("wb") as output:
            self._process = subprocess.Popen(
                [program, "-F", "-c", str(self.home / "dovecot.conf")],
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=environ,
                user=self._owner.pw_uid if root else None,
                group=self._owner.pw_gid if root else None,
                extra_groups=[] if root else None,
            )

    def _is_ready(self) -> bool:
        """Wait until the server answers; tell whether it does."""
        assert self._process is not None
        end = time.monotonic() + 150
        while time.monotonic() < end and self._process.poll() is None:
            try:
                for port in (self.imap, self.lmtp):
                    with socket.create_connection(("127.0.0.1", port), 1) as connection:
                        connection.settimeout(10)
                        if not connection.recv(64):
                            raise ConnectionError
            except OSError:
                time.sleep(0.05)
            else:
                return self._process.poll() is None
        return False

    def _said(self) -> str:
        logs = [self.home / "output", self.home / "dovecot.log"]
        return "".join(each.read_text() for each in logs if each.exists())

    def stop(self) -> None:
        """Stop the server with the workers of open connections, which outlive their master."""
        process, self._process = self._process, None
        if process is None:
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
            except ProcessLookupError:
                break
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                continue
            time.sleep(0.05)
        process.wait(60)

    def remove(self) -> None:
        """Remove everything the server left."""
        shutil.rmtree(self.home, ignore_errors=True)

    def account(self, name: str = "user", security: Security = "plain") -> tuple[str, Server]:
        """Return a fresh address whose name begins with ``name``, and the way to its mailbox."""
        address = f"{name}{next(self._accounts)}@{DOMAIN}"
        port = self.imaps if security == "tls" else self.imap
        cafile = None if security == "plain" else self.cafile
        return address, Server(security, "127.0.0.1", port, address, PASSWORD, cafile=cafile)

    def deliver(self, address: str, raw: bytes, envelope_from: str = "alice@example.test") -> None:
        """Deliver a letter into an inbox by LMTP (RFC 2033)."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as client:
            client.sendmail(envelope_from, [address], raw)

    def maildir(self, address: str) -> Path:
        """Return where a mailbox lies on disk."""
        return self.home / "home" / address / "Maildir"

    def log(self) -> str:
        """Return what the server has logged."""
        path = self.home / "dovecot.log"
        return path.read_text() if path.exists() else ""
