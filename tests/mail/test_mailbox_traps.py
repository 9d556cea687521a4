"""The mailbox against servers that misbehave in the ways real ones do."""

from __future__ import annotations

import base64
import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from support.fakeimap import CAPABILITY, FakeImap, Say, say_slowly
from support.installation import until

from referee.errors import RefereeError
from referee.mail.transport.mailbox import (
    Folders,
    LoginRefused,
    Mailbox,
    MailboxLost,
    MailboxRefused,
)
from referee.mail.transport.servers import Timing
from referee.value import replace

Opened = Callable[..., Mailbox]

LONG = 250.0
"""Seconds nobody waits unless something is wrong."""


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Hand out mailboxes that are closed when the test ends."""
    mailboxes: list[Mailbox] = []

    def connect(fake: FakeImap, answer: float = 60, **changes: Any) -> Mailbox:
        server = replace(fake.server, **changes)
        mailbox = Mailbox(server, Folders(), timing=Timing(answer=answer))
        mailboxes.append(mailbox)
        mailbox.connect()
        mailbox.select()
        return mailbox

    yield connect
    for each in mailboxes:
        each.close()


def nothing_known(_: int, __: Sequence[int]) -> set[int]:
    return set()


def test_a_server_that_hangs_up_in_idle_is_lost_at_once(opened: Opened):
    """The end of the connection ends the wait with MailboxLost, not with a spinning loop."""
    with FakeImap(hangs_up=True) as fake:
        mailbox = opened(fake)
        used = time.process_time()
        with pytest.raises(MailboxLost):
            mailbox.wait(60)
        assert time.process_time() - used < 5
        with pytest.raises(MailboxLost, match="not connected"):
            mailbox.select()


def test_a_report_split_over_two_packets_is_understood(opened: Opened):
    """A line that arrives in two pieces is news like any other."""
    with FakeImap(on_idle=say_slowly(b"+ idling\r\n", b"* 5 EXI", b"STS\r\n")) as fake:
        assert opened(fake).wait(20)


def test_a_report_in_the_packet_of_the_consent_is_not_missed(opened: Opened):
    """News that came together with the consent ends the wait at once."""
    with FakeImap(on_idle=say_slowly(b"+ idling\r\n* 5 EXISTS\r\n", gap=0)) as fake:
        mailbox = opened(fake)
        begun = time.monotonic()
        assert mailbox.wait(LONG)
        assert time.monotonic() - begun < LONG


def test_a_report_before_the_consent_is_not_taken_for_a_refusal(opened: Opened):
    """News that came before the consent ends the wait and keeps the connection usable."""
    with FakeImap(on_idle=say_slowly(b"* 5 EXISTS\r\n+ idling\r\n", gap=0)) as fake:
        mailbox = opened(fake)
        assert mailbox.wait(20)
        assert mailbox.select() == 7


def test_a_report_in_the_answer_to_a_search_is_not_missed(opened: Opened):
    """A letter that came after the search, told with its answer and not again, ends the wait."""
    with FakeImap(answers={b"UID SEARCH": b"* SEARCH 1\r\n* 5000 EXISTS\r\n"}) as fake:
        mailbox = opened(fake)
        assert mailbox.new(nothing_known) == [1]
        assert mailbox.wait(20)
        assert not fake.said(b"IDLE")
        mailbox.select()
        mailbox.wait(0.1)
        assert fake.said(b"IDLE")


def test_a_report_in_the_answer_to_a_move_is_not_missed(opened: Opened):
    """A letter that came while others were filed, told with that answer, ends the wait."""
    with FakeImap(answers={b"UID MOVE": b"* 3 EXPUNGE\r\n* 4 EXISTS\r\n"}) as fake:
        mailbox = opened(fake)
        mailbox.move([5], "Handled", 7)
        assert mailbox.wait(20)
        assert not fake.said(b"IDLE")


def test_letters_counted_anew_are_no_news(opened: Opened):
    """A server that counts after each letter moved away does not end the wait."""
    with FakeImap(answers={b"UID MOVE": b"* 3 EXPUNGE\r\n* 3 EXISTS\r\n"}) as fake:
        mailbox = opened(fake)
        mailbox.move([5], "Handled", 7)
        mailbox.wait(0.1)
        assert fake.said(b"IDLE")


def test_a_server_that_refuses_idle_is_polled(opened: Opened):
    """It is asked for IDLE once, and for news from then on."""

    def refuse(say: Say) -> None:
        say(b"idle NO not today\r\n")

    with FakeImap(on_idle=refuse, answers={b"NOOP": b"* 5 EXISTS\r\n"}) as fake:
        mailbox = opened(fake)
        assert mailbox.wait(0.1)
        assert not mailbox.wait(0.1)
        assert len(fake.said(b"IDLE")) == 1
        assert mailbox.select() == 7


def test_a_line_without_end_is_a_loss(opened: Opened):
    """No server fills the memory with a line that goes on and on."""

    def go_on(say: Say, tag: bytes) -> None:
        del tag
        with contextlib.suppress(OSError):
            for _ in range(100):
                say(b"* SEARCH" + b" 1" * 100_000)

    with FakeImap(answers={b"UID SEARCH": go_on}) as fake:
        with pytest.raises(MailboxLost, match="more than 1000000 bytes"):
            opened(fake).new(nothing_known)
        assert ended(fake)


def test_a_goodbye_in_idle_is_a_loss(opened: Opened):
    """BYE is no news: the connection is given up."""
    with FakeImap(on_idle=say_slowly(b"+ idling\r\n", b"* BYE shutting down\r\n")) as fake:
        mailbox = opened(fake)
        with pytest.raises(MailboxLost):
            mailbox.wait(20)


def test_a_server_that_still_lives_is_no_news(opened: Opened):
    """Chatter to keep the connection open ends the wait without reporting letters."""
    with FakeImap(on_idle=say_slowly(b"+ idling\r\n", b"* OK still here\r\n")) as fake:
        assert not opened(fake).wait(20)


def test_a_dead_peer_is_noticed_after_the_read_limit(opened: Opened):
    """A peer that never answers the end of IDLE is lost after the limit."""
    with FakeImap(on_done=False) as fake:
        mailbox = opened(fake, answer=3)
        with pytest.raises(MailboxLost):
            mailbox.wait(0.1)


def test_after_a_loss_a_new_connection_is_made(opened: Opened):
    """Connecting again after a loss works, and the old connection is not touched."""
    with FakeImap(hangs_up=True) as fake:
        mailbox = opened(fake)
        with pytest.raises(MailboxLost):
            mailbox.wait(20)
        mailbox.connect()
        assert mailbox.select() == 7
        assert fake.connections == 2


def test_only_explicit_uids_are_fetched(opened: Opened):
    """No command ever names a range of messages to fetch."""
    answers = {
        b"UID SEARCH": b"* SEARCH 5 6 9\r\n",
        b"UID FETCH 5,6,9 (RFC822.SIZE": b"* 1 FETCH (UID 5 RFC822.SIZE 3)\r\n",
        b"UID FETCH 5 (BODY": b"* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\n",
    }
    with FakeImap(answers=answers) as fake:
        mailbox = opened(fake)
        got = list(mailbox.fetch(mailbox.new(nothing_known), 100))
        assert [(each.uid, each.raw) for each in got if not each.missing] == [(5, b"abc")]
        assert all(b":" not in each and b"*" not in each for each in fake.said(b"UID FETCH"))


def test_answers_nobody_asked_for_do_not_disturb_a_fetch(opened: Opened):
    """Unsolicited flags of other letters, and a letter without a body, are passed over."""
    answers = {
        b"UID FETCH 77,78 (RFC822.SIZE": (
            b"* 4 FETCH (FLAGS (\\Seen))\r\n* 3 FETCH (UID 77 RFC822.SIZE 3)\r\n"
            b"* 9 FETCH (UID 78 RFC822.SIZE 4)\r\n"
        ),
        b"UID FETCH 77,78 (BODY": (
            b"* 4 FETCH (FLAGS (\\Seen))\r\n* 3 FETCH (UID 77 BODY[] {3}\r\nabc)\r\n"
            b"* 9 FETCH (UID 78 FLAGS (\\Seen))\r\n"
        ),
    }
    with FakeImap(answers=answers) as fake:
        got = list(opened(fake).fetch([77, 78], 100))
        assert [(each.uid, each.raw) for each in got] == [(77, b"abc")]


def test_a_large_letter_comes_whole_only_if_its_head_is_wanted(opened: Opened):
    """Of one that nobody knows no more than its beginning is ever asked for."""
    answers = {
        b"UID FETCH 5,6 (RFC822.SIZE": (
            b"* 1 FETCH (UID 5 RFC822.SIZE 6)\r\n* 2 FETCH (UID 6 RFC822.SIZE 6)\r\n"
        ),
        b"UID FETCH 5 (BODY.PEEK[]<0.3>": b"* 1 FETCH (UID 5 BODY[]<0> {3}\r\nabc)\r\n",
        b"UID FETCH 6 (BODY.PEEK[]<0.3>": b"* 2 FETCH (UID 6 BODY[]<0> {3}\r\nxyz)\r\n",
        b"UID FETCH 6 (BODY.PEEK[])": b"* 2 FETCH (UID 6 BODY[] {6}\r\nxyzxyz)\r\n",
    }
    with FakeImap(answers=answers) as fake:
        got = list(opened(fake).fetch([5, 6], 100, 3, lambda head: head == b"xyz"))
        assert [(each.uid, each.raw, each.truncated) for each in got] == [
            (5, b"abc", True),
            (6, b"xyzxyz", False),
        ]
        assert fake.said(b"UID FETCH 5 (BODY.PEEK[])") == []


def test_a_large_inbox_is_searched_in_ranges(opened: Opened):
    """An answer line never grows beyond what the library reads."""
    answers = {
        b"SELECT": b"* 60000 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 70000] x\r\n",
        b"UID SEARCH UID 1:50000": b"* SEARCH 1 50000\r\n",
        b"UID SEARCH UID 50001:100000": b"* SEARCH 60000\r\n",
    }
    with FakeImap(answers=answers) as fake:
        assert opened(fake).new(nothing_known) == [1, 50000, 60000]


def test_without_move_letters_are_copied_marked_and_expunged_by_uid(opened: Opened):
    """A server without MOVE gets COPY, a mark, and an EXPUNGE of just these letters."""
    capability = CAPABILITY.replace(b" MOVE", b"")
    with FakeImap(capability=capability) as fake:
        mailbox = opened(fake)
        assert mailbox.move([5, 6], "Handled", 7)
        done = [each.split(b" ")[1] for each in fake.said(b"UID ")]
        assert done == [b"COPY", b"STORE", b"EXPUNGE", b"SEARCH"]
        assert fake.said(b"UID EXPUNGE") == [b"UID EXPUNGE 5,6"]


@pytest.mark.parametrize(("marked", "expunged"), [(b"5 6", 1), (b"5 6 8", 0)])
def test_without_uidplus_nothing_of_others_is_expunged(
    opened: Opened, marked: bytes, expunged: int
):
    """A bare EXPUNGE is used only when nobody else has marked a letter."""
    capability = CAPABILITY.replace(b" MOVE", b"").replace(b" UIDPLUS", b"")
    answers = {b"UID SEARCH DELETED": b"* SEARCH " + marked + b"\r\n"}
    with FakeImap(capability=capability, answers=answers) as fake:
        opened(fake).move([5, 6], "Handled", 7)
        assert len(fake.said(b"EXPUNGE")) == expunged


def test_a_server_without_idle_is_polled(opened: Opened):
    capability = CAPABILITY.replace(b" IDLE", b"")
    with FakeImap(capability=capability, answers={b"NOOP": b"* 5 EXISTS\r\n"}) as fake:
        assert opened(fake).wait(0.1)
        assert not fake.said(b"IDLE")


def test_an_oauth_token_replaces_the_password(opened: Opened):
    """With a token provider the login is XOAUTH2 with a fresh token."""
    with FakeImap() as fake:
        opened(fake, token=lambda: "fresh", password="")
        assert fake.said(b"AUTHENTICATE") == [b"AUTHENTICATE XOAUTH2"]
        payload = base64.b64encode(b"user=referee\1auth=Bearer fresh\1\1")
        assert payload in fake.commands
        assert not fake.said(b"LOGIN")


def test_a_server_that_only_knows_the_newer_tokens_gets_them(opened: Opened):
    """The user's name is written as RFC 5801 wants it."""
    capability = CAPABILITY.replace(b"XOAUTH2", b"OAUTHBEARER")
    with FakeImap(capability=capability) as fake:
        opened(fake, token=lambda: "fresh", user="a=b,c", password="")
        assert fake.said(b"AUTHENTICATE") == [b"AUTHENTICATE OAUTHBEARER"]
        payload = base64.b64encode(b"n,a=a=3Db=2Cc,\1auth=Bearer fresh\1\1")
        assert payload in fake.commands


