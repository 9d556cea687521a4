"""Check a match's record, and mails against it, with nothing but Python.

    python3 -I -S verify_record.py nord-7.record.jsonl.gz [MAIL.eml ...]

Exit status 0: all holds; 1: something does not, and the first is named; 2: it cannot be checked.
Checked: form of every line, chain, hashes, salts, seal; seeds, commitments, promised words; draws
from their outcomes; count of turns; that the orders of a turn are one seat's and those of the next
another's; that only orders are forced, and only draws have no arrival; who did anything else; that
nothing but notes follows an end.

Not checked, as the rules of the game are not known here: which seat is to act, that orders were
legal and forced ones forced, which outcomes chance could take, the digests of positions, the board,
options and result. So a record cut off where a turn ended, with a result made up, passes. `referee
record verify` finds all of these. What neither can check is listed in fair-chance.md.
"""
# ruff: noqa: INP001, T201 - a program of its own that talks to people

from __future__ import annotations

import base64
import email
import hashlib
import itertools
import json
import re
import sys
import zlib
from datetime import datetime
from hmac import digest as mac
from pathlib import Path
from typing import Any, NamedTuple

HEADER = {"board", "commitment", "edition", "game", "given", "kind", "match", "options", "practice",
          "referee", "seats", "started", "words"}  # fmt: skip
EVENT = {"arrival", "details", "digest", "draw", "forced", "hash", "kind", "order", "previous",
         "salt", "seat", "seq", "turn"}  # fmt: skip
FORMS = {"board": (dict, "an object"), "commitment": (str, "text"),
         "edition": (int, "a whole number"), "game": (str, "text"),
         "given": (bool, "true or false"), "match": (str, "text"), "options": (dict, "an object"),
         "practice": (bool, "true or false"), "seats": (list, "a list"), "started": (str, "text"),
         "words": (dict, "an object")}  # fmt: skip
RESULT = ["ending", "places", "points"]
CLOSING = {"events", "kind", "result", "seal", "seed"}
BACK = {"undo", "redo", "reopen"}  # after these the match stands again as after an earlier event
SETTING = BACK | {"fix"}
KINDS = {"order", "chance", "end", "seat", "pause", "resume", "extend", "notice"} | SETTING
MATCH = r"[a-z][a-z0-9]*-[0-9]+"
HEX = re.compile(r"[0-9a-f]{64}")
STAMP = re.compile(r"[12]\d{3}-\d\d-\d\dT[\d:]{8}(?:\.\d{6})?(?:Z|\+00:00)", re.ASCII)
HEAD = re.compile(r"(?:head of the log|kopf des protokolls): *([a-z2-7]{4}(?:-[a-z2-7]{4}){2})")
DASH = "[-\u2010-\u2015]"
FRAME = re.compile(rf"{DASH}+ *(?:(referee \W+ \S+ {DASH})|((?:[^\W\d_]+ ){{0,3}})({MATCH}|referee)"
                   rf"(?: \W .{{1,99}}? \W referee *{DASH}| *\W *referee\b))")  # fmt: skip
Line = dict[str, Any]


class Wrong(Exception):
    """Something does not hold; the message says where and what."""

    line: int | None = None


class State(NamedTuple):
    """State of the match after an event, as far as it shows."""

    turns: set[int]  # of the next event
    draws: int = 0
    seat: Any = None  # to act
    other: Any = None  # not to act, as its turn has just ended
    rests: bool = False  # between two turns
    result: Any = None


