"""Answers to lines that cannot be read: what they probably meant, how it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import product
from typing import Final, Literal, TypedDict

from referee.desk.letters import confirm, sender
from referee.desk.letters.case import Case, Claim, Place, tell_problem
from referee.desk.letters.claims import (
    MOST_NAMED,
    claim_of,
    is_to_act,
    legal_named,
    order_of_answer,
    orders_to_propose,
    told_by_way,
)
from referee.desk.letters.commands import votes
from referee.desk.letters.confirm import ANSWERING, told_line
from referee.desk.letters.orders import played_last
from referee.desk.letters.words import keywords
from referee.desk.letters.words.company import SENTENCE
from referee.desk.letters.words.keywords import KEYWORDS, MOST_WORDS, TEXTS, TO, Command
from referee.desk.letters.words.phrases import (
    DOUBTING,
    LONGEST_PHRASE,
    orders_told,
    parts_told,
    words_in,
)
from referee.desk.letters.words.places import (
    MOST_LINES,
    Company,
    ReadLine,
    Said,
    Understood,
    text_of,
)
from referee.desk.mails.since import worded_orders
from referee.desk.matches import ledger
from referee.desk.matches.time.away import days_written, parse_days, spread_days, today_of
from referee.desk.players import LANGUAGE_NAMES
from referee.games.game import LANGUAGES, Order, Unreadable
from referee.games.notation import OUR_DOTS, SPACE, words_of
from referee.mail.incoming.lines import WrittenLine
from referee.render.answers import Answer, Table, answer
from referee.render.words.wording import Wording
from referee.resources import class_words, words_for
from referee.store.states import UNFINISHED, QuestionKind
from referee.store.tables.play import QuestionRow

_SLIP: Final = class_words("correcting", "negation", "taking_back")
"""Words by which talk may be about a move that was none."""

_ASIDE: Final = frozenset({"away", "join", "matches", "rules", "show"})
"""Commands that give way to a move, if the talk about them names one."""

_WORD: Final = re.compile(r"\w+")


def correct_command(case: Case, claim: Claim | None, given: Command) -> Answer:
    """Return the answer to a line meant as a command, with its correct form."""
    word = given.arguments[0]
    if word == "luck":
        late = claim is not None and claim.match.state != "invited"
        return answer("luck-too-late") if late else answer("luck-unread", words=given.text)
    ready = _ready(case, word, given.text) if word == "away" else ""
    written = [] if ready else _commands(case, word)
    return answer("unclear", lines=[given.text], written=written, ready=ready or None)


def answer_silence(
    case: Case, places: Sequence[Place], read: Sequence[Place]
) -> tuple[Claim, Understood] | None:
    """Answer a letter that says nothing: why, or how to write what it may have meant.

    ``read`` are all its places, ``places`` those that count. If one of its lines fits a legal order
    it is returned, with its seat, to be asked about.
    """
    hindered = next((place for place in places if place.problem), None)
    if hindered is not None:
        tell_problem(case, hindered)
        return None
    if _show_doubtful(case, [line for place in read for line in place.understood.doubtful], places):
        return None
    if any(place.understood.said.cut for place in places):
        answer_unread(case, answer("too-long", most=MOST_LINES))
        return None
    # The orders may stand in the rest.
    if case.letter.truncated:
        answer_unread(case, too_large(case))
        return None
    talk = [line for place in places for line in place.understood.talk]
    claimed = _claimed(case)
    claim = claimed if isinstance(claimed, Claim) else None
    meant = _talk_meant(case, talk, None if isinstance(claimed, Answer) else claimed)
    if isinstance(meant, Answer):
        case.tell(meant, claim)
        return None
    return None if claim is None else (claim, meant)


def answer_unread(case: Case, said: Answer) -> None:
    """Answer a letter whose text is not read, with the box of the seat that its codes speak for."""
    claimed = _claimed(case)
    case.tell(said, claimed if isinstance(claimed, Claim) else None)


def too_large(case: Case) -> Answer:
    """Return the answer to a letter of which only the beginning is known."""
    return answer("too-large", kilobytes=-(-case.row.size // 1000))


def _claimed(case: Case) -> Claim | QuestionRow | Answer | None:
    """Return the seat or question that the codes outside a letter's places speak for.

    An answer says why they speak for neither; None: there is no code.
    """
    carried = sender.outer_codes(case)
    return claim_of(case, Said("text"), carried, frozenset(), gathered=False)


def show_left_out(case: Case, places: Sequence[Place], read: Sequence[Place]) -> None:
    """Show lines beside those carried out that may not have been meant, but for older mails."""
    lines = [line for place in read for line in place.understood.doubtful]
    _show_doubtful(case, [line for line in lines if line.where not in {"below", "dot"}], places)


def _talk_meant(
    case: Case, talk: Sequence[ReadLine], claimed: Claim | QuestionRow | None
) -> Understood | Answer:
    """Return the order that a line fits, to be asked about; or the answer how to write one."""
    claim = claimed if isinstance(claimed, Claim) else None
    hinted = [line for line in talk if line.hint]
    legal = () if claim is None else orders_to_propose(case, claim, [line.text for line in talk])
    if len(talk) > 1 and talk[-1].text.endswith(":"):
        talk = talk[:-1]  # "On Sunday the referee wrote:"
    texts = [line.text for line in talk]
    # Lines that begin with a keyword are the likelier orders.
    named = hinted or talk
    lines = [line.text for line in named[:MOST_NAMED]]
    # Beside it a yes may be for orders that are held.
    put = votes.question_open_to(case, claim) if claim else None
    doubted = claim is not None and (claim.match.id, claim.seat.seat) in case.reply.doubted
    game = None if claim is None else case.game_of(claim.match)
    meant_words = ((line.text, keywords.meant_command(line.text, game)) for line in talk)
    text, word = next((pair for pair in meant_words if pair[1]), ("", None))
    if claim is not None and doubted and not hinted:
        # A yes would play what is held, also where talk names another order.
        wording, kept = case.wording_of(claim.match), confirm.held_under(case, claim)
        held = [worded_orders(wording, orders.lines) for orders in kept]
        instead = legal_named(case, claim, texts)
        if len(instead) == 1 and instead[0] not in held:
            return answer("two-sets", sets=[held, instead], choice=lines[0])
        # “Can you show me the board?” may be no doubt, but what it asks for.
        ready = _ready(case, word, text) if word in _ASIDE else ""
        if put is not None and not ready:
            return answer("which-yes", draw=put.kind == "draw", talk=True)
        return answer("doubted", lines=lines, ready=ready)
    meant = question_meant(case, claimed)
    # Whoever is asked to agree to a takeback speaks of that one.
    word = None if word == meant["meant"] else word
    playable = [] if claim is None else legal_named(case, claim, texts)
    # “I've been travelling! 4. m13. Nice board!” is about the move.
    asked = text.rstrip().endswith("?")
    if playable and word in _ASIDE and not asked and not any(days_written(text)):
        word = None
    # Orders that are held would give way to it.
    free = claim is not None and not confirm.held_under(case, claim)
    if legal and claim and free and (fitting := _fitting(case, claim, talk[:MOST_NAMED])):
        return _asked_about(talk, *fitting)
    answering = all(KEYWORDS.get(line.hint or "") in ANSWERING for line in hinted)
    if word is not None and answering:
        ready = _ready(case, word, text)
        how = [] if ready else _commands(case, word)
        return answer("unclear", lines=[text], written=how, ready=ready)
    if hinted:
        hint = hinted[0].hint or ""
        ready = _ready(case, "away", hinted[0].text) if KEYWORDS.get(hint) == "away" else ""
        if ready:
            return answer("unclear", lines=lines, written=[], ready=ready)
        how = _written(case, hint, claim, legal)
        answers = KEYWORDS.get(hint) in ANSWERING
        if answers and claim and meant["meant"] == "nothing" and (plays := _plays(case, claim)):
            return answer("unclear", lines=lines, written=[], plays=plays, legal=legal)
        answered: Meaning = {"word": hint, **meant} if answers else {}
        # Whoever wanted to tell somebody something, or answer a question, is not told what to play.
        if answers and meant["meant"] == "nothing":
            how = []
        elif answers or KEYWORDS.get(hint) in TEXTS:
            legal = ()
        if answered and meant["meant"] in {"undo", "draw"}:
            return ask_plainly(case, meant, lines)
        return answer("unclear", lines=lines, written=how, legal=legal, **answered)
    if talk and meant["meant"] in {"undo", "draw"}:
        told = {word for line in talk for word in words_in(line.text)}
        refuses = not told.isdisjoint(words_for("no") | class_words("negation"))
        # “Not a problem” and “why not?” say nothing of what is wanted.
        refuses = refuses and not told.isdisjoint(class_words("wish"))
        if refuses and told.isdisjoint(words_for("yes")):
            meant["word"] = case.catalogue.keyword("decline")
            written = _commands(case, "agree", "decline")
            return answer("unclear", lines=lines, written=written, **meant)
        # A yes is put into nobody's mouth.
        return ask_plainly(case, meant, lines)
    if put is not None and not free:
        return answer("which-yes", draw=put.kind == "draw", talk=True)
    if claim and free and (way := told_by_way(case, claim, texts)):
        sentence, order = way
        return _asked_about(talk, sentence, [order])
    state, acts = "" if claim is None else claim.match.state, claim is not None and is_to_act(claim)
    return answer(
        "no-orders",
        lines=lines,
        written=_commands(case, "agree", "decline") if state == "invited" else [],
        legal=legal,
        named=playable,
        mine=acts,
        outside=claim is None,
        paused=state == "paused",
        over=claim is not None and state not in UNFINISHED,
        organiser=case.desk.settings.organiser,
        slip=claim is not None and _tells_slip(case, claim, talk),
    )


def _tells_slip(case: Case, claim: Claim, talk: Sequence[ReadLine]) -> bool:
    """Return whether talk may be about an order of a seat's that was none, and can be taken back.

    In its next turn a no is likelier about the order that is due.
    """
    acts = is_to_act(claim)
    words = class_words("correcting", "taking_back") if acts else _SLIP
    speaks = any(not words.isdisjoint(words_in(line.text)) for line in talk)
    return speaks and (votes.has_played if acts else played_last)(case, claim)


def _asked_about(talk: Sequence[ReadLine], sentence: str, orders: Sequence[Order]) -> Understood:
    """Return orders that a sentence of talk tells, to be asked about, beside the other talk."""
    ordering = (ReadLine(sentence, order=order, spoken=sentence) for order in orders)
    parts = (part.strip() for line in talk for part in SENTENCE.split(line.text))
    other = (ReadLine(part) for part in parts if part and part not in sentence)
    return Understood(Said("text"), (*ordering, *other), company=Company("contradicted", sentence))


def _fitting(case: Case, claim: Claim, talk: Sequence[ReadLine]) -> tuple[str, list[Order]] | None:
    """Return a line of talk that says a legal order, without its keyword or in a sentence, and it.

    No other order fits it, but those that its keyword joins ("A2 and B1 are dead"); no space of the
    line is left over, and nothing in it doubts. The signs between an order's words may be others.
    """
    loaded = ledger.load_match(case.change, claim.match)
    game, language = loaded.game, case.player.language
    position = loaded.live.position
    now = game.orders(position)
    legal = dict.fromkeys(game.format(order, language) for order in now)
    arguments = {line: words_of(line)[1:] for line in legal if line.partition(" ")[0].isalpha()}
    keywords = {line.split()[0] for line in arguments}
    kinds = {line.split()[0] for line, _ in Wording(game, language).help_orders()}
    for text in (line.text for line in talk):
        said, spaces = {*words_of(text)}, {space.casefold() for space in SPACE.findall(text)}
        ours = text.startswith(OUR_DOTS)
        if (
            ours
            or len(text) > LONGEST_PHRASE
            or text.endswith("?")
            or not DOUBTING.isdisjoint(words_in(text))
        ):
            continue
        bare: set[str] = set()
        for keyword in keywords:
            with suppress(Unreadable):
                bare.add(game.format(game.parse(f"{keyword} {text}", language), language))
        # A word of the line makes another order of its space: “C7 is alive” is not “dead C7”.
        other: set[str] = set()
        for word, space in product(words_in(text), spaces):
            with suppress(Unreadable):
                other.add(game.format(game.parse(f"{word} {space}", language), language))
        if any(line.split()[0] in kinds for line in other - legal.keys()):
            continue
        # Talk may have the words of an order that names no space: those alone are one. “Leave it”
        # has but the pronoun of “take it”.
        fits = [
            line
            for line, words in arguments.items()
            if not class_words("pronoun").issuperset(words)
            and said.issuperset(words)
            and (spaces or len(said) <= len(words) + 2)
        ]
        most = max((len(arguments[line]) for line in fits), default=0)
        fits = [line for line in fits if len(arguments[line]) == most]
        fits = fits or [line for line in legal if _WORD.findall(line) == _WORD.findall(text)]
        found = [*bare] if bare & legal.keys() else fits
        # “Of course Nf3”; a space alone may be anything: “a4 paper please”.
        if not found and len(text.split()) <= MOST_WORDS:
            tongue = case.tongue_of(claim.match)
            whole = parts_told(text, tongue)
            told = [whole.order] if whole else orders_told(text, tongue)
            named = {game.format(game.canonical(position, order), language) for order in told}
            if len(named) == 1 and named <= legal.keys() and not any(map(SPACE.fullmatch, named)):
                return text, [game.parse(line, language) for line in named]
        joined = {line.split()[0].casefold() for line in found}
        if (len(found) == 1 or (len(joined) == 1 and joined <= said)) and spaces <= {
            word for line in found for word in words_of(line)
        }:
            return text, [game.parse(line, language) for line in found]
    return None


def _ready(case: Case, word: str, text: str) -> str:
    """Return a command as its writer seems to mean it, ready to be sent; empty if parts lack."""
    catalogue = case.catalogue
    if word == "away":
        today = today_of(case.desk, case.player)
        text = spread_days(text)
        days = [*days_written(text)]
        ends = [day[0] for day in days]
        # "until December 10th" begins today.
        if len(days) == 1 and not TO.isdisjoint(words_in(text[: days[0].start()])):
            ends = [str(today), *ends]
        if not 1 <= len(ends) <= 2:
            return ""
        first, last = parse_days(ends[0], ends[-1], today)
        if first is None or last is None or first > last:
            return ""
        return told_line(Command("away", (str(first), "to", str(last))), catalogue)
    if word == "set":
        spoken = [LANGUAGE_NAMES[part] for part in words_in(text) if part in LANGUAGE_NAMES]
        return told_line(Command("set", ("language", spoken[0])), catalogue) if spoken else ""
    # What cannot be taken back is not put into anybody's mouth.
    return "" if word in {"join", "message", "leave", "resign"} else catalogue.keyword(word)


def _show_doubtful(case: Case, lines: Sequence[WrittenLine], places: Sequence[Place]) -> bool:
    """Show lines that may not have been meant, asking for them again; return whether any."""
    if lines:
        once = {line.text: line for line in reversed(lines)}
        shown = [*reversed(once.values())][:MOST_NAMED]
        why = {line.where for line in shown}
        claim = next((place.claim for place in places if place.claim), None)
        said = answer("doubtful", lines=[line.text for line in shown], why=sorted(why))
        case.tell(said, claim)
    return bool(lines)


def nearly_answering(lines: Iterable[ReadLine]) -> list[ReadLine]:
    """Return short lines of talk, or with an order in them, that are nearly a yes or no."""
    return [
        line
        for line in lines
        if (line.is_talk or line.spoken)
        and KEYWORDS.get(line.hint or "") in ANSWERING
        and len(line.text.split()) <= MOST_WORDS
    ]


def answer_nearly_yes(
    case: Case,
    lines: Iterable[ReadLine],
    claimed: Claim | QuestionRow | None,
    asked_before: Meaning,
) -> None:
    """Answer lines that are nearly the yes or no awaited, before their letter and after it.

    Orders that the letter itself had held are asked about in their receipt.
    """
    for line in lines:
        meant = question_meant(case, claimed)
        if meant["meant"] != "nothing" and meant == asked_before:
            meant["word"] = line.hint or ""
            said = answer("unclear", lines=[line.text], written=[], **meant)
            case.tell(said, claimed if isinstance(claimed, Claim) else None)


class Meaning(TypedDict, total=False):
    """Fields of an answer: what a yes or no would have answered."""

    word: str
    meant: Literal["nothing", "play", "question"] | QuestionKind
    question: Sequence[str]
    turn: int


def ask_plainly(case: Case, meant: Meaning, lines: Sequence[str], *also: str) -> Answer:
    """Return the answer to lines that do not plainly say yes or no, with the words for both.

    ``also`` are further commands that may have been meant.
    """
    written = _commands(case, "agree", "decline", *also)
    return answer("unclear", lines=lines, written=written, **{**meant, "word": ""})


def question_meant(case: Case, claimed: Claim | QuestionRow | None) -> Meaning:
    """Return the question a yes or no would have answered, such as one about held orders."""
    if isinstance(claimed, QuestionRow):
        if confirm.still_waits(claimed, case.row.arrived):
            return {"meant": "question", "question": confirm.asked_lines(case, claimed)}
    elif claimed is not None:
        if claimed.match.state == "invited":
            return {"meant": "play"}
        if kept_orders := confirm.held_under(case, claimed):
            wording = case.wording_of(claimed.match)
            lines = [worded_orders(wording, kept.lines) for kept in kept_orders]
            return {"meant": "question", "question": lines}
        if put := votes.question_open_to(case, claimed):
            return {"meant": put.kind, "turn": put.document.turn}
    return {"meant": "nothing"}


def _plays(case: Case, claim: Claim) -> Table:
    """Return yes and no as far as they are orders of a seat, each with its order."""
    game, language = case.game_of(claim.match), case.player.language
    return [
        (case.catalogue.say(f"invitation.{said}"), text_of(line, game, language))
        for word, said in (("agree", "yes"), ("decline", "no"))
        if (meant := order_of_answer(case, claim, word))
        for line in meant.lines
    ]


def _written(case: Case, hint: str, claim: Claim | None, legal: Sequence[Order]) -> Table:
    """Return the correct form of the command or orders hinted at."""
    if hint in KEYWORDS:
        return _commands(case, KEYWORDS[hint])
    if claim is None:
        return []
    game = case.game_of(claim.match)
    options = claim.match.options
    found = [Wording(game, language) for language in (case.player.language, *LANGUAGES)]
    for wording in found:
        lines = wording.help_orders(options, legal) + wording.help_policies(options)
        if named := [pair for pair in lines if pair[0].split()[0].casefold() == hint]:
            return named
    return found[0].help_orders(options, legal)


def _commands(case: Case, *words: str) -> Table:
    """Return how commands are written, and what each does."""
    return [
        (order, about)
        for word in words
        for order, about in case.catalogue.commands
        if KEYWORDS.get(order.split(maxsplit=1)[0]) == word
    ]
