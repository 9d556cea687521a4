"""Claims: the seat and match that a place of a letter may speak for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from itertools import product
from typing import Final

from sqlalchemy import Connection

from referee.desk import players
from referee.desk.desk import Change
from referee.desk.letters.case import Case, Claim, Place
from referee.desk.letters.confirm import held_under
from referee.desk.letters.understand import means_something, understand
from referee.desk.letters.words.company import CLAUSE, SENTENCE, company_of, habits_of
from referee.desk.letters.words.keywords import seats_by_word
from referee.desk.letters.words.phrases import (
    DOUBTING,
    NAMED_SPACE,
    Tongue,
    greets,
    is_courtesy,
    is_sign_off,
    orders_named,
    orders_told,
    with_whole_spaces,
    without_dress,
    words_in,
)
from referee.desk.letters.words.places import Company, ReadLine, Said, Understood, ordering_line
from referee.desk.matches import codes, ledger
from referee.desk.matches.broken import BrokenMatch, faults_as_broken, has_game
from referee.desk.matches.time.away import days_written
from referee.games.game import LANGUAGES, AnyGame, Order, View
from referee.games.notation import UNKNOWN, is_mistyped, words_of
from referee.mail import addressing
from referee.mail.incoming.letter import Letter
from referee.mail.incoming.lines import is_footer
from referee.matches.log import LOG_LANGUAGE
from referee.matches.standing_orders import ListedOrder, write_line
from referee.render.answers import Answer, answer
from referee.render.common import spread_orders
from referee.resources import words_for
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import CodeRow, MatchRow, QuestionRow, SeatRow
from referee.store.tables.post import OutboxRow
from referee.value import replace

MOST_HABITS: Final = 10
"""Letters of a sender in which blocks that repeat themselves are looked for."""

MOST_NAMED: Final = 5
"""Lines of talk that one answer shows."""

MOST_PROPOSED: Final = 3
"""Legal orders proposed to the player whose turn it is."""

_NUMBER: Final = re.compile(r"[a-z]\d+|\d+(?:[a-z](?![a-z]))?")
"""A space or number of an order, and of talk about it."""

_MATCH_NAME: Final = re.compile(r"(?<![\w-])[^\W\d][\w-]{0,59}-\d{1,9}(?![\w-])")
"""The name that a match gets if nobody gives it one."""

_ANYWHERE: Final = Said("")

SEVERAL: Final = "several-turns"
"""The answer to what speaks for one match, and may mean any of several of the player's."""


def carried_codes(connection: Connection, letter: Letter, address: str) -> tuple[str, ...]:
    """Return the reply codes a letter carries outside its text, without repeats.

    One comes from the mail it answers (In-Reply-To, else the last of References that is ours),
    others from plus-addresses of our ``address`` it was sent to.
    """
    row = answered_mail(connection, letter)
    carried = [row.code if row is not None else None]
    carried += (addressing.plus_code(address, recipient) for recipient in letter.recipients)
    return tuple(dict.fromkeys(code for code in carried if code is not None))


def answered_mail(connection: Connection, letter: Letter) -> OutboxRow | None:
    """Return the mail of ours that a letter answers, if any."""
    named = (letter.in_reply_to,) if letter.in_reply_to else ()
    # References run from the oldest mail to the newest.
    for message_id in (*named, *reversed(letter.references)):
        row = outbox.mail_by_message_id(connection, message_id)
        if row is not None:
            return row
    return None


def is_of(connection: Connection, code: str, player: PlayerRow) -> bool:
    """Return whether a code was mailed to a player, for a question or a seat they still hold."""
    found = codes.seat_or_question(connection, code)
    if isinstance(found, QuestionRow):
        return found.player_id == player.id
    if found is None:
        return False
    seat = matches.find_seat(connection, found.match_id, found.seat)
    # A handover ends a code for good, even if the seat comes back to the same player.
    return seat is not None and (seat.player_id, seat.handed_on) == (player.id, found.handed_on)


