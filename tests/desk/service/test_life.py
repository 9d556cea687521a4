"""Signs of life: what systemd is told, and what is served over HTTP."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from support.club import Club
from support.installation import until

from referee.desk.service.life import (
    MOST_REQUESTS,
    SILENCE,
    Application,
    Pulse,
    make_application,
    served_pages,
    tell_systemd,
)
from referee.desk.service.metrics import Metrics
from referee.errors import RefereeError
from referee.store.database.errors import StoreError

HERE = ("127.0.0.1", 0)


class Clock:
    """A clock that stands until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return a clock at zero."""
    return Clock()


@pytest.fixture
def pulse(clock: Clock) -> Pulse:
    """Return the pulse of a daemon that has just begun."""
    return Pulse(clock)


@pytest.fixture
def systemd(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Listen as systemd does."""
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening,
    ):
        place = str(Path(folder) / "notify")
        listening.bind(place)
        listening.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", place)
        yield listening


def get(port: int, path: str) -> tuple[int, str]:
    """Return status and text of a page."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as answer:
        with answer:
            return answer.code, answer.read().decode()


def pages(club: Club, pulse: Pulse, trouble: str | None = None) -> Application:
    """Return the pages of a club."""
    return make_application(Metrics(club.desk).registry, pulse, lambda: trouble)


def test_systemd_is_told_once_that_the_daemon_is_ready(
    pulse: Pulse, systemd: socket.socket
) -> None:
    """Each beat is told, readiness the first time alone."""
    pulse.become_ready()
    pulse.become_ready()
    pulse.beat()
    assert [systemd.recv(100) for _ in range(2)] == [b"READY=1", b"WATCHDOG=1"]
    with pytest.raises(BlockingIOError):
        systemd.recv(100)


def test_without_systemd_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a missing variable nor a socket that is gone disturbs the work."""
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    tell_systemd("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    tell_systemd("READY=1")


def test_health_ends_with_the_beat(club: Club, pulse: Pulse, clock: Clock) -> None:
    """A daemon is alive until it has been silent for too long, and again with the next beat."""
    with served_pages(HERE, pages(club, pulse)) as port:
        assert get(port, "/healthz") == (200, "alive\n")
        clock.now = SILENCE + 1
        assert get(port, "/healthz")[0] == 503
        pulse.beat()
        assert get(port, "/healthz")[0] == 200


def test_ready_means_the_work_can_be_done(club: Club, pulse: Pulse) -> None:
    """It is not ready before the mailbox was tried, nor while there is trouble."""
    with served_pages(HERE, pages(club, pulse)) as port:
        assert get(port, "/readyz")[0] == 503
        pulse.become_ready()
        assert get(port, "/readyz") == (200, "ready\n")
    with served_pages(HERE, pages(club, pulse, "in trouble")) as port:
        assert get(port, "/readyz") == (503, "in trouble\n")


def test_metrics_are_served_and_nothing_else(club: Club, pulse: Pulse) -> None:
    """The page of metrics is there; any other name is answered with those there are."""
    with served_pages(HERE, pages(club, pulse)) as port:
        status, text = get(port, "/metrics")
        assert (status, "referee_players 0.0" in text) == (200, True)
        assert get(port, "/etc/passwd") == (404, "there is /metrics, /healthz, /readyz\n")


def test_a_database_in_trouble_is_no_secret_told(club: Club, pulse: Pulse) -> None:
    """A page that needs the database says that it cannot be read, and no more."""

    def trouble() -> str | None:
        raise StoreError("postgresql://user:secret@host")

    pulse.become_ready()
    registry = Metrics(club.desk).registry
    with served_pages(HERE, make_application(registry, pulse, trouble)) as port:
        assert get(port, "/readyz") == (503, "the database cannot be read\n")


def is_alive(port: int) -> bool:
    """Return whether the page of health is served and says so."""
    try:
        return get(port, "/healthz")[0] == 200
    except OSError:
        return False


def test_slow_clients_hold_so_many_connections_and_not_for_long(
    club: Club, pulse: Pulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Further ones are closed, so that the daemon keeps its file descriptors; silent ones, too.

    So is one that goes on sending byte after byte.
    """

    def is_cut_off(client: socket.socket) -> bool:
        try:
            client.sendall(b"x")
        except OSError:
            return True
        return False

    monkeypatch.setattr("referee.desk.service.life.LONGEST_REQUEST", 2.0)
    with served_pages(HERE, pages(club, pulse)) as port, ExitStack() as stack:
        place = (HERE[0], port)
        silent = [
            stack.enter_context(socket.create_connection(place, 30)) for _ in range(MOST_REQUESTS)
        ]
        beyond = stack.enter_context(socket.create_connection(place, 30))
        assert beyond.recv(1) == b""
        assert until(lambda: is_cut_off(silent[0]), "an end")
        assert [client.recv(1) for client in silent[1:]] == [b""] * (MOST_REQUESTS - 1)
        assert until(lambda: is_alive(port), "an answer")


def test_a_port_in_use_is_named(club: Club, pulse: Pulse) -> None:
    """The error names the key, the address and the way out."""
    with (
        served_pages(HERE, pages(club, pulse)) as port,
        pytest.raises(RefereeError, match=rf"listen: 127.0.0.1:{port} cannot be used .*another"),
        served_pages(("127.0.0.1", port), pages(club, pulse)),
    ):
        pass


def test_without_an_address_nothing_is_served(club: Club, pulse: Pulse) -> None:
    """The block runs all the same."""
    with served_pages(None, pages(club, pulse)) as port:
        assert port == 0
