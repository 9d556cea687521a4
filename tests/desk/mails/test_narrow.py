"""Mails on the narrowest phone, in a real browser: nothing is wider than the window."""

from __future__ import annotations

import pytest
from support import moor, nord_cases, origo_cases
from support.browser import Browser
from support.nord_cases import posted
from support.origo_midland import MANY, fight

from referee.games.game import LANGUAGES, AnyGame, Order
from referee.games.nord.orders import Attack
from referee.games.origo.orders import Attack as Assault
from referee.render.content import Content
from referee.render.reports import report_content
from referee.render.words.wording import Wording

LONG = "Wolfeschlegelsteinhausenbergerdorff"
"""A name without a blank, of which a player may have forty letters."""


def pages(*contents: Content) -> list[str]:
    """Return mails as HTML, with their links."""
    return [each.addressed(moor.REFEREE).html for each in contents]


def report_at(game: AnyGame, position: object, orders: tuple[Order, ...], language: str) -> Content:
    """Return the report of the seat to act, who may give orders of a few kinds."""
    seat, points = game.to_act(position), game.points(position)
    assert seat is not None
    scene = game.scene(game.view(position, seat))
    given = {"seat": seat, "to_act": seat, "points": points, "scene": scene, "turns": ()}
    given |= {"legal": orders}
    told = moor.report(**given, names={each: f"{LONG}{n}" for n, each in enumerate(points)})
    return report_content(Wording(game, language), told, moor.framing(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_mails_of_every_kind_are_no_wider_than_a_phone(browser: Browser, language: str) -> None:
    """At 320 pixels nothing is cut off, nor is the window scrolled sideways."""
    assert browser.wider(pages(*moor.every_mail(language)), 320) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_names_and_long_orders_break_on_a_phone(browser: Browser, language: str) -> None:
    """A chain of workers, a handful of cards and the longest names go on in the next line."""
    chain = tuple(f"B{column}" for column in range(1, 14))
    nord = nord_cases.load(nord_cases.document("Sk~S", settlements={"A1": posted(red=1)}))
    attacks = (Attack("A1", "A15", chain), Attack("A1", "B15", chain))
    origo = origo_cases.load(fight(black=MANY))
    assaults = tuple(Assault(square, MANY) for square in ("E7", "D7"))
    answered = origo_cases.GAME.apply(origo, Assault("E7", ("land:POL", "row:E")))[0]
    found = [
        report_at(nord_cases.CASES.game, nord, attacks, language),
        report_at(nord_cases.CASES.game, nord, attacks * 7, language),
        report_at(origo_cases.GAME, origo, assaults, language),
        report_at(origo_cases.GAME, answered, (), language),
    ]
    assert browser.wider(pages(*found), 320) == {}
