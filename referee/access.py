"""How the mail servers are logged in to: where each password is found, and what is missing.

A missing password is no fault of the configuration as a whole: only what logs in needs one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from referee.mail.servers import Server

SERVERS: Final = ("imap", "smtp")


def equipped(values: dict[str, Any], environ: Mapping[str, str]) -> list[str]:
    """Give both servers in ``values`` their passwords; return what is wrong with their URLs.

    A server whose password cannot be found is told so by what it is ``lacking``.
    """
    shared = values.pop("password_file")
    cafile = values.pop("ca_file")
    faults = []
    for name in SERVERS:
        own = values.pop(f"{name}_password_file")
        server: Server = replace(values[name], cafile=cafile)
        if server.user:
            places = {f"{name}_password_file": own, "password_file": shared}
            server = _with_password(name, server, places, environ)
        elif name == "imap":
            faults.append("[mail] imap: names no user; imaps://user%40domain@host")
        values[name] = server
    return faults


def _with_password(
    name: str, server: Server, places: Mapping[str, Path | None], environ: Mapping[str, str]
) -> Server:
    """Return the server with the first password there is: own before shared, a variable first."""
    variable = f"REFEREE_{name.upper()}_PASSWORD"
    variables = (variable, "REFEREE_PASSWORD")
    for (key, file), each in zip(places.items(), variables, strict=True):
        if environ.get(each):
            return replace(server, password=environ[each])
        if file is not None:
            try:
                return replace(server, password=read_password(file))
            except ValueError as fault:
                return replace(server, lacking=f"[mail] {key}: {fault}")
    if server.password:
        return server
    missing = f"has no password; give {name}_password_file or {variable}"
    return replace(server, lacking=f"[mail] {name}: {missing}")


def read_password(file: Path) -> str:
    """Return the password in a file, without its line end. Raises ValueError."""
    try:
        password = file.read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        raise ValueError(f"{file} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} is no text") from None
    if not password:
        raise ValueError(f"{file} is empty; it holds the password")
    return password
