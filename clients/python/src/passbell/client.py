"""The client, with a method for each API operation that requires the App Secret."""

from __future__ import annotations

import ssl
import time
import uuid
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Mapping, Optional, cast
from urllib.parse import quote, urlencode, urlsplit

from .errors import PassbellError
from .tokens import TokenClaims, TokenVerifier
from .transport import ReplyMeta, Transport, open_without_redirects
from .types import (
    ApplicationReplyData,
    CodePageReplyData,
    CodePageRequest,
    CodeStatus,
    EventName,
    InvoiceNotificationRequest,
    ListMessagesRequest,
    Message,
    MessagesReplyData,
    OrderNotificationRequest,
    ReportVerifiedRequest,
    SendOtpRequest,
    SendResult,
    SessionToken,
    UsageReplyData,
    VerifyOtpRequest,
    VerifyTokenReplyData,
    Webhook,
    WebhookReplyData,
    WebhookEvent,
    WebhookRequest,
)

if TYPE_CHECKING:
    from typing import Literal

    from typing_extensions import Unpack

# A send waits up to 3 seconds for its outcome by default (SEND_WAIT_MS), so 10 seconds is enough on a slow network.
TIMEOUT_SECONDS = 10.0
MAX_RETRIES = 2
# Pauses between the calls of wait_for, the first and the longest.
POLL_SECONDS = (0.25, 5.0)


class Sent(SendResult):
    """The successful attempt, and in ``results`` all attempts, including channels that failed first."""

    results: List[SendResult]


