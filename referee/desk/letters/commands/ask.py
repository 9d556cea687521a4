"""The commands that only ask: ``help``, ``rules``, ``matches``, ``show``."""

from __future__ import annotations

from contextlib import suppress

from referee.desk import players
from referee.desk.letters.case import Case, Claim, not_begun
from referee.desk.letters.claims import claim_on, orders_to_propose
from referee.desk.letters.words.keywords import Command
from referee.desk.matches import broken, ledger, standing_orders
from referee.games import registry
from referee.games.play import complete_options, opening_order
from referee.render.answers import Answer, answer, match_line
from referee.render.words import rules as render_rules
from referee.render.words.moments import moment_text
from referee.render.words.wording import Wording
from referee.store.play import matches as play_matches
from referee.store.states import ENDED


def send_rules(case: Case, claim: Claim | None, command: Command) -> None:
    """Send the short rules of the game named, else of the code's game or of the player's."""
    rows = (
        [claim.match]
        if claim and not command.arguments
        else players.matches_of(case.connection, case.player.id)
    )
    wanted = command.arguments or tuple(row.game for row in rows)
    asked: dict[tuple[str, int | None], None] = dict.fromkeys(
        (row.game, row.edition) for row in rows if row.game in wanted
    )
    games = []
    for name, edition in asked or [(name, None) for name in wanted]:
        # A game that is not installed has no words of its own to send.
        with suppress(LookupError):
            games.append(case.desk.find_game(name, edition))
    for game in games:
        # Options are told only if all the player's matches of the game share them.
        played = [row for row in rows if (row.game, row.edition) == (game.name, game.edition)]
        same = all(row.options == played[0].options for row in played)
        options = played[0].options if played and same else None
        wording, seats = Wording(game, case.player.language), game.colours[: game.seats[0]]
        order = opening_order(game, seats, options or complete_options(game))
        name, blocks = wording.word("game", "name"), render_rules.rules_blocks(wording, order)
        numbered = any(block.numbered for block in blocks)
        if options:
            blocks = (*render_rules.options_blocks(wording, options), *blocks)
        said = answer("rules", name=name, blocks=blocks, numbered=numbered, options=options)
        # Another game has no word for the seat of this match.
        case.tell(said, claim if claim and claim.match.game == game.name else None, game=game)
    if not games:
        known = [] if wanted else sorted({game.name for game in registry.installed_games().all()})
        case.tell(answer("rules", games=known))


def list_matches(case: Case, _: Claim | None, __: Command) -> Answer:
    """Return the list of the player's matches, finished ones too."""
    rows = players.matches_of(case.connection, case.player.id, finished=True)
    seats = play_matches.seats_of_player(case.connection, case.player.id)
    first = {seat.match_id: seat.seat for seat in reversed(seats)}
    catalogue, zone, entries = case.catalogue, case.player.zone, list[str]()
    for row in rows:
        mine = first[row.id]
        try:
            with broken.faults_as_broken(row):
                wording, kept = case.wording_of(row), None
                until = due = asked = None
                # Loading is slow, and only a running match can ask for anything.
                if row.state == "running":
                    loaded = ledger.load_match(case.change, row)
                    asked = loaded.live.scene(mine).asked
                    kept = standing_orders.held_orders(case.connection, loaded, mine)
                    if kept is not None and kept.until is not None:
                        until = moment_text(kept.until, zone, catalogue)
                    due = None if row.due is None else moment_text(row.due, zone, catalogue)
                one = match_line(
                    catalogue,
                    players.told_state(row),
                    match=row.name,
                    game=wording.word("game", "name"),
                    seat=wording.seat(mine),
                    turn=row.turn,
                    to_act=wording.seat(row.to_act) if row.to_act else None,
                    mine=row.to_act == mine,
                    asked=asked is not None,
                    due=due,
                    held=until,
                    yes=kept is not None and until is None,
                )
        # The other matches are listed all the same.
        except broken.BrokenMatch:
            one = match_line(catalogue, "broken", match=row.name, game=row.game, seat=mine)
        entries.append(one)
    return answer("matches", entries=entries)


def send_board(case: Case, claim: Claim | None, command: Command) -> None:
    """Send the board of a match, as it is or was.

    The view is that of the player's own seat, and it goes to the registered address.
    """
    rows = [claim.match] if claim else players.matches_of(case.connection, case.player.id)
    # One that was called off never began.
    begun = [row for row in rows if row.header is not None]
    if not begun:
        over = claim is not None and claim.match.state in ENDED
        said = answer("match-over", state=players.told_state(rows[0])) if over else None
        case.tell(said or not_begun(case, claim), claim)
        return
    row = begun[0]
    loaded = ledger.load_match(case.change, row)
    seat = (
        claim.seat
        if claim
        else next(seat for seat in loaded.seats if seat.player_id == case.player.id)
    )
    asked = int(command.arguments[0]) if command.arguments else row.turn
    # A turn still to come shows the present board; the answer says so.
    turn = min(asked, row.turn)
    live = loaded.live
    if turn < row.turn:
        if ledger.was_pruned(case.connection, row):
            case.tell(answer("show-pruned", named=row.name), claim)
            return
        live = ledger.match_at_turn(case.connection, loaded, turn)
    bound = claim or claim_on(case.change, row, seat)
    said = answer(
        "show",
        turn=live.turn.number,
        asked=asked if asked > turn else None,
        scene=live.scene(seat.seat),
        others=[row.name for row in begun[1:]],
        legal=orders_to_propose(case, bound) if bound and turn == row.turn else (),
    )
    case.tell(said, bound)
