"""The loader: settings from a file and variables, and all faults at once."""

import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias
from zoneinfo import ZoneInfo, reset_tzpath

import pytest

from referee.config import ConfigError, Settings, find_config, load_settings
from referee.mail.transport.servers import ServerError
from referee.matches.time.pace import Pace

pytestmark = pytest.mark.fast

Read: TypeAlias = Callable[..., Settings]

FULL = """
[referee]
address = "referee@example.test"
name = "Nordlicht"
organiser = "olga@example.test"
language = "de"
zone = "Europe/Berlin"
open = true
log_level = "debug"

[mail]
imap = "imaps://referee%40example.test:secret-imap@mail.example.test"
smtp = "smtps://referee%40example.test:secret-smtp@mail.example.test"
poll_seconds = 5
letter_bytes = 200000

[store]
database = "postgresql://referee:secret-db@db.example.test/referee"

[matches]
time_per_turn = "1w 2d"
"""

SERVERS = """
[mail]
imap = "imaps://referee%40example.test@mail.example.test"
smtp = "smtps://referee%40example.test@mail.example.test"
"""

EXAMPLE = "smtp+starttls://referee%40example.org@mail.example.org"

HEAD = '[referee]\naddress = "referee@example.test"\n'


def faults(read: Read, text: str, **environ: str) -> tuple[str, ...]:
    """Return the faults of a configuration, without the path of its file."""
    with pytest.raises(ConfigError) as caught:
        read(text, **environ)
    return tuple(
        # A variable is in no file.
        fault if fault.startswith("REFEREE_") else fault.split("referee.toml: ", 1)[1]
        for fault in caught.value.faults
    )


def test_what_is_not_given_has_its_default(read: Read) -> None:
    """A file with the required keys alone is completed with defaults."""
    settings = read()
    assert settings.language == "en"
    assert settings.zone.key == "UTC"
    assert settings.organiser is None
    assert settings.poll_seconds == 60
    assert settings.letter_bytes == 1_000_000
    assert settings.time_per_turn == timedelta(days=7)
    assert not settings.open


def test_everything_given_is_taken(read: Read) -> None:
    """Every key of the file reaches its setting."""
    settings = read(FULL)
    assert settings.name == "Nordlicht"
    assert settings.organiser == "olga@example.test"
    assert settings.zone.key == "Europe/Berlin"
    assert settings.open
    assert settings.log_level == "debug"
    assert settings.poll_seconds == 5
    assert settings.time_per_turn == timedelta(days=9)
    assert settings.database.startswith("postgresql://referee:secret-db@")


@pytest.mark.parametrize(
    "url", ["postgresql://r:p@s:word@db/r", "postgresql://r:pa/ss@db/r", "postgresql://r@db:54x/r"]
)
def test_a_database_with_a_bare_sign_in_its_password_is_refused(read: Read, url: str) -> None:
    """The fault says how to write it, and repeats nothing of the password."""
    (fault,) = faults(read, FULL, REFEREE_DATABASE=url)
    assert fault.startswith("REFEREE_DATABASE: write @ in a password as %40")
    assert "word" not in fault.partition("password")[2]


def test_a_relative_database_stands_beside_the_configuration(read: Read, folder: Path) -> None:
    """A relative SQLite path starts from the configuration's folder, wherever one stands."""
    assert read().database == f"sqlite:///{folder}/referee.db"


def test_an_absolute_database_stays_where_it_is(read: Read) -> None:
    """An SQLite path with four slashes is absolute."""
    settings = read(REFEREE_DATABASE="sqlite:////var/lib/referee/referee.db")
    assert settings.database == "sqlite:////var/lib/referee/referee.db"


def test_the_key_is_read(read: Read) -> None:
    """The key's bytes come from the key file."""
    assert read().key == bytes(range(32))


