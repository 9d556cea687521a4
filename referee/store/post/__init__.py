"""Rows about mail: letters that came in, mails that go out, strangers who wrote."""
