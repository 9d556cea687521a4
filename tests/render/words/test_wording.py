"""How values become sentences of a game or of the core."""

from types import MappingProxyType

import pytest
from support.moor import LEGAL, MOOR, PLACED, STROKE, TAKEN, wording

from referee.games import registry
from referee.games.game import Fact, Option, Sentence, Unreadable
from referee.render.words.wording import Catalogue, MissingWording, Wording
from referee.value import replace

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Blue set stones on A1, B2 and C3, which are heath."),
        ("de", "Blau setzte Steine auf A1, B2 und C3: Heide."),
        ("fr", "Blue set stones on A1, B2 and C3, which are heath."),
    ],
)
def test_facts_are_sentences_of_the_language(language: str, expected: str) -> None:
    """Colours, grounds and lists are worded; a language that is not there reads as English."""
    assert wording(language).fact(PLACED) == expected


def test_the_same_again_is_told_at_once() -> None:
    """In an unbroken run facts that differ in one field are one sentence, where the first was."""
    words = wording()
    luck = [Fact("luck", {"what": "tower", "space": space}) for space in ("A2", "B1", "C3")]
    pond = Fact("luck", {"what": "stone", "space": "A1"})
    assert words.facts([luck[0], pond, luck[1], luck[2], PLACED, luck[1]]) == [
        "Chance put 3 × tower on A2, B1 and C3.",
        words.fact(pond),
        words.fact(PLACED),
        words.fact(luck[1]),
    ]


def test_what_is_told_to_others_is_told_apart() -> None:
    """Facts for different people never come into one sentence, however alike they are."""
    one = Fact("luck", {"what": "tower", "space": "A2"}, audience=frozenset({"red"}))
    other = replace(one, audience=frozenset({"red", "blue"}))
    assert wording().facts([one, other, one]) == [
        "Chance put 2 × tower on A2 and A2.",
        "Chance put a tower on A2.",
    ]


@pytest.mark.parametrize(
    "entry",
    ['{ over = "where", say = "…" }', '"…"', '{ over = "what" }', "{ say = 3 }",
     '{ say = "…", under = "what" }'],
)  # fmt: skip
def test_a_wrong_entry_for_facts_told_at_once_is_named(entry, tmp_path, monkeypatch) -> None:
    """What is listed must be a field of the fact; said when the words are first read."""
    game = own_words(f'[fact]\nluck = "{{{{ what }}}}"\n[facts]\nluck = {entry}\n',
                     tmp_path, monkeypatch)  # fmt: skip
    with pytest.raises(MissingWording, match=r"\[facts\] luck: "):
        Wording(game, "en")


HELP = """[help]
orders = [
    { order = "rest", about = "do nothing" },
    { order = "wade A1", about = "go into a pond", option = %s },
]
"""
DEPTHS = MappingProxyType(
    {"pond": Option("deep", "", choices=("deep", "dry")), "banks": Option(2, "", least=1, most=4)}
)


def test_help_lists_the_orders_of_a_matchs_options(tmp_path, monkeypatch) -> None:
    """An example for certain options stands only where all of them were chosen."""
    game = own_words(HELP % '{ pond = "deep", banks = 3 }', tmp_path, monkeypatch)
    game.options = DEPTHS
    words = Wording(game, "en")
    rest, wade = ("rest", "do nothing"), ("wade A1", "go into a pond")
    assert words.help_orders() == [rest, wade]
    assert words.help_orders({"pond": "deep", "banks": 3, "wind": True}) == [rest, wade]
    for other in ({"pond": "dry", "banks": 3}, {"pond": "deep", "banks": 2}, {}):
        assert words.help_orders(other) == [rest]


def test_help_may_hold_words_of_a_games_own(tmp_path, monkeypatch) -> None:
    """Only its lists of examples are judged."""
    own = 'intro = "Stones go into ponds."\n'
    game = own_words(HELP % '{ pond = "dry" }' + own, tmp_path, monkeypatch)
    game.options = DEPTHS
    assert Wording(game, "en").word("help", "intro") == "Stones go into ponds."


@pytest.mark.parametrize(
    ("option", "why"),
    [('{ lake = "deep" }', "no option 'lake'"), ('{ pond = "wet" }', "one of deep, dry"),
     ('{ banks = "3" }', "a value like 2"), ("{ banks = 5 }", "from 1 to 4"),
     ('"deep"', "must be a table")],
)  # fmt: skip
def test_help_for_an_option_there_is_not_is_named(option, why, tmp_path, monkeypatch) -> None:
    """Options and values of examples must be the game's; said when the words are first read."""
    game = own_words(HELP % option, tmp_path, monkeypatch)
    game.options = DEPTHS
    with pytest.raises(MissingWording, match=rf"\[help\] orders: .*{why}"):
        Wording(game, "en")


def test_chance_has_a_name_of_the_core() -> None:
    """A game need not name the seat of chance."""
    assert wording("de").fact(STROKE) == "Der Zufall setzte einen Turm auf A2."


def test_refusals_and_orders_are_worded() -> None:
    """A refusal is a sentence without the orders it names; those are lines of the language."""
    words = wording("de")
    assert (words.refusal(TAKEN), words.order(LEGAL[0]), words.order(LEGAL[-1])) == (
        "A1 ist besetzt.",
        "stelle A1 B1",
        "raste",
    )


def test_unreadable_lines_are_worded_by_the_game_or_the_core() -> None:
    words = wording()
    own, common = Unreadable("no-space", word="Q"), Unreadable("unknown-order", word="jump")
    assert (words.unreadable(own), words.unreadable(common)) == (
        "Q is no space.",
        "“jump” is no order of this game.",
    )


