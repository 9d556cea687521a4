"""Pictures as PNG, made from the same SVG as the pages show."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from typing import Final

import font_source_sans_pro
import resvg_py
from PIL import Image

COLOURS: Final = (64, 48)
"""Colours of a picture, and how many it is tried with if it is too large."""

MOST_BYTES: Final = 60_000
"""Bytes of a picture in a mail, at most."""

FAMILY: Final = "Source Sans Pro"
"""The one font of all pictures, so that they look alike on every machine."""

_FONTS: Final = Path(font_source_sans_pro.__file__).parent / "files"


class NotDrawn(Exception):
    """A picture cannot be drawn; whoever wants one goes without."""


@lru_cache(maxsize=64)
def png(svg: str, width: int) -> bytes:
    """Return a drawing as PNG of a width in pixels. Raises NotDrawn.

    Cached by what it shows: all spectators of a match see the same board.
    """
    try:
        data = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(_FONTS / "SourceSansPro-Bold.ttf")],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
            skip_system_fonts=True,
        )
        image = Image.open(io.BytesIO(bytes(data))).convert("RGB")
    # The library raises what its own parser meets; a mail must not wait for a picture.
    except Exception as fault:
        raise NotDrawn(str(fault)) from fault
    found = (_palette(image, each) for each in COLOURS)
    return next((each for each in found if len(each) <= MOST_BYTES), None) or _palette(
        image, COLOURS[-1]
    )


def _palette(image: Image.Image, colours: int) -> bytes:
    """Return a picture with few colours: a third of the bytes."""
    small = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()