@pytest.mark.parametrize(
    ("user", "told"), [("alice smith", rb'"alice smith"'), (r"CLUB\alice", rb'"CLUB\\alice"')]
)
def test_a_user_with_a_blank_or_a_backslash_is_one_argument(opened: Opened, user: str, told: bytes):
    """LOGIN takes user and password as quoted strings (RFC 3501 section 9)."""
    with FakeImap() as fake:
        opened(fake, user=user, password='a "b"')
        assert fake.said(b"LOGIN") == [b"LOGIN " + told + rb' "a \"b\""']


def test_a_password_with_umlauts_goes_as_bytes(opened: Opened):
    """LOGIN takes ASCII alone (RFC 3501), PLAIN takes UTF-8 (RFC 4616)."""
    with FakeImap() as fake:
        opened(fake, password="grün")
        assert fake.said(b"AUTHENTICATE") == [b"AUTHENTICATE PLAIN"]
        assert base64.b64encode("\0referee\0grün".encode()) in fake.commands
        assert not fake.said(b"LOGIN")


def test_a_server_that_takes_no_tokens_is_told_none(opened: Opened):
    """The line says what else there is; the token stays here."""
    capability = CAPABILITY.replace(b" AUTH=XOAUTH2", b"")
    with FakeImap(capability=capability) as fake:
        with pytest.raises(MailboxRefused, match="offers no log-in by token"):
            opened(fake, token=lambda: "fresh", password="")
        assert not fake.said(b"AUTHENTICATE")


