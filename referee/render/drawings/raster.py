"""Pictures as PNG, made from the same SVG as the pages show."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

log = logging.getLogger(__name__)

COLOURS: Final = (64, 48)
"""Colours of a picture, and how many it is tried with if it is too large."""

MOST_BYTES: Final = 60_000
"""Bytes of a picture in a mail, at most."""

FAMILY: Final = "Source Sans Pro"
"""The one font of all pictures, so that they look alike on every machine."""


class NotDrawn(Exception):
    """A picture cannot be drawn; whoever wants one goes without."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a mail; ``alt`` tells whoever does not see it what it shows."""

    png: bytes
    alt: str

    @property
    def content_id(self) -> str:
        """The name by which the HTML calls it: the same for the same picture."""
        return f"board-{sha256(self.png).hexdigest()[:24]}@referee"


def drawn(svg: str, width: int, alt: str) -> Picture | None:
    """Return a drawing as a mail's picture; None if it cannot be drawn."""
    try:
        return Picture(png(svg, width), alt)
    except NotDrawn as fault:
        log.warning("a mail goes without its picture: %s", fault)
        return None


@lru_cache(maxsize=64)
def png(svg: str, width: int) -> bytes:
    """Return a drawing as PNG of a width in pixels. Raises NotDrawn.

    Cached by what it shows: all spectators of a match see the same board.
    """
    # Imported here, as a mail goes without a picture where a library is missing.
    try:
        import font_source_sans_pro  # noqa: PLC0415
        import resvg_py  # noqa: PLC0415
        from PIL.Image import open as opened  # noqa: PLC0415

        fonts = Path(font_source_sans_pro.__file__).parent / "files"
        data = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(fonts / "SourceSansPro-Bold.ttf")],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
            skip_system_fonts=True,
        )
        image = opened(io.BytesIO(bytes(data))).convert("RGB")
    # The library raises what its own parser meets; a mail must not wait for a picture.
    except Exception as fault:
        raise NotDrawn(str(fault)) from fault
    for colours in COLOURS:
        found = _palette(image, colours)
        if len(found) <= MOST_BYTES:
            return found
    raise NotDrawn(f"it has {len(found)} bytes")


def _palette(image: Image, colours: int) -> bytes:
    """Return a picture with few colours: a third of the bytes."""
    small = image.quantize(colours)
    out = io.BytesIO()
    small.save(out, "PNG", compress_level=6)
    return out.getvalue()
