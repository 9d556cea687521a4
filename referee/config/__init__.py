"""The settings of an installation: `referee.toml` and the ``REFEREE_…`` variables.

``schemas/config.schema.json`` describes every setting once, and the loader, the sample file and the
docs follow it. Nothing here opens a database or a connection, so wrong settings are reported, all
at once, before anything is touched.
"""

from referee.config.keys import PREFIX
from referee.config.settings import FILE, ConfigError, Settings, find_config, load_settings

__all__ = ["FILE", "PREFIX", "ConfigError", "Settings", "find_config", "load_settings"]
