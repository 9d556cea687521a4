"""What every test may ask for, and how patient all of them are."""

from hypothesis import HealthCheck, settings

# How long an example takes says more about what else the machine does than about our code.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

pytest_plugins = ["support.servers"]
