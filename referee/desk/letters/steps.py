"""Steps of a letter: each place carried out line by line, one meaning for each seat.

A command goes to its function by its row in a table, which also says what it needs to be obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Any, Final, Literal

from referee.desk import players
from referee.desk.letters import claims, confirm, orders, unclear
from referee.desk.letters.case import Case, Claim, Place, refreshed, tell_problem
from referee.desk.letters.commands import ask, join, message, settings, votes
from referee.desk.letters.confirm import ANSWERING
from referee.desk.letters.understand import understand
from referee.desk.letters.words.company import (
    AGREED,
    CLAUSE,
    SENTENCE,
    AskedOf,
    says_no,
    spoken_answer,
)
from referee.desk.letters.words.keywords import KEYWORDS, MOST_COMMANDS, Command, luck_in
from referee.desk.letters.words.phrases import (
    CHEER,
    DOUBTING,
    NAMED_SPACE,
    REFUSING,
    entries_in,
    is_courtesy,
    is_harmless,
    is_sign_off,
    order_in,
    orders_told,
    our_words,
    strip_courtesy,
    with_stops,
    words_in,
)
from referee.desk.letters.words.places import (
    ALONE,
    DRAW,
    MOST_LINES,
    Company,
    ReadLine,
    Said,
    Understood,
    ordering_line,
)
from referee.desk.letters.words.repair import written
from referee.desk.matches import codes, ledger
from referee.desk.matches.standing_orders import Cancel, Queue
from referee.games.game import LANGUAGES
from referee.mail.incoming.lines import WrittenLine
from referee.matches import match
from referee.matches.standing_orders import ListedOrder, write_line
from referee.render.answers import Answer, answer
from referee.render.words.wording import Catalogue
from referee.resources import class_words, words_for
from referee.store.people import questions
from referee.store.play import matches as play_matches
from referee.store.play import messages
from referee.store.states import UNFINISHED
from referee.store.tables.play import QuestionRow
from referee.value import Value, replace

_UNSURE: Final = class_words("negation", "condition", "alternative", "unreal", "coming")
"""Words by which a yes to taking back may be none, though they speak of it."""

_ANNOUNCING: Final = class_words("announcing")

_RESERVING: Final = (
    words_for("no") | our_words("decline") | _ANNOUNCING | class_words("restricting")
)
"""Words beside a yes by which it may be none, whatever it is about."""

_PUTTING_OFF: Final = class_words("announcing", "condition", "wish", "coming", "other_time")
"""Words behind a yes by which it is one for later."""

_MEANING: Final = words_for("polite") | class_words("common", "handling", "moving")
"""Words that may stand beside an order without adding to it."""

_PLAIN: Final = ("yes", "no")
"""The words for an answer to the question whether held orders are played."""

_AFTER_NO: Final = re.compile(r"[,.!;…–]+\s*")
"""Ends the no behind which stands what is meant instead."""

MOST_SETS: Final = 3
"""Different sets of orders that an answer shows to choose from."""


def act_on_places(case: Case, places: Sequence[Place]) -> None:
    """Act on every place that says something.

    Places of one match come in the sequence of the letter, matches in that of their names. A place
    that was cut off is answered and otherwise left alone: half an order is no order.
    """
    cut = [place for place in places if place.understood.said.cut]
    if cut:
        case.tell(answer("too-long", most=MOST_LINES), cut[0].claim)
    whole = [place for place in places if not place.understood.said.cut]
    speaking = of_one_mind(case, [place for place in whole if place.understood.orders_something])
    left, done = MOST_COMMANDS, set[tuple[Hashable, Command]]()
    torn = _torn(case, whole)
    for place in sorted(whole, key=_match_name):
        if _speaks_for(place) in torn:
            continue
        plays = any(place is other for other in speaking)
        left -= _carry_out(case, place, plays, left, done, alone=len(whole) == 1)


def _torn(case: Case, places: Sequence[Place]) -> set[Hashable]:
    """Answer words beside orders that they contradict; return the seats they speak for."""
    torn = set[Hashable]()
    claims_by_seat = {_speaks_for(place): place.claim for place in places if place.claim}
    for key, claim in claims_by_seat.items():
        said = [place.understood for place in places if _speaks_for(place) == key]
        lines = [line for read in said if not read.previews for line in read.lines]
        doubted = any(read.company.way != "alone" for read in said)
        if contradicted := _contradiction(case, claim, lines, doubted=doubted):
            word, beside = contradicted
            case.tell(answer("two-sets", word=word, beside=beside), claim)
            torn.add(key)
    return torn


def _contradiction(
    case: Case, claim: Claim, lines: Sequence[ReadLine], *, doubted: bool
) -> tuple[str, str] | None:
    """Return a line of a seat's that takes back, or answers, and the line that it contradicts.

    Whoever takes back below an order may mean the order; a takeback makes it one of another turn. A
    yes to held orders says that no others are meant, and an order declines what all are asked.
    """
    ordered = [line.text for line in lines if line.order]
    answers = {line.command.word: line.text for line in lines if line.command}
    below = dropwhile(lambda line: line.order is None, lines)
    taken = [
        line.text for line in below if isinstance(line.given, Cancel) and not line.given.numbers
    ]
    # Behind a queue it takes that back.
    taken = [] if any(isinstance(line.given, Queue) for line in lines) else taken
    # Of “I resign! Just kidding, e4” both would be asked about, and a yes could mean either.
    against = {Command("undo"), Command("stop"), *map(Command, FINAL if doubted else ())}
    taken += [line.text for line in lines if line.command in against]
    if ordered and taken:
        return taken[0], ordered[0]
    # While the other side offers a draw, one above an order may accept it, as “Ok, e4” may.
    first = next((line for line in lines if line.order or line.command), None)
    draws = first is not None and first.command == DRAW
    yes = next(filter(None, map(_yes_in, ordered)), "")
    put_kind = _put_to(case, claim) if ordered and (draws or yes) else ""
    if first is not None and draws and put_kind == "draw":
        return first.text, ordered[0]
    if yes and put_kind:
        return yes, ordered[0]
    prose = [line.text for line in lines if line.is_prose]
    if ordered and prose and (agreed := claims.agreed_beside(case, claim, lines)):
        return agreed
    if ANSWERING.isdisjoint(answers):
        return None
    held = {line for kept in confirm.held_under(case, claim) for line in kept.lines}
    if held and "agree" in answers:
        # Talk names no other order that could be meant if it cannot be played.
        loaded, tongue = ledger.load_match(case.change, claim.match), case.tongue_of(claim.match)
        meant = [(line.text, line.entry) for line in lines if line.entry]
        meant += [
            (text, ListedOrder(order))
            for text in prose
            for order in orders_told(text, tongue)
            if match.preview(loaded.live, claim.seat.seat, [order]).refusal is None
        ]
        for text, entry in meant:
            same = (entry, *ledger.as_meant(loaded, [entry]))
            if held.isdisjoint(write_line(loaded.game, one) for one in same):
                return answers["agree"], text
    # A yes or no that is an order in the game ends it at times, so that no doubt goes with it.
    doubts = (
        text
        for text in prose
        if not is_harmless(text, apart=True) or not _ANNOUNCING.isdisjoint(words_in(text))
    )
    beside = [*ordered, *doubts]
    put = votes.question_open_to(case, claim) if beside else None
    for word in sorted(answers.keys() & ANSWERING) if beside else ():
        asked = ordered and put is not None and word == "agree"
        plays = (ordered or put is None) and claims.order_of_answer(case, claim, word)
        if asked or plays:
            return answers[word], beside[0]
    return None


def _yes_in(text: str) -> str:
    """Return the part of a line that says yes, if any: the “Ok” of “Ok, e4”."""
    parts = (part for said in SENTENCE.split(with_stops(text)) for part in CLAUSE.split(said))
    for part in parts:
        spoken = spoken_answer((ReadLine(part.strip()),), "end")
        if spoken is not None and spoken[1] == "agree":
            return part.strip(" .")
    return ""


def _put_to(case: Case, claim: Claim) -> str:
    """Return the kind of question that the others have put to a seat; nothing without one."""
    put = votes.question_open_to(case, claim)
    return "" if put is None else put.kind


def _carry_out(
    case: Case,
    place: Place,
    plays: bool,
    most: int,
    done: set[tuple[Hashable, Command]],
    *,
    alone: bool,
) -> int:
    """Act on one place of a letter, line by line; return how many commands it held.

    Its orders stand or fall together, so they are played where the first of them stands. In a match
    that has not begun agreeing comes last: words for chance, for instance, come too late once it
    begins. ``most`` is how many commands are still allowed; those ``done`` are not done again.
    ``alone``: no other place of the letter says anything.
    """
    understood = place.understood
    lines = {line.command: line.text for line in reversed(understood.lines) if line.command}
    key: Hashable = place.asked.id if place.asked else _speaks_for(place)
    wanted = tuple(word for word in dict.fromkeys(understood.commands) if (key, word) not in done)
    commands: Sequence[Command] = wanted[:most]
    done.update((key, command) for command in commands)
    room = max(most - len(commands), 0)
    count = len(commands) + min(len(understood.given), room)
    claim = place.claim
    begins = claim is None or claim.match.state == "invited"
    if claim is not None:
        # An old code may stand in a report that was passed on or published long ago.
        latest = codes.code_of(case.change, claim.match, claim.seat)
        place.old = claim.match.state not in UNFINISHED or claim.code.code != latest
    lone = understood.company.way == "alone" and len(understood.lines) - len(understood.talk) == 1
    place.alone = (
        alone and lone and not any(_more_than_courtesy(line.text) for line in understood.talk)
    )
    if claim is None and any(command.word == "join" for command in commands):
        place.luck = luck_in(commands)
    if begins and any(command.is_nearly("luck") for command in commands):
        # The match may begin with a yes, and then the unread words would come too late.
        commands = [command for command in commands if command.word != "agree"]
    if place.asked is not None:
        commands = hear_answer(case, place, place.asked, commands)
    commands = _undisputed(case, place, commands, lines)
    if claim is not None and place.problem is not None:
        # What is said beside an order for another match may be meant for that one, too.
        commands = [command for command in commands if _ACTS[command.word].needs != "seat"]
    ordering = [line.text for line in understood.lines if line.order or line.given or line.fault]
    answering = unclear.nearly_answering(understood.lines)
    asked_before = unclear.question_meant(case, place.asked or claim if answering else None)
    for step in _steps(understood, commands, begins=begins):
        case = refreshed(case)
        case.reply.lines = (lines.get(step, ""),) if step else tuple(ordering[: claims.MOST_NAMED])
        if step is not None:
            # An offer goes with the orders beside it, and luck with a seat.
            apart = step.word == "draw" and understood.orders_something and not plays
            if not apart and not (place.luck and step.word == "luck"):
                obey_command(case, place, step)
        elif plays and claim is None:
            refuse_place(case, place)
        elif plays and place.problem is not None:
            case.tell(place.problem, claim)
        elif plays and claim is not None:
            # Earlier lines of the letter may have ended the claim.
            now = claims.check_claim(case, claim.code)
            if isinstance(now, Answer):
                case.tell(now)
            else:
                orders.submit_orders(case, now, place.understood, room)
    case.reply.lines = ()
    if too_many := wanted[most:]:
        left_out = [lines[command] for command in too_many[: claims.MOST_NAMED]]
        case.tell(answer("too-many", most=MOST_COMMANDS, lines=left_out), claim)
    unclear.answer_nearly_yes(refreshed(case), answering, place.asked or claim, asked_before)
    return count


def with_answer(case: Case, place: Place) -> Understood:
    """Return a place as understood; an awaited yes or no is read in its writer's own words."""
    understood, claimed = place.understood, place.asked or place.claim
    if isinstance(claimed, Claim) and (again := _said_again(case, claimed, understood)):
        return again
    answers = any(command.word in ANSWERING for command in understood.commands)
    if answers or not (spoken_answer(understood.lines) or spoken_answer(understood.lines, "end")):
        return understood
    meant = unclear.question_meant(case, claimed)["meant"]
    to: AskedOf = "end" if meant != "question" or _is_final(claimed) else "orders"
    if meant == "play" or (isinstance(claimed, QuestionRow) and not _is_final(claimed)):
        to = "seat"
    draws = isinstance(claimed, Claim) and _put_to(case, claimed) == "draw"
    found = spoken_answer(understood.lines, to, draws=draws)
    if found is None:
        return understood
    at, word, sentence = found
    text, others = understood.lines[at].text, (*understood.lines[:at], *understood.lines[at + 1 :])
    if word == "agree" and _reserved(case, claimed, understood, sentence):
        return understood
    # With orders beside it a yes to what is asked is asked about.
    both = word == "agree" and bool(understood.orders) and meant in {"draw", "undo"}
    # Behind a no may stand what is meant instead: “No! Sorry, I meant Nf3.”
    if (
        understood.orders_something
        and not both
        and (word == "agree" or not all(line.is_talk for line in others))
    ):
        return understood
    beside = "" if understood.company.way == "alone" else understood.company.words
    # With more talk it may mean anything, but for words about the very thing that is asked.
    all_words = words_in(" ".join(line.text for line in understood.lines))
    about = meant == "undo" and word == "agree" and _UNSURE.isdisjoint(all_words)
    if beside not in {"", sentence, understood.lines[at].spoken} and not about:
        return understood
    if meant == "nothing":
        # In the game it is an order, where nothing else is said.
        bare = words_for("yes") | words_for("no") | words_for("polite") | class_words("common")
        behind = text.partition(sentence.rstrip("."))[2]
        words = " ".join(words_in(strip_courtesy(sentence)))
        if not (
            isinstance(claimed, Claim)
            and not understood.orders_something
            and bare.issuperset(AGREED.sub("", words).split())
            and is_harmless(behind, apart=True)
            and order_in(behind, case.tongue_of(claimed.match)) is None
            and claims.order_of_answer(case, claimed, word)
        ):
            return understood
    more: Sequence[ReadLine] = ()
    if word == "decline" and isinstance(claimed, Claim):
        rest = _AFTER_NO.split(with_stops(text), maxsplit=1)[1:]
        instead = Said("text", lines=tuple(map(WrittenLine, rest)))
        tongue = case.tongue_of(claimed.match)
        more = understand(instead, tongue).lines
        # “No, d4 is better.”
        named = [order for line in rest for order in orders_told(line, tongue)]
        doubts = not class_words("negation").isdisjoint(words_in(" ".join(rest)))
        if len(named) == 1 and not doubts and all(line.is_talk for line in more):
            more = [replace(ordering_line(rest[0], ListedOrder(named[0])), spoken=rest[0])]
    spoken = next((line.spoken for line in more if line.spoken), "")
    # An order in its line stays: it contradicts the yes.
    kept = understood.lines[at : at + 1] if both and understood.lines[at].order is not None else ()
    line = ReadLine(sentence if kept else text, command=Command(word))
    return replace(
        understood,
        lines=(*understood.lines[:at], line, *kept, *more, *understood.lines[at + 1 :]),
        company=Company("contradicted", spoken) if spoken else ALONE,
    )


