"""Everything a game says has words in every language."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from support.conformance import candidates, check_scene
from support.junk import mangled
from support.tables import Table, sampled, shared_games
from support.wordbook import (
    Saying,
    catalogue,
    check_at_once,
    check_words,
    keys_of,
    variables,
)

from referee.games.game import CHANCE, LANGUAGES, AnyGame, Scoresheet, Unreadable
from referee.render.layout import capital
from referee.render.words.wording import Wording


@cache
def said_in(table: Table) -> Saying:
    """Return all that is said in the random games of a table."""
    saying, game, rng = Saying(), table.game, Random(8)
    for step in sampled(table, most=1000):
        for fact in step.facts:
            saying.add("fact", fact.fact, fact.fields)
    for step in sampled(table, most=20):
        for seat in (*table.seats, None):
            saying.add_scene(game.scene(game.view(step.after, seat)))
        known = [each.order for each in shared_games(table)[0].steps]
        tried = () if step.seat == CHANCE else candidates(game, step.position, known, rng)
        for order in tried:
            if refusal := game.refusal(step.position, order):
                saying.add("refusal", refusal.code, refusal.fields)
    return saying


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_is_said_has_words(table: Table, language: str) -> None:
    """Facts, refusals, sentences, marks and grounds of random games have a wording."""
    check_words(table.game, language, said_in(table).said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_at_once_has_words(table: Table, language: str) -> None:
    """What `[facts]` words is told of facts that have its fields, to everybody who learns it."""
    check_at_once(table.game, language, said_in(table).said)
    wording = Wording(table.game, language)
    facts = [fact for step in shared_games(table)[0].steps for fact in step.facts]
    for seat in (*table.seats, None):
        assert wording.facts(each for each in facts if each.known_to(seat))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_shortly_or_in_sheets_has_words(table: Table, language: str) -> None:
    """Short sentences and small print use fields their facts have; sheets have words."""
    said, words = said_in(table).said["fact"], catalogue(table.game, language)
    for section in ("short", "detail"):
        assert set(words.get(section, {})) <= set(words["fact"])
        known = {key: said[key] for key in words.get(section, {}) if key in said}
        check_words(table.game, language, {section: known})
    facts = [fact for step in shared_games(table)[0].steps for fact in step.facts]
    saying = Saying()
    for each in table.game.scoresheets(facts):
        if isinstance(each, Scoresheet):
            saying.add_sheet(each)
            assert all(len(row) == len(each.seats) for _, row in (*each.rows, *each.sums))
    check_words(table.game, language, saying.said)


def test_short_sentences_are_whole_once_they_have_a_subject(table: Table) -> None:
    """Every fact is told once, and no sentence is empty or has two full stops."""
    facts = [fact for step in shared_games(table)[0].steps for fact in step.facts]
    wording = Wording(table.game, "en")
    told = wording.turns(facts, {seat: wording.seat(seat) for seat in table.seats})
    for seat, sentence, _ in told:
        assert sentence.endswith((".", "!", "?"))
        assert not sentence.endswith("..")
        assert seat is None or sentence.startswith(capital(wording.seat(seat)))
    assert {id(fact) for _, _, part in told for fact in part} == {id(fact) for fact in facts}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_cannot_be_read_has_words(table: Table, language: str) -> None:
    """Every way in which a line of this game cannot be read has a wording, unless the core's."""
    saying, game, rng = Saying(), table.game, Random(9)
    for step in sampled(table, most=150):
        line = mangled(mangled(game.format(step.order, language), rng), rng)
        try:
            game.parse(line, language)
        except Unreadable as error:
            if error.code not in CORE:
                saying.add("unreadable", error.code, error.fields)
    check_words(game, language, saying.said)


CORE = {"unknown-order", "ambiguous", "too-long", "unknown-field", "missing-field"}
"""Codes that every game shares, worded by the core."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_seats_endings_and_the_name_have_words(game: AnyGame, language: str) -> None:
    """A game, its colours, endings and options are called something."""
    words = catalogue(game, language)
    assert {"name", "tagline"} <= set(words["game"])
    assert set(words["seat"]) >= set(game.colours)
    assert set(words["ending"]) >= set(game.endings)
    assert set(words.get("option", ())) >= set(game.options)
    texts = {each.default for each in game.options.values() if isinstance(each.default, str)}
    assert set(words.get("value", ())) >= texts


def test_languages_have_the_same_keys(game: AnyGame) -> None:
    """No language has a sentence that another lacks."""
    first, *others = (keys_of(catalogue(game, language)) for language in LANGUAGES)
    assert all(other == first for other in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wording_is_a_template(game: AnyGame, language: str) -> None:
    """Every string of a catalogue can be read as a template."""
    words = catalogue(game, language)
    words["facts"] = {key: each["say"] for key, each in words.get("facts", {}).items()}
    texts = [text for name, section in words.items() if name != "help" for text in section.values()]
    assert all(isinstance(text, str) and variables(text) is not None for text in texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_shows_orders_that_read(game: AnyGame, language: str) -> None:
    """Help has an example for every kind of order players give, and each can be read."""
    orders = catalogue(game, language)["help"]["orders"]
    assert orders
    assert all(each["about"] for each in orders)
    for each in orders:
        assert game.format(game.parse(each["order"], language), language) == each["order"]


def test_scenes_can_be_drawn(table: Table) -> None:
    """Every cell of a scene stands on the board once, on a ground that has a colour."""
    for step in sampled(table, most=20):
        for seat in (*table.seats, None):
            check_scene(table.game, step.after, seat)
