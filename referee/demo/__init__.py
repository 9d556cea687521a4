"""The demo: local mail servers, a scripted player, and the real daemon.

It uses the referee as an organiser and a player do, through configuration, commands and mail, so it
shows the product as it is. Nothing else imports it but `referee demo` and the tests.
"""
