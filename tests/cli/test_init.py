"""`referee init` writes a complete installation or nothing."""

import os
import pty
import select
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.dovecot import Dovecot
from support.given import GIVEN

from referee.config import Settings, load_settings
from referee.demo.servers import MailServers
from referee.store.store import open_store


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in os.environ if each.startswith("REFEREE_")]:
        monkeypatch.delenv(name)


def test_an_installation_loads_and_opens(run: Callable[..., Any], tmp_path: Path) -> None:
    """What init wrote is read back with what was given, and its database opens."""
    ran = run("init", tmp_path / "new", *GIVEN, "--zone", "Europe/Berlin", "--language", "de")
    assert (ran.status, ran.err) == (0, "")
    # Changed later, the file is half in use: by every command, and not yet by the daemon.
    for said in (ran.out, (tmp_path / "new" / "referee.toml").read_text(encoding="utf-8")):
        assert "daemon" in said
        assert "restart" in said
    settings = load_settings(tmp_path / "new" / "referee.toml", {})
    assert settings.zone.key == "Europe/Berlin"
    assert settings.language == "de"
    assert settings.organiser is None
    assert len(settings.key) == 32
    assert settings.database == f"sqlite:///{tmp_path}/new/referee.db"
    open_store(settings.database).close()


def test_the_organiser_is_written_when_given(run: Callable[..., Any], tmp_path: Path) -> None:
    """An organiser's address given reaches the settings."""
    run("init", tmp_path / "new", *GIVEN, "--organiser", "olga@example.test")
    assert load_settings(tmp_path / "new" / "referee.toml", {}).organiser == "olga@example.test"


def test_the_name_of_the_club_is_written_when_given(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    """Invitations bear it; without one they are the referee's."""
    run("init", tmp_path / "one", *GIVEN, "--name", "Chess Club Wick")
    run("init", tmp_path / "two", *GIVEN)
    names = [load_settings(tmp_path / each / "referee.toml", {}).name for each in ("one", "two")]
    assert names == ["Chess Club Wick", "Referee"]


def test_only_the_owner_may_read_it(run: Callable[..., Any], tmp_path: Path) -> None:
    """Settings, key and database are closed to everybody but their owner."""
    run("init", tmp_path / "new", *GIVEN)
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in (tmp_path / "new").iterdir()}
    assert modes == {"referee.toml": 0o600, "referee.key": 0o600, "referee.db": 0o600}


def test_every_installation_has_its_own_key(run: Callable[..., Any], tmp_path: Path) -> None:
    run("init", tmp_path / "one", *GIVEN)
    run("init", tmp_path / "two", *GIVEN)
    keys = {(tmp_path / each / "referee.key").read_bytes() for each in ("one", "two")}
    assert len(keys) == 2


