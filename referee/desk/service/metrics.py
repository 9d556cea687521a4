"""Metrics of an installation, as Prometheus collects them.

Whatever the database knows is read from it at each scrape, by the very query of ``referee
status``, so that both always agree; other processes on the same database are counted too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, get_args

from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.desk.desk import Desk
from referee.desk.service.status import LEVELS, read_status
from referee.store.states import LetterState, MatchState, OutboxState
from referee.store.tables.post import OutboxRow

BUCKETS: Final = (0.5, 1, 2, 5, 10, 30, 60, 120, 300, 1800, 7200, 86400)
"""Upper bounds of the histogram, in seconds: what IDLE gives first, then polling, then trouble."""


class Metrics(Collector):
    """Metrics of one installation, read from its database at each scrape, in a registry."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.registry = CollectorRegistry()
        self.registry.register(self)
        self._reports = Histogram(
            "referee_report_seconds",
            "Seconds from the arrival of an order to the hand-over of a report after it.",
            buckets=BUCKETS,
            registry=self.registry,
        )

    def note_sent(self, row: OutboxRow) -> None:
        """Count a mail taken by the server, if a letter caused it."""
        if row.kind == "report" and row.arrived is not None:
            self._reports.observe((self.desk.now() - row.arrived).total_seconds())

    def describe(self) -> Iterable[Metric]:
        # Otherwise the registry would read the whole database to learn the names.
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics. Raises StoreError."""
        status = read_status(self.desk)
        counted = status.counts
        for name, about, states, numbers in (
            ("letters", "Letters by state.", LetterState, counted.letters),
            ("mails", "Outgoing mails by state.", OutboxState, counted.outbox),
            ("matches", "Matches by state.", MatchState, counted.matches),
        ):
            family = GaugeMetricFamily(f"referee_{name}", about, labels=["state"])
            for state in get_args(states):
                # States without any are told too: a series that comes and goes breaks alert rules.
                family.add_metric([state], numbers.get(state, 0))
            yield family
        gauges = {
            "daemons": ("Daemons at work on the database.", len(status.daemons)),
            "players": ("Players.", counted.players),
            "matches_late": ("Running matches whose seat to act is out of time.", len(status.late)),
            "matches_broken": ("Matches that cannot go on.", len(status.broken)),
            "addresses_failing": ("Addresses that mail comes back from.", len(status.failing)),
            "level": (
                "Level of `referee status`: 0 fine, 1 warning, 2 trouble.",
                LEVELS.index(status.level),
            ),
        }
        for name, (about, number) in gauges.items():
            yield GaugeMetricFamily(f"referee_{name}", about, number)
        ages = {
            "poll": ("Seconds since the mailbox was last read.", status.last_poll),
            "oldest_letter": ("Age of the oldest letter that waits.", counted.oldest_letter),
            "oldest_mail": ("Age of the oldest mail that waits.", counted.oldest_mail),
        }
        for name, (about, moment) in ages.items():
            age = GaugeMetricFamily(f"referee_{name}_age_seconds", about)
            if moment is not None:
                age.add_metric([], (status.now - moment).total_seconds())
            yield age
        yield GaugeMetricFamily("referee_database_bytes", "Size of the database.", status.size)
