"""Verifies session tokens without a call, with the service's public keys. Needs the package cryptography."""

from __future__ import annotations

import base64
import json
import ssl
import time
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Dict, Optional

from .errors import PassbellError
from .transport import fetch, open_without_redirects, server_url

# The service publishes a new key before it signs tokens with it.
KEYS_CACHE_SECONDS = 600
# An unknown key ID reloads the keys, at most once in this time.
KEYS_PAUSE_SECONDS = 30
KINDS = {
    "login": ("", "JWT", "otp"),
    "two-factor": ("/two-factor", "two-factor+jwt", "totp"),
}


@dataclass(frozen=True)
class TokenClaims:
    #: The ``userId`` that ``verify_otp`` returned.
    user_id: str
    #: The channel of the code: sms, whatsapp, voice, email or totp.
    channel: str
    issued_at: datetime
    expires_at: datetime
    #: Identifies the token.
    id: str


def _decode(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _invalid() -> PassbellError:
    return PassbellError("INVALID_TOKEN", "invalid token")


def _has_signature(key: Dict[str, Any], signed: bytes, signature: bytes) -> bool:
    """Whether a P-256 key has signed the bytes (ES256)."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    if len(signature) != 64:
        return False
    x, y = (int.from_bytes(_decode(key[name]), "big") for name in ("x", "y"))
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    try:
        public.verify(utils.encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
        return True
    except InvalidSignature:
        return False


class TokenVerifier:
    def __init__(
        self, base_url: str, app_key: str, issuer: Optional[str], timeout: float, context: Optional[ssl.SSLContext]
    ) -> None:
        self._keys_url = f"{server_url(base_url)}/.well-known/jwks.json"
        self._app_key = app_key
        # Without BASE_URL, the service issues tokens as `passbell`.
        self._issuers = [issuer] if issuer else [server_url(base_url), "passbell"]
        self._timeout = timeout
        self._opener = open_without_redirects(context)
        self._keys: Dict[str, Dict[str, Any]] = {}
        self._loaded_at = float("-inf")

    def _key(self, kid: str) -> Dict[str, Any]:
        age = time.monotonic() - self._loaded_at
        if age > KEYS_CACHE_SECONDS or (kid not in self._keys and age > KEYS_PAUSE_SECONDS):
            status, _headers, body = fetch(self._opener, urllib.request.Request(self._keys_url), self._timeout)
            try:
                keys = json.loads(body)["keys"]
            except (ValueError, TypeError, KeyError):
                message = f"{self._keys_url} replied with HTTP {status} and without a list of keys"
                raise PassbellError("CONNECTION_FAILED", message) from None
            self._keys = {key["kid"]: key for key in keys if key.get("crv") == "P-256"}
            self._loaded_at = time.monotonic()
        if kid not in self._keys:
            raise _invalid()
        return self._keys[kid]

    def verify(self, token: str, purpose: str) -> TokenClaims:
        suffix, typ, amr = KINDS[purpose]
        try:
            head, payload, signature = token.split(".")
            header, claims = (json.loads(_decode(part)) for part in (head, payload))
            if header["alg"] != "ES256" or header["typ"] != typ:
                raise _invalid()
            if not _has_signature(self._key(header["kid"]), f"{head}.{payload}".encode(), _decode(signature)):
                raise _invalid()
            times = [datetime.fromtimestamp(claims[name], timezone.utc) for name in ("iat", "exp")]
            is_meant = claims["iss"] in self._issuers and claims["aud"] == self._app_key + suffix
            if not is_meant or amr not in claims["amr"]:
                raise _invalid()
            if claims["exp"] <= time.time():
                raise PassbellError("TOKEN_EXPIRED", "token has expired")
            return TokenClaims(claims["sub"], claims["channel"], times[0], times[1], claims["jti"])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise _invalid() from None