def test_a_folder_with_other_files_is_used(run: Callable[..., Any], tmp_path: Path) -> None:
    """A folder that exists and holds no installation keeps its files and gets one."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert run("init", tmp_path, *GIVEN).status == 0
    names = {each.name for each in tmp_path.iterdir()}
    assert names == {"notes.txt", "referee.toml", "referee.key", "referee.db"}


@pytest.mark.parametrize("name", ["referee.toml", "referee.key", "referee.db", "referee.db-wal"])
def test_an_installation_is_never_overwritten(
    run: Callable[..., Any], tmp_path: Path, name: str
) -> None:
    """Where a file of an installation stands, init refuses, and nothing changes.

    A log left of a database would be read into the new one.
    """
    (tmp_path / name).write_text("precious", encoding="utf-8")
    ran = run("init", tmp_path, *GIVEN)
    assert ran.status == 2
    assert ran.err.startswith(f"referee: {tmp_path / name} exists")
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "precious"


def test_wrong_values_write_nothing(run: Callable[..., Any], tmp_path: Path) -> None:
    """Faults are named all at once, one line each, and no file is left."""
    ran = run("init", tmp_path / "new", *GIVEN, "--zone", "Berlin", "--organiser", "olga")
    assert ran.status == 78
    assert ran.err.splitlines() == [
        (
            "referee: [referee] organiser: 'olga' is not a mail address; "
            "write one like referee@example.org"
        ),
        "referee: [referee] zone: 'Berlin' is not a time zone; write one like Europe/Berlin",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_cannot_be_made_leaves_nothing(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    """When the database fails, settings and key are not left behind either."""
    (tmp_path / "file").touch()
    taken = f"sqlite:///{tmp_path}/elsewhere.db"
    Path(tmp_path / "elsewhere.db").touch()
    ran = run("init", tmp_path / "new", *GIVEN, "--database", taken)
    assert ran.status == 2
    assert ran.err.endswith("is not overwritten; name another --database\n")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["elsewhere.db", "file"]


def test_a_database_elsewhere_is_made_there(run: Callable[..., Any], tmp_path: Path) -> None:
    """An absolute database path is created where it says."""
    file = tmp_path / "data" / "matches.db"
    assert run("init", tmp_path / "new", *GIVEN, "--database", f"sqlite:///{file}").status == 0
    assert file.exists()
    assert not (tmp_path / "new" / "referee.db").exists()


def test_without_a_terminal_missing_options_are_named(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody can be asked, the options still needed are named."""
    monkeypatch.setattr(sys, "stdin", open(os.devnull, encoding="utf-8"))  # noqa: PTH123, SIM115
    ran = run("init", tmp_path / "new", "--address", "referee@example.test")
    sys.stdin.close()
    assert ran.status == 2
    assert ran.err == "referee: give --imap, --smtp too; only on a terminal you are asked\n"


REFEREE = "referee@example.test"


def asked(tmp_path: Path, answers: list[tuple[str, str]]) -> tuple[Settings, str]:
    """Have init ask, and return the settings it wrote and all it showed."""
    shown = converse([sys.executable, "-m", "referee", "init", str(tmp_path / "new")], answers)
    return load_settings(tmp_path / "new" / "referee.toml", {}), shown


def test_on_a_terminal_what_is_missing_is_asked(tmp_path: Path) -> None:
    """One log-in suffices for both servers, the address is its user, and no password is shown."""
    with MailServers({REFEREE: "p@ss/word"}) as servers:
        answers = [
            ("or oauth [password]", "password"),
            ("players write to", ""),
            ("This cannot be left out.", REFEREE),
            ("The name of your club, which invites players [Referee]", "Chess Club Wick"),
            ("Your own address", "olga@example.test"),
            ("Time zone", "Europe/Berlin"),
            ("IMAP server", f"imap://127.0.0.1:{servers.imap_port}"),
            ("Password for IMAP", "p@ss/word"),
            ("SMTP server", f"smtp://referee%40example.test@127.0.0.1:{servers.smtp_port}"),
        ]
        settings, shown = asked(tmp_path, answers)
    assert (settings.imap.password, settings.smtp.password) == ("p@ss/word", "p@ss/word")
    assert settings.imap.user == settings.smtp.user == REFEREE
    assert (settings.organiser, settings.zone.key) == ("olga@example.test", "Europe/Berlin")
    assert settings.name == "Chess Club Wick"
    assert "p@ss/word" not in shown


