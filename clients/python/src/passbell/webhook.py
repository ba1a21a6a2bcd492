"""Verifies webhook calls."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Iterable, Literal, Mapping, TypedDict, Union, cast

from .errors import PassbellError
from .types import (
    FraudPausedEventData,
    FraudRefusedEventData,
    MessageEventData,
    OptOutEventData,
    VerifiedEventData,
)

if TYPE_CHECKING:
    from typing_extensions import NotRequired

# Maximum age of a signed call, to prevent replay attacks.
TOLERANCE_SECONDS = 300


class _Event(TypedDict):
    id: str
    createdTime: int
    test: NotRequired[bool]


class MessageEvent(_Event):
    event: Literal["message.accepted", "message.delivered", "message.failed"]
    data: MessageEventData


class VerifiedEvent(_Event):
    event: Literal["otp.verified"]
    data: VerifiedEventData


class FraudPausedEvent(_Event):
    event: Literal["fraud.paused"]
    data: FraudPausedEventData


class FraudRefusedEvent(_Event):
    event: Literal["fraud.refused"]
    data: FraudRefusedEventData


class OptOutEvent(_Event):
    event: Literal["recipient.opted_out", "recipient.opted_in"]
    data: OptOutEventData


#: A webhook event. Comparing ``event`` narrows the type of ``data``.
WebhookEvent = Union[MessageEvent, VerifiedEvent, FraudPausedEvent, FraudRefusedEvent, OptOutEvent]


def verify_webhook(
    body: Union[bytes, str], headers: Mapping[str, str], secret: Union[str, Iterable[str]]
) -> WebhookEvent:
    """Returns the event of a webhook call.

    ``body`` is the raw body: do not parse and serialize it. ``secret`` can be several secrets while you rotate them.
    Raises ``INVALID_SIGNATURE`` unless the call was signed in the last five minutes.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    header = next((value for name, value in headers.items() if name.lower() == "passbell-signature"), "")
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if match and abs(time.time() - int(match[1])) <= TOLERANCE_SECONDS:
        signed = match[1].encode() + b"." + raw
        for each in [secret] if isinstance(secret, str) else secret:
            expected = hmac.new(each.encode(), signed, hashlib.sha256).hexdigest()
            if hmac.compare_digest(expected, match[2]):
                return cast(WebhookEvent, json.loads(raw))
    raise PassbellError("INVALID_SIGNATURE", "the call is not signed with this secret, or is too old")