def claim_of(
    case: Case, said: Said, carried: Sequence[str], others: frozenset[str], *, gathered: bool
) -> Claim | QuestionRow | Answer | None:
    """Return a place's claim, or the answer to its fault; None without a code.

    A place may also answer a question to the player. ``carried`` are the codes outside the text;
    ``others`` are those in other places of the letter, which may speak for other matches.
    ``gathered``: the letter answers a mail about several matches, or none that is known.
    """
    connection, player = case.connection, case.player
    spoken = list(dict.fromkeys(carried))
    if said.code:
        # A code written in the place itself counts first. Codes of the headers must agree with it,
        # except those that another place of this letter uses, and those of other matches where a
        # digest of several is quoted.
        also = [code for code in spoken if code not in others]
        row = matches.find_code(connection, said.code) if len(carried) > 1 else None
        if row is not None:
            around = ((code, matches.find_code(connection, code)) for code in also)
            also = [code for code, near in around if not near or near.match_id == row.match_id]
        spoken = list(dict.fromkeys([said.code, *also]))
    if not spoken:
        return None
    rows = [codes.seat_or_question(connection, code) for code in spoken]
    known = [row for row in rows if row is not None]
    # An unknown code and somebody else's get the same answer, so that guessing teaches nothing.
    if len(known) < len(rows):
        return answer("foreign-code")
    first = known[0]
    if isinstance(first, QuestionRow):
        return first if first.player_id == player.id else answer("foreign-code")
    # If the codes differ, only the writer knows which is meant.
    if any(isinstance(row, CodeRow) and row.code != first.code for row in known[1:]):
        spoken_for = {row.match_id for row in known if isinstance(row, CodeRow)}
        mine = all(is_of(connection, code, player) for code in spoken)
        # A code of its own, or the mail that is answered, speaks for one match alone.
        if said.code or not gathered or len(spoken_for) == 1 or not mine:
            return answer("codes-disagree")
        names = sorted(matches.get_match(connection, match_id).name for match_id in spoken_for)
        return answer(SEVERAL, open=names)
    return check_claim(case, first, said)


def read_places(case: Case, said: Sequence[Said], carried: Sequence[str]) -> list[Place]:
    """Read places of a letter, each with its claim.

    The words of its match decide what a line means. ``carried`` are codes outside of all places.
    """
    if habits := {habit for part in said for habit in habits_of(part.own)}:
        letters.change_letter(case.connection, case.row.id, habits=" ".join(sorted(habits)))
    said = [part for part in said if part.source != "box" or _is_filled(case, part)]
    codes_written = [part.code for part in said if part.code]
    mail = answered_mail(case.connection, case.letter)
    gathered = mail is None or mail.code is None
    filled = [part for part in said if part.lines or part.document is not None]
    places: list[Place] = []
    # Free text comes last: talk in a box is likely the rest of a message that it was put into.
    for part in reversed(said):
        others = frozenset(code for code in codes_written if code != part.code)
        claimed = claim_of(case, part, carried, others, gathered=gathered)
        claim = claimed if isinstance(claimed, Claim) else None
        # Lines without a code are read by the first of the player's unfinished matches. One whose
        # game is gone must not keep “help” from being answered.
        running = [] if claim else players.matches_of(case.connection, case.player.id)
        playable = (match for match in running if has_game(case.desk, match))
        row = claim.match if claim else next(playable, None)
        tongue = case.tongue_of(row) if row else None
        if tongue and claim:
            tongue = replace(tongue, seat=claim.seat.seat)
        whole = part
        if part.source == "text" and any(place.understood.holds_talk for place in places):
            whole = replace(part, broken=True)
        # The game's own words and schema are read here: its faults concern this match alone.
        with faults_as_broken(row) if row else nullcontext():
            understood = understand(whole, tongue)
            if claim and tongue and len(filled) == 1 and part.document is None:
                understood = _with_keyword(case, claim, tongue, understood)
            place = Place(understood, claim)
        if isinstance(claimed, Answer):
            place.problem = claimed
            if claimed.key == "foreign-code":
                place.named = _named_seat(case, part, carried)
        elif isinstance(claimed, QuestionRow):
            place.asked = claimed
        places.append(place)
    places.reverse()
    speaking = [place for place in places if place.understood.previews]
    free = [place.understood for place in places if place.understood.said.source == "text"]
    written = free[0] if free else Understood(Said("text"), ())
    signed = (line.text for line in written.said.lines if line.where == "signed")
    # A program's footer takes nothing back: “consider the environment before printing this mail”.
    tail = [text for text in signed if not is_footer(text)]
    for place in places:
        lines, around = place.understood.lines, written.lines
        with faults_as_broken(place.claim.match) if place.claim else nullcontext():
            others, own_words = _words_for_players(case, place.claim)
            tongue = case.tongue_of(place.claim.match) if place.claim else None
            # Talk alone stands below the orders that are held, as if it were in their letter.
            held: tuple[ReadLine, ...] = ()
            if place.claim is not None and all(line.is_prose for line in lines):
                held = _held_lines(case, place.claim)
            if held:
                around = _below(held, around)
                lines = around if place.understood is written else _below(held, lines)
            company = company_of(lines, around, tail, others, tongue=tongue, own_words=own_words)
            if company.way != "alone":
                # How earlier letters began and ended, as with a disclaimer, is kept as hashes.
                sender = case.letter.sender or ""
                before = letters.latest_habits(case.connection, sender, case.row.id, MOST_HABITS)
                company = company_of(lines, around, tail, others, before, tongue, own_words)
            if any(line.order is not None for line in lines) and (claim := place.claim):
                for line in lines:
                    named = _named_instead(case, claim, line)
                    begins = line.order is not None and line.text.casefold().startswith(named)
                    if named and begins:
                        # “chess-2: d4” is no order of the match whose mail it answers.
                        mine = claim.match.name
                        place.problem = answer("wrong-match", named=named, belongs=mine)
                    elif named:
                        company = Company("contradicted", line.text)
        # A preview in a box counts only for the box's match.
        previewed = any(
            preview.understood.said.source != "box"
            or preview.claim is None
            or place.claim is None
            or preview.claim.match.id == place.claim.match.id
            for preview in speaking
        )
        place.understood = replace(place.understood, previewed=previewed, company=company)
    return places