def main(paths: list[str]) -> int:
    """Check the record and the mails at these paths; return the exit status."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if {"--help", "-h"} & {*paths}:
        print(__doc__)
        return 0
    if not paths:
        print("usage: verify_record.py RECORD [MAIL.eml ...]", file=sys.stderr)
        return 2
    try:
        record, *mails = [(path, Path(path).read_bytes()) for path in paths]
        header, heads, draws, committed = check_record(unfolded(record[1]))
        name = header["match"]
        print(f"{name}: {len(heads) - 1} events and {draws} draws follow from seed and words.")
        if forfeits := sorted(header.get("promised", {}).keys() - header["words"].keys()):
            print(f"Promised words were not told in time, and are not mixed in: {forfeits}")
        counts = [check_mail(path, raw, name, heads, committed) for path, raw in mails]
    except OSError as fault:
        print(f"{fault.filename}: {fault.strerror}", file=sys.stderr)
        return 2
    except (Wrong, zlib.error) as wrong:
        print(wrong)
        return 1
    if not mails:
        print("Without mails this only shows that the record is consistent in itself.")
    elif not any(counts):
        print(f"None of {len(mails)} mails shows anything of {name}.", file=sys.stderr)
        return 2
    else:
        about = sum(map(bool, counts))
        print(f"{about} of {len(mails)} mails show {sum(counts)} heads and commitments of {name}:")
        print("all of them are in this record. They prove nothing of what came later.")
    return 0


def unfolded(data: bytes) -> bytes:
    """Return a record without its compression, if any; at most 64 MiB."""
    if data[:2] != b"\x1f\x8b":
        return data
    work = zlib.decompressobj(31)
    found = work.decompress(data, 1 << 26)
    if not work.eof or work.unused_data:
        raise Wrong("the compressed record is cut off, too large, or has something behind it")
    return found


def check_record(data: bytes) -> tuple[Line, list[str], int, list[str]]:
    """Return the header, every head, the number of draws, and the commitments. Raises Wrong."""
    lines = data.removesuffix(b"\n").split(b"\n")
    if len(lines) < 2:
        raise Wrong("line 1: a record has a header and a closing line")
    number = 1
    try:
        check_header(header := document(lines[0], HEADER, {"promised"}))
        number = len(lines)
        closing = document(lines[-1], CLOSING)
        expect("kind of the last line", closing["kind"], "close")
        expect("seed", closing["seed"], bytes.fromhex(closing["seed"]).hex())
        seeds = [*old_seeds(lines), (number, closing["seed"])]
        committed = [header["commitment"]]
        key = key_of(header, lines, seeds[0], committed[-1])
        heads, states, draws = [sha256(lines[0])], [State({0, 1})], 0
        for number, line in enumerate(lines[1:-1], start=2):  # noqa: B007 - told below
            event = document(line, EVENT)
            check_event(event, heads, key, header["seats"])
            check_form(event, header["seats"])
            states.append(state_after(event, states, key, header["match"]))
            heads.append(event["hash"])
            draws += event["kind"] == "chance"
            if event["kind"] == "reopen":
                committed.append(event["details"]["commitment"])
                key = key_of(header, lines, seeds[len(committed) - 1], committed[-1])
        number = len(lines)
        check_closing(closing, lines, header["seats"], states[-1])
    except Wrong as wrong:
        raise Wrong(f"line {wrong.line or number}: {wrong}") from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as fault:
        raise Wrong(f"line {number}: this is not as a record is: {fault!a:.200}") from None
    return header, heads, draws, committed


def document(line: bytes, names: set[str], more: set[str] | None = None) -> Line:
    """Return the object of a canonical line: these names, perhaps ``more``."""
    found = json.loads(line.decode(), parse_float=int, parse_constant=int)  # whole numbers only
    if canonical(found) != line:
        raise Wrong("the line is not in its canonical form")
    if not isinstance(found, dict) or found.keys() - (more or set()) != names:
        raise Wrong(f"a line of this kind holds {', '.join(sorted(names))}")
    return found


def canonical(value: object) -> bytes:
    """Return the one form of a JSON value: keys sorted, no spaces, characters as themselves."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(data: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def expect(what: str, found: object, should: object) -> None:
    """Raise Wrong unless both are the same JSON value."""
    if canonical(found) != canonical(should):
        raise Wrong(f"{what} is {json.dumps(found):.100}, expected {json.dumps(should):.100}")


