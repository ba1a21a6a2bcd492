"""Calls the API with time limits. Retries only calls that are safe to repeat."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from email.message import Message
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from ._version import VERSION
from .errors import PassbellError

# Errors after which the same call may succeed soon.
TRANSIENT = frozenset(
    ["CONNECTION_FAILED", "TIMED_OUT", "SERVICE_UNAVAILABLE", "OVERLOADED", "IDEMPOTENCY_IN_FLIGHT"]
)
# Pause before the first retry. It doubles with every retry.
RETRY_PAUSE_SECONDS = 0.25
# The longest pause before a retry. If the service requires a longer pause, the call fails.
MAX_PAUSE_SECONDS = 5


@dataclass(frozen=True)
class ReplyMeta:
    """The metadata of a reply."""

    #: Path of the call, such as ``/auth/sendotp``.
    path: str
    #: Identifies the request in the server's log.
    request_id: str
    #: Whether this is the reply to an earlier call with the same Idempotency-Key.
    replayed: bool
    #: Problems that did not make the call fail, such as unknown parameters.
    warnings: List[str]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Rejects redirects, which could send the credentials to another server."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


def server_url(base_url: str) -> str:
    """Removes trailing slashes and ``/api/v1``."""
    return re.sub(r"/api/v1$", "", base_url.rstrip("/"))


def open_without_redirects(context: Optional[ssl.SSLContext]) -> Callable[..., Any]:
    handlers = [urllib.request.HTTPSHandler(context=context)] if context else []
    return urllib.request.build_opener(_NoRedirects, *handlers).open


def fetch(
    opener: Callable[..., Any], request: urllib.request.Request, timeout: float
) -> Tuple[int, Message, bytes]:
    """Returns status, headers and body. Raises a ``PassbellError`` if there is no reply."""
    try:
        try:
            with opener(request, timeout=timeout) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, socket.timeout):
            raise PassbellError("TIMED_OUT", f"no reply within {timeout} seconds") from error
        host = urlsplit(request.full_url).hostname
        raise PassbellError("CONNECTION_FAILED", f"{host} could not be reached") from error


def _parse(status: int, text: bytes) -> Dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if isinstance(body, dict) and isinstance(body.get("success"), bool):
        return body
    if status >= 500:
        raise PassbellError("CONNECTION_FAILED", f"a proxy replied with HTTP {status}")
    raise PassbellError("UNEXPECTED_REPLY", f"HTTP {status} is not a reply from Passbell. Check base_url.")


class Transport:
    def __init__(
        self,
        base_url: str,
        app_key: str,
        app_secret: str,
        timeout: float,
        max_retries: int,
        on_reply: Optional[Callable[[ReplyMeta], None]],
        opener: Callable[..., Any],
    ) -> None:
        self._api_url = f"{server_url(base_url)}/api/v1"
        self._headers = {"clientId": app_key, "clientSecret": app_secret, "User-Agent": f"passbell-python/{VERSION}"}
        self._timeout = timeout
        self._max_retries = max_retries
        self._on_reply = on_reply
        self._opener = opener

    def call(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        *,
        repeatable: bool,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        ends_at: Optional[float] = None,
    ) -> Any:
        """Returns the reply's data.

        ``repeatable``: whether the call may be repeated if it may have succeeded. ``ends_at``: the monotonic time after
        which the call fails.
        """
        for name, value in {"request_id": request_id, "idempotency_key": idempotency_key}.items():
            if value is not None and not (value and value.isascii() and value.isprintable()):
                raise ValueError(f"Passbell: {name} must be one or more printable ASCII characters")
        headers = {**self._headers, "X-Request-Id": request_id or str(uuid.uuid4())}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps({name: value for name, value in body.items() if value is not None}).encode()
        attempts = 0
        while True:
            attempts += 1
            # Each attempt has its own request, because a proxy handler changes the request.
            request = urllib.request.Request(self._api_url + path, data, headers, method=method)
            limit = timeout or self._timeout
            if ends_at is not None:
                limit = min(limit, max(ends_at - time.monotonic(), 0.001))
            try:
                return self._attempt(request, path, headers["X-Request-Id"], limit)
            except PassbellError as error:
                pause = max(error.retry_after_seconds or 0, RETRY_PAUSE_SECONDS * 2 ** (attempts - 1))
                can_retry = repeatable and error.code in TRANSIENT and attempts <= self._max_retries
                is_late = ends_at is not None and time.monotonic() + pause >= ends_at
                if not can_retry or is_late or (error.retry_after_seconds or 0) > MAX_PAUSE_SECONDS:
                    raise
            time.sleep(pause)

    def _attempt(self, request: urllib.request.Request, path: str, request_id: str, timeout: float) -> Any:
        try:
            status, headers, text = fetch(self._opener, request, timeout)
            body = _parse(status, text)
        except PassbellError as error:
            error.request_id = request_id
            raise
        replayed = headers.get("Idempotent-Replayed") == "true"
        meta = ReplyMeta(path, headers.get("X-Request-Id") or request_id, replayed, body.get("warnings", []))
        if self._on_reply:
            self._on_reply(meta)
        if not body["success"]:
            raise PassbellError(
                body["code"], body["message"], body, request_id=meta.request_id, replayed=meta.replayed
            )
        return body.get("data")
