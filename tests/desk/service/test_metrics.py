"""Metrics: they count what `referee status` counts, in the form Prometheus reads."""

from __future__ import annotations

from typing import get_args

import pytest
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from support.club import Club
from support.storing import a_daemon, a_letter, a_mail

from referee.desk import health
from referee.desk.service.metrics import Metrics
from referee.desk.service.status import LEVELS, read_status
from referee.store.post import letters, outbox
from referee.store.states import LetterState, MatchState, OutboxState
from referee.value import replace

pytestmark = pytest.mark.fast

POLL = 60
SEATS = ("red=alice@example.test", "blue=bob@example.test")


def scraped(club: Club) -> dict[tuple[str, str], float]:
    """Return the metrics by name and state, as Prometheus reads them."""
    text = generate_latest(Metrics(club.desk).registry).decode()
    return {
        (sample.name, sample.labels.get("state", "")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_and_status_agree(club: Club) -> None:
    """After play and trouble, each count of `referee status` is the metric of that name."""
    club.new_match("pebbles", *SEATS)
    club.work()
    health.note_poll(club.desk, club.desk.now())
    with club.desk.store.writing() as connection:
        row = a_letter(connection, 1, arrived=club.desk.now())
        letters.finish_letter(connection, row.id, "quarantined", "KeyError", club.desk.now())
        mail = a_mail(connection, "carol@example.test", now=club.desk.now())
        outbox.mark_mail(connection, mail, "failed", now=club.desk.now())
    club.later(days=30)
    alpha = a_daemon(club.desk.store, "alpha", "read work", club.desk.now())
    beta = a_daemon(club.desk.store, "beta", "work", club.desk.now())
    a_daemon(club.desk.store, "gone", "work", club.desk.now()).give_up()
    found, status = scraped(club), read_status(club.desk)
    for name, counted in (
        ("letters", status.counts.letters), ("mails", status.counts.outbox),
        ("matches", status.counts.matches),
    ):  # fmt: skip
        told = {state: n for (metric, state), n in found.items() if metric == f"referee_{name}"}
        assert {state: n for state, n in told.items() if n} == counted
    assert found["referee_daemons", ""] == len(status.daemons) == 2
    alpha.give_up()
    beta.give_up()
    assert found["referee_players", ""] == status.counts.players
    assert found["referee_matches_late", ""] == len(status.late) == 1
    assert found["referee_level", ""] == LEVELS.index(status.level) == 2
    assert status.last_poll is not None
    age = (status.now - status.last_poll).total_seconds()
    assert found["referee_poll_age_seconds", ""] == age
    assert found["referee_database_bytes", ""] > 100_000


def test_states_without_any_are_told(club: Club) -> None:
    """Each state has its series from the beginning, so that no alert rule meets a gap."""
    found = scraped(club)
    wanted = {"letters": LetterState, "mails": OutboxState, "matches": MatchState}
    for name, states in wanted.items():
        assert {found[f"referee_{name}", state] for state in get_args(states)} == {0.0}
    assert found["referee_daemons", ""] == 0
    # A mailbox that was never read has no age.
    assert ("referee_poll_age_seconds", "") not in found


def test_reports_are_timed_from_the_letter_on(club: Club) -> None:
    """A report after a letter counts from its arrival; one that no letter caused does not."""
    metrics = Metrics(club.desk)

    def counted() -> tuple[float, float]:
        samples = [sample for each in metrics.registry.collect() for sample in each.samples]
        found = {each.name: each.value for each in samples if each.name.startswith("referee_rep")}
        return found["referee_report_seconds_count"], found["referee_report_seconds_sum"]

    club.new_match("pebbles", *SEATS)
    club.work()
    with club.desk.store.reading() as connection:
        (first, *_) = outbox.latest_mails(connection)
    assert first.arrived is None
    metrics.note_sent(first)
    assert counted() == (0, 0)
    came = club.desk.now()
    club.later(seconds=7)
    metrics.note_sent(replace(first, kind="report", arrived=came))
    metrics.note_sent(replace(first, kind="receipt", arrived=came))
    assert counted() == (1, 7)