def _with_keyword(case: Case, claim: Claim, tongue: Tongue, understood: Understood) -> Understood:
    """Return a place that is one line, but for courtesy, with the order that the line names.

    “D6 D7” is “place D6 D7” where no other kind of order that is legal now takes those.
    """
    lines = understood.lines
    naming = [at for at, line in enumerate(lines) if any(map(str.isdigit, line.text))]
    if len(naming) != 1:
        return understood
    at = naming[0]
    named, above, below = lines[at], lines[:at], lines[at + 1 :]
    unread = named.is_talk or (named.fault is not None and named.fault.code == UNKNOWN)
    alone = all(line.is_talk for line in (*above, *below))
    alone = alone and all(is_sign_off(line.text) for line in below)
    # “Cheers, Alice” closes the letter, and “Room D8” stands below that.
    opening = [line.text for line in above if not is_courtesy(line.text)]
    alone = alone and (not opening or (opening == [lines[0].text] and greets(opening[0])))
    if not unread or not alone or named.text.endswith("?"):
        return understood
    if not is_to_act(claim) or held_under(case, claim):
        return understood
    loaded = ledger.load_match(case.change, claim.match)
    legal = loaded.game.orders(loaded.live.position)
    keywords = {words_of(loaded.game.format(order, tongue.language))[0] for order in legal}
    # Where a move begins with its piece, any could be meant.
    if not all(map(str.isalpha, keywords)):
        return understood
    meant = set[ListedOrder]()
    for keyword, told in product(keywords, without_dress(named.text, tongue)):
        words = {*words_of(with_whole_spaces(told))} - words_for("and")
        entry = tongue.read(f"{keyword} {told}") if words else None
        # Nothing is left over, as in “your D6”.
        if entry and words == {*words_of(tongue.write(entry))[1:]}:
            meant.add(entry)
    if len(meant) != 1:
        return understood
    entry = meant.pop()
    # One that is not legal is refused with the reason.
    read = replace(named, order=entry.order, policy=entry.policy, fault=None, hint=None)
    return replace(understood, lines=(*above, read, *below))


