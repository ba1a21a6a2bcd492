"""The error of a failed call."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .types import Challenge, SendEnvelope


class PassbellError(Exception):
    """A failed call. Branch on ``code``; ``message`` is for people.

    The client itself adds the codes ``CONNECTION_FAILED``, ``TIMED_OUT``, ``UNEXPECTED_REPLY`` and
    ``INVALID_SIGNATURE`` to those of the service.
    """

    def __init__(
        self,
        code: str,
        message: str,
        reply: Optional[Mapping[str, Any]] = None,
        *,
        request_id: Optional[str] = None,
        replayed: bool = False,
    ) -> None:
        # The arguments of the constructor, so that errors can be copied and pickled.
        super().__init__(code, message)
        reply = reply or {}
        self.code = code
        self.message = message
        #: Suggests what to do next.
        self.hint: Optional[str] = reply.get("hint")
        #: The parameter that caused the error.
        self.field: Optional[str] = reply.get("field")
        #: The value of ``field``, shortened. Recipients are masked, and secrets are omitted.
        self.received: Optional[str] = reply.get("received")
        #: Link to the description of ``code``.
        self.docs: Optional[str] = reply.get("docs")
        #: Seconds after which the same call can succeed.
        self.retry_after_seconds: Optional[int] = reply.get("retryAfterSeconds")
        #: After a wrong code, the number of attempts left before the verification is locked.
        self.attempts_left: Optional[int] = reply.get("attemptsLeft")
        #: After the last allowed attempt, the number of seconds for which the verification is locked.
        self.locked_for_seconds: Optional[int] = reply.get("lockedForSeconds")
        #: The attempts of a send that failed on every channel.
        self.data: Optional[SendEnvelope] = reply.get("data")
        #: With ``CHALLENGE_REQUIRED``: for the person's browser.
        self.challenge: Optional[Challenge] = reply.get("challenge")
        #: Identifies the request in the server's log.
        self.request_id = request_id
        #: Whether this is the reply to an earlier call with the same Idempotency-Key.
        self.replayed = replayed
        #: Other problems of the request, such as unknown parameters.
        self.warnings: list[str] = list(reply.get("warnings", []))

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