def _is_final(claimed: Claim | QuestionRow | None) -> bool:
    """Return whether a yes would do something that cannot be taken back, such as resigning."""
    if not isinstance(claimed, QuestionRow):
        return False
    return any(command.word in FINAL for command in confirm.commands_of(claimed))


def _reserved(
    case: Case, claimed: Claim | QuestionRow | None, understood: Understood, sentence: str = ""
) -> str:
    """Return talk beside a yes that may take something of it back; nothing if all is well.

    Such talk refuses, restricts or announces something. Beside a yes to a draw it may also doubt,
    ask, or speak of orders, and behind it on its line it is all but courtesy and wishes; of taking
    back, a yes to just that may speak; beside one that is final it is all but courtesy. Joining is
    no such matter: more can be said to it, and it can be left again, so only what puts off counts,
    and on its line. ``sentence`` is the yes itself, if it stands in a line of talk.
    """
    meant, final = unclear.question_meant(case, claimed)["meant"], _is_final(claimed)
    asked = isinstance(claimed, Claim) or final
    if meant == "nothing" or not asked:
        return ""
    put = meant in {"draw", "undo"}
    doubting = _UNSURE if meant == "undo" else DOUBTING | class_words("handling", "order")
    grave = _RESERVING | doubting if put else _RESERVING
    for line in understood.lines:
        if not line.is_prose:
            continue
        yes = sentence.rstrip(".")
        behind = bool(yes) and yes in line.text
        text = line.text.partition(yes)[2] if behind else line.text
        for beside in _more_than_courtesy(text):
            words = words_in(CHEER.sub("", beside))
            if meant == "play":
                if behind and not _PUTTING_OFF.isdisjoint(words) and "?" not in beside:
                    return beside
                continue
            # “Yes. I agree.”
            again = meant == "draw" and spoken_answer((ReadLine(beside),), "end")
            if again and again[1] == "agree":
                continue
            speaks = final or not grave.isdisjoint(words) or (behind and meant == "draw" and words)
            asks = put and ("?" in beside or NAMED_SPACE.search(beside) is not None)
            if speaks or asks:
                return beside
    return ""


