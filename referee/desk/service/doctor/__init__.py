"""The doctor: checks of an installation, each with one finding.

A finding says what is wrong and what to do about it. Checks change nothing but for missing folders,
two letters to the referee itself and the knowledge gained by them; so they are safe beside a daemon
that runs.
"""
