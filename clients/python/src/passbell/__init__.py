"""The client for Passbell, the self-hosted service for one-time passcodes."""

from ._version import VERSION as __version__
from .client import Passbell
from .errors import PassbellError
from .tokens import TokenClaims
from .transport import ReplyMeta
from .types import WebhookEvent
from .webhook import verify_webhook

__all__ = ["Passbell", "PassbellError", "ReplyMeta", "TokenClaims", "WebhookEvent", "__version__", "verify_webhook"]
