"""Pictures as PNG: small, alike on every machine, and NotDrawn where none can be made."""

import io

import pytest
from PIL import Image, ImageChops
from support.moor import scene, wording
from support.tables import random_game, tables

from referee.games.game import Cell, Mark, Move
from referee.games.play import complete_options
from referee.render.drawings import raster
from referee.render.drawings.changes import Changes
from referee.render.drawings.kept import Kept
from referee.render.drawings.picture import WIDE, Extent, Layers, Picture
from referee.render.drawings.pieces import SEATS
from referee.render.words.wording import Wording
from referee.value import replace

pytestmark = pytest.mark.fast

FAR = 40
"""The difference in brightness that is seen."""


def test_a_picture_is_no_wider_than_asked_and_opaque() -> None:
    """A PNG with a palette; without transparent parts, which dark programs would fill."""
    image = Image.open(io.BytesIO(raster.png(Picture(scene(), wording()).layers(), 320)))
    # Five pixels are left over, as spaces have an even number of them.
    assert (image.format, image.mode, image.size[0]) == ("PNG", "P", 315)
    assert "transparency" not in image.info


def test_spaces_that_look_alike_are_alike_to_the_pixel() -> None:
    """So a picture packs well: a space takes an even number of pixels, wherever it lies."""
    cells = tuple(Cell(f"A{n + 1}", 0, n, "sea", "~") for n in range(13))
    sea = replace(scene(), rows=1, columns=13, cells=cells, areas=(), tracks=())
    drawn = Picture(sea, wording()).layers()
    image = Image.open(io.BytesIO(raster.png(drawn, 700))).convert("RGB")
    side = round((WIDE - 60) // 13 * image.width / drawn.wide)
    assert side > 0
    assert side % 2 == 0
    top = image.height // 2
    left = round(30 * image.width / drawn.wide) + side
    # From the second space on, as waves are drawn on two spaces of three.
    one, other = (
        image.crop((start, top - side // 4, start + 2 * side, top + side // 4)).tobytes()
        for start in (left, left + 6 * side)
    )
    assert one == other


@pytest.mark.parametrize("name", ["nord-1-4", "origo-1-5"])
def test_full_boards_stay_small(name: str) -> None:
    """The end of a match with most seats is no larger than a mail may bear."""
    (table,) = (table for table in tables() if table.name == name)
    position = random_game(table, 3).end
    view = table.game.scene(table.game.view(position, None))
    drawn = raster.png(Picture(view, Wording(table.game, "de")).layers(), WIDE)
    assert len(drawn) <= raster.MOST_BYTES


def test_letters_are_drawn_with_the_font_that_comes_along() -> None:
    """A picture with letters differs from one without, though no font of the machine is read."""
    text = '<text x="10" y="30" font-family="sans-serif" font-size="20" fill="#ffffff">{}</text>'
    bare, lettered = (Layers(60, 40, text.format(letter)) for letter in ("", "RG"))
    assert raster.png(lettered, 60) != raster.png(bare, 60)


@pytest.mark.parametrize("broken", ["<rect", "</svg>", "<g>"])
def test_a_picture_that_cannot_be_drawn_is_told(broken: str) -> None:
    """Whoever wanted one hears of it and goes without."""
    with pytest.raises(raster.NotDrawn):
        raster.png(Layers(60, 40, broken), 100)


def test_the_same_picture_is_drawn_once() -> None:
    """Readers who see the same board share its bytes."""
    game = tables()[0].game
    view = game.scene(game.view(game.start(tables()[0].seats, complete_options(game)), None))
    one, other = (Picture(view, Wording(game, "en")).layers() for _ in range(2))
    assert raster.png(one, WIDE) is raster.png(other, WIDE)


def test_a_ground_is_kept_as_all_of_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for each pixel; else far more would be kept than there is room for."""
    monkeypatch.setattr(raster, "pixels", Kept(16_000_000))
    monkeypatch.setattr(raster, "pictures", Kept(4_000_000))
    layers = Picture(scene(), wording()).layers()._replace(stamps=())
    image = Image.open(io.BytesIO(raster.png(layers, 320)))
    assert raster.pixels.size == image.width * image.height


@pytest.mark.parametrize("name", ["nord-1-4", "origo-1-5"])
def test_layers_look_like_the_whole_picture(name: str) -> None:
    """Put together from layers, hardly a pixel differs from the drawing that pages show."""
    (table,) = (table for table in tables() if table.name == name)
    view = table.game.scene(table.game.view(random_game(table, 3).end, None))
    first, second, *_ = (cell for cell in view.cells if cell.marks)
    free = next(cell for cell in view.cells if not cell.marks)
    told = Changes(
        {first.space: (1,), free.space: (2,)},
        {free.space: first.marks},
        (Move("red", (first.space, second.space)),),
    )
    wording = Wording(table.game, "de")
    shown = Picture(view, wording, told).layers()
    drawn = Image.open(io.BytesIO(raster.png(shown, WIDE))).convert("RGB")
    box = Extent(0, 0, shown.wide, shown.high)
    whole = raster.pixels_of(shown.svg(), box, WIDE).convert("RGB")
    assert drawn.size == whole.size
    far = ImageChops.difference(drawn, whole).convert("L").point(lambda by: 255 * (by > FAR))
    assert far.histogram()[255] < 0.004 * WIDE * drawn.height
    coarse = ImageChops.difference(drawn.resize((9, 9)), whole.resize((9, 9)))
    assert max(most for _, most in coarse.getextrema()) < FAR


@pytest.mark.parametrize("name", ["nord-1-4", "origo-1-5"])
def test_pieces_that_have_gone_keep_the_colours_of_their_seats(name: str) -> None:
    """None is taken for a neutral piece, whatever ground it stood on."""
    (table,) = (table for table in tables() if table.name == name)
    game = table.game
    view = game.scene(game.view(game.start(table.seats, complete_options(game)), None))
    free = [cell.space for cell in view.cells if not cell.marks]
    gone = {space: (Mark("X", "worker", seat),) for space, seat in zip(free, SEATS, strict=False)}
    changed = dict.fromkeys(gone, ())
    wording, grey = Wording(game, "en"), raster.INKS[len(SEATS)]
    before, after = (
        {colour: count for count, colour in opened.convert("RGB").getcolors(9999)}.get(grey, 0)
        for changes in (Changes(changed), Changes(changed, gone))
        for opened in [
            Image.open(io.BytesIO(raster.png(Picture(view, wording, changes).layers(), WIDE)))
        ]
    )
    # Outlines turn grey, surfaces do not.
    assert after - before < 150 * len(gone)
