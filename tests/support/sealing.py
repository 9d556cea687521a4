"""Letters as programs sign and encrypt them; nobody checks the signatures, so they are made up."""

from __future__ import annotations

import re

SIGNATURE = """-----BEGIN PGP SIGNATURE-----
Comment: nobody's

iHUEARYKAB0WIQR3ZmVyZWUgYnkgbWFpbCwgYSB0ZXN0BQJmb28ACgkQZm9vYmFy
YmF6AP9xdXV4
=AbCd
-----END PGP SIGNATURE-----
"""

ENCRYPTED = """-----BEGIN PGP MESSAGE-----

hF4DAAAAAAAAAAASAQdAcmVmZXJlZSBieSBtYWlsLCBhIHRlc3Qgb2YgcGFzcwo=
=WxYz
-----END PGP MESSAGE-----
"""

MIME_ENCRYPTED = f"""Content-Type: multipart/encrypted; boundary=enc;
 protocol="application/pgp-encrypted"

--enc
Content-Type: application/pgp-encrypted

Version: 1

--enc
Content-Type: application/octet-stream; name="encrypted.asc"

{ENCRYPTED}
--enc--
"""

ENVELOPED = """Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"
Content-Transfer-Encoding: base64

MIAGCSqGSIb3DQEHA6CAMIACAQAxggE=
"""


def clear_signed(text: str) -> str:
    """Return a text with a clear signature (RFC 9580 section 7)."""
    dashed = re.sub(r"^-", "- -", text, flags=re.MULTILINE)
    return f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{dashed}{SIGNATURE}"


def mime_signed(part: str) -> str:
    """Return a part, which begins with its headers, within multipart/signed (RFC 3156)."""
    kind = 'multipart/signed; micalg=pgp-sha512; protocol="application/pgp-signature"; boundary=sig'
    signature = f"Content-Type: application/pgp-signature\n\n{SIGNATURE}"
    return f"Content-Type: {kind}\n\n--sig\n{part}\n--sig\n{signature}\n--sig--\n"
