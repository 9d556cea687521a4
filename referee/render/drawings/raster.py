"""Pictures as PNG, made from the same drawings as the pages show.

Drawing is dear and most of a picture was drawn before: the ground of a board and each of its parts
are kept as pixels, and a picture is put together from them.
"""

from __future__ import annotations

import io
import logging
from hashlib import sha256
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from referee.render.drawings import tracks
from referee.render.drawings.kept import Kept
from referee.render.drawings.picture import GOLD, GOLD_EDGE, PAPER, Extent, Layers
from referee.render.drawings.pieces import NEUTRAL, OUTLINE, SEATS
from referee.value import Value

if TYPE_CHECKING:
    from PIL.Image import Image

log = logging.getLogger(__name__)

_COLOURS: Final = (38, 28)
"""Colours of a picture, and how many it is tried with if it is too large."""

EFFORT: Final = 8
"""The effort to compress a picture.

Two steps less take a third of the time and 7 bytes in 100 more: a report would weigh over 100 kB.
"""

MOST_BYTES: Final = 60_000
"""Bytes of a picture in a mail, at most."""

FAMILY: Final = "Source Sans Pro"
"""The one font of all pictures, so that they look alike on every machine."""

FILL: Final = 200
"""A colour is a fill of a ground if it has at least one in so many of its pixels."""

_APART: Final = 16
"""How far an ink or shade differs from all others at least: the sum of red, green and blue."""

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue."""

INKS: Final[tuple[Colour, ...]] = tuple(
    (int(ink[1:3], 16), int(ink[3:5], 16), int(ink[5:], 16))
    for ink in (
        *(seat.fill for seat in SEATS.values()),
        *(NEUTRAL.fill, OUTLINE, GOLD, GOLD_EDGE, tracks.DONE),
    )
)
"""Colours of pieces, frames and tracks, which pictures have if their grounds leave room."""

RARE: Final[tuple[Colour, ...]] = (
    (251, 239, 220),
    (138, 90, 51),
    (59, 68, 77),
    (74, 63, 115),
)
"""Colours of cards, boats, stones and tiles, which they have if these leave room as well."""

GHOSTS: Final[tuple[Colour, ...]] = tuple(
    (
        round(0.45 * red + 0.55 * 235),
        round(0.45 * green + 0.55 * 225),
        round(0.45 * blue + 0.55 * 187),
    )
    for red, green, blue in INKS[: len(SEATS)]
)
"""Colours of pieces that have gone, as they look on most grounds."""


class NotDrawn(Exception):
    """A picture cannot be drawn; whoever wants one goes without."""


class DrawnPicture(Value):
    """A picture in a mail; ``alt`` tells whoever does not see it what it shows."""

    png: bytes
    alt: str

    @property
    def content_id(self) -> str:
        """The name by which the HTML calls it: the same for the same picture."""
        return f"board-{sha256(self.png).hexdigest()[:24]}@referee"

    @property
    def width(self) -> int:
        """Its width in pixels, from the head of the file (PNG 11.2.2)."""
        return int.from_bytes(self.png[16:20])


pixels: Final = Kept(16_000_000)
"""The pixels of grounds and stamps, in bytes: those of ten boards, and of a thousand pieces."""

pictures: Final = Kept(4_000_000)
"""The pictures, in bytes, for other readers who see the same."""


def draw_picture(shown: Layers | str, width: int, alt: str) -> DrawnPicture | None:
    """Return layers or an SVG as a mail's picture; None if not drawn."""
    if isinstance(shown, str):
        _, _, wide, high = shown.partition('viewBox="')[2].partition('"')[0].split()
        shown = Layers(float(wide), float(high), shown)
    try:
        return DrawnPicture(png(shown, width), alt)
    except NotDrawn as fault:
        log.warning("a mail goes without its picture: %s", fault)
        return None


