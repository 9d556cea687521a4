"""Migrations: they make the tables and change them between versions."""