@pytest.mark.parametrize(
    "say",
    [
        lambda words: words.fact(Fact("vanished")),
        lambda words: words.sentence(Sentence("stock", {"seat": "red"})),
        lambda words: words.word("panel", "nothing"),
        lambda words: words.seat("purple"),
        lambda words: words.catalogue.say("nowhere.nothing"),
    ],
)
def test_a_missing_sentence_or_field_is_named(say) -> None:
    """What an author forgot is said with game, language, section and key."""
    with pytest.raises(MissingWording, match=r"wording of .*, de\.toml, \[\w+\] "):
        say(wording("de"))


def test_fields_cannot_bring_their_own_template_or_lines() -> None:
    """A string in a fact is neither rendered nor able to begin a line."""
    text = wording().fact(
        Fact("set", {"seat": "red", "spaces": ["{{ 7 * 7 }}\nA1"], "ground": "heath"})
    )
    assert text == "Red set stones on {{ 7 * 7 }} A1, which are heath."


def own_words(words, tmp_path, monkeypatch):
    """Return a game with words of its own."""
    package = f"words_{tmp_path.name}"
    folder = tmp_path / package / "words"
    folder.mkdir(parents=True)
    (folder / "en.toml").write_text(words, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return type("Own", (type(MOOR),), {"resources": package})()


def test_words_of_several_packages_are_one_book(tmp_path, monkeypatch) -> None:
    """An earlier package's words go first, entry by entry; a list is replaced as a whole."""
    own = '[seat]\nred = "Ruby"\n[help]\norders = [{ order = "set A1", about = "sets" }]\n'
    shared = (
        '[seat]\nred = "Red"\nblue = "Blue"\n[mark]\nstone = "a stone"\n'
        '[help]\norders = [{ order = "set A2", about = "a" }, { order = "set A3", about = "b" }]\n'
    )
    for package, words in (("family/ruby", own), ("family/shared", shared)):
        folder = tmp_path / package / "words"
        folder.mkdir(parents=True)
        (folder / "en.toml").write_text(words, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    # Folders of a package without modules of their own are enough.
    game = type("Own", (type(MOOR),), {"resources": ("family.ruby", "family.shared")})()
    words = Wording(game, "en")
    assert [words.seat("red"), words.seat("blue"), words.word("mark", "stone")] == [
        "Ruby", "Blue", "a stone",
    ]  # fmt: skip
    assert words.help_orders() == [("set A1", "sets")]


@pytest.mark.parametrize(
    ("language", "orders"), [("en", ["put 3 A1", "pass"]), ("de", ["lege 3 A1", "passe"])]
)
def test_orders_in_facts_are_worded_as_their_reader_writes_them(
    language, orders, tmp_path, monkeypatch
) -> None:
    """The filter takes an English line; a text that is no order stays as it is."""
    say = "played {{ move | order }}, not {{ other | order }}: {{ all | map('order') | list }}"
    words = f'[fact]\nmoved = "{{{{ seat }}}} {say}."\n[short]\nmoved = "{say}"\n'
    game = own_words(words, tmp_path, monkeypatch)
    folder = tmp_path / game.resources / "words"
    (folder / "de.toml").write_text(words, encoding="utf-8")
    pebbles = type(registry.find_installed("pebbles"))
    monkeypatch.setattr(type(game), "parse", pebbles.parse, raising=False)
    monkeypatch.setattr(type(game), "format", pebbles.format)
    speaking = Wording(game, language)
    moved = Fact("moved", {"seat": "Red", "move": "put 3 A1", "other": "?", "all": ["pass"]})
    first, other = orders
    assert speaking.fact(moved) == f"Red played {first}, not ?: {other}."
    [(_, told, _)] = speaking.turns([moved], {"Red": "Red"})
    assert told == f"Red played {first}, not ?: {other}."


def test_a_games_strings_run_in_a_sandbox(tmp_path, monkeypatch) -> None:
    """A catalogue cannot reach into the interpreter."""
    hostile = "[fact]\nset = \"{{ ''.__class__.__mro__ }}\"\n"
    game = own_words(hostile, tmp_path, monkeypatch)
    with pytest.raises(MissingWording, match="unsafe"):
        Wording(game, "en").fact(PLACED)


def test_both_languages_of_the_core_say_the_same_things() -> None:
    english, german = (Catalogue(language)._book.document for language in ("en", "de"))
    assert {section: {*said} for section, said in english.items()} == {
        section: {*said} for section, said in german.items()
    }


def test_both_languages_use_the_same_fields() -> None:
    """A field left out of one language is information its readers do not get."""
    from jinja2 import Environment, meta

    def used(language: str) -> dict[tuple[str, str], set[str]]:
        book = Catalogue(language)._book
        environment = Environment()
        environment.filters |= book.environment.filters
        parse = environment.parse
        return {
            (section, key): meta.find_undeclared_variables(parse(said))
            for section, strings in book.document.items()
            for key, said in strings.items()
            if isinstance(said, str)
        }

    assert used("en") == used("de")


def test_what_was_said_before_is_said_of_the_same_alone() -> None:
    """A sentence is remembered by its fields as they are, not by what they are equal to."""
    spans = (1, True, 1.0, "1", [1], 1)
    said = [Catalogue("en").say("time.left", span=span) for span in spans]
    assert said == ["1 left", "True left", "1.0 left", "1 left", "[1] left", "1 left"]