def test_a_token_that_cannot_be_had_leaves_no_connection_open(opened: Opened):
    """What goes wrong outside IMAP while logging in ends the connection like any refusal."""

    def nothing() -> str:
        raise RefereeError("no token today")

    with FakeImap() as fake:
        with pytest.raises(RefereeError, match="no token today"):
            opened(fake, token=nothing, password="")
        assert ended(fake)


def test_a_refused_question_for_the_namespace_leaves_no_connection_open(opened: Opened):
    """A mailbox that could not be opened to the end is as one that was never opened."""

    def refuse(say: Say, tag: bytes) -> None:
        say(tag + b" NO not today\r\n")

    capability = CAPABILITY + b" NAMESPACE"
    with FakeImap(capability=capability, answers={b"NAMESPACE": refuse}) as fake:
        with pytest.raises(MailboxRefused, match="namespace"):
            opened(fake)
        assert ended(fake)


def test_closing_after_nonsense_raises_nothing(opened: Opened):
    """A server that answers the goodbye with what is no IMAP is left all the same."""

    def babble(say: Say, tag: bytes) -> None:
        say(b"* 1 FETCH {-1}\r\n" + tag + b" \xff\r\n")

    with FakeImap(answers={b"LOGOUT": babble}) as fake:
        opened(fake).close()
        assert ended(fake)