def _more_than_courtesy(text: str) -> list[str]:
    """Return the sentences of talk that do more than greet, thank, wish and sign."""
    sentences = SENTENCE.split(with_stops(text))
    return [said for said in sentences if REFUSING.search(said) or not is_sign_off(said)]


def _said_again(case: Case, claim: Claim, understood: Understood) -> Understood | None:
    """Return a place that only says yes and gives held orders once more, “yes, e4”, as these."""
    spoken = [line for line in understood.lines if not line.is_talk]
    first = next(iter(spoken or understood.lines), ReadLine(""))
    yes_word, _, rest = first.text.partition(" ")
    already_read = first.command or first.given or first.fault
    if spoken[1:] or already_read or understood.company.words not in {"", first.text}:
        return None
    if words_for("yes").isdisjoint(words_in(yes_word)):
        return None
    kept_lines = [line for kept in confirm.held_under(case, claim) for line in kept.lines]
    if not kept_lines:
        return None
    tongue = case.tongue_of(claim.match)
    entries = entries_in(rest, tongue)
    # Beside it stand a verb and courtesy at most: “Yes please, play Nf3”.
    told = None if entries else order_in(rest, tongue)
    if told is not None:
        wordy = (word for word in rest.split() if not any(map(str.isdecimal, word)))
        beside = words_in(" ".join(wordy))
        allowed = _MEANING.union(words_in(tongue.write(told)))
        entries = (told,) if allowed.issuperset(beside) else ()
    meant = ledger.as_meant(ledger.load_match(case.change, claim.match), entries)
    if [write_line(tongue.game, entry) for entry in meant] != kept_lines:
        return None
    ordering = tuple(ordering_line(rest, entry) for entry in entries)
    return replace(understood, lines=ordering, company=ALONE)