@pytest.mark.parametrize(
    ("variable", "value", "setting", "expected"),
    [
        ("REFEREE_LANGUAGE", "de", "language", "de"),
        ("REFEREE_POLL_SECONDS", "7", "poll_seconds", 7),
        ("REFEREE_OPEN", "true", "open", True),
        ("REFEREE_TIME_PER_TURN", "36h", "time_per_turn", timedelta(hours=36)),
    ],
)
def test_a_variable_wins_over_the_file(
    read: Read, variable: str, value: str, setting: str, expected: object
) -> None:
    """A variable replaces the value of the file, in the type of its key."""
    assert getattr(read(FULL, **{variable: value}), setting) == expected


def test_secrets_never_show(read: Read) -> None:
    """The representation of the settings holds no password and no key."""
    shown = repr(read(FULL))
    assert "Nordlicht" in shown
    assert "secret-" not in shown
    assert "\\x1f" not in shown


def test_a_password_file_serves_both_servers(read: Read, folder: Path) -> None:
    """A password comes from a file beside the configuration, without its line end."""
    (folder / "password").write_text("pass word\n", encoding="utf-8")
    settings = read(HEAD + SERVERS + 'password_file = "password"\n')
    assert (settings.imap.password, settings.smtp.password) == ("pass word", "pass word")


def test_each_server_may_have_its_own_password(read: Read) -> None:
    """A server's own password wins over the shared one."""
    settings = read(HEAD + SERVERS, REFEREE_PASSWORD="both", REFEREE_SMTP_PASSWORD="mine")
    assert (settings.imap.password, settings.smtp.password) == ("both", "mine")


def test_only_what_logs_in_needs_a_password(read: Read) -> None:
    """Settings load without passwords; a log-in names the missing ones."""
    settings = read(HEAD + SERVERS)
    with pytest.raises(ConfigError) as caught:
        settings.require_log_in()
    assert [fault.split("referee.toml: ", 1)[1] for fault in caught.value.faults] == [
        (
            "[mail] imap: has no password; "
            "give password_file, password_command, imap_password_file, "
            "REFEREE_IMAP_PASSWORD or REFEREE_PASSWORD"
        ),
        (
            "[mail] smtp: has no password; "
            "give password_file, password_command, smtp_password_file, "
            "REFEREE_SMTP_PASSWORD or REFEREE_PASSWORD"
        ),
    ]


def test_a_password_file_that_is_not_there_is_named_when_it_is_needed(
    read: Read, folder: Path
) -> None:
    """An unreadable password file matters only to a log-in."""
    settings = read(HEAD + SERVERS + 'password_file = "nowhere"\n')
    expected = f"password_file: {folder}/nowhere cannot be read (No such file or directory)"
    with pytest.raises(ConfigError) as caught:
        settings.require_log_in()
    assert str(caught.value) == f"{folder}/referee.toml: [mail] {expected}"
    with pytest.raises(ServerError):
        settings.imap.require()


def test_a_password_file_that_is_not_there_is_named_beside_a_provider_whatever_its_name(
    read: Read, folder: Path
) -> None:
    """A token is for who names no password, not for a fault that sounds like it."""
    named = 'password_file = "she has no password"\n'
    token = '[oauth]\nprovider = "gmail"\nclient_id = "a"\n'
    settings = read(HEAD + SERVERS + named + token)
    assert settings.imap.lacking.endswith("cannot be read (No such file or directory)")


def test_every_fault_is_named_at_once(read: Read) -> None:
    """All faults are raised together, each with its place and remedy."""
    text = FULL.replace("Europe/Berlin", "Berlin").replace('"de"', '"fr"').replace("= 5", '= "5"')
    assert faults(read, text) == (
        "[referee] language: 'fr' is not one of en, de",
        "[referee] zone: 'Berlin' is not a time zone; write one like Europe/Berlin",
        "[mail] poll_seconds: a whole number is expected, not '5'",
    )


