"""A scene as a JSON document, for programs that draw it themselves; ``scene.schema.json``."""

from __future__ import annotations

from referee.games.game import Cell, Document, Json, Scene, Sentence


def scene_document(scene: Scene) -> Document:
    """Return a scene as the document that ``scene.schema.json`` describes."""
    return {
        "rows": scene.rows,
        "columns": scene.columns,
        "cells": [_cell(each) for each in scene.cells],
        "panels": [
            {"title": each.title, "sentences": [_sentence(s) for s in each.sentences]}
            for each in scene.panels
        ],
        "palette": dict(scene.palette),
        "legend": [list(each) for each in scene.legend],
    }


def _cell(cell: Cell) -> Document:
    marks: list[Json] = [
        {"letter": each.letter, "word": each.word, "seat": each.seat} for each in cell.marks
    ]
    return {
        "space": cell.space,
        "row": cell.row,
        "column": cell.column,
        "ground": cell.ground,
        "sign": cell.sign,
        "marks": marks,
    }


def _sentence(sentence: Sentence) -> Document:
    return {"key": sentence.key, "fields": dict(sentence.fields)}