def _undisputed(
    case: Case, place: Place, commands: Sequence[Command], lines: Mapping[Command, str]
) -> Sequence[Command]:
    """Return the commands that nothing in the letter contradicts; answer the first of the others.

    What only asks does no harm, nor do a note and words for chance, and what is final is asked
    about anyway. Words that say no contradict no ``no``, and the text of a message not the message.
    A sentence that an order is part of doubts that order, and neither a setting nor a no above it.
    """
    company, said = place.understood.company, {command.word for command in commands}
    other = next((line for command, line in lines.items() if command.word == "decline"), "")
    beside = company.words if company.way == "contradicted" else ""
    put = None if place.claim is None or DRAW not in commands else _put_to(case, place.claim)
    # Whoever offers a draw that is offered to them agrees to it.
    if put == "draw":
        said.add("agree")
        asks = "?" in lines[DRAW]
        talk = (line.text for line in place.understood.lines if line.is_prose)
        beside = beside or next((text for text in talk if asks and not is_courtesy(text)), "")
    if "agree" in said:
        beside = beside or _reserved(case, place.claim, place.understood)
    beside = beside or (other if said >= ANSWERING else "")
    harmless = {*ASKING, *FINAL, "luck", "note", "preview", "unclear"}
    if says_no(beside) and "agree" not in said:
        harmless.add("decline")
    if any(line.spoken == beside for line in place.understood.lines):
        harmless |= {"set", "decline"}
    # “I mistyped it” says why.
    if not class_words("correcting").isdisjoint(words_in(beside)):
        harmless.add("undo")
    own = {line.command: line.open_text.partition("\n\n")[0] for line in place.understood.lines}
    disputed = [
        command
        for command in commands
        if beside and command.word not in harmless and beside not in own.get(command, "")
    ]
    if disputed:
        clash = answer("two-sets", word=lines[disputed[0]], beside=beside)
        case.tell(clash, place.claim)
    return [command for command in commands if command not in disputed]


