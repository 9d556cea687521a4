"""The pages of the archive; only those that changed are written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sqlalchemy import Connection

from referee.desk.archive import files, transcripts
from referee.desk.archive.site import courses, lists
from referee.desk.desk import Desk
from referee.desk.matches import broken, ledger
from referee.errors import RefereeError
from referee.games import registry
from referee.games.play import canonical_json
from referee.render.composer import play_page
from referee.render.site import pages
from referee.render.site.pages import MatchPage, SitePlayer
from referee.render.words.wording import Catalogue, Wording
from referee.store import notes
from referee.store.play import matches as play_matches
from referee.store.tables.play import MatchRow
from referee.value import Value, replace


def write_composer(folder: Path, language: str, address: str) -> Path:
    """Write the composer's page, which writes to a referee's address; return its path."""
    path = folder / "play.html"
    files.write_file(path, play_page(language, address).encode())
    return path


@dataclass
class WritingProgress:
    """The progress of writing pages; ``broken``: matches without a current page."""

    written: int = 0
    unchanged: int = 0
    without: list[str] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)


class Site(Value):
    """The archive as pages in a folder, in one language."""

    desk: Desk
    folder: Path
    language: str

    def write_matches(self, numbers: Sequence[int], done: WritingProgress) -> Iterator[int]:
        """Write each match's page if it changed; yield its number then."""
        files.make_folder(self.folder / "matches")
        look = pages.look_of_pages()
        for number in numbers:
            with self.desk.store.reading() as connection:
                row = play_matches.get_match(connection, number)
                try:
                    with broken.faults_as_broken(row):
                        self._write(connection, row, look, done)
                except RefereeError as fault:
                    done.broken[row.name] = str(fault)
            yield number

    def _write(
        self, connection: Connection, row: MatchRow, look: str, done: WritingProgress
    ) -> None:
        """Write the page of a match if it changed."""
        path = files.file_in(self.folder / "matches", row.name, ".html")
        players = lists.site_players(connection, row)
        mark = _fingerprint(look, self.language, row, players)
        there = _fingerprint_in(path)
        if there == mark:
            done.unchanged += 1
        # Its events are gone, so the page cannot be made again.
        elif notes.PRUNED.read(connection, row.id) is not None:
            if _stays(path, there, mark):
                done.unchanged += 1
            else:
                done.without.append(row.name)
        else:
            try:
                wording = Wording(self.desk.find_game(row.game, row.edition), self.language)
                whole = lists.told_in_full(row)
                value = _content(connection, row, players, mark, wording, whole=whole)
                try:
                    own = transcripts.files_of(self.desk, connection, row) if whole else ()
                except broken.BrokenMatch as fault:
                    # What a game's files cannot hold costs the match no page.
                    own, done.broken[row.name] = (), str(fault)
                value = replace(value, files=tuple(file.name for file in own))
                page = pages.match_page(value, wording)
            except Exception:
                _stays(path, there, mark)
                raise
            for file in own:
                files.write_file(path.parent / file.name, file.content)
            files.write_file(path, page.encode())
            _unlink_beside(path, keep={path.name, *value.files})
            done.written += 1

    def write_lists(self, done: WritingProgress) -> None:
        """Write the lists that changed: index, ratings, games, players."""
        there = {file.stem for file in (self.folder / "matches").glob("*.html")}
        with self.desk.reading() as change:
            without = {*done.without, *(done.broken.keys() - there)}
            archived = lists.read_lists(change, self.language, without)
        done.broken |= archived.broken
        names = set()
        for name, page in lists.pages_of(archived, Catalogue(self.language)):
            path = self.folder / name
            names.add(path)
            files.make_folder(path.parent)
            data = page.encode()
            if path.is_file() and path.read_bytes() == data:
                done.unchanged += 1
            else:
                files.write_file(path, data)
                done.written += 1
        # Players who were merged, or hold no seat any more, lose their page.
        for path in (self.folder / "players").glob("[0-9]*.html"):
            if path not in names:
                path.unlink()