def _held_lines(case: Case, claim: Claim) -> tuple[ReadLine, ...]:
    """Return the held orders of a seat as the lines they were written on."""
    game = case.game_of(claim.match)
    texts = [line for kept in held_under(case, claim) for line in kept.lines]
    entries = [Tongue(game, LOG_LANGUAGE).read(text) for text in texts]
    language = case.player.language
    return tuple(
        ordering_line(write_line(game, entry, language), entry) for entry in entries if entry
    )


def _below(held: Sequence[ReadLine], lines: Sequence[ReadLine]) -> tuple[ReadLine, ...]:
    """Return lines right below the orders that they may speak of."""
    return (*held, *(replace(line, gap=line.gap and at > 0) for at, line in enumerate(lines)))


def _named_instead(case: Case, claim: Claim, line: ReadLine) -> str:
    """Return another match of its writer that a line of talk, or with an order, names, if any."""
    if line.order is None and not line.is_prose:
        return ""
    named = {*_MATCH_NAME.findall(line.text.casefold())} - {claim.match.name}
    rows = players.matches_of(case.connection, case.player.id) if named else ()
    return min(named.intersection(row.name for row in rows), default="")


def _is_filled(case: Case, box: Said) -> bool:
    """Return whether something was written into a box, if only between the brackets of its hint."""
    if box.own or box.cut:
        return True
    row = matches.find_match(case.connection, box.match) if box.match else None
    tongue = None
    # What an older mail quotes may be of a game that is not installed any more.
    with suppress(BrokenMatch):
        tongue = case.tongue_of(row) if row else None
    with faults_as_broken(row) if row else nullcontext():
        return any(means_something(line.text, tongue) for line in box.lines)


def _named_seat(case: Case, said: Said, carried: Sequence[str]) -> Claim | None:
    """Return the claim of the sender's own seat that the box of a useless code names.

    Whether the code stands for another seat or for none is not asked, so that the answer tells
    nobody which codes there are.
    """
    spoken = {said.code} if said.code else {*carried}
    for head in case.letter.box_heads:
        row = matches.find_match(case.connection, head.match) if head.code in spoken else None
        mine = matches.seats_of_player(case.connection, case.player.id, row.id) if row else ()
        if row is None or not mine:
            continue
        title = f" {' '.join(words_in(head.title))} "
        words = seats_by_word(case.game_of(row))
        named = {seat for word, seat in words.items() if f" {' '.join(words_in(word))} " in title}
        for seat in mine:
            if seat.seat in named:
                return claim_on(case.change, row, seat)
    return None


def claim_on(change: Change, row: MatchRow, seat: SeatRow) -> Claim | None:
    """Return the claim of a seat as if its present code had come along; None if there is none."""
    code = matches.find_code(change.connection, codes.code_of(change, row, seat))
    return None if code is None else Claim(row, seat, code)


def _words_for_players(case: Case, claim: Claim | None) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names and colours of a seat's opponents, and the words for the seat and its match.

    The words of a match are those of its name and its game's.
    """
    if claim is None:
        return frozenset(), frozenset()
    game, mine = case.game_of(claim.match), claim.seat.seat
    names = players.names_of(case.connection, matches.seats(case.connection, claim.match.id))
    colours = seats_by_word(game)
    words = {seat: {*words_in(name)} for seat, name in names.items()}
    for word, seat in colours.items():
        words.setdefault(seat, set()).add(word)
    own = words.pop(mine, set())
    called = case.wording_of(claim.match).word("game", "name")
    own.update(words_in(claim.match.name), words_in(called))
    others = {word for seat in words if seat in names for word in words[seat]}
    # “Bobs Rat”
    return frozenset(others | {f"{word}s" for word in others}), frozenset(own)


def check_claim(case: Case, code: CodeRow, said: Said = _ANYWHERE) -> Claim | Answer:
    """Return the claim of a code as the letter has left it so far, or the answer to its fault."""
    # Locked, for orders that are held add nothing to the log that another letter would stumble on:
    # two like ones, handled at once, would both be held.
    row = matches.lock_match(case.connection, code.match_id)
    seat = next(seat for seat in matches.seats(case.connection, row.id) if seat.seat == code.seat)
    # Asked before the player, so that a former holder learns why.
    if code.handed_on != seat.handed_on:
        return answer("seat-passed-on", back=seat.player_id == case.player.id)
    if seat.player_id != case.player.id:
        return answer("foreign-code")
    if said.match is not None and said.match != row.name:
        return answer("wrong-match", named=said.match, belongs=row.name)
    if said.turn is not None and said.turn != code.turn:
        return answer("old-code", turn=said.turn, now=row.turn)
    return Claim(row, seat, code)


def is_to_act(claim: Claim) -> bool:
    """Return whether a match waits for the orders of a claim's seat."""
    return claim.match.state == "running" and claim.match.to_act == claim.seat.seat