def ended(fake: FakeImap) -> bool:
    """Wait until a connection ends; tell whether it was the only one."""
    until(lambda: fake.ended, "the end of the connection")
    return fake.ended == fake.connections == 1


def test_a_login_refused_for_now_is_a_loss(opened: Opened):
    """A server that cannot check passwords now has not refused ours."""

    def unavailable(say: Say, tag: bytes) -> None:
        say(tag + b" NO [UNAVAILABLE] try later\r\n")

    with FakeImap(answers={b"LOGIN": unavailable}) as fake, pytest.raises(MailboxLost):
        opened(fake)


def test_a_login_refused_for_good_is_told_apart(opened: Opened):
    """A wrong password is a refusal that connecting again does not heal."""

    def refuse(say: Say, tag: bytes) -> None:
        say(tag + b" NO [AUTHENTICATIONFAILED] no\r\n")

    with FakeImap(answers={b"LOGIN": refuse}) as fake, pytest.raises(LoginRefused):
        opened(fake)


def test_a_server_that_wants_tls_first_is_answered_with_advice(opened: Opened):
    """When passwords are disabled on a plain connection the error says what to write instead."""
    with FakeImap(capability=CAPABILITY + b" LOGINDISABLED") as fake:
        with pytest.raises(MailboxRefused, match="imaps://"):
            opened(fake)
        assert not fake.said(b"LOGIN")


