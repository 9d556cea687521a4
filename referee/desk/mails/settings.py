"""Settings and addresses of players changed, and mails that wait for the hours they set."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from referee.desk.desk import Change
from referee.desk.mails import post
from referee.desk.mails.digest import write_digest
from referee.desk.matches.time import clock, departure
from referee.desk.players import OFF, YES, BadPlayer, checked_name, nearest_values, read_setting
from referee.games.game import LANGUAGES
from referee.matches.time.moments import SECOND, format_duration, parse_duration
from referee.render.answers import Answer, answer
from referee.render.words.wording import Catalogue
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.people import PlayerRow

HOURS: Final = frozenset({"digest", "zone", "quiet"})
"""Settings that say when a digest leaves, or whether there is one."""


def settings_of(player: PlayerRow) -> dict[str, str]:
    """Return a player's settings as ``set`` takes them."""
    digest = f"{player.digest} {player.digest_at}" if player.digest == "daily" else "off"
    return {
        "name": player.name,
        "language": player.language,
        "zone": player.zone,
        "format": player.format,
        "subjects": player.subjects,
        "mails": player.mails,
        "digest": digest,
        "reminders": player.reminders or "match",
        "quiet": player.quiet or "off",
        "grace": _held_for(player.grace),
        "talk": "match" if player.talk is None else _held_for(player.talk),
        "composer": "off" if player.no_composer else "on",
    }


def _held_for(seconds: int) -> str:
    if seconds == players.UNTIL_YES:
        return YES
    return format_duration(timedelta(seconds=seconds)) if seconds else OFF


def told_value(value: str, catalogue: Catalogue) -> str:
    """Return a setting's value in the words of a language."""
    words = value.split(" ")
    return " ".join(
        catalogue.written(f"value.{word}") if catalogue.has(f"value.{word}") else word
        for word in words
    )


def bad_value(what: str, value: str, catalogue: Catalogue) -> Answer:
    """Return the answer to a bad value, with others near it."""
    known = [told_value(near, catalogue) for near in nearest_values(what, value)]
    return answer("set-wrong", what=what, value=value, known=known)


def change_player(change: Change, player: PlayerRow, what: str, value: str) -> str:
    """Change a player's setting for an organiser; return its new value. Raises BadPlayer."""
    if what == "name":
        value = checked_name(change.connection, value, player.id)
    good = read_setting(change.connection, player, what, value)
    if good is None:
        catalogue = Catalogue(LANGUAGES[0])
        fields = dict(bad_value(what, value, catalogue).fields)
        fields["known"] = catalogue.either(fields["known"])
        raise BadPlayer(" ".join(catalogue.say("answer.set-wrong", **fields).split()))
    apply_setting(change, player, what, good)
    return settings_of(players.get_player(change.connection, player.id))[what]


def apply_setting(
    change: Change, player: PlayerRow, what: str, good: str, *, keeps_zone: bool = False
) -> None:
    """Write a value as it was read; with ``keeps_zone`` a zone counts from the next turns on."""
    if (what, good) == ("digest", OFF) and player.digest != OFF:
        # What has waited for the next one comes now.
        write_digest(change, player.id)
    columns: dict[str, object] = {what: good}
    if what == "composer":
        columns = {"no_composer": good == OFF}
    elif what == "digest":
        kind, _, at = good.partition(" ")
        columns = {"digest": kind, **({"digest_at": at} if at else {})}
    elif what in {"grace", "talk"} and good != "match":
        words = {OFF: 0, YES: players.UNTIL_YES}
        columns = {what: words[good] if good in words else parse_duration(good) // SECOND}
    elif (what, good) in {("quiet", OFF), ("reminders", "match"), ("talk", "match")}:
        columns = {what: None}
    # A new zone moves the days away and off, so the player's clocks are reckoned anew.
    with clock.calendar_change(change, clock.rows_of(change.connection, player.id)):
        if what == "zone":
            clock.keep_zone(change, player, kept=keeps_zone)
        players.update_player(change.connection, player.id, **columns)
    if what == "digest" and good != OFF:
        # The first digest comes at the next hour set: today, even if there was one by the hour
        # before, or tomorrow if the hour has passed.
        now = change.desk.now()
        day, moment = departure.digest_today(players.get_player(change.connection, player.id), now)
        if moment > now:
            notes.DIGEST_DAY.remove(change.connection, player.id)
        else:
            notes.DIGEST_DAY.write(change.connection, day.isoformat(), player.id)
    if what in HOURS:
        look_again(change, player.id)


def look_again(change: Change, player_id: int) -> None:
    """Let a player's waiting turns be looked at again: other hours may make them due at once."""
    for row in clock.rows_of(change.connection, player_id):
        matches.set_agenda(change.connection, row.id, change.desk.now())


def tell_of_address(change: Change, player: PlayerRow, to: str, new: str) -> None:
    """Tell a player's old address about a new one.

    It says whether their mail goes to the new one now, so that a theft of the account cannot pass
    unseen.
    """
    preferred = players.address_for(change.connection, player.id) == new
    said = answer("address-added", address=new, preferred=preferred)
    post.send(change, post.Mail("answer", post.bare_content(said, player.language)), player, to)


def tell_of_removal(change: Change, player: PlayerRow, gone: str) -> None:
    """Tell a player, at the preferred address, that another was removed."""
    said = answer("address-removed", address=gone)
    post.send(change, post.Mail("answer", post.bare_content(said, player.language)), player)