def numbers_in(text: str) -> set[str]:
    """Return the spaces and numbers that a text names, in small letters."""
    return {*_NUMBER.findall(text.casefold())}


def spaces_of(game: AnyGame, view: View, order: Order) -> set[str]:
    """Return the spaces and numbers of an order: those that are clicked for it, else its own.

    So “R1=2” is from i0 to h0.
    """
    clicked = numbers_in(" ".join(game.clicks(view, order)))
    return clicked or numbers_in(game.format(order, LOG_LANGUAGE))


def orders_to_propose(case: Case, claim: Claim, talk: Sequence[str] = ()) -> Sequence[Order]:
    """Return some orders that a seat may give now; none if another is to act.

    Those come first that stand in ``talk``, then those that have most of its spaces and numbers,
    then those that have most of its words behind their keyword: “play sword” for “my sword tile”.
    """
    if not is_to_act(claim):
        return ()
    loaded = ledger.load_match(case.change, claim.match)
    game, position = loaded.game, loaded.live.position
    legal = tuple(game.orders(position))
    named = {
        game.canonical(position, order)
        for text in talk[:MOST_NAMED]
        for order in orders_named(text, case.tongue_of(claim.match))
    }
    numbers = numbers_in(" ".join(talk))
    words = {word for text in talk for word in words_in(text)}
    view, language = game.view(position, claim.seat.seat), case.player.language

    def likeness(order: Order) -> tuple[bool, int, int]:
        own = words_of(game.format(order, language))
        spaces = numbers & spaces_of(game, view, order)
        return order in named, len(spaces), len(words.intersection(own[1:] or own))

    alike = {order: likeness(order) for order in (legal if talk else ())}
    near = [order for order, like in alike.items() if any(like)]
    ranked = sorted(near, key=alike.__getitem__, reverse=True)
    return list(dict.fromkeys((*ranked, *spread_orders(legal, MOST_PROPOSED))))[:MOST_PROPOSED]


def legal_named(case: Case, claim: Claim, talk: Sequence[str]) -> list[str]:
    """Return the legal orders of a seat that talk names, in their words or by all their spaces."""
    if not is_to_act(claim):
        return []
    loaded, tongue = ledger.load_match(case.change, claim.match), case.tongue_of(claim.match)
    game, position = loaded.game, loaded.live.position
    legal = {game.format(order, tongue.language): order for order in game.orders(position)}
    told = (order for text in talk for order in orders_told(text, tongue))
    named = (game.format(game.canonical(position, order), tongue.language) for order in told)
    if known := [*dict.fromkeys(order for order in named if order in legal)]:
        return known
    view = game.view(position, claim.seat.seat)
    # A number alone may be anything: “at 6 tomorrow”.
    bare = (line for line in legal if not line.isdecimal())
    spaces = {line: spaces_of(game, view, legal[line]) for line in bare}
    fitting = dict[str, None]()
    for said in (part for text in talk for part in SENTENCE.split(text)):
        numbers = numbers_in(said)
        # “I take a2 with my stone from b2” names b2xa2, which has both, and not a3xa2.
        inside = [line for line, needed in spaces.items() if needed and needed <= numbers]
        inside = [line for line in inside if _has_keyword(line, said)]
        most = max((len(spaces[line]) for line in inside), default=0)
        fitting |= dict.fromkeys(line for line in inside if len(spaces[line]) == most)
    return [*fitting] if len(fitting) <= MOST_NAMED else []


def _has_keyword(line: str, said: str) -> bool:
    """Return whether a sentence has the keyword of an order, or the order has none.

    “C7 is alive” has a space of “dead C7”, but not its word.
    """
    word = line.split(maxsplit=1)[0].casefold()
    return not word.isalpha() or word in words_in(said)