def test_nonsense_from_the_server_is_a_loss(opened: Opened):
    """Lines that are no IMAP end the connection, not the program."""
    answers = {b"UID SEARCH": b"* SEARCH one two\r\n"}
    with FakeImap(answers=answers) as fake, pytest.raises(MailboxLost):
        opened(fake).new(nothing_known)


def test_names_of_folders_get_the_servers_prefix(opened: Opened):
    """On a server that keeps everything below INBOX our folders are created there."""
    capability = CAPABILITY + b" NAMESPACE"
    answers = {b"NAMESPACE": b'* NAMESPACE (("INBOX." ".")) NIL NIL\r\n'}
    with FakeImap(capability=capability, answers=answers) as fake:
        opened(fake).ensure_folders()
        made = [each.split()[1].strip(b'"') for each in fake.said(b"CREATE")]
        assert made == [b"INBOX.Handled", b"INBOX.Ignored", b"INBOX.Quarantine"]


def test_names_of_folders_are_read_and_written_as_servers_write_them():
    """Modified UTF-7, quotation marks, literals, digits; what nobody can open is left out."""
    listed = (
        b'* LIST (\\HasNoChildren) "/" "Entw&APw-rfe"\r\n* LIST () "/" {5}\r\nA"b&-\r\n'
        b'* LIST () NIL 2026\r\n* LIST (\\NoSelect) "/" Shared\r\n* LIST () "/" INBOX\r\n'
    )
    with FakeImap(answers={b"LIST": listed}) as fake, Mailbox(fake.server, Folders()) as mailbox:
        assert mailbox.names() == ["INBOX", "2026", 'A"b&', "Entwürfe"]
        assert [mailbox.find(folder, "x") for folder in mailbox.names()] == [[]] * 4
        names = [each.removeprefix(b"SELECT ") for each in fake.said(b"SELECT")][::2]
        assert names == [b'"INBOX"', b'"2026"', b'"A\\"b&-"', b'"Entw&APw-rfe"']


def test_a_list_of_folders_that_is_no_imap_loses_the_connection():
    """It is told as trouble with the server, which may be over at the next try."""
    with (
        FakeImap(answers={b"LIST": b"* LIST (5) 7 7\r\n"}) as fake,
        Mailbox(fake.server, Folders()) as mailbox,
        pytest.raises(MailboxLost, match="lost while listing"),
    ):
        mailbox.names()