def _query(path: str, parameters: Mapping[str, Any]) -> str:
    """``{"limit": 5}`` → ``?limit=5``"""
    given = {name: value for name, value in parameters.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


class Passbell:
    """Each method returns the reply's data, and raises a ``PassbellError`` if the call fails.

    The parameters have the names of the API. Methods that make one call accept ``timeout`` (seconds, for connecting and
    for each wait for data) and ``request_id``; sends and ``verify_otp`` also ``idempotency_key``. Clients can be shared
    by threads.
    """

    def __init__(
        self,
        *,
        base_url: str,
        app_key: str,
        app_secret: str,
        issuer: Optional[str] = None,
        timeout: float = TIMEOUT_SECONDS,
        max_retries: int = MAX_RETRIES,
        on_reply: Optional[Callable[[ReplyMeta], None]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """
        :param base_url: URL of the service, with or without ``/api/v1``.
        :param issuer: The service's ``BASE_URL``, if ``base_url`` is a different URL, for ``verify_token_locally``.
        :param max_retries: Maximum number of retries of a call that is safe to repeat.
        :param on_reply: Called for each reply, also of failed calls, with request ID and warnings.
        """
        for name, value in {"base_url": base_url, "app_key": app_key, "app_secret": app_secret}.items():
            # The library's error about an invalid header would contain the secret.
            if not value or not value.isascii() or not value.isprintable():
                raise ValueError(f"Passbell: {name} is missing or has invalid characters")
        # Errors contain the URL.
        if "@" in urlsplit(base_url).netloc:
            raise ValueError("Passbell: base_url must not contain a username or password")
        opener = open_without_redirects(ssl_context)
        self._transport = Transport(base_url, app_key, app_secret, timeout, max_retries, on_reply, opener)
        self._verifier = TokenVerifier(base_url, app_key, issuer, timeout, ssl_context)

    def validate_credentials(self, **options: Any) -> None:
        """Raises an error if the API credentials are invalid."""
        self._get("/auth/authentication", options)

    def get_application(self, **options: Any) -> ApplicationReplyData:
        """Returns the application that the API credentials belong to."""
        return cast(ApplicationReplyData, self._get("/application", options))

    def send_otp(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        request_id: Optional[str] = None,
        **request: Unpack[SendOtpRequest],
    ) -> Sent:
        """Sends a code. To verify the code, pass its ``maskId`` or the recipient to ``verify_otp``."""
        return self._send("/auth/sendotp", request, idempotency_key, timeout, request_id)

    def verify_otp(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        request_id: Optional[str] = None,
        **request: Unpack[VerifyOtpRequest],
    ) -> SessionToken:
        """Verifies a code, by ``maskId`` or by recipient (``to``).

        A repeated call with the same Idempotency-Key returns the same token.
        """
        reply = self._post_once("/auth/verifyotp", request, idempotency_key, timeout, request_id)
        return cast(SessionToken, reply)

    def get_otp(self, mask_id: str, **options: Any) -> CodeStatus:
        """Returns the state of a code, without the code."""
        return cast(CodeStatus, self._get(f"/auth/otp/{quote(mask_id, safe='')}", options))

    def cancel_otp(self, mask_id: str, **options: Any) -> CodeStatus:
        """Cancels a code, so that it can never be verified.

        Changes nothing if it was verified or has expired: check ``state``.
        """
        path = f"/auth/otp/{quote(mask_id, safe='')}"
        return cast(CodeStatus, self._transport.call("DELETE", path, repeatable=True, **options))

    def report_verified(
        self,
        *,
        timeout: Optional[float] = None,
        request_id: Optional[str] = None,
        **request: Unpack[ReportVerifiedRequest],
    ) -> None:
        """Reports to the fraud guard that a person entered a code that your site verified itself."""
        options = {"timeout": timeout, "request_id": request_id}
        self._post("/auth/reportverified", request, options, repeatable=True)

    def create_code_page(
        self,
        *,
        timeout: Optional[float] = None,
        request_id: Optional[str] = None,
        **request: Unpack[CodePageRequest],
    ) -> CodePageReplyData:
        """Creates a page on which the person enters a code, for a program that waits for it."""
        options = {"timeout": timeout, "request_id": request_id}
        return cast(CodePageReplyData, self._post("/auth/codepages", request, options))

    def verify_token(
        self, token: str, *, purpose: Literal["login", "two-factor"] = "login", **options: Any
    ) -> VerifyTokenReplyData:
        """Asks the service whether a token is valid and not revoked."""
        reply = self._post("/auth/verifytoken", {"token": token, "purpose": purpose}, options, repeatable=True)
        return cast(VerifyTokenReplyData, reply)

    def verify_token_locally(self, token: str, *, purpose: Literal["login", "two-factor"] = "login") -> TokenClaims:
        """Verifies a token without a call, with cached public keys. Does not notice that a token was revoked.

        Needs the package ``cryptography``, and raises an ``ImportError`` without it.
        """
        return self._verifier.verify(token, purpose)

    def revoke_session(self, token: str, **options: Any) -> None:
        """Revokes a token immediately."""
        self._post("/auth/revokesession", {"token": token}, options, repeatable=True)

    def reset_two_factor(self, identity: str, **options: Any) -> None:
        """Turns off two-factor for a user who lost their authenticator app."""
        self._post("/auth/reset2fa", {"identity": identity}, options)

    def send_order_notification(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        request_id: Optional[str] = None,
        **request: Unpack[OrderNotificationRequest],
    ) -> Sent:
        return self._send("/notifications/order", request, idempotency_key, timeout, request_id)

    def send_invoice_notification(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        request_id: Optional[str] = None,
        **request: Unpack[InvoiceNotificationRequest],
    ) -> Sent:
        return self._send("/notifications/invoice", request, idempotency_key, timeout, request_id)

    def get_message(self, message_id: str, **options: Any) -> Message:
        """Returns a message's delivery status."""
        return cast(Message, self._get(f"/messages/{quote(message_id, safe='')}", options))

    def wait_for(
        self, message_id: str, *, until: Literal["sent", "delivered"] = "sent", timeout: float = 60.0
    ) -> Message:
        """Waits until a provider has accepted a message, or with ``until="delivered"`` reports its delivery.

        Returns the message in any other final state too, such as ``failed``. Raises ``TIMED_OUT`` after ``timeout``
        seconds; with 0, there is one call. Many providers report no delivery.
        """
        waiting = {"scheduled", "queued", "sending", *(["sent"] if until == "delivered" else [])}
        ends_at = time.monotonic() + timeout
        pause, longest = POLL_SECONDS
        while True:
            limit = ends_at if timeout > 0 else None
            message = cast(Message, self._get(f"/messages/{quote(message_id, safe='')}", {"ends_at": limit}))
            if message["state"] not in waiting:
                return message
            left = ends_at - time.monotonic()
            if left <= POLL_SECONDS[0]:
                state = message["state"]
                raise PassbellError("TIMED_OUT", f"the message is still {state} after {timeout} seconds")
            # The last call starts shortly before the end.
            time.sleep(min(pause, left - POLL_SECONDS[0] / 2))
            pause = min(pause * 2, longest)

    def cancel_message(self, message_id: str, **options: Any) -> Message:
        """Cancels a scheduled notification. Does nothing if it was canceled before."""
        path = f"/messages/{quote(message_id, safe='')}"
        return cast(Message, self._transport.call("DELETE", path, repeatable=True, **options))

    def list_messages(
        self,
        *,
        timeout: Optional[float] = None,
        request_id: Optional[str] = None,
        **request: Unpack[ListMessagesRequest],
    ) -> MessagesReplyData:
        """Returns a page of messages, newest first. Pass ``next`` as ``after`` to get the next page."""
        options = {"timeout": timeout, "request_id": request_id}
        return cast(MessagesReplyData, self._get(_query("/messages", request), options))

    def iterate_messages(
        self, *, timeout: Optional[float] = None, **request: Unpack[ListMessagesRequest]
    ) -> Iterator[Message]:
        """Yields all messages, newest first. Gets ``limit`` messages with each call."""
        while True:
            page = self.list_messages(timeout=timeout, **request)
            yield from page["messages"]
            if "next" not in page:
                return
            request["after"] = page["next"]

    def get_usage(self, from_: Optional[str] = None, to: Optional[str] = None, **options: Any) -> UsageReplyData:
        """Returns counts and costs by day and channel, of the last 30 days by default.

        :param from_: The first day, such as ``2026-01-31``.
        :param to: The last day.
        """
        return cast(UsageReplyData, self._get(_query("/usage", {"from": from_, "to": to}), options))

    def create_webhook(
        self,
        *,
        timeout: Optional[float] = None,
        request_id: Optional[str] = None,
        **request: Unpack[WebhookRequest],
    ) -> WebhookReplyData:
        """Creates a webhook. Store its ``secret``, which is not shown again."""
        options = {"timeout": timeout, "request_id": request_id}
        return cast(WebhookReplyData, self._post("/webhooks", request, options))

    def list_webhooks(self, **options: Any) -> List[Webhook]:
        return cast("List[Webhook]", self._get("/webhooks", options)["webhooks"])

    def list_recent_events(self, event: EventName, **options: Any) -> List[WebhookEvent]:
        """Returns the ten latest events of a type, newest first, even without a webhook."""
        path = _query("/webhooks/recent", {"event": event})
        return cast("List[WebhookEvent]", self._get(path, options)["events"])

    def remove_webhook(self, webhook_id: str, **options: Any) -> None:
        self._transport.call("DELETE", f"/webhooks/{quote(webhook_id, safe='')}", repeatable=True, **options)

    def _get(self, path: str, options: Mapping[str, Any]) -> Any:
        return self._transport.call("GET", path, repeatable=True, **options)

    def _post(
        self, path: str, body: Mapping[str, Any], options: Mapping[str, Any], repeatable: bool = False
    ) -> Any:
        return self._transport.call("POST", path, body, repeatable=repeatable, **options)

    def _post_once(
        self,
        path: str,
        body: Mapping[str, Any],
        idempotency_key: Optional[str],
        timeout: Optional[float],
        request_id: Optional[str],
    ) -> Any:
        # A key for each call makes its own retries safe.
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        options = {"idempotency_key": key, "timeout": timeout, "request_id": request_id}
        return self._post(path, body, options, repeatable=True)

    def _send(
        self,
        path: str,
        body: Mapping[str, Any],
        idempotency_key: Optional[str],
        timeout: Optional[float],
        request_id: Optional[str],
    ) -> Sent:
        """Returns the successful result, which is listed first, and all results."""
        results = self._post_once(path, body, idempotency_key, timeout, request_id)["results"]
        return cast(Sent, {**results[0], "results": results})
