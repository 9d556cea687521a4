"""Bounces as mail systems write them."""

from __future__ import annotations

from typing import Final

REPORT: Final = """\
From: MAILER-DAEMON@mx.example.test (Mail Delivery System)
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{number}@mx.example.test>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="cut"

--cut
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.

--cut
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.test
Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0000

Final-Recipient: rfc822; alice@example.test
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {said}
    and nothing more

--cut
Content-Type: message/rfc822

From: referee@example.test
Subject: your move

pass
--cut--
"""

OLD: Final = """\
From: {sender}
To: {to}
Subject: failure notice
Message-ID: <old@mx.example.test>
Return-Path: <>

Hi. This is the mail program at mx.example.test.
{said}
"""


def report(
    to: str,
    *,
    action: str = "failed",
    status: str = "5.1.1",
    said: str = "550 no such user",
    number: int = 1,
) -> bytes:
    """Return a delivery report (RFC 3464) to an address."""
    text = REPORT.format(to=to, action=action, status=status, said=said, number=number)
    return text.encode()


def old_style(to: str, said: str, sender: str = "MAILER-DAEMON@mx.example.test") -> bytes:
    """Return a bounce in plain words."""
    return OLD.format(to=to, said=said, sender=sender).encode()