def _steps(
    understood: Understood, commands: Sequence[Command], *, begins: bool
) -> Iterator[Command | None]:
    """Yield commands in the order of their lines, None for the orders.

    Three leave their line: the language comes first, and last what is offered beside orders, or
    agreeing to a match that begins.
    """
    steps: list[Command | None] = []
    for line in understood.lines:
        step = line.command if line.command in commands else None
        if step not in steps and (step or line.order or line.given or line.fault):
            steps.append(step)
    if understood.faults and None not in steps:
        steps.append(None)

    def last(step: Command | None) -> int:
        # The whole answer is in the new language.
        if step is not None and step.arguments[:1] == ("language",) and step.word == "set":
            return -1
        return step is not None and (step.word == "draw" or (begins and step.word == "agree"))

    yield from sorted(steps, key=last)


def of_one_mind(case: Case, wanting: Sequence[Place]) -> list[Place]:
    """Return one place for every seat, or problem without one; ask back where two differ."""
    by_seat: dict[Hashable, list[Place]] = {}
    for place in wanting:
        by_seat.setdefault(_speaks_for(place), []).append(place)
    agreed = []
    for group in by_seat.values():
        claim = group[0].claim
        said = (place.understood for place in group)
        different = {(read.entries, read.given, read.unreadable): read for read in said}
        if len(different) == 1 or claim is None:
            agreed.append(group[0])
            continue
        sets: list[tuple[str, ...]] = []
        readable = all(read.lines and not read.unreadable for read in different.values())
        if readable and len(different) <= MOST_SETS:
            game = case.game_of(claim.match)
            sets = [
                tuple(
                    text
                    for line in read.lines
                    if line.order is not None or line.given is not None
                    for text in written(line, game, case.player.language)
                )
                for read in different.values()
            ]
        case.tell(answer("two-sets", sets=sets), claim)
    return sorted(agreed, key=_match_name)


