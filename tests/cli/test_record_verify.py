"""`referee record verify`: records against themselves, and against the mails of a player."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.evidence import Evidence, played_by_mail, rewritten, written
from support.thorough import examples, some

from referee.desk.archive.record import compare_mails
from referee.mail.incoming.visible import shown_proofs
from referee.matches import record

Run = Callable[..., Any]

PHRASES = ("Head of the log:", "Kopf des Protokolls:")
SHORT = "abcd-efgh-2345"


@pytest.fixture(scope="module", params=some(["pebbles"], ["nord"]))
def evidence(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Evidence:
    """Return what is left of a match played by mail."""
    return played_by_mail(tmp_path_factory.mktemp("club"), request.param)


@pytest.fixture(scope="module")
def short(tmp_path_factory: Any) -> Evidence:
    """Return what is left of a short match."""
    return played_by_mail(tmp_path_factory.mktemp("club"), "pebbles")


@pytest.fixture
def file(tmp_path: Path, short: Evidence) -> Path:
    """Return the record of the short match as a file."""
    path = tmp_path / "record.jsonl"
    path.write_bytes(short.record)
    return path


def orders(evidence: Evidence) -> Iterator[int]:
    """Yield the seq of every order of a record."""
    for line in evidence.lines[1:-1]:
        document = json.loads(line)
        if document["kind"] == "order":
            yield document["seq"]


def test_every_mail_of_a_player_agrees_with_the_record(
    evidence: Evidence, tmp_path: Path, run: Run
) -> None:
    """A folder of all mails: each report and receipt shows heads that occur, up to the end."""
    (tmp_path / "r.jsonl").write_bytes(evidence.record)
    evidence.kept(tmp_path / "mails")
    ran = run("record", "verify", tmp_path / "r.jsonl", "--mail", tmp_path / "mails", "--json")
    found = json.loads(ran.out)
    telling = sum(kind in {"report", "receipt", "invitation"} for kind, _ in evidence.mails)
    events = len(evidence.lines) - 2
    assert (ran.status, found["ok"], found["mails"]["fault"]) == (0, True, None)
    assert (found["mails"]["compared"], found["mails"]["reach"]) == (telling, events)
    assert found["mails"]["commitments"] == 1
    assert found["mails"]["full"] == telling - 1
    assert found["mails"]["compared"] + found["mails"]["others"] == len(evidence.mails)


def test_rewritten_record_verifies_and_is_betrayed_by_a_mail(
    evidence: Evidence, tmp_path: Path, run: Run
) -> None:
    """Other orders with all hashes mended pass alone; the first mail sent after them is named."""
    kept = list(orders(evidence))[3] - 1
    path, mails = tmp_path / "r.jsonl", evidence.kept(tmp_path / "mails")
    path.write_bytes(rewritten(evidence.lines, kept))
    assert path.read_bytes().splitlines()[0] == evidence.lines[0]
    assert run("record", "verify", path).status == 0
    ran = run("record", "verify", path, "--mail", tmp_path / "mails")
    first = first_after(evidence, kept)
    assert ran.status == 1
    assert f"{mails[first[0]]}: the head {first[1]} occurs nowhere in this record" in ran.out
    assert f"mails compared: {compared(evidence)} " in ran.out


def first_after(evidence: Evidence, kept: int) -> tuple[int, str]:
    """Return number and full head of the first mail that shows an event after ``kept``."""
    late = {json.loads(each)["hash"] for each in evidence.lines[kept + 1 : -1]}
    for number, (_, raw) in enumerate(evidence.mails):
        for head in late:
            if f"X-Referee-Head: {head}".encode() in raw:
                return number, head
    raise AssertionError("no mail shows an event that late")


def compared(evidence: Evidence) -> int:
    """Return how many mails show something of the match."""
    return sum(kind in {"report", "receipt", "invitation"} for kind, _ in evidence.mails)


@pytest.mark.parametrize(("whose", "words"), [("mails", "Head of the"), ("german", "Kopf des")])
def test_heads_in_the_text_are_enough(short: Evidence, whose: str, words: str) -> None:
    """Where header fields and the turn file are lost, the twelve letters of the text count."""
    mails = [strip(raw) for kind, raw in getattr(short, whose) if kind == "report"]
    assert all(words.encode() in each for each in mails)
    whole = compare_mails(short.lines, [("a", each) for each in mails])
    assert (whole.fault, whole.compared, whole.full) == (None, len(mails), 0)
    assert whole.reach == len(short.lines) - 2
    other = rewritten(short.lines, next(orders(short)) - 1).splitlines()
    wrong = compare_mails(other, [(str(n), each) for n, each in enumerate(mails)])
    assert (wrong.mail, wrong.head is not None and len(wrong.head)) == ("1", 14)


def strip(raw: bytes) -> bytes:
    """Return what is left of a mail when only its plain text was kept, quoted in an answer."""
    lines = raw.decode().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("--- "))
    end = next(n for n, line in enumerate(lines) if line.startswith("--- referee "))
    quoted = "\n".join(f"> {line}" for line in lines[start : end + 1])
    return (
        "From: alice@example.test\nContent-Type: text/plain; charset=utf-8\n"
        f"Content-Transfer-Encoding: quoted-printable\n\nLook:\n\n{quoted}\n"
    ).encode()


def test_commitment_of_another_seed_is_found(short: Evidence, file: Path, run: Run) -> None:
    """An invitation that showed another commitment than the record's header is named."""
    own = json.loads(short.lines[0])["commitment"]
    other = "0123456789abcdef" * 4
    path = file.parent / "invitation.eml"
    path.write_bytes(short.mails[0][1].replace(own.encode(), other.encode()))
    ran = run("record", "verify", file, "--mail", path)
    assert ran.status == 1
    assert f"{path}: the commitment {other} is not this record's, which is {own}" in ran.out


