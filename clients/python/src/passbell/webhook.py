"""Verifies webhook calls."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Iterable, Mapping, Union, cast

from .errors import PassbellError
from .types import WebhookEvent

# Maximum age of a signed call, to prevent replay attacks.
TOLERANCE_SECONDS = 300


def verify_webhook(
    body: Union[bytes, str], headers: Mapping[str, str], secret: Union[str, Iterable[str]]
) -> WebhookEvent:
    """Returns the event of a webhook call.

    ``body`` is the raw body: do not parse and serialize it. ``secret`` can be several secrets while you rotate them.
    Raises ``INVALID_SIGNATURE`` unless the call was signed in the last five minutes.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not all(secrets):
        raise ValueError("The secret of a webhook must not be empty.")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    header = next((value for name, value in headers.items() if name.lower() == "passbell-signature"), "")
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if match and abs(time.time() - int(match[1])) <= TOLERANCE_SECONDS:
        signed = match[1].encode() + b"." + raw
        for each in secrets:
            expected = hmac.new(each.encode(), signed, hashlib.sha256).hexdigest()
            if hmac.compare_digest(expected, match[2]):
                return cast(WebhookEvent, json.loads(raw))
    raise PassbellError("INVALID_SIGNATURE", "the call is not signed with this secret, or is too old")
