"""What every test may ask for, and how patient all of them are."""

import os

from hypothesis import HealthCheck, settings
from support import room
from support.thorough import examples

# How long an example takes says more about what else the machine does than about our code.
settings.register_profile(
    "busy",
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("busy")

pytest_plugins = ["support.servers"]

# Read when the first test asks for a folder.
os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(room.place()))
