/** What became stricter, for installations that are upgraded. A new installation starts with these rules and shows nothing. */

export interface Stricter {
  /** The migration of the version since which it applies; a database that an earlier version created runs it later. */
  readonly since: string;
  /** The change, and what the operator or owner can do, in Markdown with code spans only. */
  readonly text: string;
}

export const STRICTER: readonly Stricter[] = [
  {
    since: '0013-retention',
    text: 'The dev inbox no longer replaces missing channels where any provider, `TRUST_PROXY`, or a public `BASE_URL` is set: sends on these channels fail with `CHANNEL_NOT_CONFIGURED`. `DEV_INBOX=force` turns it on with a secret address that is printed at startup.',
  },
  {
    since: '0013-retention',
    text: 'Without a mail server, people cannot sign in to the dashboard of such an installation by code. Use `passbell account sign-in-link EMAIL`.',
  },
  {
    since: '0013-retention',
    text: '`/metrics` replies 401 in such an installation. Set `METRICS_TOKEN`, and let Prometheus send it as a bearer token. `/demo` is closed there.',
  },
  {
    since: '0013-retention',
    text: 'New names, template texts and widget texts must not contain control characters or directional overrides. Stored ones stay as they are.',
  },
  {
    since: '0013-retention',
    text: 'A request must arrive completely within 20 seconds, or it gets the status 408.',
  },
  {
    since: '0009-two-factor-callers',
    text: '`/auth/verifytoken` rejects tokens of the two-factor widget unless the request contains `"purpose": "two-factor"`. Servers that validate these tokens themselves must expect the audience `<App Key>/two-factor`.',
  },
  {
    since: '0009-two-factor-callers',
    text: 'Within ten minutes after a code, `disable2fa` and `enable2fa` need the `browserNonce` of that code, or another code in `otp`. The widget sends it. Without `browserNonce` and `maskId`, each `enable2fa` returns a new secret.',
  },
  {
    since: '0009-two-factor-callers',
    text: 'Locks after wrong two-factor codes become twice as long each time, and after 50 wrong codes in a row only a recovery code helps (`TWO_FACTOR_BLOCKED`). Without a userToken, one network address can ask the widget about 200 users an hour; change this with `--widget-identities-per-hour`.',
  },
  {
    since: '0011-ceilings',
    text: "Accounts other than the operator's have ceilings: applications, messages and cost per day, and bounds for all limits. Existing accounts keep what they use. See `passbell account ceilings --help`.",
  },
  {
    since: '0011-ceilings',
    text: "The chance of guessing a recipient's code within a day stays under 0.1 %, which no setting turns off: after 9 wrong codes of 4 digits within a day, the recipient is locked. Longer codes allow more.",
  },
  {
    since: '0011-ceilings',
    text: 'Addresses and networks in an allow-list match the source address only, never `Origin` or `Referer`; behind a proxy, set `TRUST_PROXY`. Entries that no caller can match are rejected in new lists, and stay without effect in existing ones.',
  },
  {
    since: '0011-ceilings',
    text: 'Gmail addresses count as one mailbox for limits, with or without dots and at `googlemail.com`. Unknown App Keys count as failed authentications of their source, also in the widget.',
  },
  {
    since: '0013-retention',
    text: 'Where `BASE_URL` is public, voice calls ask for a key before they read a code, and Twilio must reach `BASE_URL`. `VOICE_KEY_PRESS=off` restores calls that read the code at once.',
  },
  {
    since: '0013-retention',
    text: 'An application can have 5,000 queued messages. Further sends fail with `OVERLOADED`.',
  },
  {
    since: '0013-retention',
    text: 'Host names of webhooks are resolved by DNS only, not by `/etc/hosts`, unless `WEBHOOKS_ALLOW_PRIVATE` is on. A URL whose look-up takes more than five seconds is rejected.',
  },
  {
    since: '0012-passkeys',
    text: 'The dashboard asks for a confirmation before it creates an App Secret, invites people or changes roles, when the sign-in was more than 15 minutes ago.',
  },
  {
    since: '0012-passkeys',
    text: 'Limits of the application `pk_dashboard` no longer apply to sign-ins, which have limits of their own.',
  },
  {
    since: '0013-retention',
    text: 'Users are deleted 730 days after their last verification, at the earliest 730 days after this upgrade, and audit log entries after 730 days. Change this with `USER_RETENTION_DAYS` and `AUDIT_RETENTION_DAYS`.',
  },
];
