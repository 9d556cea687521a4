"""The Jinja2 templates, and the styles and scripts within pages."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from functools import cache
from hashlib import sha256

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from referee.resources import path
from referee.value import Value


def template_environment(*, escape: bool) -> Environment:
    """Return a new environment of our templates; ``escape`` for HTML, not for plain text."""
    return Environment(
        loader=FileSystemLoader(path("templates")),
        autoescape=escape,  # noqa: S701 - a mail's plain text is not escaped
        # A field missing from a template is a fault to find in tests, not a blank in a mail.
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_kept(escape=escape),
    )


class _Kept(FileSystemBytecodeCache):
    """Compiled templates, kept for the next start in a folder of the user's temporary files.

    To compile them is a fifth of a command that writes mails.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        # On a full disk mails are written all the same.
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _kept(*, escape: bool) -> _Kept | None:
    """Return where compiled templates are kept; None if the folder is not the user's alone."""
    # The same template has other code where it escapes.
    with suppress(OSError, RuntimeError):
        return _Kept(pattern=f"referee_{'html' if escape else 'text'}_%s.cache")
    return None


_pages = cache(template_environment)


def render_page(template: str, **fields: object) -> str:
    """Return a page in HTML, or a part of one."""
    return _pages(escape=True).get_template(template).render(fields)


class InlineFile(Value):
    """A style or script within a page, and its hash.

    By the hash the page's own Content-Security-Policy refuses every other style and script.
    """

    text: Markup
    hash: str


@cache
def inline_file(name: str) -> InlineFile:
    """Return a style or script of the templates, such as ``site/style.css``.

    It comes without its comments and indentation, which would weigh in every mail.
    """
    lines = (line.strip() for line in (path("templates") / name).read_text("utf-8").splitlines())
    text = "\n".join(line for line in lines if line and not line.startswith("//"))
    digest = b64encode(sha256(text.encode()).digest()).decode()
    return InlineFile(Markup(text), digest)  # noqa: S704 - a file of ours


def json_in_script(text: str) -> Markup:
    """Return JSON for a script element of a page.

    The only way out of such an element is ``</script>``, so no ``<`` remains.
    """
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - nothing in it ends the script