def _stays(path: Path, there: str | None, mark: str) -> bool:
    """Drop an older page if players' names have changed; return whether it stays.

    A page with names that were erased must go, even where no other can be made.
    """
    stays = there is not None and there.rpartition("-")[2] == mark.rpartition("-")[2]
    if not stays:
        _unlink_beside(path)
    return stays


def _unlink_beside(page: Path, keep: Collection[str] = ()) -> None:
    """Drop a match's page and the files of its game beside it, which name its players too."""
    for file in page.parent.glob(f"{page.stem}.*"):
        if file.name not in keep:
            file.unlink()


def _content(
    connection: Connection,
    row: MatchRow,
    players: tuple[SitePlayer, ...],
    mark: str,
    wording: Wording,
    *,
    whole: bool,
) -> MatchPage:
    """Return the content of a match's page; ``whole`` with all that is secret before its end."""
    game, terms = wording.game, ledger.terms_of(row)
    stored = play_matches.events(connection, row.id)
    # Without all events there is nothing to draw.
    if len(stored) != row.seq:
        raise LookupError(row.seq)
    events = [ledger.event_of(event) for event in stored]
    if whole:
        course = courses.whole_course(game, terms, row.seed, events, wording)
    else:
        course = courses.public_course(game, terms, row.seed, events)
    say, result = wording.catalogue.say, ledger.result_of(row)
    fields = {
        "game": wording.word("game", "name"),
        "edition": game.edition,
        "began": row.started.date().isoformat() if row.started else "",
        "ended": row.ended.date().isoformat() if row.ended else "",
        "turn": row.turn,
        "practice": row.practice,
    }
    if row.state == "over" and result is not None:
        about = say("site.about_over", ending=wording.ending(result), **fields)
    else:
        about = say("site.about", state=say(f"state.{row.state}"), **fields)
        result = None
    return MatchPage(row.name, about, players, course, result, mark)


def whole_page(desk: Desk, connection: Connection, row: MatchRow, language: str) -> MatchPage:
    """Return the content of a finished match's page, secrets included. Raises BrokenMatch."""
    players = lists.site_players(connection, row)
    mark = _fingerprint(pages.look_of_pages(), language, row, players)
    with broken.faults_as_broken(row):
        wording = Wording(desk.find_game(row.game, row.edition), language)
        return _content(connection, row, players, mark, wording, whole=True)


def keepsake(row: MatchRow, value: MatchPage, wording: Wording) -> bytes:
    """Return the page of a finished match in a ZIP archive. Raises BrokenMatch."""
    with broken.faults_as_broken(row):
        page, packed = pages.match_page(replace(value, alone=True), wording), BytesIO()
        # Its date is 1980, as long as none is given: the same whenever it is made.
        entry = ZipInfo(f"{row.name}.html")
        entry.compress_type = ZIP_DEFLATED
        with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr(entry, page.encode())
        return packed.getvalue()


def _fingerprint(look: str, language: str, row: MatchRow, players: Sequence[SitePlayer]) -> str:
    """Return all that a match's page depends on, as two hashes; the second covers the names."""
    names = [[player.seat, player.name, player.link or ""] for player in players]
    words = registry.version_of(row.game, row.edition)
    # The head stands for everything that was played.
    parts = [look, words, language, row.name, row.head, row.state, row.released, row.turn]
    return f"{_hash(parts)}-{_hash(names)}"


def _hash(document: object) -> str:
    return sha256(canonical_json(document).encode()).hexdigest()[:32]


def _fingerprint_in(path: Path) -> str | None:
    """Return the fingerprint at the beginning of a page; None if there is none."""
    try:
        with path.open("rb") as opened:
            beginning = opened.read(400)
    except OSError:
        return None
    _, there, rest = beginning.partition(b'content="referee ')
    return rest.partition(b'"')[0].decode("ascii", "replace") if there else None