def test_a_fault_of_a_variable_names_the_variable(read: Read) -> None:
    """The place of a wrong value is the variable when it came from there."""
    expected = "REFEREE_ZONE: 'Mars/Olympus' is not a time zone; write one like Europe/Berlin"
    assert faults(read, FULL, REFEREE_ZONE="Mars/Olympus") == (expected,)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (FULL + "[mial]\n", "[mial]: is unknown; did you mean [mail]?"),
        (FULL.replace("[matches]", 'colour = "red"\n\n[matches]'),
         "[store] colour: is unknown; there are database"),
        (FULL + "poll_seconds = 5\n", "[matches] poll_seconds: is unknown; it belongs to [mail]"),
        (FULL + "poll_secnds = 5\n",
         "[matches] poll_secnds: is unknown; did you mean poll_seconds, in [mail]?"),
        ("poll_seconds = 5\n" + FULL, "[poll_seconds]: is unknown; it belongs to [mail]"),
        (FULL.replace("organiser", "organizer"),
         "[referee] organizer: is unknown; did you mean organiser?"),
        (FULL.replace("[referee]\n", "[referee]\nopne = true\n"),
         "[referee] opne: is unknown; did you mean open?"),
    ],
)  # fmt: skip
def test_an_unknown_key_is_named_with_the_nearest(read: Read, text: str, fault: str) -> None:
    assert faults(read, text) == (fault,)


@pytest.mark.parametrize("variable", [False, True])
def test_a_level_of_trust_that_is_no_more_gives_way_to_none_by_itself(
    read: Read, *, variable: bool
) -> None:
    """Signatures are asked for in vain, so another level must be chosen; it is said which."""
    text = FULL if variable else FULL.replace("[store]", 'trust = "pgp"\n\n[store]')
    place = "REFEREE_TRUST" if variable else "[mail] trust"
    (fault,) = faults(read, text, **({"REFEREE_TRUST": "pgp"} if variable else {}))
    assert fault.startswith(f'{place}: "pgp" is no more; choose trust = "dmarc", for which')
    assert 'or trust = "code", for which' in fault


@pytest.mark.parametrize("line", ["[mailbox]", "[[mailbox]]"])
def test_a_further_mailbox_is_answered_with_an_alias(read: Read, line: str) -> None:
    """Whoever has a table for one is told to make its address an alias, and not to forward it."""
    (fault,) = faults(read, f'{FULL}\n{line}\naddress = "games@example.test"\n')
    assert fault.startswith("[mailbox]: is no more; one mailbox is read: make the other address")
    assert "an alias of it on the same server" in fault
    assert "DMARC" in fault


def test_an_empty_variable_counts_only_where_nothing_is_a_value(read: Read) -> None:
    """A container's file of variables leaves some empty, and a referee starts with it."""
    left = dict.fromkeys(("ORGANISER", "LISTEN", "POLL_SECONDS", "PASSWORD_FILE", "DAYS_OFF"), "")
    settings = read(FULL, **{f"REFEREE_{name}": value for name, value in left.items()})
    assert (settings.organiser, settings.listen, settings.poll_seconds) == (
        "olga@example.test",
        None,
        5,
    )
    assert settings.imap.password == "secret-imap"
    assert read(FULL, REFEREE_REMINDERS="").reminders == ()
    (fault,) = faults(read, FULL, REFEREE_ADDRESS="")
    assert fault.startswith("REFEREE_ADDRESS: '' is not a mail address")


@pytest.mark.parametrize("key", ["client_secret", "imap", "smtp", "database"])
def test_a_fault_repeats_no_secret(read: Read, key: str) -> None:
    """One written without quotes is told by its place alone."""
    section = {"client_secret": "oauth", "database": "store"}.get(key, "mail")
    head = f"[{section}]"
    kept = [line for line in FULL.splitlines() if not line.startswith(key)]
    text = "\n".join(kept if head in kept else [*kept, head, ""])
    text = text.replace(head, f"{head}\n{key} = 12345")
    (fault,) = faults(read, text)
    assert fault == f'[{section}] {key}: text in quotes, "…" is expected'


@pytest.mark.parametrize("listen", ["::1", "::1:9108", "127.0.0.1:٩١٠٨", "[::1", "[]:1"])
def test_a_place_to_listen_at_has_a_host_and_a_port(read: Read, listen: str) -> None:
    """An address of IPv6 stands in brackets, for its end would pass for the port."""
    (fault,) = faults(read, FULL, REFEREE_LISTEN=listen)
    assert fault.startswith(f"REFEREE_LISTEN: {listen!r} is not host and port")
    assert read(FULL, REFEREE_LISTEN="[::1]:9108").listen == ("::1", 9108)