def check_header(header: Line) -> None:
    """Check the header as far as it needs no other line."""
    expect("kind of the first line", header["kind"], "header")
    expect("format", header["referee"], 1)
    for name, (kind, told) in FORMS.items():
        if type(header[name]) is not kind:
            raise Wrong(f"{name} is {json.dumps(header[name]):.100}, expected {told}")
    if not re.fullmatch(MATCH, header["match"]):
        raise Wrong("match: this is no name of a match")
    if header["edition"] < 1:
        raise Wrong(f"edition is {header['edition']}, expected 1 or more")
    if not is_moment(header["started"]):
        raise Wrong("started is no moment in UTC")
    if not (seats := header["seats"]) or any(type(seat) is not str for seat in seats):
        raise Wrong("seats are not names")
    if len(set(seats)) < len(seats):
        raise Wrong("seats: one stands twice")
    if any(type(said) is not str for said in header["words"].values()):
        raise Wrong("words of luck are not text")
    if any(type(value) not in {str, int, bool} for value in header["options"].values()):
        raise Wrong("options are not text, whole numbers, true or false")
    if not header["words"].keys() <= set(header["seats"]):
        raise Wrong("words of luck from somebody who does not play")
    for seat, promise in header.get("promised", {}).items():
        if seat not in header["seats"] or not HEX.fullmatch(promise):
            raise Wrong(f"{seat!a:.40} promised no words by their SHA-256")
        if seat in header["words"]:
            expect(f"SHA-256 of words of {seat}", sha256(header["words"][seat].encode()), promise)


def is_moment(text: str) -> bool:
    """Whether a text is a moment in UTC."""
    try:
        return bool(STAMP.fullmatch(text) and datetime.fromisoformat(text))
    except ValueError:
        return False


def old_seeds(lines: list[bytes]) -> list[tuple[int, str]]:
    """Return the seeds from before each reopening, with their lines."""
    found = []
    for number, line in enumerate(lines[1:-1], start=2):
        if b'"kind":"reopen"' in line:
            try:
                event = json.loads(line)
                if event["kind"] == "reopen":  # the words may stand in another event's details
                    found.append((number, bytes.fromhex(event["details"]["seed"]).hex()))
            except (ValueError, TypeError, LookupError, RecursionError):
                continue
    return found


def key_of(header: Line, lines: list[bytes], seed: tuple[int, str], committed: str) -> bytes:
    """Return the key of draws and salts; the seed must fit its commitment."""
    secret, words = bytes.fromhex(seed[1]), header["words"]
    if sha256(secret) != committed:
        wrong = Wrong(f"SHA-256 of the seed is {sha256(secret)}, expected {committed!a:.100}")
        wrong.line = first_break(lines) or seed[0]  # a changed event is told before the seed
        raise wrong
    return secret if not words else mac(secret, canonical({"words": words}), "sha256")


def first_break(lines: list[bytes]) -> int | None:
    """Return the first line whose event does not follow the one before."""
    head = sha256(lines[0])
    for number, line in enumerate(lines[1:-1], start=2):
        try:
            event = document(line, EVENT)
        except (Wrong, ValueError, RecursionError):
            return number
        told = event.pop("hash")
        if (event["seq"], event["previous"], told) != (number - 1, head, sha256(canonical(event))):
            return number
        head = told
    return None


def check_event(event: Line, heads: list[str], key: bytes, seats: list[str]) -> None:
    """Check chain, salt, numbering and hash of an event."""
    seq, kind = len(heads), event["kind"]
    expect("seq", event["seq"], seq)
    expect(f"event {seq}: previous", event["previous"], heads[-1])
    expect(f"event {seq}: salt", event["salt"], mac(key, b"salt\n%d" % seq, "sha256").hex()[:32])
    rest = canonical({name: value for name, value in event.items() if name != "hash"})
    expect(f"event {seq}: hash", event["hash"], sha256(rest))
    if kind not in KINDS:
        raise Wrong(f"event {seq}: this program knows no kind {kind!a:.40}")
    if {kind == "chance"} != {event["draw"] is not None, event["seat"] == "chance"}:
        raise Wrong(f"event {seq}: draws are what chance does, and only that")
    if kind == "order" and event["seat"] not in seats:
        raise Wrong(f"event {seq}: an order of {event['seat']!a:.40}, who does not play")