def test_invitation_alone_proves_no_event(short: Evidence, file: Path, run: Run) -> None:
    """The commitment fits, and it is said that no head was compared."""
    [path] = written(file.parent / "mails", [short.mails[0][1]])
    ran = run("record", "verify", file, "--mail", path)
    assert (ran.status, "no head was shown" in ran.out) == (0, True)


def test_mails_about_other_matches_compare_nothing(file: Path, run: Run) -> None:
    """One line says so, in each form alone."""
    path = file.parent / "other.eml"
    path.write_text("From: alice@example.test\n\nhello\n", encoding="utf-8")
    for form in ((), ("--json",)):
        ran = run("record", "verify", file, "--mail", path, *form)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert "consistent in itself, but nothing of it was shown in 1 mail:" in ran.err


def test_mails_may_be_named_in_every_way(short: Evidence, file: Path, run: Run) -> None:
    """Files, folders, a Maildir, repeated options and what a shell makes of --mail *.eml."""
    first, second, *_ = short.kept(file.parent / "mails")
    (file.parent / "Maildir" / "cur").mkdir(parents=True)
    copyfile(first, file.parent / "Maildir" / "cur" / "1763.M1.host:2,S")
    (file.parent / "mails" / "notes.txt").write_text("no mail")
    for words, count in (
        (("--mail", first), 1),
        (("--mail", first, "--mail", second), 2),
        (("--mail", first, second), 2),
        (("--mail", first, "--mail", file.parent / "mails"), len(short.mails)),
        (("--mail", file.parent / "Maildir"), 1),
    ):
        ran = run("record", "verify", file, *words, "--json")
        mails = json.loads(ran.out)["mails"]
        assert mails["compared"] + mails["others"] == count, words


def test_nothing_to_compare_is_status_2(short: Evidence, file: Path, run: Run) -> None:
    """Without one mail about the match it is not claimed that anything was proved."""
    empty = file.parent / "empty"
    empty.mkdir()
    assert run("record", "verify", file, "--mail", empty).status == 2
    reports = [strip(raw) for kind, raw in short.mails if kind == "report"]
    other = [each.replace(b"pebbles-1", b"pebbles-2") for each in reports]
    written(file.parent / "others", other)
    ran = run("record", "verify", file, "--mail", file.parent / "others")
    assert (ran.status, f"in {len(other)} mails" in ran.err) == (2, True)


def test_a_second_record_is_not_taken_for_a_mail(file: Path, run: Run) -> None:
    """Else it would be said that the mails show nothing of the first."""
    second = file.with_name("another.jsonl")
    second.write_bytes(file.read_bytes())
    ran = run("record", "verify", file, second)
    assert (ran.status, "records are verified one at a time" in ran.err) == (2, True)


def test_another_file_is_called_no_record(run: Run, tmp_path: Path) -> None:
    """Nobody looks for a fault in its JSON."""
    other = tmp_path / "referee.toml"
    other.write_text("# The settings of this referee.\n" * 3, encoding="utf-8")
    ran = run("record", "verify", other)
    said = f"{other}: line 1: this is no record of a match, which begins with {{\n"
    assert (ran.status, ran.out) == (1, said)


@pytest.mark.parametrize("where", ["--mail", "file"])
def test_missing_file_is_status_2(where: str, file: Path, run: Run) -> None:
    """A record or mail that is not there is one line that names it."""
    gone = file.parent / "gone.eml"
    words = (file, "--mail", gone) if where == "--mail" else (gone,)
    ran = run("record", "verify", *words)
    assert (ran.status, str(gone) in ran.err, ran.err.count("\n")) == (2, True, 1)


