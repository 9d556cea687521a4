"""A match of two that others watch, and what they are told."""

from __future__ import annotations

import asyncio

from support.club import ALICE, CAROL, SEATS, Club, Mail, letter
from support.smtpd import SmtpServer

from referee.desk.mails.delivery import Sending
from referee.mail.transport.postman import Postman
from referee.mail.transport.servers import Timing


def begun(club: Club) -> str:
    """Begin a match and let its first reports out."""
    name = club.new_match("pebbles", *SEATS).name
    club.work()
    return name


def plays(club: Club, who: str, report: Mail) -> None:
    """Play the first stone a report offers."""
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, line, who)
    club.work()


def watches(club: Club, name: str, who: str = CAROL) -> None:
    """Let a player watch a match: he asks, and answers the question."""
    club.put(letter(who, f"watch {name}", number=club.uid))
    club.answer(club.last(who, "answer"), "yes", who)


def sent(club: Club, server: SmtpServer) -> list[str]:
    """Send what is due, as the daemon does; return the texts alice got."""
    before = len(server.to(ALICE))

    async def send() -> None:
        sending = Sending(club.desk, Postman(server.server(), Timing(5, 5, 5, 5)))
        await sending.send_due()
        await sending.postman.close()

    asyncio.run(send())
    return [Mail(0, "report", each.raw).text for each in server.to(ALICE)[before:]]


def told(club: Club, who: str) -> str:
    """Return what somebody was answered last, on one line."""
    return club.last(who, "answer").flat
