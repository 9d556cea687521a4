"""Further mailboxes: the tables that follow the first form, read like sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from referee.config.keys import MAILBOX_KEYS
from referee.config.login import complete_servers, with_rates
from referee.config.settings import MailboxSettings
from referee.mail.oauth.tokens import Tokens
from referee.mail.transport.servers import Server

_PASSWORDS: Final = (
    "password_file",
    "imap_password_file",
    "smtp_password_file",
    "password_command",
)


def _place(number: int) -> str:
    return f"[[mailbox]] no. {number}"


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables as they were read: a value for each key, None for one left out."""

    read: tuple[Mapping[str, Any], ...]

    @property
    def private_files(self) -> tuple[Path, ...]:
        """The files that only their owner may read."""
        names = [key.name for key in MAILBOX_KEYS if key.is_private]
        return tuple(table[name] for table in self.read for name in names if table[name])

    def mailboxes(
        self, shared: Mapping[str, Any], first: Mapping[str, Any], environ: Mapping[str, str]
    ) -> tuple[tuple[MailboxSettings, ...], list[str]]:
        """Return the mailboxes with their log-ins, and the faults.

        ``shared`` are the values of ``[mail]`` as they were read, ``first`` with log-ins.
        """
        faults, found = list[str](), list[MailboxSettings]()
        known = {"[referee]": MailboxSettings(first["address"], first["imap"], first["smtp"])}
        for number, table in enumerate(self.read, 1):
            mailbox, lacking = _mailbox(_place(number), table, shared, first, environ)
            faults += lacking or _twice(_place(number), mailbox, known)
            known[_place(number)] = mailbox
            found.append(mailbox)
        return tuple(found), faults


def tables_of(given: object, folder: Path, faults: list[str]) -> Tables:
    """Return the tables of a document, and add their faults to ``faults``."""
    if given is None:
        return Tables(())
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        faults.append("mailbox: begin each mailbox with a line [[mailbox]], in two brackets")
        return Tables(())
    tables = []
    for number, table in enumerate(given, 1):
        faults += _unknown(_place(number), table)
        tables.append(_read(_place(number), table, folder, faults))
    return Tables(tuple(tables))


def _unknown(place: str, table: Mapping[str, Any]) -> list[str]:
    known = [key.name for key in MAILBOX_KEYS]
    faults = []
    for each in table:
        if each not in known:
            near = get_close_matches(each, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            faults.append(f"{place} {each}: is unknown; {hint}")
    return faults


def _read(
    place: str, table: Mapping[str, Any], folder: Path, faults: list[str]
) -> Mapping[str, Any]:
    values: dict[str, Any] = {}
    for key in MAILBOX_KEYS:
        given = table.get(key.name)
        try:
            values[key.name] = None if given is None else key.read(given, folder)
        except ValueError as fault:
            faults.append(f"{place} {key.name}: {fault}")
        if given is None and key.required:
            faults.append(f"{place} {key.name}: is missing")
    return values


def _mailbox(
    place: str,
    table: Mapping[str, Any],
    shared: Mapping[str, Any],
    first: Mapping[str, Any],
    environ: Mapping[str, str],
) -> tuple[MailboxSettings, list[str]]:
    """Return one mailbox with its log-ins, and the faults."""
    imap: Server = table["imap"] or replace(shared["imap"], user=table["address"], password="")
    smtp: Server | None = table["smtp"]
    tokens, faults = _own_tokens(place, table, first["tokens"])
    # Either its own log-in counts or that of [mail], or nobody could tell which one is used.
    given = any(table[name] for name in (*_PASSWORDS, "token_file"))
    own = given or imap.password or (smtp and smtp.password)
    values = {
        **{name: (table if own else shared)[name] for name in _PASSWORDS},
        "ca_file": shared["ca_file"],
        "imap": imap,
        "smtp": smtp or shared["smtp"],
    }
    faults += complete_servers(values, tokens or first["tokens"], {} if own else environ, place)
    shared_tokens = None if tokens else first["tokens"]
    read = _with_own_token(place, values["imap"], first["imap"].user, shared_tokens)
    # A server that is shared is shared with its log-in.
    rates = shared["mails_per_minute"], shared["mails_per_day"]
    sent = first["smtp"] if smtp is None else with_rates(values["smtp"], *rates)
    sent = _with_own_token(place, sent, first["smtp"].user, shared_tokens)
    return MailboxSettings(table["address"], read, sent, tokens), faults


def _own_tokens(
    place: str, table: Mapping[str, Any], shared: Tokens | None
) -> tuple[Tokens | None, list[str]]:
    """Return the token file of a mailbox's own account, and the faults."""
    if table["token_file"] is None:
        return None, []
    if shared is None:
        return None, [f"{place} token_file: goes with [oauth] client_id only"]
    if table["token_file"] == shared.file:
        return None, [
            f"{place} token_file: is that of [oauth]; give each account a file of its own"
        ]
    command = f"{shared.command} --mailbox {table['address']}"
    return Tokens(shared.provider, table["token_file"], command=command), []


def _with_own_token(place: str, server: Server, user: str, tokens: Tokens | None) -> Server:
    """Return the server; it lacks a log-in if the token is another account's."""
    if server.token is None or tokens is None or tokens.provider.unattended or server.user == user:
        return server
    lacking = (
        f"{place}: the token of [oauth] is for {user} alone; "
        f"give {server.user} a password or a token_file"
    )
    return replace(server, token=None, lacking=lacking)


def _twice(place: str, mailbox: MailboxSettings, known: Mapping[str, MailboxSettings]) -> list[str]:
    """Return the fault of a mailbox that is there already."""
    for other, each in known.items():
        if each.address == mailbox.address:
            return [f"{place} address: {mailbox.address} is the address of {other} already"]
        ours, theirs = ((it.imap.host, it.imap.port, it.imap.user) for it in (mailbox, each))
        if ours == theirs:
            return [f"{place} imap: {mailbox.imap} is the mailbox of {other} already"]
        if mailbox.tokens and each.tokens and mailbox.tokens.file == each.tokens.file:
            return [f"{place} token_file: is that of {other}; give each account a file of its own"]
    return []
