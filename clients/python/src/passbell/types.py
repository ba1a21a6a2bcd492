"""Types of requests, replies and events.

Generated from backend/openapi/openapi.yaml by `npm run generate`. Do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import Required


class SendOtpRequest(TypedDict, total=False):
    to: Required[str]
    authWay: Union[str, None]
    otpLength: Union[int, None]
    expiry: Union[int, None]
    otp: Union[Union[str, int], None]
    language: Union[str, None]
    reference: Union[Reference, None]
    clientIp: Union[str, None]
    challenge: Union[str, None]


class VerifyOtpRequest(TypedDict, total=False):
    maskId: Union[str, None]
    to: Union[str, None]
    authWay: Union[str, None]
    otp: Required[Union[str, int]]


class CodePageRequest(TypedDict, total=False):
    maskId: Required[str]
    callbackUrl: Required[str]
    expiresIn: Required[int]
    channels: Union[List[Literal["SMS", "WHATSAPP", "VOICE", "EMAIL"]], None]
    language: Union[str, None]


class ReportVerifiedRequest(TypedDict, total=False):
    maskId: Union[str, None]
    to: Union[str, None]


class TokenRequest(TypedDict):
    token: str


class VerifyTokenRequest(TypedDict, total=False):
    token: Required[str]
    purpose: Union[Literal["login", "two-factor"], None]


class ResetTwoFactorRequest(TypedDict):
    identity: str


class TwoFactorRequest(TypedDict, total=False):
    domainUrl: Required[str]
    appKey: Required[str]
    identity: Required[str]
    userToken: Union[str, None]
    browserNonce: Union[str, None]


class WebhookRequest(TypedDict):
    url: str
    events: List[EventName]


class ListMessagesRequest(TypedDict, total=False):
    to: Union[str, None]
    authWay: Union[str, None]
    state: Union[Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "expired", "canceled", "refused"], None]
    reference: Union[str, None]
    limit: Union[int, None]
    after: Union[str, None]


UsageRequest = TypedDict("UsageRequest", {
    "from": "Union[str, None]",
    "to": "Union[str, None]",
}, total=False)


class RecentEventsRequest(TypedDict):
    event: Literal["message.accepted", "message.delivered", "message.failed", "otp.verified", "otp.locked", "otp.canceled", "fraud.paused", "fraud.refused", "recipient.opted_out", "recipient.opted_in"]


class OrderNotificationRequest(TypedDict, total=False):
    to: Required[str]
    authWay: Union[str, None]
    templateType: Required[str]
    variables: Union[OrderVariables, None]
    attachmentUrl: Union[str, None]
    language: Union[str, None]
    sendAt: Union[Union[str, int], None]
    reference: Union[Reference, None]


class InvoiceNotificationRequest(TypedDict, total=False):
    to: Required[str]
    authWay: Union[str, None]
    templateType: Required[str]
    variables: Union[InvoiceVariables, None]
    attachmentUrl: Union[str, None]
    language: Union[str, None]
    sendAt: Union[Union[str, int], None]
    reference: Union[Reference, None]


class OrderVariables(TypedDict, total=False):
    customerName: Union[str, float, bool]
    orderId: Union[str, float, bool]
    orderTotal: Union[str, float, bool]
    amount: Union[str, float, bool]
    status: Union[str, float, bool]
    cancelReason: Union[str, float, bool]
    failureReason: Union[str, float, bool]
    paymentMethod: Union[str, float, bool]
    retryPaymentLink: str
    trackingNo: Union[str, float, bool]
    estimatedDelivery: Union[str, float, bool]
    deliveryAgentName: Union[str, float, bool]
    refundedAmount: Union[str, float, bool]
    refundMethod: Union[str, float, bool]
    refundId: Union[str, float, bool]
    expectedCreditDate: Union[str, float, bool]
    orderDetailsLink: str
    transactionId: Union[str, float, bool]
    trackingLink: str
    feedbackLink: str
    supportLink: str
    retryUrl: str
    updateMessage: Union[str, float, bool]
    orderDate: Union[str, float, bool]


class InvoiceVariables(TypedDict, total=False):
    customerName: Union[str, float, bool]
    invoiceNumber: Union[str, float, bool]
    amount: Union[str, float, bool]
    invoiceUrl: str


class Success(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[str]
    warnings: Warnings


class Failure(TypedDict, total=False):
    success: Required[Literal[False]]
    message: Required[str]
    code: Required[ErrorCode]
    hint: Required[str]
    field: str
    received: str
    docs: str
    warnings: Warnings
    retryAfterSeconds: int
    attemptsLeft: int
    lockedForSeconds: int
    data: SendEnvelope
    challenge: Challenge


class Challenge(TypedDict, total=False):
    kind: Required[Literal["altcha", "turnstile", "hcaptcha"]]
    altcha: AltchaChallenge
    siteKey: str


class AltchaChallenge(TypedDict):
    parameters: Dict[str, Any]
    signature: str


class SendOtpReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[str]
    warnings: Warnings
    data: Required[SendEnvelope]


class SendEnvelope(TypedDict):
    isTried: int
    isSent: int
    results: List[SendResult]


class SendResult(TypedDict, total=False):
    success: Required[bool]
    message: Required[str]
    to: Required[str]
    authType: Required[AuthType]
    authtype: Required[Literal["Email", "Sms", "WHATSAPP", "Voice"]]
    maskId: Required[str]
    messageId: Required[str]
    createdTime: Required[int]
    sendTime: int
    expireTime: Required[int]
    expiretime: Required[int]
    charge: Required[Charge]
    currency: Required[Currency]
    deviceInfo: DeviceInfo


class DeviceInfo(TypedDict):
    ipAddress: str
    browser: str
    os: str
    device: str
    country: str
    state: str
    city: str
    postal: str
    location: str
    org: str
    timezone: str


class NotificationReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[str]
    warnings: Warnings
    status: Required[Literal["NotificationsSent"]]
    data: Required[SendEnvelope]


class ApplicationReplyData(TypedDict):
    appKey: str
    name: str
    language: str
    design: WidgetDesign


class ApplicationReply(TypedDict):
    success: Literal[True]
    message: Literal["application found"]
    data: ApplicationReplyData


class MessageReply(TypedDict):
    success: Literal[True]
    message: Literal["message found"]
    data: Message


class CanceledReply(TypedDict):
    success: Literal[True]
    message: Literal["message canceled"]
    data: Message


class MessagesReplyData(TypedDict, total=False):
    messages: Required[List[Message]]
    next: str


class MessagesReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[Literal["messages"]]
    warnings: Warnings
    data: Required[MessagesReplyData]


UsageReplyData = TypedDict("UsageReplyData", {
    "from": "str",
    "to": "str",
    "usage": "List[DailyUsage]",
})


class UsageReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[Literal["usage"]]
    warnings: Warnings
    data: Required[UsageReplyData]


class DailyUsage(TypedDict):
    day: str
    authType: AuthType
    sent: int
    delivered: int
    undelivered: int
    failed: int
    codes: int
    verified: int
    charge: Charge
    currency: Currency


class CodeStatusReply(TypedDict):
    success: Literal[True]
    message: Literal["code found", "code canceled"]
    data: CodeStatus


class CodeStatus(TypedDict, total=False):
    maskId: Required[str]
    state: Required[Literal["pending", "verified", "locked", "expired", "canceled"]]
    to: Required[str]
    authType: Required[AuthType]
    messageId: Required[str]
    messageState: MessageState
    reference: str
    createdTime: Required[int]
    expireTime: Required[int]
    verifiedTime: int
    attemptsLeft: int
    lockedForSeconds: int


class MessageAttemptsItem(TypedDict, total=False):
    authType: Required[AuthType]
    provider: str
    success: Required[bool]
    message: Required[str]
    undelivered: str
    status: int
    code: str
    link: str
    reply: str


class MessageRefusal(TypedDict, total=False):
    code: Required[ErrorCode]
    message: Required[str]
    hint: Required[str]
    untilTime: int


class Message(TypedDict, total=False):
    messageId: Required[str]
    maskId: Required[str]
    state: Required[MessageState]
    authType: Required[AuthType]
    to: Required[str]
    template: Required[str]
    reference: str
    attempts: Required[List[MessageAttemptsItem]]
    charge: Required[Charge]
    currency: Required[Currency]
    createdTime: Required[int]
    sendTime: int
    finishedTime: int
    replacedBy: str
    deliveredTime: int
    refusal: MessageRefusal


class WebhookReplyData(TypedDict):
    webhookId: str
    url: str
    events: List[EventName]
    secret: str


class WebhookReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[Literal["webhook created"]]
    warnings: Warnings
    data: Required[WebhookReplyData]


class WebhooksReplyData(TypedDict):
    webhooks: List[Webhook]


class WebhooksReply(TypedDict):
    success: Literal[True]
    message: str
    data: WebhooksReplyData


class Webhook(TypedDict):
    webhookId: str
    url: str
    events: List[EventName]
    createdTime: int
    failures: int


class RecentEventsReplyData(TypedDict):
    events: List[WebhookEvent]


class RecentEventsReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[str]
    warnings: Warnings
    data: Required[RecentEventsReplyData]


class MessageEvent(TypedDict, total=False):
    id: Required[EventId]
    event: Required[Literal["message.accepted", "message.delivered", "message.failed"]]
    createdTime: Required[EventTime]
    test: TestEvent
    data: Required[MessageEventData]


class VerifiedEvent(TypedDict, total=False):
    id: Required[EventId]
    event: Required[Literal["otp.verified"]]
    createdTime: Required[EventTime]
    test: TestEvent
    data: Required[VerifiedEventData]


class LockedEvent(TypedDict, total=False):
    id: Required[EventId]
    event: Required[Literal["otp.locked"]]
    createdTime: Required[EventTime]
    test: TestEvent
    data: Required[LockedEventData]


class CanceledEvent(TypedDict, total=False):
    id: Required[EventId]
    event: Required[Literal["otp.canceled"]]
    createdTime: Required[EventTime]
    test: TestEvent
    data: Required[CodeEventData]


class FraudPausedEvent(TypedDict, total=False):
    id: Required[EventId]
    event: Required[Literal["fraud.paused"]]
    createdTime: Required[EventTime]
    test: TestEvent
    data: Required[FraudPausedEventData]


class FraudRefusedEvent(TypedDict, total=False):
    id: Required[EventId]
    event: Required[Literal["fraud.refused"]]
    createdTime: Required[EventTime]
    test: TestEvent
    data: Required[FraudRefusedEventData]


class OptOutEvent(TypedDict, total=False):
    id: Required[EventId]
    event: Required[Literal["recipient.opted_out", "recipient.opted_in"]]
    createdTime: Required[EventTime]
    test: TestEvent
    data: Required[OptOutEventData]


class MessageEventData(TypedDict, total=False):
    messageId: Required[str]
    maskId: Required[str]
    authType: Required[AuthType]
    to: Required[str]
    state: Required[Literal["sent", "delivered", "undelivered", "failed", "expired"]]
    template: Required[str]
    reference: str
    charge: Charge
    currency: Currency
    message: Required[str]


class VerifiedEventData(TypedDict, total=False):
    maskId: Required[str]
    userId: Required[str]
    channel: Required[Literal["sms", "whatsapp", "voice", "email"]]
    identityType: Required[Literal["phone", "email"]]
    to: Required[str]
    reference: str
    verifiedTime: Required[int]


class CodeEventData(TypedDict, total=False):
    maskId: Required[str]
    channel: Required[Literal["sms", "whatsapp", "voice", "email"]]
    identityType: Required[Literal["phone", "email"]]
    to: Required[str]
    reference: str


class LockedEventData(TypedDict, total=False):
    maskId: Required[str]
    channel: Required[Literal["sms", "whatsapp", "voice", "email"]]
    identityType: Required[Literal["phone", "email"]]
    to: Required[str]
    reference: str
    lockedUntilTime: Required[int]


class FraudPausedEventData(TypedDict):
    appKey: str
    application: str
    scope: Literal["prefix", "address", "country", "newCountries", "burst", "solved", "application"]
    key: str
    rule: Literal["prefix", "address", "country", "newCountries", "burst", "solved", "person"]
    level: int
    isChallenged: bool
    reason: str
    sent: int
    verified: int
    since: Union[int, None]
    until: Union[int, None]


class FraudRefusedEventDataRefusalsItem(TypedDict):
    rule: FraudRule
    country: str
    messages: int
    people: int
    isServed: bool


class FraudRefusedEventData(TypedDict):
    appKey: str
    application: str
    day: str
    messages: int
    people: int
    refusals: List[FraudRefusedEventDataRefusalsItem]


class OptOutEventData(TypedDict):
    appKey: str
    application: str
    authType: AuthType
    to: str
    source: Literal["reply", "provider", "unsubscribe"]


class CodePageReplyData(TypedDict):
    url: str
    expireTime: int


class CodePageReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[Literal["page created"]]
    warnings: Warnings
    data: Required[CodePageReplyData]


class VerifyOtpReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[Literal["verified"]]
    warnings: Warnings
    status: Required[Literal["verified"]]
    data: Required[SessionToken]


class SessionTokenUser(TypedDict):
    email: str
    phone: str
    userId: str
    userApplicationId: int


class SessionToken(TypedDict):
    tokenType: Literal["Bearer"]
    token: str
    expiresIn: int
    user: SessionTokenUser


class VerifyTokenReplyDataIdentities(TypedDict):
    identityType: Literal["phone", "email"]
    identityValue: str
    channel: Literal["sms", "whatsapp", "voice", "email", "totp"]
    verified: bool
    verifiedAt: str


class VerifyTokenReplyData(TypedDict):
    userId: str
    identities: VerifyTokenReplyDataIdentities


class VerifyTokenReply(TypedDict, total=False):
    success: Required[Literal[True]]
    message: Required[str]
    warnings: Warnings
    data: Required[VerifyTokenReplyData]


class WidgetDesign(TypedDict):
    title: str
    logoUrl: str
    theme: Literal["auto", "light", "dark"]
    accentColor: Color
    backgroundColor: Color
    textColor: Color
    radius: int
    language: str
    texts: Dict[str, str]


Reference = str
OrderTemplate = Literal["order_placed", "order_confirmed", "order_processing", "order_shipped", "order_out_for_delivery", "order_delivered", "order_delayed", "delivery_failed", "order_cancelled", "order_returned", "payment_success", "payment_pending", "payment_failed", "refund_initiated", "refund_completed", "refund_failed", "feedback_request", "order_update"]
InvoiceTemplate = Literal["invoice_generated", "invoice_reminder", "invoice_overdue", "invoice_paid", "invoice_cancelled"]
Warnings = List[str]
MessageState = Literal["scheduled", "queued", "sending", "sent", "delivered", "undelivered", "failed", "expired", "canceled", "refused"]
Charge = str
Currency = str
AuthType = Literal["Email", "Sms", "WHATSAPP", "Voice"]
EventName = Literal["message.accepted", "message.delivered", "message.failed", "otp.verified", "otp.locked", "otp.canceled", "fraud.paused", "fraud.refused", "recipient.opted_out", "recipient.opted_in"]
WebhookEvent = Union["MessageEvent", "VerifiedEvent", "LockedEvent", "CanceledEvent", "FraudPausedEvent", "FraudRefusedEvent", "OptOutEvent"]
EventId = str
EventTime = int
TestEvent = Literal[True]
FraudRule = Literal["recipient", "voice", "prefix", "address", "country", "newCountries", "burst", "solved", "notifications", "person"]
Color = str
ErrorCode = str