def png(layers: Layers, width: int) -> bytes:
    """Return the stamps upon the ground as PNG, at most as wide as told, in pixels.

    It has fewer colours if need be. Kept by what it shows: all spectators of a match see the same
    board. Raises NotDrawn.
    """

    def make() -> tuple[bytes, int]:
        from PIL.Image import Dither  # noqa: PLC0415

        scale = width / layers.wide
        if layers.space:
            # An even number of pixels a space: what looks alike is so to the pixel, and packs well.
            scale = floor(layers.space * scale / 2) * 2 / layers.space
        for colours in _COLOURS:
            ground = _ground(layers, scale, colours)
            image = ground.convert("RGB")
            for svg, box, right, down in layers.stamps:
                stamp, x, y = _stamp(svg, box, scale)
                if stamp is not None:
                    image.paste(stamp, (round(right * scale) + x, round(down * scale) + y), stamp)
            out = io.BytesIO()
            # Without dithering, whose dots would double the bytes.
            reduced = image.quantize(palette=ground, dither=Dither.NONE)
            reduced.save(out, "PNG", compress_level=EFFORT)
            if out.tell() <= MOST_BYTES:
                return out.getvalue(), out.tell()
        raise NotDrawn(f"it has {out.tell()} bytes")

    # The libraries raise what their own parsers meet; a mail must not wait for a picture.
    try:
        return pictures.get((layers, width), make)
    except NotDrawn:
        raise
    except Exception as fault:
        raise NotDrawn(str(fault)) from fault


def _ground(layers: Layers, scale: float, colours: int) -> Image:
    """Return a picture's ground, reduced to the palette that the whole picture uses."""

    def make() -> tuple[Image, int]:
        from PIL import Image  # noqa: PLC0415

        width, height = (ceil(length * scale) for length in layers[:2])
        whole = Extent(0, 0, width / scale, height / scale)
        drawn = pixels_of(layers.ground, whole, width)
        # Its last line may not be a whole one.
        flat = Image.new("RGB", drawn.size, PAPER)
        flat.paste(drawn, mask=drawn)
        # The fills of the ground, the inks, and common shades.
        counted: Any = flat.getcolors(flat.width * flat.height)
        shades = sorted(counted, reverse=True)
        fills = (shade for count, shade in shades if count * FILL > flat.width * flat.height)
        inks: list[Colour] = list(fills)[:colours]
        for ink in (*INKS, *GHOSTS, *RARE, *(shade for _, shade in shades)):
            if len(inks) == colours:
                break
            if min(sum(abs(a - b) for a, b in zip(ink, one, strict=True)) for one in inks) > _APART:
                inks.append(ink)
        palette = Image.new("P", (1, 1))
        palette.putpalette([part for colour in inks for part in colour])
        reduced = flat.quantize(palette=palette, dither=Image.Dither.NONE)
        return reduced, reduced.width * reduced.height

    return pixels.get((layers[:3], scale, colours), make)


def _stamp(svg: str, box: Extent, scale: float) -> tuple[Image | None, int, int]:
    """Return a drawing without empty room, and where it begins."""

    def make() -> tuple[tuple[Image | None, int, int], int]:
        # Whole pixels, or the drawing would be blurred, and narrower than the ground is.
        left, top = floor(box.left * scale), floor(box.top * scale)
        wide = ceil((box.left + box.wide) * scale) - left
        high = ceil((box.top + box.high) * scale) - top
        part = Extent(*(length / scale for length in (left, top, wide, high)))
        image = pixels_of(svg, part, wide)
        inner = image.getchannel("A").getbbox()
        if inner is None:
            return (None, 0, 0), len(svg)
        cropped = image.crop(inner)
        return (cropped, left + inner[0], top + inner[1]), 4 * cropped.width * cropped.height

    return pixels.get((svg, box, scale), make)


def pixels_of(svg: str, box: Extent, width: int) -> Image:
    """Return a drawing as pixels, transparent where it has nothing."""
    # Imported here, as a mail goes without a picture where a library is missing.
    import font_source_sans_pro  # noqa: PLC0415
    import resvg_py  # noqa: PLC0415
    from PIL.Image import open as opened  # noqa: PLC0415

    fonts = Path(font_source_sans_pro.__file__).parent / "files"
    part = " ".join(f"{length:.6g}" for length in box)
    data = resvg_py.svg_to_bytes(
        svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{part}">{svg}</svg>',
        width=width,
        font_files=[str(fonts / "SourceSansPro-Bold.ttf")],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
        skip_system_fonts=True,
    )
    return opened(io.BytesIO(bytes(data))).convert("RGBA")
