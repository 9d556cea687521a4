"""The archive: finished matches in and out, everything replayed, what may go, static pages."""