def told_by_way(case: Case, claim: Claim, talk: Sequence[str]) -> tuple[str, Order] | None:
    """Return a sentence of talk that tells the way of one legal order, and the order.

    One of its clauses has the spaces of the order in their sequence, the last of them right behind
    a word such as “to”, or all in one word; no other clause has any. Numbers alone are no spaces
    here: “from 11 to 15” may be an hour. A sentence that doubts, asks or names a day tells nothing,
    and where two tell different ways nothing is sure.
    """
    if not is_to_act(claim):
        return None
    ways = dict[tuple[str, ...], str]()
    for sentence in (part.strip() for text in talk for part in SENTENCE.split(text)):
        clauses = [clause for clause in CLAUSE.split(sentence) if numbers_in(clause)]
        doubts = sentence.endswith("?") or not DOUBTING.isdisjoint(words_in(sentence))
        if len(clauses) != 1 or doubts or any(days_written(sentence)):
            continue
        words = clauses[0].split()
        *before, last = [at for at, word in enumerate(words) if numbers_in(word)]
        spaces = tuple(_NUMBER.findall(clauses[0].casefold()))
        leads = last and words[last - 1].casefold() in words_for("onto")
        if not all(map(str.isdecimal, spaces)) and (leads if before else len(spaces) > 1):
            ways.setdefault(spaces, sentence)
    if len(ways) != 1:
        return None
    ((spaces, sentence),) = ways.items()
    loaded = ledger.load_match(case.change, claim.match)
    game, position = loaded.game, loaded.live.position
    view = game.view(position, claim.seat.seat)
    orders = [
        order
        for order in game.orders(position)
        if spaces == tuple(_NUMBER.findall(" ".join(game.clicks(view, order)).casefold()))
    ]
    written = game.format(orders[0], case.tongue_of(claim.match).language) if orders else ""
    return (sentence, orders[0]) if len(orders) == 1 and _has_keyword(written, sentence) else None


def order_of_answer(case: Case, claim: Claim, word: str) -> Understood | None:
    """Return the order that a yes (``agree``) or a no (``decline``) means, where there is one.

    As in go, where both agree on dead stones. It answers a report or receipt of that seat: a yes
    to a message or to an old question is none.
    """
    mail = answered_mail(case.connection, case.letter)
    about = mail is None or (
        mail.kind in {"report", "receipt", "answer"}
        and (mail.match_id, mail.seat) == (claim.match.id, claim.seat.seat)
    )
    if not about or not is_to_act(claim):
        return None
    loaded = ledger.load_match(case.change, claim.match)
    game, position = loaded.game, loaded.live.position
    order = game.consent(position) if word == "agree" else game.dissent(position)
    # A yes that is nearly another order is none: “passt” beside “passe”.
    said = case.reply.first_line.strip(" .!").casefold()
    others = (other for other in game.orders(position) if other != order)
    if order is None or any(
        is_mistyped(said, game.format(other, case.player.language)) for other in others
    ):
        return None
    return Understood(Said("text"), (ReadLine(case.reply.first_line, order=order),))


def agreed_beside(case: Case, claim: Claim, lines: Sequence[ReadLine]) -> tuple[str, str] | None:
    """Return a line that agrees in the game, and talk that may say something else about it.

    As where both agree on dead stones, it may end the match, so nothing goes with it that names a
    space or has a word of the game's orders: “done”, and below it “all white stones are dead”.
    """
    if not is_to_act(claim):
        return None
    loaded = ledger.load_match(case.change, claim.match)
    game, position = loaded.game, loaded.live.position
    consent = game.consent(position)
    agreed = next((line.text for line in lines if line.order and line.order == consent), None)
    if agreed is None:
        return None
    theirs = {
        word
        for order in game.orders(position)
        for language in LANGUAGES
        for word in words_of(write_line(game, ListedOrder(order), language))[:1]
    }
    prose = (line.text for line in lines if line.is_prose)
    beside = (
        text for text in prose if NAMED_SPACE.search(text) or not theirs.isdisjoint(words_in(text))
    )
    return next(((agreed, text) for text in beside), None)
