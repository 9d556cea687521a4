"""Boards and charts drawn from scenes, for text, HTML and SVG.

The drawings know no game: a scene names every sign, letter and colour. No meaning hangs on colour
alone, since text has none and not everybody sees it.
"""
