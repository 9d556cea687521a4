"""Signs of life: to systemd, and over HTTP for Prometheus and load balancers."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, TypeAlias
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import ThreadingWSGIServer, make_wsgi_app

from referee.errors import RefereeError
from referee.store.database.errors import StoreError

SILENCE: Final = 120.0
"""Seconds without a beat after which a daemon counts as dead."""

MOST_REQUESTS: Final = 8
"""Requests answered at the same time; further connections are closed.

Each holds a file descriptor, of which the daemon needs its own.
"""

LONGEST_REQUEST: Final = 10.0
"""Seconds after which a request is cut off, whether its client is silent or slow."""

Application: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
"""A WSGI application (PEP 3333)."""


def tell_systemd(said: str) -> None:
    """Tell systemd something about this service (sd_notify(3)); without systemd do nothing."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return
    # A leading @ stands for the null byte of an abstract socket.
    address = f"\0{place[1:]}" if place.startswith("@") else place
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to:
            to.sendto(said.encode(), address)
    except OSError:
        # Work does not depend on it; without the signs systemd starts the service anew.
        return


@dataclass
class Pulse:
    """The beat of the working thread, and whether the daemon is ready."""

    clock: Callable[[], float] = time.monotonic
    ready: threading.Event = field(default_factory=threading.Event)
    _last: float = field(init=False)

    def __post_init__(self) -> None:
        self._last = self.clock()

    def beat(self) -> None:
        """Note that work goes on, and tell systemd."""
        self._last = self.clock()
        tell_systemd("WATCHDOG=1")

    def become_ready(self) -> None:
        """Note that the mailbox was tried, so that mail moves; tell systemd once."""
        if not self.ready.is_set():
            self.ready.set()
            tell_systemd("READY=1")

    @property
    def silent(self) -> bool:
        """Whether no beat has come for too long."""
        return self.clock() - self._last > SILENCE


def make_application(
    registry: CollectorRegistry, pulse: Pulse, trouble: Callable[[], str | None]
) -> Application:
    """Return the pages of metrics and health; ``trouble`` tells why work is impossible."""
    metrics = make_wsgi_app(registry)

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        path, fault = environ.get("PATH_INFO", ""), None
        try:
            if path == "/metrics":
                page: Iterable[bytes] = metrics(environ, start)
                return page
            if path == "/healthz":
                said = "alive"
                fault = "no work was done for two minutes" if pulse.silent else None
            elif path == "/readyz":
                said = "ready"
                fault = trouble() if pulse.ready.is_set() and not pulse.silent else "not ready"
            else:
                said = "there is /metrics, /healthz, /readyz"
                return _answered(start, HTTPStatus.NOT_FOUND, said)
        except StoreError:
            # Its text names the database, which is nobody's business here.
            fault = "the database cannot be read"
        if fault is not None:
            return _answered(start, HTTPStatus.SERVICE_UNAVAILABLE, fault)
        return _answered(start, HTTPStatus.OK, said)

    return application


def _answered(start: Callable[..., Any], status: HTTPStatus, said: str) -> Iterable[bytes]:
    start(f"{status.value} {status.phrase}", [("Content-Type", "text/plain; charset=utf-8")])
    return [f"{said}\n".encode()]


class _Quiet(WSGIRequestHandler):
    """Requests that are not logged: a scrape every few seconds would bury all else."""

    def log_message(self, *given: Any) -> None:
        del given


@contextmanager
def served_pages(listen: tuple[str, int] | None, application: Application) -> Iterator[int]:
    """Serve pages while the block runs, and yield their port; without an address serve none.

    Raises RefereeError if the address is in use or not of this machine.
    """
    if listen is None:
        yield 0
        return
    host, port = listen
    family = socket.AF_INET6 if ":" in host else socket.AF_INET

    free = threading.BoundedSemaphore(MOST_REQUESTS)

    class Server(ThreadingWSGIServer):
        address_family = family
        daemon_threads = True

        def verify_request(self, *given: Any) -> bool:
            """Return whether a request is taken on."""
            del given
            return free.acquire(blocking=False)

        def process_request(self, *given: Any) -> None:
            """Answer a request in a thread of its own, if there can be another."""
            try:
                super().process_request(*given)
            except BaseException:
                free.release()
                raise

        def process_request_thread(self, request: Any, client_address: Any) -> None:
            """Answer a request, then let another one in."""

            def cut_off() -> None:
                with suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)

            deadline = threading.Timer(LONGEST_REQUEST, cut_off)
            deadline.daemon = True
            deadline.start()
            try:
                super().process_request_thread(request, client_address)
            finally:
                deadline.cancel()
                free.release()

        def handle_error(self, *given: Any) -> None:
            """Say nothing of a client that went away or was silent: anybody may."""
            del given

    try:
        server = make_server(host, port, application, Server, _Quiet)
    except OSError as fault:
        raise RefereeError(
            f"[metrics] listen: {host}:{port} cannot be used ({fault.strerror}): "
            "choose another port, or leave the key out"
        ) from None
    thread = threading.Thread(target=server.serve_forever, args=(0.2,), name="metrics", daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
