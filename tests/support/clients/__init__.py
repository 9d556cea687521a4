"""Replies as people's mail programs send them, made from a mail and what somebody writes to it."""
