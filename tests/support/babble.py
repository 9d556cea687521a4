"""A club that plays in a language more, whose folder is given: its mails, as JSON.

``python -m support.babble LANGUAGES FOLDER``: in a process of its own, since the languages are read
once and for all.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import get_args

from lxml import html as lxml_html

from referee import resources

if __name__ == "__main__":
    resources.I18N = Path(sys.argv[1])

from support.club import ALICE, BOB, Club, Mail, letter, open_club, opened

from referee.cli.options import Language
from referee.config.settings import load_settings
from referee.desk.letters.words.keywords import read_command
from referee.desk.mails.settings import settings_of
from referee.desk.matches import ledger
from referee.desk.players import CHOICES
from referee.desk.service import chores
from referee.render.words.wording import Catalogue
from referee.resources import sentences
from referee.store.people import players

WORDS = Catalogue("xx")

SPANS = {
    "digest": {"däïly ät 18 h": "daily 18:00", "7:30": "daily 07:30", "öff": "off"},
    "reminders": {"2 däys änd 30 mïnütës": "48h 30m", "öff": "off", "mätch": "match"},
    "quiet": {"fröm 22 h üntïl 7 h": "22:00-07:00", "öff": "off"},
    "grace": {"90 mïnütës": "1h 30m", "öff": "off"},
    "zone": {"Europe/Berlin": "Europe/Berlin", "UTC": "UTC"},
    "name": {"Alice": "Alice"},
}
"""Values of the settings that are no word of a list, and how each is kept."""

ASKED = (
    "hëlp", "rülës", "mätchës", "shöw", "shöw türn 1", "sëttïngs", "prëvïëw", "nötë sëä",
    "nötë clëär", "äwäy", "äwäy 2026-12-20 tö 2026-12-22", "mëssägë äll\nsëä\nënd", "cäncël",
    "ündö", "wïthdräw", "wätch nord-77", "stöp", "lëävë", "mëssägë nöbödy: sëä", "plästër ït",
    "prëvïëw plëäsë", "äwäy sömëdäy", "jöïn mätch nöw", "lück", "dëclïnë",
)  # fmt: skip
"""What Alice writes of a match that has begun."""


SETTINGS = """
[referee]
address = "referee@example.test"
language = "xx"
[mail]
imap = "imaps://referee:pw@mail.example.test"
smtp = "smtps://referee:pw@mail.example.test"
"""


def spoken(mail: Mail) -> str:
    """Return everything that a mail says: its subject, its text, its page without addresses."""
    said = [str(mail.message["Subject"]), mail.text]
    if mail.message.get_body(("html",)) is not None:
        page = lxml_html.fromstring(mail.html)
        for each in page.iter("style"):
            each.text = ""
        said += [page.text_content(), *(each.get("alt", "") for each in page.iter("img"))]
    return "\n".join(said)


class Talk:
    """Letters of Alice and the mails she got, by what she had asked."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.heard: dict[str, str] = {}

    def hear(self, name: str, **span: float) -> Mail:
        """Let time pass; keep every mail to Alice under a name and its kind; return the last."""
        self.club.later(**span)
        self.club.work()
        chores.do_chores(self.club.desk)
        found = self.club.mails(ALICE)
        for each in found:
            self.heard[f"{name} · {each.kind} {each.id}"] = spoken(each)
        assert found, f"no mail: {name}"
        return found[-1]

    def ask(self, name: str, mail: Mail, text: str) -> Mail:
        """Answer a mail; keep the answer to that."""
        self.club.answer(mail, text, ALICE)
        return self.hear(name)


def set_everything(talk: Talk, mail: Mail) -> None:
    """Set each setting to each of its values by every word for it, and look at what is kept."""
    wanted = {what: dict(values) for what, values in SPANS.items()}
    for what, choices in CHOICES.items():
        meant = choices if what != "language" else {}
        words = sentences("xx")["value"]
        wanted[what] = {word: choices[key] for key in meant for word in words[key].split()}
    wanted["language"] = {"ënglïsh": "xx"}
    for what, values in wanted.items():
        for word, kept in values.items():
            line = f"sët {WORDS.written(f'setting.{what}')} {word}"
            said = talk.ask(f"set {what} {word}", mail, line)
            with talk.club.desk.store.reading() as connection:
                player = players.by_address(connection, ALICE)
            assert player is not None
            found = settings_of(player)[what]
            assert found == kept, (line, found, said.text)
            shown = talk.ask(f"settings after {line}", mail, "sëttïngs")
            told = " ".join(
                WORDS.written(f"value.{each}") if WORDS.has(f"value.{each}") else each
                for each in kept.split()
            )
            assert f"sët {WORDS.written(f'setting.{what}')} {told}" in shown.text, shown.text
            # What is shown can be sent back as it stands.
            talk.ask(f"again {line}", mail, f"sët {WORDS.written(f'setting.{what}')} {told}")
        talk.ask(f"wrong {what}", mail, f"sët {WORDS.written(f'setting.{what}')} ?!")
    for line in (
        "sët förmät html",
        "sët förmät böth",
        "sët mäïls äll",
        "sët cälëndär ön",
        "sët cömpösër ön",
    ):
        talk.ask(line, mail, line)


