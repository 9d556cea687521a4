"""SGF of go: read by a reader that is not ours, and taken from whoever wrote it."""

from __future__ import annotations

import re

import pytest
from referee_classics.go import GAME
from referee_classics.go.sgf import read_sgf, write_sgf
from sgfmill.sgf import Sgf_game

from referee.games.game import BadDocument, Result, Transcript, replace
from referee.games.play import complete_options, play

pytestmark = pytest.mark.fast

MOVES = """
qd dc pq oc cp cf ep qo pe np po pp op qp oq oo pn qq nq on pm om pl mp mq ol pk lq lr kr lp kq qr
rr rs mr nr pr ps qs no mo qr rm rl qs lo mn qr qm or ql qj rj ri rk ln mm qi rq jn ls ns gq go ck
kc ic pc nj ke og oh pb qb ng mi mj nd ph qg pg hq hr ir iq hp jr fc lc ld mc lb mb md qf pf qh rg
rh sh rf sg pj pi oi oj ni qk ok qe kb jb ka jc ob ja la db cc fe cn gr is fq io ji eb fb eg dj dk
ej cj dh ij hm gj eh fl fg er dm fn dn gn jj jk kk ii ik jl kl il jh co do ih hn hl bl dg gh ch ig
ec cr fd gd ed gc bk cm gs gp li kg in lj lg gm jf jg im fm kf lf mf le gf hf ff gg lk kj km lm ll
jm ge he ef ea cb fr fs dr qa ra pa rb da gi fj fi fa ga gl ek em ho el en jo kn ci lh mh mg di ei
lg qn rn re sl mg bm am lg eq es mg ha gb lg ds hs mg sj si lg sr sq mg hd hb lg ro so mg ss qs lg
sn rp mg cl bn lg ml mk mg pj sf lg nn nl mg ib ia lg nc nb mg jd kd lg ma na mg qc rc lg js ks mg
hc id lg fk hj mg hh hg lg gk hk mg ak lg al bm nf od ki ms kp ip jp lr oj mr ea sr
"""
"""The ear-reddening game: Yasuda (later Honinbo) Shusaku and Inoue Gennan Inseki, 1846."""

PAIRS = MOVES.split()

EARS = "".join(
    (
        "(;GM[1]FF[4]SZ[19]KM[0]RU[Japanese]PB[Yasuda Shusaku]PW[Inoue Gennan Inseki]",
        "DT[1846-09-11]RE[B+2]",
        *(f";{'BW'[number % 2]}[{pair}]" for number, pair in enumerate(PAIRS)),
        ")",
    )
)


def only(text: str) -> Transcript:
    """Return the one game of a text."""
    [transcript] = read_sgf(GAME, text)
    return transcript


def played(transcript: Transcript):
    """Return the position that a game comes to by the rules."""
    start = GAME.start(transcript.seats, complete_options(GAME, transcript.options))
    done = play(GAME, start, [GAME.parse(order, "en") for order in transcript.orders])
    assert done.refusal is None, done.refusal
    return done.position


def test_a_game_of_masters_is_replayed_to_its_end():
    """Shusaku's game of 1846, with its kos, and the move at K11 at which ears reddened."""
    transcript = only(EARS)
    position = played(transcript)

    assert len(transcript.orders) == 325
    assert transcript.orders[126] == "K11"
    assert position.moves == transcript.orders
    assert transcript.players == {"black": "Yasuda Shusaku", "white": "Inoue Gennan Inseki"}
    assert transcript.result.places == {"black": 1, "white": 2}
    assert transcript.began == "1846-09-11"


@pytest.mark.parametrize(
    ("ending", "told"), [("resigned", "B+R"), ("late", "B+T"), ("declared", "B+F")]
)
def test_a_result_by_hand_says_how_it_came(ending, told):
    """By resignation, on time, or otherwise: in the words of the format."""
    result = Result(ending, {}, {"black": 1, "white": 2})
    written = write_sgf(GAME, replace(only(EARS), match="go-7", result=result))
    assert Sgf_game.from_string(written).get_root().get("RE") == told


def test_what_is_written_is_read_by_another_program():
    """Its reader finds size, komi, names, date, result and every move; the lines are narrow."""
    ears = only(EARS)
    written = write_sgf(GAME, replace(ears, match="go-7", result=Result("resigned", {}, {
        "black": 1, "white": 2,
    })))  # fmt: skip
    other = Sgf_game.from_string(written)

    assert (other.get_size(), other.get_komi(), other.get_winner()) == (19, 0, "b")
    assert other.get_player_name("b") == "Yasuda Shusaku"
    root = other.get_root()
    assert [root.get(name) for name in ("RE", "DT", "RU", "GN")] == [
        "B+R", "1846-09-11", "Japanese", "go-7",
    ]  # fmt: skip
    moves = [node.get_move()[1] for node in other.get_main_sequence()[1:]]
    assert [f"{chr(97 + column)}{chr(115 - row)}" for row, column in moves] == PAIRS
    assert max(len(line) for line in written.splitlines()[1:]) < 80
    assert only(written).orders == ears.orders


