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

UNMARKED: Final = {
    "gmail": """\
From: Mail Delivery Subsystem <mailer-daemon@mx.example.test>
Subject: Delivery Status Notification (Failure)

Delivery to the following recipient failed permanently:

     alice@example.test

Technical details of permanent failure: the account was closed.

   ----- Original message -----

From: referee@example.test
""",
    "qmail": """\
From: postman@mx.example.test
Subject: failure notice

Hi. This is the qmail-send program at mx.example.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<alice@example.test>:
Sorry, no mailbox here by that name. vpopmail

--- Below this line is a copy of the message.

From: referee@example.test
""",
    "exim": """\
From: Mail Delivery System <system@mx.example.test>
Subject: Mail delivery failed: returning message to sender
X-Failed-Recipients: alice@example.test

This message was created automatically by mail delivery software.
A message that you sent could not be delivered to all of its recipients.
""",
    "opensmtpd": """\
From: Mailer Daemon <postman@mx.example.test>
Subject: Delivery error
Content-Type: multipart/report; report-type=delivery-status; boundary="cut"

--cut
Content-Type: text/plain

    Hi!
--cut
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.test

Final-Recipient: rfc822; alice@example.test
Action: error
Status: unknown

--cut--
""",
}
"""Hard bounces of four mail systems in words of their own, without a status of RFC 3463."""

WARNED: Final = """\
From: postman@mx.example.test
Subject: delayed

    **********************************************
    **      THIS IS A WARNING MESSAGE ONLY      **
    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **
    **********************************************

The original message was received at Fri, 20 Nov 2026 10:00:00 +0000

   ----- The following addresses had transient non-fatal errors -----
<alice@example.test>

   ----- Transcript of session follows -----
"""
"""A delay in the words of sendmail, without a status."""


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