def _speaks_for(place: Place) -> Hashable:
    """Return a place's match and seat, or the problem it has instead."""
    if place.claim is None:
        return place.problem and place.problem.key, place.named and place.named.match.id
    return place.claim.match.id, place.claim.seat.seat


def _match_name(place: Place) -> str:
    return place.claim.match.name if place.claim else ""


def obey_command(case: Case, place: Place, command: Command) -> None:
    """Carry out a command of a place of a letter.

    Without the code it needs, it is confirmed by mail or answered with the problem, once.
    """
    claim, act = place.claim, _ACTS.get(command.word)
    # Else its mails to others, or to a watcher, had no bound.
    if case.unanswered and command.word not in BOUNDED:
        return
    # Whoever joins has no seat yet, so there is no code to ask for.
    if command.word == "join":
        join.ask_to_join(case, command, place.luck)
        return
    if act is None:
        return
    if act.needs == "nothing" or (act.needs == "seat" and claim is not None):
        _run(case, claim, command)
        return
    if act.needs == "seat":
        refuse_place(case, place)
        return
    # The address mail goes to decides who the player is from then on; no code in a letter suffices
    # for it, as codes stand in reports, and reports are passed on.
    grave = (command.word, *command.arguments[:1]) == ("set", "address")
    if act.final:
        # A seat is given away only by a letter that says nothing else, under the latest code.
        grave = not place.alone or (command.word == "resign" and place.old)
    if claim is not None and not grave:
        # A command about a seat may name its match; that must be the code's.
        named = command.arguments[0] if act.seated and command.arguments else claim.match.name
        if named != claim.match.name:
            case.tell(answer("wrong-match", named=named, belongs=claim.match.name), claim)
        else:
            _run(case, claim, command)
    elif place.problem is None:
        # Without any code the registered address is asked. A wrong code is answered instead.
        talked = claim is not None and act.final and not place.old
        if claim is not None and act.seated and not command.arguments:
            command = Command(command.word, (claim.match.name,))
        _ask_back(case, command, talked=talked)
    # Any of the codes of several matches would do for what is about the player.
    elif place.problem.key == claims.SEVERAL and not act.seated and not grave:
        _run(case, None, command)
    else:
        refuse_place(case, place)


def refuse_place(case: Case, place: Place) -> None:
    """Answer, once, why a place of a letter is not acted on."""
    if not place.refused:
        tell_problem(case, place)
    place.refused = True


def _run(case: Case, claim: Claim | None, command: Command) -> None:
    """Carry out a command, for a seat only if no earlier line of the letter gave it away."""
    act = _ACTS[command.word]
    now = None if claim is None else claims.check_claim(case, claim.code)
    if isinstance(now, Answer):
        if act.seated or act.needs == "seat":
            case.tell(now)
            return
        now = None
    if said := act.wrong(case, command) or act.do(case, now, command):
        case.tell(said, now)


def _ask_back(case: Case, command: Command, *, talked: bool) -> None:
    """Ask for a confirmation of a command that came without a code, or beside talk."""
    act = _ACTS[command.word]
    if act.seated and not command.arguments:
        rows = players.matches_of(case.connection, case.player.id)
        # Only a player's one match goes without saying.
        if len(rows) != 1:
            names = [row.name for row in rows]
            word = case.catalogue.keyword(command.word)
            case.tell(answer("which-match", word=word, open=names))
            return
        command = Command(command.word, (rows[0].name,))
    bound = _claim_of(case, command) if act.seated else None
    if act.seated and bound is None:
        case.tell(answer("not-seated", named=command.arguments[0]))
    elif bound is not None and bound.match.state not in UNFINISHED:
        case.tell(answer("match-over", state=players.told_state(bound.match)), bound)
    elif fault := act.wrong(case, command):
        case.tell(fault)
    elif settings.needs_no_yes(case, command):
        _run(case, None, command)
    else:
        case.reply.wanted.append(settings.canonical_command(case, command))
        case.reply.talked = talked


