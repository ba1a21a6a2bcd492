/**
 * Rules that became stricter, for the notice after an upgrade. New installations start with these rules and show no
 * notice.
 */

export interface StricterRule {
  /** Name of a migration released with the change. Databases of earlier versions run it when they are upgraded. */
  readonly since: string;
  /** Describes the change and what to do about it, in Markdown with code spans only. */
  readonly text: string;
}

export const STRICTER_RULES: readonly StricterRule[] = [
  {
    since: '0031-repeated-guesses',
    text: 'With `to` instead of `maskId`, `verifyotp` and `reportverified` only find codes that were delivered to this address, in any letter case. Previously, they also found codes for addresses that share its limits: a code for `ana+tag@shop.example` verified `ana@shop.example`.',
  },
  {
    since: '0031-repeated-guesses',
    text: 'A recipient gets at most 20 notifications a day, and 3 with one template in ten minutes. An application sends at most 5,000 notifications a day by SMS, WhatsApp and voice call. Change this with `--notifications-per-day`, `--notifications-per-10-minutes` and `--phone-notifications-per-day` of `passbell app update`. Notifications to unverified recipients in countries that are neither listed, established nor that of the sender are limited to 10 an hour and 40 a day for each country, and calls there are refused: list the countries that you serve. Budgets (`spendBudget`) and pauses by people also apply to verified recipients. Links in `customerName` and other texts of customers are made unclickable.',
  },
  {
    since: '0026-repeated-verification',
    text: "If an account has its own providers for a channel, but all of them are off or cannot be used, its sends on this channel fail with `CHANNEL_NOT_CONFIGURED`. Previously, they went through the operator's providers. Turn a provider on, or remove all of the channel's providers to use the operator's.",
  },
  {
    since: '0015-fraud',
    text: 'A fraud guard refuses SMS, WhatsApp messages and calls that look like SMS pumping with `FRAUD_SUSPECTED`, even when a person sends a failed message again. From now on, it allows at most 10 unverified recipients an hour in a country that is neither that of the sender nor listed by the application, until three of its recipients were verified. It allows calls only to the country of the sender and to listed countries. If a day costs more than three times as much as the most expensive of the last 14 days, and more than 10 units of the currency, it refuses messages for the rest of that day, unless codes are entered as usual. After 7 days, it also pauses prefixes and countries in which unusually few codes are entered. List the countries that you serve in the settings. See `docs/fraud.md`.',
  },
  {
    since: '0013-retention',
    text: 'If any provider, `TRUST_PROXY`, or a public `BASE_URL` is set, the dev inbox no longer replaces missing channels: sends on these channels fail with `CHANNEL_NOT_CONFIGURED`. `DEV_INBOX=force` turns it on at a secret address that is printed at startup.',
  },
  {
    since: '0013-retention',
    text: 'If the dev inbox is off and no mail server is set, people cannot sign in to the dashboard with an emailed code. Create links with `passbell account sign-in-link EMAIL`.',
  },
  {
    since: '0013-retention',
    text: 'If any provider, Redis, `TRUST_PROXY`, or a public `BASE_URL` or `HOST` is set, `/metrics` replies 401 and `/demo` is not available. Set `METRICS_TOKEN`, and configure Prometheus to send it as a bearer token.',
  },
  {
    since: '0013-retention',
    text: 'New names, template texts and widget texts must not contain control characters or directional overrides. Existing ones are not affected.',
  },
  {
    since: '0013-retention',
    text: 'A request that does not arrive completely within 20 seconds is rejected with status 408.',
  },
  {
    since: '0009-two-factor-callers',
    text: '`/auth/verifytoken` rejects tokens of the two-factor widget unless the request contains `"purpose": "two-factor"`. Servers that validate these tokens themselves must expect the audience `<App Key>/two-factor`.',
  },
  {
    since: '0009-two-factor-callers',
    text: 'In the ten minutes after a code was verified, `disable2fa` and `enable2fa` require the `browserNonce` that was sent with it, or another code in `otp`. The widget sends it. Without `browserNonce` and `maskId`, each `enable2fa` returns a new secret.',
  },
  {
    since: '0009-two-factor-callers',
    text: 'Locks after wrong two-factor codes become twice as long each time, and after 40 wrong codes in a row (20 in browsers that have verified a code before) only a recovery code helps (`TWO_FACTOR_BLOCKED`). After ten wrong recovery codes, the caller must wait for an hour before the next one. Without a userToken, one IP address can ask the widget about 200 users an hour; change this with `--widget-identities-per-hour`.',
  },
  {
    since: '0013-retention',
    text: 'Recommended: on pages that a user sees before the second factor, use a sign-in token as the `userToken` (`<expires>.sign-in.<signature>`). The other form can turn two-factor off without a code, so that someone who has only the password can skip the second factor. The Widget page has the code.',
  },
  {
    since: '0013-retention',
    text: 'The dev inbox shows codes and notices for the dashboard only at the address that contains a key, which is printed at startup.',
  },
  {
    since: '0011-ceilings',
    text: "Accounts other than the operator's have ceilings for the number of applications, for messages and cost per day, and for every limit. The ceilings of existing accounts allow what they use now. See `passbell account ceilings --help`.",
  },
  {
    since: '0011-ceilings',
    text: "The chance of guessing a recipient's code within a day stays below 0.1%, and no setting can change this: after 9 wrong 4-digit codes within a day, the recipient is locked. Longer codes allow more guesses.",
  },
  {
    since: '0011-ceilings',
    text: 'Addresses and networks in an allow-list match the source address only, never `Origin` or `Referer`; behind a proxy, set `TRUST_PROXY`. Entries that no caller can match are rejected when a list is saved, and have no effect in existing lists.',
  },
  {
    since: '0011-ceilings',
    text: 'Limits treat a Gmail address with dots, without dots, and at `googlemail.com` as the same mailbox. Requests with an unknown App Key count as failed authentications of their IP address, also in the widget.',
  },
  {
    since: '0013-retention',
    text: 'If `BASE_URL` is public, voice calls ask the listener to press a key before they read a code, and Twilio must be able to reach `BASE_URL`. With `VOICE_KEY_PRESS=off`, calls read the code immediately, as before.',
  },
  {
    since: '0013-retention',
    text: 'An application can have at most 5,000 queued messages. Further sends fail with `OVERLOADED`.',
  },
  {
    since: '0013-retention',
    text: 'Host names of webhooks are resolved by DNS only, not by `/etc/hosts`, unless `WEBHOOKS_ALLOW_PRIVATE` is on. A URL whose DNS lookup takes more than five seconds is rejected.',
  },
  {
    since: '0012-passkeys',
    text: 'If the sign-in was more than 15 minutes ago, the dashboard asks for confirmation before creating an App Secret, inviting people or changing roles.',
  },
  {
    since: '0012-passkeys',
    text: 'The limits of the application `pk_dashboard` no longer apply to sign-ins, which now have their own limits.',
  },
  {
    since: '0013-retention',
    text: 'Users are deleted 730 days after their last verification, at the earliest 730 days after this upgrade, and audit log entries after 730 days. Change this with `USER_RETENTION_DAYS` and `AUDIT_RETENTION_DAYS`.',
  },
  {
    since: '0013-retention',
    text: 'Satellite, international, toll-free, personal, pager, voicemail and nationwide company numbers are rejected with `NUMBER_NOT_ALLOWED`, and premium-rate and shared-cost numbers with this code instead of `INVALID_RECIPIENT`. The dev inbox rejects them, too.',
  },
  {
    since: '0013-retention',
    text: 'Landlines get no SMS and no WhatsApp messages. They get a call if the request names `VOICE`, or if a channel order with VOICE was saved for the application (`passbell app update APP_KEY --channels SMS,WHATSAPP,VOICE`). Applications whose settings were never saved no longer call landlines.',
  },
  {
    since: '0013-retention',
    text: 'The SMS price in `PRICES_FILE` is charged for each segment, and counts toward the daily limit of an account in the same way. An SMS can have at most 15 segments, and a call can read at most 1,500 characters: longer notifications fail with `INVALID_PARAMETER`, and longer texts of applications are replaced by the built-in text.',
  },
  {
    since: '0014-sign-in-link-account',
    text: 'A sign-in link is valid for one account. If the person belongs to several accounts, or belongs to none and has several invitations, `passbell account sign-in-link EMAIL` fails: name the account with `--account`. Links created before the upgrade no longer work.',
  },
  {
    since: '0014-sign-in-link-account',
    text: 'Numbers in the satellite ranges +1 600 and +61 147 are rejected with `NUMBER_NOT_ALLOWED`.',
  },
];