@pytest.mark.mail
def test_each_answer_is_tried_at_once_and_none_is_lost(tmp_path: Path, dovecot: Dovecot) -> None:
    """Wrong ones are asked for again where they stand, with the reason; servers are logged in to.

    A server that cannot be used yet may be kept as it is.
    """
    zone = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")[2] or "UTC"
    answers = [
        ("or oauth [password]", "by hand"),
        ("or oauth [password]", ""),
        ("players write to", "referee"),
        ("players write to", REFEREE),
        ("The name of your club", ""),
        ("Your own address", ""),
        ("Time zone", "Berlin"),
        (f"Time zone [{zone}]", ""),
        ("IMAP server", f"imaps://127.0.0.1:{dovecot.imap}"),
        ("Password for IMAP", "pw"),
        ("does not begin with TLS; write imap+starttls://", "n"),
        (f"[imaps://127.0.0.1:{dovecot.imap}]", f"imap+starttls://127.0.0.1:{dovecot.imap}"),
        ("Password for IMAP", "wrong"),
        ("n asks for its authority's certificates", "n"),
        ("certificates to trust", "/nowhere.pem"),
        ("certificates to trust", str(dovecot.cafile)),
        ("login refused", ""),
        (f"[imap+starttls://127.0.0.1:{dovecot.imap}]", ""),
        ("Password for IMAP", "pw"),
        ("SMTP server", "smtp://127.0.0.1:9"),
        ("cannot connect", "y"),
    ]
    settings, shown = asked(tmp_path, answers)
    assert str(settings.imap) == f"{REFEREE}@127.0.0.1:{dovecot.imap}"
    assert (settings.imap.security, settings.imap.cafile) == ("starttls", dovecot.cafile)
    assert (settings.smtp.port, settings.smtp.user) == (9, "")
    assert (settings.organiser, settings.zone.key) == (None, zone)
    assert "'by hand' is no way to log in: write one of password, file, command, oauth." in shown
    assert "'Berlin' is not a time zone" in shown
    assert "/nowhere.pem cannot be read (No such file or directory)" in shown


def test_with_the_certificates_of_its_authority_a_server_is_tried_as_it_was_given(
    tmp_path: Path, dovecot: Dovecot
) -> None:
    """Neither it nor its password is asked for again."""
    answers = [
        ("or oauth [password]", ""),
        ("players write to", REFEREE),
        ("The name of your club", ""),
        ("Your own address", ""),
        ("Time zone", ""),
        ("IMAP server", f"imap+starttls://127.0.0.1:{dovecot.imap}"),
        ("Password for IMAP", "pw"),
        ("n asks for its authority's certificates", "n"),
        ("certificates to trust", str(dovecot.cafile)),
        ("SMTP server", "smtp://127.0.0.1:9"),
        ("cannot connect", "y"),
    ]
    settings, shown = asked(tmp_path, answers)
    assert (settings.imap.cafile, shown.count("Password for IMAP")) == (dovecot.cafile, 1)


def test_no_authority_is_asked_for_where_no_certificate_is_at_fault(tmp_path: Path) -> None:
    """After a wrong password, or where nothing listens, the server alone is asked for again.

    Whoever answers neither y nor n is told to.
    """
    with MailServers({REFEREE: "pw"}) as servers:
        url = f"imap://127.0.0.1:{servers.imap_port}"
        answers = [
            ("or oauth [password]", ""),
            ("players write to", REFEREE),
            ("The name of your club", ""),
            ("Your own address", ""),
            ("Time zone", ""),
            ("IMAP server", url),
            ("Password for IMAP", "wrong"),
            ("(y; n asks for it again)? [n]", "perhaps"),
            ("Write y or n.", "No"),
            (f"[{url}]", ""),
            ("Password for IMAP", "pw"),
            ("SMTP server", "smtps://127.0.0.1:9"),
            ("cannot connect", "n"),
            ("SMTP server", f"smtp://127.0.0.1:{servers.smtp_port}"),
        ]
        settings, shown = asked(tmp_path, answers)
    assert settings.imap.password == "pw"
    assert "certificates to trust" not in shown