def _claim_of(case: Case, command: Command) -> Claim | None:
    """Return the player's claim in the match a command names, as if it came with a code."""
    named = next(iter(command.arguments), "")
    row = play_matches.find_match(case.connection, named)
    if row is None:
        return None
    mine = play_matches.seats_of_player(case.connection, case.player.id, row.id)
    return claims.claim_on(case.change, row, mine[0]) if mine else None


def _answer(case: Case, claim: Claim, command: Command) -> Answer | None:
    """Play or take back the held orders of a seat, or take its answer to what it was asked.

    In a game a yes or no may be an order, where all are asked nothing.
    """
    said, agrees = words_in(case.reply.first_line), command.word == "agree"
    # “Agree” and “decline” are said to nobody but the referee.
    named = any(Catalogue(language).keyword(command.word) in said for language in LANGUAGES)
    put = votes.question_open_to(case, claim)
    if not named and (unsure := _beside_the_question(case, claim, put)):
        return unsure
    meant = _meant(case, claim, put, said, named=named)
    if agrees and put is not None and meant == "either":
        return answer("which-yes", draw=put.kind == "draw")
    act = orders.play_at_once if agrees else orders.take_back_held
    if meant != "question" and act(case, claim):
        return None
    order = None if put else claims.order_of_answer(case, claim, command.word)
    if order is not None:
        orders.submit_orders(case, claim, order)
        return None
    if agrees:
        return votes.accept_invitation(case, claim, command)
    return None if case.unanswered else votes.decline_invitation(case, claim, command)


def _beside_the_question(case: Case, claim: Claim, put: QuestionRow | None) -> Answer | None:
    """Return the answer to a yes or no to somebody's message, which may ask something else."""
    mail = claims.answered_mail(case.connection, case.letter)
    if mail is None or mail.kind != "notice" or mail.arrived is None:
        return None
    # Of message and question the mail tells the one that was kept last before it was written.
    row, seat = claim.match, claim.seat.seat
    latest = messages.latest_by_others(case.connection, row.id, seat, mail.created)
    meaning = unclear.question_meant(case, claim)
    if latest is None or latest.created < mail.arrived or meaning["meant"] == "nothing":
        return None
    if put is not None and latest.created <= put.created <= mail.created:
        return None
    return unclear.ask_plainly(case, meaning, [case.reply.first_line], "message")


def _meant(
    case: Case, claim: Claim, put: QuestionRow | None, said: Collection[str], *, named: bool
) -> Literal["orders", "question", "either"]:
    """Return whether a yes or no is for the held orders of a seat or for a question put to it.

    “I accept the draw” names it. Else it is for what the mail told of that it answers; an answer
    tells of held orders. “Agree” and “decline” are the words for questions, but in answer to a
    receipt of orders they may be for either; so may “yes” anywhere else, while “no” takes back what
    is held.
    """
    kept_orders = confirm.held_under(case, claim)
    if put is None or not kept_orders:
        return "orders" if kept_orders else "question"
    if any(KEYWORDS.get(word) == put.kind for word in said):
        return "question"
    mail = claims.answered_mail(case.connection, case.letter)
    if mail is not None and (mail.match_id, mail.seat) == (claim.match.id, claim.seat.seat):
        since = min(kept.hold.arrived for kept in kept_orders if kept.hold)
        told = mail.arrived is not None and mail.arrived >= since
        if told and mail.kind == "receipt":
            return "either" if named else "orders"
        # An answer asks for just these two; “agreed” or “ok” may be for what another asks.
        catalogues = map(Catalogue, LANGUAGES)
        plain = {words.say(f"invitation.{yes}") for words in catalogues for yes in _PLAIN}
        answers = (words_for("yes") | words_for("no")).intersection(said)
        if told and mail.kind == "answer" and not named and answers and answers <= plain:
            return "orders"
        if mail.kind == "notice" and mail.created >= put.created:
            return "question"
    return "question" if named else "either"


def _undo(case: Case, claim: Claim, command: Command) -> Answer | None:
    """Take back the held orders of a seat as ``withdraw`` does, or else what it has played."""
    if orders.take_back_held(case, claim) or case.unanswered:
        return None
    return votes.ask_undo(case, claim, command)