def join(talk: Talk) -> Mail:
    """Let Alice ask who is there, and join, as a stranger."""
    club = talk.club
    for number, text in enumerate(("hëlp", "jöïn nord-1 äs red")):
        club.put(letter(ALICE, text, number=100 + number))
        mail = talk.hear(f"stranger: {text}")
        club.later(days=1)
    return talk.ask("welcome", mail, "yës\njöïn nord-1 äs red")


def end_turn(club: Club, name: str, seat: str, who: str) -> None:
    """Let somebody play the first order that is possible, as long as it is their turn."""
    while True:
        with club.desk.reading() as change:
            live = ledger.load_match(change, club.match(name)).live
        if live.to_act != seat:
            return
        order = next(iter(live.game.orders(live.position)))
        box = f"=== {name} · turn 1 · {seat} · {club.code(name, seat)} ===\n"
        club.put(letter(who, f"{box}{live.game.format(order, 'en')}\n=== end ===", number=club.uid))
        club.work()


def play(talk: Talk, game: str, order: str, seats: tuple[str, str]) -> None:
    """Let Alice have every mail of a match, from the invitation to its end."""
    club = talk.club
    seated = [f"{seat}={who}" for seat, who in zip(seats, (ALICE, BOB), strict=True)]
    row = club.new_match(game, *seated, begins=False, reminders=(timedelta(hours=12),))
    club.work()
    mail = talk.hear(f"{game}: invitation")
    bobs = club.last(BOB, "invitation")
    talk.ask(f"{game}: luck", mail, "lück sëä")
    talk.ask(f"{game}: agreed", mail, "ägrëë")
    club.answer(bobs, "yes", BOB)
    club.work()
    first = talk.hear(f"{game}: report")
    wrong = talk.ask(f"{game}: refusal", first, f"{order}x")
    club.click(wrong.links["Sënd ït cörrëctëd"], ALICE, added="prëvïëw")
    tried = talk.hear(f"{game}: preview from a link")
    talk.heard[f"{game}: box"] = opened(tried.links["Wrïtë yöür ördërs"])[2]
    read = f"· {order} — "
    assert read in talk.ask(f"{game}: courtesy", first, f"prëvïëw\nplëäsë {order}, thänks").text
    assert read not in talk.ask(f"{game}: remark", first, f"prëvïëw\n{order} (nöt yët)").text
    assert "jüst tëstïng" in talk.ask(f"{game}: doubt", first, f"jüst tëstïng:\n{order}").text
    for text in (*ASKED, f"prëvïëw\n{order}", f"qüëüë {order}"):
        talk.ask(f"{game}: {text}", first, text)
    end_turn(club, row.name, seats[1], BOB)
    # Time runs from when a report has left.
    club.mails(BOB)
    talk.hear(f"{game}: reminded", hours=160)
    talk.ask(f"{game}: receipt", first, order)
    talk.ask(f"{game}: digest set", first, "sët dïgëst däïly 18:00")
    for seat, who in zip(seats, (ALICE, BOB), strict=True):
        end_turn(club, row.name, seat, who)
    talk.hear(f"{game}: digest", hours=30)
    talk.ask(f"{game}: digest ended", first, "stöp")
    asked = talk.ask(f"{game}: resigning", first, f"rësïgn {row.name}")
    talk.ask(f"{game}: resigned", asked, "yës")


def main(folder: Path) -> None:
    """Play, and print what was said."""
    assert resources.languages() == ("en", "de", "xx")
    folder.joinpath("referee.toml").write_text(SETTINGS)
    folder.joinpath("referee.key").touch(0o600)
    folder.joinpath("referee.key").write_bytes(bytes(range(32)))
    assert load_settings(folder / "referee.toml", {}).language == "xx"
    assert get_args(Language) == ("en", "de", "xx")
    club = open_club(folder)
    club.settle(open=True, organiser="carol@example.test")
    talk = Talk(club)
    club.new_match("nord", "red=open", "green=open", begins=False)
    mail = join(talk)
    mail = talk.ask("help", mail, "hëlp")
    for each in sentences("xx")["help"]["commands"]:
        assert read_command(each["order"]) or each["order"] == "wätch", each
    set_everything(talk, mail)
    play(talk, "nord", "play goblet", ("red", "green"))
    play(talk, "origo", "place C4", ("red", "blue"))
    sys.stdout.write(json.dumps(talk.heard))


if __name__ == "__main__":
    main(Path(sys.argv[2]))
