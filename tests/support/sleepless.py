"""A plugin for pytest under libfaketime, which breaks ``time.sleep`` of Python 3.11 and later."""

from __future__ import annotations

import threading
import time


def _sleep(seconds: float) -> None:
    threading.Event().wait(seconds)


time.sleep = _sleep