def check_form(event: Line, seats: list[str]) -> None:
    """Check the form that an event of its kind has; its seats play."""
    at, kind = f"event {event['seq']}:", event["kind"]
    played = kind in {"order", "chance"}
    if type(event["forced"]) is not bool or (event["forced"] and kind != "order"):
        raise Wrong(f"{at} only orders are forced")
    if played != isinstance(event["order"], str) or (not played and event["order"] is not None):
        raise Wrong(f"{at} orders and draws have a text, and only they")
    if kind == "chance":
        expect(f"{at} arrival", event["arrival"], None)
    elif not is_moment(event["arrival"]):
        raise Wrong(f"{at} arrival is no moment in UTC")
    if not played and event["seat"] not in {None, *seats}:
        raise Wrong(f"{at} about {event['seat']!a:.40}, who does not play")
    if not (event["digest"] is None or HEX.fullmatch(event["digest"])):
        raise Wrong(f"{at} digest is no SHA-256")
    if (kind in SETTING or kind == "end") != (event["digest"] is not None) and not played:
        raise Wrong(f"{at} a digest stands where a turn ends or is set")
    check_details(event, seats)


def check_details(event: Line, seats: list[str]) -> None:
    """Check that acts tell who did it, and by hash why; orders and draws tell nothing."""
    details = event["details"]
    if event["kind"] in {"order", "chance"}:
        expect(f"event {event['seq']}: details", details, {})
    elif event["kind"] != "end":  # that one tells the result, which the closing line repeats
        by = details["by"] in {"organiser", "referee", *seats}
        if not by or not HEX.fullmatch(details["why"]):
            raise Wrong(f"event {event['seq']}: by and why tell who did it, and by hash the reason")


def state_after(event: Line, states: list[State], key: bytes, match: str) -> State:
    """Return where the match stands after an event, which must be possible."""
    before, draws = states[goal(event)], event["kind"] == "chance"
    turns = turns_after(event, before.turns)
    state = acting_after(event, before)._replace(turns=turns, draws=before.draws + draws)
    if draws:
        check_draw(event, state.draws, key, match)
    return state


def goal(event: Line) -> int:
    """Return the event after which the match stands again; usually the one before."""
    if event["kind"] not in BACK:
        return event["seq"] - 1  # type: ignore[no-any-return]
    to = event["details"]["to"]
    if type(to) is not int or not 0 <= to < event["seq"]:
        raise Wrong(f"event {event['seq']}: {to!a:.40} is no event before it")
    return to


def turns_after(event: Line, may: set[int]) -> set[int]:
    """Return the turns that may follow an event; it has one of those given."""
    turn = event["turn"]
    may = may | {each + 1 for each in may if event["kind"] == "fix"}
    if type(turn) is not int or turn not in may:
        raise Wrong(f"event {event['seq']}: turn {turn!a:.40}, expected one of {sorted(may)}")
    ends = event["digest"] is not None and event["kind"] not in SETTING
    return {turn, turn + 1} if ends else {turn}


def acting_after(event: Line, before: State) -> State:
    """Return the state with the seat to act; an order is of the one before."""
    at, kind, seat = f"event {event['seq']}:", event["kind"], event["seat"]
    if before.result is not None and kind in {"order", "chance", "end", "fix"}:
        raise Wrong(f"{at} the match is over")
    if kind in BACK and None not in (before.seat, seat):
        expect(f"{at} seat", seat, before.seat)
    if kind in SETTING:
        result = before.result if kind == "redo" else None
        return before._replace(seat=seat, other=None, rests=True, result=result)
    if kind == "end":
        return before._replace(seat=None, other=None, rests=True, result=event["details"])
    if kind not in {"order", "chance"}:
        return before
    if kind == "order" and (seat == before.other or before.seat not in (None, seat)):
        raise Wrong(f"{at} an order of {seat}, who is not to act in this turn")
    now = before.seat if kind == "chance" else seat
    if event["digest"] is None:
        return before._replace(seat=now, rests=False)
    return before._replace(seat=None, other=now, rests=True)