def test_an_increment_without_a_bank_is_named(read: Read) -> None:
    """It would be dropped without a word; a bank makes it good."""
    text = f'{FULL}increment = "1h"\n'
    expected = "[matches] increment: goes into a bank; give one, or leave it out"
    assert faults(read, text) == (expected,)
    assert read(f'{text}bank = "30d"\n').pace.increment == timedelta(hours=1)


def test_a_misspelt_variable_is_a_fault(read: Read) -> None:
    """A variable that resembles one of ours is a fault; others pass."""
    found = faults(read, FULL, REFEREE_POLL_SECOND="5", REFEREE_SHIRT="black")
    assert found == ("REFEREE_POLL_SECOND: is unknown; did you mean REFEREE_POLL_SECONDS?",)


def test_a_section_that_stands_there_twice_is_told_with_its_remedy(read: Read) -> None:
    """The parser's own words would tell no organiser what to do."""
    line = FULL.count("\n") + 2
    said = f"line {line}: [mail] stands there a second time; put both into one [mail]"
    assert faults(read, f"{FULL}\n[mail]\npoll_seconds = 5\n") == (said,)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "zone = Europe/Berlin  # ours",
            'zone = Europe/Berlin  # ours cannot be read; write zone = "Europe/Berlin"',
        ),
        ('name = "Nord', 'name = "Nord cannot be read; write name = "Nord"'),
        ("name = “Nord”", 'name = “Nord” cannot be read; write name = "Nord"'),
        (
            "open = yes",
            "open = yes cannot be read; true or false is expected, as in open = false",
        ),
        (
            "zone: UTC",
            'zone: UTC cannot be read; text in quotes, "…" is expected, as in zone = "UTC"',
        ),
        (
            'address = "two@example.test"',
            "address stands there a second time; leave one of them out",
        ),
        (
            "smtp: smtps://a:p4ss-w0rd@b",
            f'smtp cannot be read; text in quotes, "…" is expected, as in smtp = "{EXAMPLE}"',
        ),
        (
            "secret = p4ss-w0rd",
            'cannot be read (Invalid value); a line is [section], key = "value" or # remark',
        ),
    ],
)
def test_a_line_that_is_no_toml_is_told_with_how_to_write_it(
    read: Read, line: str, said: str
) -> None:
    """The line is shown, but where it may hold a secret."""
    assert faults(read, f"{HEAD}{line}\n[mail]\n") == (f"line 3: {said}",)


def test_a_byte_order_mark_is_passed_over(read: Read) -> None:
    """Editors of Windows write it."""
    assert read("\ufeff" + FULL).name == "Nordlicht"


def test_a_file_that_is_not_utf_8_is_told_with_its_line(read: Read, folder: Path) -> None:
    """What to do is said, in place of the name of an exception."""
    read()
    file = folder / "referee.toml"
    file.write_bytes(f'{HEAD}name = "Nördlich"\n'.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"line 3: cannot be read, for it is not UTF-8; have"):
        load_settings(file, {})


def test_what_is_required_is_named(read: Read) -> None:
    """An empty file lacks the address and both servers."""
    assert faults(read, "") == (
        "[referee] address: is missing",
        "[mail] imap: is missing",
        "[mail] smtp: is missing",
    )


@pytest.mark.parametrize(
    "address", ["referee", "@example.test", "a b@example.test", "a@b@c", "x@y\n", "<x@y>"]
)
def test_what_is_no_address_is_refused(read: Read, address: str) -> None:
    """An address must be usable in a header and an envelope."""
    (fault,) = faults(read, FULL, REFEREE_ADDRESS=address)
    assert fault.endswith("is not a mail address; write one like referee@example.org")


