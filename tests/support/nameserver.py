"""A name server on loopback that knows what a test tells it, and one that never answers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

Records = Mapping[tuple[str, str], Sequence[str]]


@contextmanager
def answering(records: Records) -> Iterator[int]:
    """Serve records by name and type over UDP (RFC 1035); give the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_serve, args=(listening, records), daemon=True)
        thread.start()
        port = listening.getsockname()[1]
        yield port
        listening.sendto(b"", ("127.0.0.1", port))
        thread.join(60)


@contextmanager
def silent() -> Iterator[int]:
    """Give the port of a name server that never answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        yield listening.getsockname()[1]


def _serve(listening: socket.socket, records: Records) -> None:
    while True:
        asked, sender = listening.recvfrom(4096)
        if not asked:
            return
        listening.sendto(_answer(dns.message.from_wire(asked), records), sender)


def _answer(query: dns.message.Message, records: Records) -> bytes:
    (question,) = query.question
    name = question.name.to_text(omit_final_dot=True)
    kind = dns.rdatatype.to_text(question.rdtype)
    answer = dns.message.make_response(query)
    answer.flags |= dns.flags.RA
    found = records.get((name, kind), ())
    if found:
        answer.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *found))
    elif not any(each == name for each, _ in records):
        answer.set_rcode(dns.rcode.NXDOMAIN)
    return answer.to_wire()