def test_where_a_url_names_no_user_it_is_the_address(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    """Without encryption there is nobody to log in to send: a relay knows no users."""
    servers = ("--imap", "imaps://mail.example.test", "--smtp", "smtps://mail.example.test")
    (tmp_path / "word").write_text("secret", encoding="utf-8")
    more = ("--password-file", tmp_path / "word")
    assert run("init", tmp_path / "one", *GIVEN[:2], *servers, *more).status == 0
    settings = load_settings(tmp_path / "one" / "referee.toml", {})
    assert settings.imap.user == settings.smtp.user == REFEREE
    servers = (*servers[:3], "smtp://relay.example.test")
    assert run("init", tmp_path / "two", *GIVEN[:2], *servers, *more).status == 0
    assert load_settings(tmp_path / "two" / "referee.toml", {}).smtp.user == ""


OAUTH = ("--auth", "oauth", "--client-id", "referee-1", "--address", "referee@example.test")


@pytest.mark.parametrize(
    ("options", "imap", "smtp", "token_url"),
    [
        (
            ("--provider", "gmail", "--client-secret", "hush"),
            "referee@example.test@imap.gmail.com:993",
            "referee@example.test@smtp.gmail.com:465",
            "https://oauth2.googleapis.com/token",
        ),
        (
            ("--provider", "microsoft"),
            "referee@example.test@outlook.office365.com:993",
            "referee@example.test@smtp.office365.com:587",
            "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        ),
        (
            ("--provider", "other", "--token-url", "https://login.example.test/token",
             "--device-url", "https://login.example.test/device", "--scope", "mail",
             "--imap", "imaps://referee@mail.example.test",
             "--smtp", "smtps://referee@mail.example.test:26"),
            "referee@mail.example.test:993",
            "referee@mail.example.test:26",
            "https://login.example.test/token",
        ),
    ],
)  # fmt: skip
def test_a_mailbox_without_a_password_is_set_up(
    run: Callable[..., Any], tmp_path: Path, options: tuple[str, ...], imap: str, smtp: str,
    token_url: str,
) -> None:  # fmt: skip
    """The servers of a known provider need not be named, and `referee auth` comes next."""
    ran = run("init", tmp_path / "new", *OAUTH, *options)
    assert (ran.status, ran.err) == (0, "")
    assert "referee auth, and when you are logged in referee doctor" in ran.out
    settings = load_settings(tmp_path / "new" / "referee.toml", {})
    assert (str(settings.imap), str(settings.smtp)) == (imap, smtp)
    assert settings.tokens is not None
    assert settings.tokens.provider.token_url == token_url
    assert "log in with referee auth" in settings.imap.lacking


def test_an_unattended_mailbox_is_set_up(run: Callable[..., Any], tmp_path: Path) -> None:
    """With a secret and a tenant nobody has to consent."""
    told = ("--provider", "microsoft", "--unattended", "--tenant", "example.org")
    assert run("init", tmp_path / "new", *OAUTH, *told, "--client-secret", "hush").status == 0
    settings = load_settings(tmp_path / "new" / "referee.toml", {})
    settings.require_log_in()
    assert settings.tokens is not None
    provider = settings.tokens.provider
    assert provider.unattended
    assert provider.scope == "https://outlook.office365.com/.default"
    assert provider.token_url == "https://login.microsoftonline.com/example.org/oauth2/v2.0/token"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((*OAUTH, "--provider", "gmail"), "give --client-secret too"),
        ((*OAUTH, "--provider", "other"), "give --imap, --smtp, --token-url, --scope, --auth"),
        ((*OAUTH, "--provider", "microsoft", "--unattended"), "give --client-secret, --tenant too"),
        (("--auth", "oauth"), "give --provider too"),
        (("--auth", "file", *GIVEN), "give --password-file too"),
        (
            (*GIVEN, "--password-file", "x", "--provider", "gmail"),
            "--provider goes with --auth oauth, not file",
        ),
        (
            (*OAUTH, "--provider", "gmail", "--client-secret", "x", "--unattended"),
            "unattended: Gmail lets no program in",
        ),
        (
            (*OAUTH, "--provider", "gmail", "--client-secret", "x", "--tenant", "example.org"),
            'tenant: goes with provider = "microsoft" only',
        ),
    ],
)
def test_a_way_to_log_in_that_lacks_something_writes_nothing(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...], says: str,
) -> None:  # fmt: skip
    """What is missing or does not go together is named in one line."""
    with Path(os.devnull).open(encoding="utf-8") as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        ran = run("init", tmp_path / "new", *options)
    assert ran.err.count("\n") == 1
    assert ran.status in {2, 78}
    assert says in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_password_left_out_is_asked_for_by_options(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no file yet whose keys could be set."""
    monkeypatch.delenv("REFEREE_PASSWORD", raising=False)
    servers = [each.replace(":secret@", "@") for each in GIVEN]
    with Path(os.devnull).open(encoding="utf-8") as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        ran = run("init", tmp_path / "new", *servers)
    assert ran.status == 78
    assert "give --password-file, --password-command, REFEREE_IMAP_PASSWORD or" in ran.err
    assert "imap_password_file" not in ran.err


def test_a_broken_url_on_a_terminal_is_told_as_elsewhere(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for its password is no fault of the referee."""
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    ran = run(
        "init",
        tmp_path / "new",
        *GIVEN[:2],
        "--imap",
        "imaps://u@[mail",
        *GIVEN[4:],
        "--auth",
        "password",
        "--organiser",
        "olga@example.test",
        "--zone",
        "UTC",
    )
    assert (ran.status, ran.err.count("\n")) == (78, 1)
    assert "imap" in ran.err


def test_a_password_may_lie_in_a_file_or_come_from_a_command(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is the one named from the current folder; the command runs at each log-in."""
    monkeypatch.chdir(tmp_path)
    Path("secret").write_text("p@ss\n", encoding="utf-8")
    servers = [each.replace(":secret@", "@") for each in GIVEN]
    assert run("init", "one", *servers, "--password-file", "secret").status == 0
    assert load_settings(Path("one/referee.toml"), {}).imap.secret() == "p@ss"
    assert run("init", "two", *servers, "--password-command", "cat '../secret'").status == 0
    settings = load_settings(Path("two/referee.toml"), {})
    assert (settings.imap.secret(), settings.smtp.secret()) == ("p@ss", "p@ss")
    Path("secret").write_text("next\nline", encoding="utf-8")
    assert settings.imap.secret() == "next"


def converse(command: list[str], answers: list[tuple[str, str]], seconds: float = 150) -> str:
    """Run a command on a terminal, answer its questions, and return all it showed."""
    ours, terminal = pty.openpty()
    streams = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
    program = subprocess.Popen(command, start_new_session=True, close_fds=True, **streams)
    os.close(terminal)
    shown, deadline, waiting, read = "", time.monotonic() + seconds, list(answers), 0
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            shown += os.read(ours, 4096).decode(errors="replace")
        except OSError:
            break
        # Only a whole question: what is typed before it hides what is typed is thrown away.
        if waiting and waiting[0][0] in shown[read:] and shown.endswith(": "):
            read = len(shown)
            time.sleep(0.05)
            os.write(ours, waiting.pop(0)[1].encode() + b"\n")
    os.close(ours)
    assert (program.wait(150), waiting) == (0, []), shown
    return shown


def test_a_password_left_in_a_variable_is_told(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Init says that it did not write it down; where both passwords are given it says nothing."""
    monkeypatch.setenv("REFEREE_PASSWORD", "p4ss-w0rd")
    servers = ("--imap", "imaps://r@mail.example.test", "--smtp", "smtps://r@mail.example.test")
    said = run("init", tmp_path / "one", *GIVEN[:2], *servers).out
    assert "REFEREE_PASSWORD was not written down" in said
    assert "p4ss-w0rd" not in (tmp_path / "one" / "referee.toml").read_text(encoding="utf-8")
    assert "REFEREE_PASSWORD" not in run("init", tmp_path / "two", *GIVEN).out


def test_a_command_that_is_not_there_is_refused(run: Callable[..., Any], tmp_path: Path) -> None:
    """Its fault would come to light only when the daemon logs in."""
    servers = [each.replace(":secret@", "@") for each in GIVEN]
    ran = run("init", tmp_path / "new", *servers, "--password-command", "nosuchprog show referee")
    assert (ran.status, "there is no program nosuchprog" in ran.err) == (78, True)
    assert list(tmp_path.iterdir()) == []


def test_the_next_step_can_be_pasted_into_a_shell(run: Callable[..., Any], tmp_path: Path) -> None:
    """A folder with blanks in its name stands in quotes."""
    folder = tmp_path / "Spiel Club 2"
    assert f"Next: cd '{folder}' && referee doctor" in run("init", folder, *GIVEN).out