def test_a_machine_without_time_zones_is_told_apart(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another name would not help there; the line says what to install."""
    loaded = [each for each in sys.modules if each.partition(".")[0] == "tzdata"]
    for each in ("tzdata", *loaded):
        monkeypatch.setitem(sys.modules, each, None)
    ZoneInfo.clear_cache()
    reset_tzpath(to=[])
    try:
        (fault,) = faults(read, FULL, REFEREE_ZONE="Europe/Berlin")
    finally:
        reset_tzpath()
        ZoneInfo.clear_cache()
    assert fault.endswith("this machine knows no time zones; run pip install tzdata")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://x/y", "referee.db"])
def test_a_database_that_forgets_or_is_unknown_is_refused(read: Read, url: str) -> None:
    """Only SQLite files and PostgreSQL can hold matches."""
    (fault,) = faults(read, FULL, REFEREE_DATABASE=url)
    assert fault.startswith("REFEREE_DATABASE: write a database as sqlite:///referee.db or")


@pytest.mark.parametrize("url", ["ftp://x@mail.example.test", "mail.example.test", "imaps://"])
def test_a_wrong_server_is_named_with_its_place(read: Read, url: str) -> None:
    """A server that cannot be understood is a fault at its key."""
    (fault,) = faults(read, FULL, REFEREE_IMAP=url)
    assert fault.startswith("REFEREE_IMAP: ")


def test_a_key_that_others_may_read_is_refused(read: Read, folder: Path) -> None:
    """The key file must be private; the fault says how to make it so."""
    (folder / "referee.key").chmod(0o640)
    expected = f"others may read {folder}/referee.key; run chmod 600 {folder}/referee.key"
    assert faults(read, FULL) == (f"[referee] key_file: {expected}",)


def test_a_missing_or_short_key_is_refused(read: Read, folder: Path) -> None:
    """A key is a file of 32 bytes."""
    (folder / "short").write_bytes(b"short")
    (folder / "short").chmod(0o600)
    (missing,) = faults(read, FULL, REFEREE_KEY_FILE="nowhere")
    (short,) = faults(read, FULL, REFEREE_KEY_FILE="short")
    said = "nowhere cannot be read (No such file or directory)"
    assert missing.endswith(f"{said}; put your copy of it back, or set key_file right")
    assert short.endswith("short holds 5 bytes; a key has 32")


def test_keys_of_signing_say_who_signs_instead(read: Read) -> None:
    """In the file and in the environment."""
    instead = "is no more; have the mail server sign what it sends: see DKIM in docs/providers.md"
    lines = 'dkim_key_file = "dkim.pem"\ndkim_selector = "club"'
    assert faults(read, FULL.replace("[mail]", f"[mail]\n{lines}"), REFEREE_DKIM_SELECTOR="x") == (
        f"[mail] dkim_key_file: {instead}",
        f"[mail] dkim_selector: {instead}",
        f"REFEREE_DKIM_SELECTOR: {instead}",
    )


def test_own_certificates_reach_both_servers(read: Read, folder: Path) -> None:
    """Both servers trust the certificates of a file; an empty or a missing one is refused."""
    own = Path(__file__).with_name("certificate.pem")
    settings = read(FULL, REFEREE_CA_FILE=str(own))
    assert (settings.imap.cafile, settings.smtp.cafile) == (own, own)
    (fault,) = faults(read, FULL, REFEREE_CA_FILE="referee.key")
    assert fault == f"REFEREE_CA_FILE: {folder}/referee.key holds no certificates in PEM form"
    (fault,) = faults(read, FULL, REFEREE_CA_FILE="ours.pem")
    assert fault == f"REFEREE_CA_FILE: {folder}/ours.pem cannot be read (No such file or directory)"


def test_a_turn_takes_time(read: Read) -> None:
    """The time per turn is a positive duration."""
    (nought,) = faults(read, FULL, REFEREE_TIME_PER_TURN="0d")
    (wrong,) = faults(read, FULL, REFEREE_TIME_PER_TURN="soon")
    assert nought.endswith("the time must be above zero; try 7d")
    assert wrong.endswith("'soon' is not a length of time; write one like 7d or 36h")


def test_none_is_written_as_in_the_options_of_a_match(read: Read) -> None:
    """No limit of a turn's time, no reminder, no day off, and no time for talk."""
    names = ("TIME_PER_TURN", "REMINDERS", "DAYS_OFF", "TALK")
    settings = read(FULL, **{f"REFEREE_{name}": "none" for name in names})
    assert settings.pace == Pace(late="wait")
    assert settings.talk == timedelta(0)


def test_a_space_between_reminders_is_refused(read: Read) -> None:
    """A player's `1d 2h` are two reminders; one of 26 hours is written without a space."""
    (fault,) = faults(read, FULL, REFEREE_REMINDERS="1d 2h, 1h")
    assert fault == "REFEREE_REMINDERS: write 1d, 2h for several reminders, 1d2h for one"
    for text in ("1d, 2h", "1 d,2 h"):
        two = read(FULL, REFEREE_REMINDERS=text).reminders
        assert two == (timedelta(days=1), timedelta(hours=2))
    assert read(FULL, REFEREE_REMINDERS="1d2h").reminders == (timedelta(hours=26),)


def test_the_example_for_a_length_of_time_is_within_its_limit(read: Read) -> None:
    """Orders with talk are held for hours, not for days."""
    (fault,) = faults(read, FULL, REFEREE_TALK="soon")
    said = "'soon' is not a length of time; write one like 10m or 1h, or none"
    assert fault == f"REFEREE_TALK: {said}"


def test_a_file_that_is_no_toml_is_refused_with_the_line(read: Read) -> None:
    """A syntax error is one line that names where it is."""
    (fault,) = faults(read, "[referee\n")
    assert "line 1" in fault


def test_a_section_that_is_no_section_is_refused(read: Read) -> None:
    """A value in place of a section is named as such and raises nothing else."""
    told = [fault for fault in faults(read, "matches = 3") if "matches" in fault]
    assert told == ["[matches]: is a section; its keys stand below a line [matches]"]


def test_the_option_wins(tmp_path: Path) -> None:
    """The file named by the option is used, or the one in the folder it names."""
    file = tmp_path / "referee.toml"
    file.touch()
    assert find_config(tmp_path, {}) == file
    assert find_config(file, {"REFEREE_CONFIG": "/nowhere"}) == file


def test_a_configuration_here_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an option the working folder is looked at first, then REFEREE_CONFIG."""
    other = tmp_path / "other.toml"
    other.touch()
    monkeypatch.chdir(tmp_path)
    assert find_config(None, {"REFEREE_CONFIG": str(other)}) == other
    (tmp_path / "referee.toml").touch()
    assert find_config(None, {"REFEREE_CONFIG": str(other)}) == tmp_path / "referee.toml"


def test_no_configuration_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any configuration the error says how to name one."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"--config") as caught:
        find_config(None, {})
    assert "\n" not in str(caught.value)
    with pytest.raises(ConfigError, match=r"there is no /nowhere; --config"):
        find_config(None, {"REFEREE_CONFIG": "/nowhere"})


@pytest.mark.parametrize(
    ("smtp", "rates"),
    [
        ("smtps://club%40gmail.com@smtp.gmail.com", [(500, "day")]),
        ("smtps://club%40example.org@SMTP.gmail.com", [(2000, "day")]),
        ("smtp+starttls://x%40example.org@smtp.office365.com", [(30, "minute"), (10_000, "day")]),
        ("smtps://x@mail.example.org", []),
    ],
)
def test_rates_of_known_providers_are_kept(
    read: Read, smtp: str, rates: list[tuple[int, str]]
) -> None:
    """The host tells them; given ones come before, and nought ends a limit."""
    found = read(FULL, REFEREE_SMTP=smtp).smtp.rates
    assert [(each.mails, each.unit) for each in found] == rates
    more = {"REFEREE_MAILS_PER_MINUTE": "5", "REFEREE_MAILS_PER_DAY": "0"}
    (given,) = read(FULL, REFEREE_SMTP=smtp, **more).smtp.rates
    assert str(given) == "5 mails a minute ([mail] mails_per_minute)"