class _Act(Value):
    """A command's function, which may return its answer, and what it needs to be obeyed.

    Some need ``nothing``, as they change nothing: the answer goes to the registered address. One
    about the ``player`` or one of their seats needs any live code of theirs, or is confirmed by
    mail. Others need the code of the very ``seat``. ``seated``: it is about the seat of the match
    it names, or of the code. ``final``: it ends a seat, or the reading of a match. ``wrong``
    returns the answer to a command that is impossible in any case.
    """

    do: Callable[[Case, Any, Command], Answer | None]
    needs: Literal["nothing", "player", "seat"]
    wrong: Callable[[Case, Command], Answer | None] = lambda _, __: None
    seated: bool = False
    final: bool = False


_ACTS: Final[Mapping[str, _Act]] = {
    "help": _Act(lambda *_: answer("help"), "nothing"),
    "rules": _Act(ask.send_rules, "nothing"),
    "matches": _Act(ask.list_matches, "nothing"),
    "show": _Act(ask.send_board, "nothing"),
    "settings": _Act(settings.list_settings, "nothing"),
    "unclear": _Act(unclear.correct_command, "nothing"),
    "set": _Act(settings.change_setting, "player", settings.answer_bad_value),
    "away": _Act(settings.obey_away, "player", settings.answer_bad_days),
    "watch": _Act(join.watch_match, "player", join.answer_unwatchable),
    "stop": _Act(join.end_watching, "player", join.answer_nothing_to_stop, final=True),
    "leave": _Act(join.leave_match, "player", seated=True, final=True),
    "resign": _Act(join.resign_by_mail, "player", seated=True, final=True),
    "agree": _Act(_answer, "seat"),
    "decline": _Act(_answer, "seat"),
    "luck": _Act(votes.give_luck, "seat"),
    "message": _Act(message.pass_message, "seat"),
    "note": _Act(message.keep_seat_note, "seat"),
    "undo": _Act(_undo, "seat"),
    "draw": _Act(votes.offer_draw, "seat"),
}

FINAL: Final = frozenset(word for word, act in _ACTS.items() if act.final)
"""Commands that end a seat, or the reading of a match."""

BOUNDED: Final = FINAL | ANSWERING | {"undo"}
"""Commands that are carried out though no more answers may be written.

They end something, or play and take back a seat's own orders; a yes has been asked for.
"""

ASKING: Final = frozenset(
    word for word, act in _ACTS.items() if act.needs == "nothing" and word != "unclear"
)
"""Commands that only ask: they change nothing, so they need no code."""


def hear_answer(
    case: Case, place: Place, question: QuestionRow, commands: Sequence[Command]
) -> Sequence[Command]:
    """Act on the answer to a question; return the commands that do not answer it."""
    said = {command.word for command in commands} & ANSWERING
    rest: Sequence[Command] = [command for command in commands if command.word not in ANSWERING]
    company = place.understood.company
    beside = company.words if company.way == "contradicted" else ""
    if "agree" in said:
        beside = beside or _reserved(case, question, place.understood)
    if said == ANSWERING:
        beside = beside or case.catalogue.keyword("decline")
    if not said:
        return rest
    # Only the new address itself can say yes; its letters are heard in ``strangers``.
    if question.kind != "command":
        case.tell(answer("foreign-code"))
    elif not confirm.still_waits(question, case.row.arrived):
        granted = "agree" in said and question.state == "granted"
        case.tell(answer("question-old", granted=granted))
    # A yes and a no in one letter are neither.
    elif "agree" in said and beside:
        case.tell(answer("two-sets", word=case.catalogue.keyword("agree"), beside=beside))
    elif "decline" in said:
        questions.settle_question(case.connection, question.id, "declined")
        case.tell(answer("question-declined"))
    elif questions.settle_question(case.connection, question.id, "granted"):
        for confirmed in confirm.commands_of(question):
            if confirmed.word == "join":
                # Words for chance count only together with joining, before the match begins.
                luck = luck_in(rest)
                rest = [command for command in rest if command.word != "luck"]
                join.join_match(case, confirmed, question.document.shown, luck)
                continue
            seated = _ACTS[confirmed.word].seated
            claim = _claim_of(case, confirmed) if seated else None
            if seated and claim is None:
                case.tell(answer("question-old"))
            else:
                _run(case, claim, confirmed)
    return rest