@pytest.mark.parametrize("added", [b"x", b"\n", b"{}\n", b'{"kind":"note"}'])
def test_bytes_after_the_last_line_are_found(added: bytes, file: Path, run: Run) -> None:
    """Nothing may follow the closing line, with or without a line end."""
    file.write_bytes(file.read_bytes() + added)
    assert run("record", "verify", file).status == 1


@pytest.mark.parametrize("kept", [0.5, 0.999])
def test_a_record_cut_off_is_called_so(kept: float, file: Path, run: Run) -> None:
    """Wherever the file ends, and by its name."""
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * kept)])
    ran = run("record", "verify", file)
    last = len(file.read_bytes().split(b"\n"))
    says = f"{file}: line {last}: the record is cut off here: its closing line is missing"
    assert (ran.status, says in ran.out) == (1, True)


def test_what_players_wrote_is_not_taken_for_a_head(short: Evidence) -> None:
    """Lines that only look like ours, outside our frame or quoted in it, are not compared."""
    text = "\n".join(
        [
            f"Head of the log: {SHORT}",
            "--- pebbles-1 · referee ---",
            f"· Head of the log: {SHORT}",
            f"  Head of the log: {SHORT}",
            f"Red wrote: Head of the log: {SHORT}",
            "our-dear-king",
            "long-term-goal",
            "--- end of pebbles-1 · referee ---",
            f"Head of the log: {SHORT}",
            "--- pebbles-2 · referee ---",
            f"Head of the log: {SHORT}",
        ]
    )
    mail = EmailMessage()
    mail.set_content(text)
    assert shown_proofs(mail.as_bytes(), "pebbles-1", PHRASES)[0] == []
    assert shown_proofs(mail.as_bytes(), "pebbles-2", PHRASES)[0] == [SHORT]


@pytest.mark.parametrize("mark", ["", "> "])
def test_frames_with_news_are_read(mark: str) -> None:
    """Wrapped and quoted too; the last line of ours ends what counts."""
    first = ["--- pebbles-1 · Reminder: it is still", "your turn, Red ·", "referee ---"]
    for frame in (first, [" ".join(first)]):
        lines = [*frame, f"Head of the log: {SHORT}", "--- referee · pebbles-1 ---"]
        mail = EmailMessage()
        mail.set_content("\n".join(mark + line for line in lines))
        assert shown_proofs(mail.as_bytes(), "pebbles-1", PHRASES)[0] == [SHORT]
        late = [*lines[:-2], lines[-1], lines[-2]]
        mail.set_content("\n".join(mark + line for line in late))
        assert shown_proofs(mail.as_bytes(), "pebbles-1", PHRASES)[0] == []


def test_strange_head_in_a_header_does_not_occur(short: Evidence) -> None:
    """A head with something added, or none at all, is no head of the record."""
    head = json.loads(short.lines[1])["hash"]
    for value in (head + "0", head[:-1], "none", "\x1b[2J", "é"):
        raw = f"X-Referee-Match: pebbles-1\nX-Referee-Head: {value}\n\n".encode()
        found = compare_mails(short.lines, [("m", raw)])
        assert found.mail == "m"
        assert str(found.fault).isprintable()


@settings(max_examples=examples(200), deadline=None)
@given(st.data())
def test_any_bytes_are_a_mail(short: Evidence, data: st.DataObject) -> None:
    """Whatever lies in the folder is compared without an exception."""
    junk = data.draw(st.binary(max_size=300))
    raw = data.draw(st.sampled_from([each for _, each in short.mails]))
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 200)))
    for each in (junk, raw[:start] + junk + raw[end:]):
        found = compare_mails(short.lines, [("m", each)])
        assert found.compared + found.others == 1


def test_compressed_records_are_unfolded_up_to_a_limit(
    file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record as mails carry it; what is cut off, damaged or unfolds without end is refused."""
    packed = record.packed(file.read_bytes())
    assert record.packed(file.read_bytes()) == packed
    path = file.with_name("mailed.record.jsonl.gz")
    path.write_bytes(packed)
    assert run("record", "verify", path).status == 0
    for wrong in (packed[:-9], packed[:60] + b"?" * 9 + packed[69:], packed + b"more"):
        path.write_bytes(wrong)
        ran = run("record", "verify", path)
        assert (ran.status, "Traceback" in ran.err, str(path) in ran.err) == (2, False, True)
    monkeypatch.setattr(record, "LONGEST", 1000)
    path.write_bytes(packed)
    assert "unfolds to more than" in run("record", "verify", path).err