def check_draw(event: Line, number: int, key: bytes, match: str) -> None:
    """Draw again from the outcomes of an event: the seed, an index, the order."""
    seq, outcomes = event["seq"], event["draw"]["outcomes"]
    expect(f"event {seq}: the draw", event["draw"], {"number": number, "outcomes": outcomes})
    texts, weights = zip(*outcomes, strict=True)
    if list(texts) != sorted(set(texts)):
        raise Wrong(f"event {seq}: the outcomes are not sorted, or one stands twice")
    total = sum(weights)
    if any(type(each) is not int or each < 0 for each in weights) or not 0 < total < 2**64:
        raise Wrong(f"event {seq}: these weights allow no draw")
    for attempt in itertools.count():
        asked = f"draw\n{match}\n{number}\n{attempt}".encode()
        value = int.from_bytes(mac(key, asked, "sha256"), "big")
        if value < 2**256 - 2**256 % total:
            break
    bounds = itertools.accumulate(weights)
    drawn = next(text for text, bound in zip(texts, bounds, strict=True) if value % total < bound)
    expect(f"event {seq}: draw {number}", event["order"], drawn)


def check_closing(closing: Line, lines: list[bytes], seats: list[str], last: State) -> None:
    """Compare the closing line with all before, which end with a turn."""
    expect("events", closing["events"], len(lines) - 2)
    expect("seal", closing["seal"], sha256(b"".join(line + b"\n" for line in lines[:-1])))
    expect("what the result holds", sorted(result := closing["result"]), RESULT)
    for name in ("points", "places"):
        expect(f"seats with {name}", sorted(result[name]), sorted(seats))
        low = 1 if name == "places" else -(2**63)
        if any(type(each) is not int or each < low for each in result[name].values()):
            raise Wrong(f"the {name} are no {name}")
    if not isinstance(result["ending"], str):
        raise Wrong("the ending is no word")
    if not last.rests:
        raise Wrong("the record ends within a turn: it is cut off")
    if last.result is not None:
        expect("result", result, last.result)


def check_mail(path: str, raw: bytes, match: str, heads: list[str], committed: list[str]) -> int:
    """Return how many heads and commitments of the match a mail shows. Raises Wrong."""
    known, shown = {*heads, *map(short, heads)}, dict.fromkeys(shown_in(raw, match))
    for what, value in shown:
        if value not in (known if what == "head" else committed):
            raise Wrong(f"{path}: the {what} {value!a:.90} it shows is not in this record")
    return len(shown)


def shown_in(raw: bytes, match: str) -> list[tuple[str, str]]:
    """Return each "head" and "commitment" of the match that a mail shows."""
    found = []
    try:
        mail = email.message_from_bytes(raw)
        if match in [str(each).strip() for each in mail.get_all("X-Referee-Match", [])]:
            found = [("head", str(each).strip()) for each in mail.get_all("X-Referee-Head", [])]
        plain: list[Any] = [each for each in mail.walk() if each.get_content_type() == "text/plain"]
        texts = [str(each.get_payload(decode=True), "utf-8", "replace") for each in plain]
    except Exception:  # noqa: BLE001 - anybody may have written it, and anything may be in it
        return found
    text = re.sub(r"(?m)^(?: ?> ?)*", "", "\n".join(texts).lower())
    inside, lines = None, [line.rstrip() for line in text.splitlines()]
    for at, text in enumerate(lines):
        if frame := FRAME.match(" ".join(lines[at : at + 3])):  # it may have been wrapped
            inside = None if frame[1] or frame[2] else frame[3]
        elif inside == match and HEX.fullmatch(text):
            found.append(("commitment", text))
        elif inside == match and (head := HEAD.fullmatch(text)):
            found.append(("head", head[1]))
    return found


def short(head: str) -> str:
    """Return a head as the text of a mail shows it."""
    letters = base64.b32encode(bytes.fromhex(head)).decode().lower()
    return f"{letters[:4]}-{letters[4:8]}-{letters[8:12]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
