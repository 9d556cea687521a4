"""Pictures as PNG: small, alike on every machine, and NotDrawn where none can be made."""

import io

import pytest
from PIL import Image
from support.moor import scene, wording
from support.tables import random_game, tables

from referee.games.play import complete_options
from referee.render.drawings import raster
from referee.render.drawings.picture import WIDE, picture
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast


def test_a_picture_is_as_wide_as_asked_and_opaque() -> None:
    """A PNG with a palette; without transparent parts, which dark programs would fill."""
    image = Image.open(io.BytesIO(raster.png(picture(scene(), wording()), 320)))
    assert (image.format, image.mode, image.size[0]) == ("PNG", "P", 320)
    assert "transparency" not in image.info


@pytest.mark.parametrize("name", ["nord-1-4", "origo-1-5"])
def test_full_boards_stay_small(name: str) -> None:
    """The end of a match with most seats is no larger than a mail may bear."""
    (table,) = (each for each in tables() if each.name == name)
    position = random_game(table, 3).end
    view = table.game.scene(table.game.view(position, None))
    drawn = raster.png(picture(view, Wording(table.game, "de")), WIDE)
    assert len(drawn) <= raster.MOST_BYTES


def test_letters_are_drawn_with_the_font_that_comes_along() -> None:
    """A picture with letters differs from one without, though no font of the machine is read."""
    text = (
        '<text x="10" y="30" font-family="sans-serif" font-size="20" fill="#ffffff">{}</text></svg>'
    )
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">'
    assert raster.png(head + text.format("RG"), 60) != raster.png(head + text.format(""), 60)


@pytest.mark.parametrize("broken", ["", "no drawing", "<svg>"])
def test_a_picture_that_cannot_be_drawn_is_told(broken: str) -> None:
    """Whoever wanted one hears of it and goes without."""
    with pytest.raises(raster.NotDrawn):
        raster.png(broken, 100)


def test_the_same_picture_is_drawn_once() -> None:
    """Readers who see the same board share its bytes."""
    game = tables()[0].game
    position = game.start(tables()[0].seats, complete_options(game))
    drawn = picture(game.scene(game.view(position, None)), Wording(game, "en"))
    assert raster.png(drawn, WIDE) is raster.png(str(drawn), WIDE)
