"""The way to the database: engines, faults, rows, and statements that differ by dialect."""