def test_handicap_and_passes_are_written_and_the_talk_about_dead_stones_is_not():
    """Passes after which play went on are left out, and the count is the result."""
    options = complete_options(GAME, {"size": "9x9", "handicap": 2})
    lines = ("E5", "pass", "pass", "resume", "E4", "pass", "pass", "dead E5", "done", "done")
    start = GAME.start(("black", "white"), options)
    over = play(GAME, start, [GAME.parse(line, "en") for line in lines]).position
    result = GAME.result(over)
    names = {"black": "A [1] \\ B", "white": "–"}
    written = write_sgf(GAME, Transcript(over.seats, options, over.moves, {}, result, names))

    assert "HA[2]" in written
    assert "KM[0.5]" in written
    assert "AB[gc][cg]" in written
    assert written.endswith("\n;W[ee] ;B[ef] ;W[] ;B[]\n)\n")
    other = Sgf_game.from_string(written)
    assert other.get_player_name("b") == "A [1] \\ B"
    assert re.fullmatch(r"B\+[\d.]+", other.get_root().get("RE"))
    assert only(written).orders == ("E5", "E4", "pass", "pass")
    assert GAME.stones(played(only(written))) == GAME.stones(over)


def test_passes_behind_those_of_both_count_nothing():
    """Under some rules players pass more often, and may go on even then."""
    passed = only("(;SZ[9];B[aa];W[bb];B[];W[];B[];W[])")
    went_on = only("(;SZ[9];B[aa];W[bb];B[];W[];B[];W[];B[cc];W[dd])")

    assert passed.orders == ("A9", "B8", "pass", "pass")
    assert went_on.orders == (*passed.orders, "resume", "C7", "D6")
    assert "C7" in GAME.stones(played(went_on))


def test_the_main_line_alone_is_read():
    """Variations, comments and marks of programs are passed over."""
    text = (
        "\n(;GaMe[1]FF[4]SZ[9]KM[7.0]C[a \\] ( ; ]\n;B[ee]C[best]TR[aa][bb];W[](;B[ec]LB[aa:1]"
        ";W[tt])(;B[gg];W[zz]))\n"
    )
    transcript = only(text.replace("GaMe", "GaM"))

    assert transcript.orders == ("E5", "pass", "E7", "pass")
    assert transcript.options["komi"] == "7"
    assert transcript.places[2] == "move 3 of Black"
    assert transcript.result is None


def test_several_games_are_read_one_after_the_other():
    """The second is not looked at before it is asked for."""
    games = read_sgf(GAME, "(;SZ[9];B[aa])(;SZ[9];B[zz])")

    assert next(games).orders == ("A9",)
    with pytest.raises(BadDocument):
        next(games)


@pytest.mark.parametrize(
    ("result", "ending"),
    [("W+R", "resigned"), ("W+3.5", "counted"), ("W+T", ""), ("W+Forfeit", ""), ("W+", "")],
)
def test_only_what_was_counted_is_told_so(result, ending):
    """A game lost on time ends in no way of its rules."""
    told = only(f"(;SZ[9]RE[{result}];B[ee])").result
    assert told.ending == ending
    assert told.places == {"white": 1, "black": 2}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("(;SZ[9];B[ee];W[jj])", "move 2 of White: 'jj' is no point of a board of 9 lines"),
        ("(;SZ[9];B[ee];B[ef])", "move 2 of Black: the other one is to play"),
        ("(;SZ[9];B[ee];AW[aa])", "move 1: stones are set by hand"),
        ("(;SZ[9]AB[aa][bb])", "AB: stones stand elsewhere"),
        ("(;SZ[9]HA[9])", "HA: a board of 9x9 has points for 5 handicap stones"),
        ("(;SZ[9]KM[7.3])", "SGF: option komi is one of usual, 0, 0.5"),
        ("(;SZ[9]KM[much])", "KM: is no number"),
        ("(;SZ[21])", "21x21"),
        ("(;SZ[9:13];B[ee])", "SZ: is 9:13: boards here are square"),
        ("(;GM[2];B[ee])", "GM: is 2: no game of go"),
        ("(;SZ[9];B[ee]", "move 1: the game has no end"),
        ("(;SZ[9];B[ee];W[ef", "move 2: '[' has no other end"),
        ("", "SGF: the game has no end"),
        ("1. e4 e5", "SGF: '1' stands outside of a game"),
        ("(B[ee])", "SGF: a game begins with ;"),
        ("()", "SGF: a game begins with ;"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_the_move_it_is_in(text, fault):
    """Wherever a file is not a game of go that the rules can play."""
    with pytest.raises(BadDocument) as error:
        list(read_sgf(GAME, text))
    assert fault in str(error.value)
