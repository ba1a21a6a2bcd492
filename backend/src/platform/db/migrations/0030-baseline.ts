/**
 * Creates the tables of a new database. Each later change of a table is a migration of its own.
 *
 * Times are epoch milliseconds. `…_hash` columns and `recipient_key` contain hashes, and `…_sealed` columns encrypted
 * text. `application_id` and `account_id` are ids in `applications` and `accounts`. Rows are deleted some time after
 * their `expires_at`.
 */
import type { Knex } from 'knex';

type Table = Knex.CreateTableBuilder;

/** Adds strings that are not null. `lengths`: the maximum length of each, in characters. */
function strings(t: Table, lengths: Readonly<Record<string, number>>): void {
  for (const [name, length] of Object.entries(lengths)) t.string(name, length).notNullable();
}

/** Adds texts that are not null. With MySQL, they have at most 64 KB. */
function texts(t: Table, ...names: string[]): void {
  for (const name of names) t.text(name).notNullable();
}

/** Adds big integers that are not null, such as times. */
function bigIntegers(t: Table, ...names: string[]): void {
  for (const name of names) t.bigInteger(name).notNullable();
}

/** Adds a counter that starts at 0. */
const counter = (t: Table, name: string) => t.integer(name).unsigned().notNullable().defaultTo(0);

/** Adds the id of a row in another table. */
const idOf = (t: Table, name: string) => t.integer(name).unsigned().notNullable();

/** Adds an id, and the id of the row in another table that the row belongs to. */
function rowOf(t: Table, parentId: string): void {
  t.bigIncrements('id');
  idOf(t, parentId);
}

const accountKey = (t: Table) => idOf(t, 'account_id').references('accounts.id');

/** Indexes without a name are named after their table and columns. This name would sometimes be too long for MySQL. */
const TABLES: Readonly<Record<string, (t: Table) => void>> = {
  // Accounts and applications
  /** Owners of applications and providers: customers, the operator, and the dashboard. */
  accounts(t) {
    t.increments('id');
    t.string('email', 320).notNullable().unique();
    strings(t, { status: 16 });
    t.bigInteger('created_at').notNullable();
    t.text('ceilings'); // JSON: the ceilings that differ from the defaults. Null: none.
    t.boolean('own_providers'); // Whether the operator allows the account its own providers. Null: no.
    t.string('name', 100); // Null: the email address is the name.
    t.text('branding'); // JSON: accent color, footer and the id of the logo. Null: no branding.
    t.text('logo', 'mediumtext'); // A PNG in base64.
  },
  /** Applications, which send messages with API credentials. */
  applications(t) {
    t.increments('id');
    accountKey(t).index('applications_account');
    strings(t, { name: 100, status: 16 });
    t.string('app_key', 64).notNullable().unique();
    t.text('settings').notNullable(); // JSON: the settings that differ from the defaults.
    counter(t, 'user_count'); // The last number that a user of the application got as `user_application_id`.
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_used_at');
    t.bigInteger('delete_at'); // When it is erased. Null: it was not deleted. 0: its rows are being erased.
  },
  /** App Secrets. A replaced one is valid until it expires. */
  application_secrets(t) {
    t.increments('id');
    idOf(t, 'application_id').references('applications.id');
    strings(t, { secret_hash: 64 });
    t.text('token_key_sealed'); // The key that verifies userTokens. Null in secrets that are older than userTokens.
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at'); // Null: the secret was not replaced.
  },
  /** Callers that an application's allow-list rejected, for the dashboard. */
  refused_callers(t) {
    rowOf(t, 'application_id');
    // `via` is `api` or `widget`; `caller` an origin or an IP address, or "" for the sum of all further callers.
    strings(t, { via: 8, caller: 255, address: 64 });
    bigIntegers(t, 'times', 'first_at');
    t.bigInteger('last_at').notNullable().index();
    t.unique(['application_id', 'via', 'caller']);
  },
  /** Custom texts of messages. */
  template_overrides(t) {
    rowOf(t, 'application_id');
    strings(t, { template: 64, channel: 16, language: 8 });
    t.text('subject'); // Null on channels without a subject.
    t.text('text').notNullable();
    t.bigInteger('updated_at').notNullable();
    t.unique(['application_id', 'template', 'channel', 'language'], { indexName: 'template_overrides_key' });
  },
  /** Has one row, whose version counts changes of accounts, applications and texts. Then processes clear their caches. */
  settings_version(t) {
    t.integer('id').primary();
    t.bigInteger('version').notNullable();
  },

  // Codes and users
  /** Codes that were sent, and decoys. */
  otp_sessions(t) {
    t.bigIncrements('id');
    t.string('mask_id', 32).notNullable().unique();
    idOf(t, 'application_id');
    strings(t, { recipient: 320, recipient_key: 64, channel: 16 });
    strings(t, { state: 16, code_hash: 80 }); // `live`, `verified`, or `ended` when another code was verified.
    t.smallint('code_length').notNullable();
    t.bigInteger('code_space'); // Number of possible codes, to weigh guesses. Null: 10 to the power of `code_length`.
    t.string('message_id', 32);
    counter(t, 'guesses'); // Number of wrong guesses of this code.
    t.bigInteger('locked_until').notNullable().defaultTo(0);
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable().index();
    t.bigInteger('verified_at');
    t.string('repeatable_by', 64); // Keyed hash of the caller that may repeat the verification. Null: none may.
    t.index(['application_id', 'recipient_key', 'state']);
  },
  /** Wrong guesses across all codes of a recipient. */
  recipient_guesses(t) {
    rowOf(t, 'application_id');
    strings(t, { recipient_key: 64 });
    t.text('times').notNullable(); // JSON: times of the wrong guesses in the last hour.
    t.text('risks'); // JSON: how much of the allowed chance to guess a code was used in each hour of the last day.
    t.bigInteger('locked_until').notNullable().defaultTo(0);
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['application_id', 'recipient_key']);
  },
  /** Has one row: the last code that was counted in `usage_counts`. Codes are counted in the order of their expiry. */
  counted_sessions(t) {
    t.integer('id').primary();
    bigIntegers(t, 'expires_at', 'session_id');
  },
  /** Users of an application: one for each verified phone number or email address. */
  users(t) {
    t.increments('id');
    t.string('user_id', 40).notNullable().unique();
    idOf(t, 'application_id');
    idOf(t, 'user_application_id'); // Consecutive number of the user in the application.
    strings(t, { identity_type: 8, identity: 320 }); // Unverified identities start with a colon.
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_verified_at').notNullable().index('users_last_verified'); // Accurate to a day.
    t.bigInteger('sessions_ended_at'); // Tokens that were issued until this time are revoked. Null: none were.
    t.unique(['application_id', 'identity']);
  },
  /** Keys that sign users' tokens. */
  signing_keys(t) {
    t.string('kid', 32).primary();
    texts(t, 'public_jwk', 'private_jwk_sealed');
    t.bigInteger('created_at').notNullable();
    t.bigInteger('retires_at'); // When the key stops verifying tokens. Null: the current key.
  },
  /** Tokens that were revoked before they expired. */
  revoked_tokens(t) {
    t.string('jti', 64).primary();
    t.bigInteger('expires_at').notNullable().index();
  },

  // Requests
  /** Requests with an Idempotency-Key. The id is a hash of the application and the key. */
  idempotency_keys(t) {
    t.string('id', 64).primary();
    strings(t, { request_hash: 80 });
    t.text('reply'); // Null while the first request is in progress.
    t.bigInteger('lease_until').notNullable(); // Without a reply by then, the process is assumed to have crashed.
    t.bigInteger('expires_at').notNullable().index();
  },
  /** The id of the message or code that a request with an Idempotency-Key has created. */
  idempotency_results(t) {
    t.string('id', 64).primary();
    strings(t, { result_id: 32 });
    t.bigInteger('expires_at').notNullable().index();
  },
  /** Rate limits of installations without Redis. */
  rate_limits(t) {
    t.string('id', 160).primary();
    t.text('times').notNullable(); // JSON: times of the events, or the sum of a budget.
    t.bigInteger('expires_at').notNullable().index();
  },

  // Messages and usage
  /** Messages, from the request until 30 days after they are finished. `messages/message.ts` describes the columns. */
  messages(t) {
    t.string('id', 32).primary();
    idOf(t, 'application_id');
    t.string('mask_id', 32); // The code of the message, if it has one.
    strings(t, { template: 64, request_id: 36, recipient: 320 });
    t.text('plan').notNullable(); // JSON: the channels in the order in which they are tried.
    strings(t, { state: 16, channel: 16 });
    // The final state. "" for open and sent messages, so that most messages never move in the index.
    t.string('ending', 16).notNullable().defaultTo('');
    t.text('payload'); // The encrypted variables. Null after the content was erased.
    t.text('tried').notNullable(); // JSON: each provider's last attempt on each channel.
    t.text('history'); // JSON: earlier attempts and reports. Null: none.
    t.smallint('attempts').unsigned().notNullable().defaultTo(0); // Number of attempts on the current channel.
    t.smallint('crashes').unsigned().notNullable().defaultTo(0); // Number of workers that crashed while sending it.
    t.string('claim', 16); // Random id of the worker's claim.
    t.bigInteger('due_at').index(); // Time of the next attempt, or end of the worker's lease. Null: finished.
    t.string('provider', 40); // The provider that was called last.
    t.string('provider_id', 100); // The provider's id for the message.
    t.string('report', 16); // The provider's report: `delivered` or `undelivered`.
    t.bigInteger('reported_at');
    bigIntegers(t, 'created_at', 'expires_at');
    t.bigInteger('finished_at').index();
    t.index(['state', 'expires_at']);
    t.index(['application_id', 'created_at', 'id'], 'messages_application_index');
    t.index(['application_id', 'channel', 'ending', 'created_at', 'id'], 'messages_kind_index');
    t.index(['application_id', 'recipient', 'created_at', 'id'], 'messages_recipient_index');
  },
  /** Message ids of providers whose delivery reports do not contain Passbell's id. */
  provider_message_ids(t) {
    strings(t, { provider: 40, provider_id: 100, message_id: 64 });
    t.bigInteger('created_at').notNullable().index('provider_message_ids_created');
    t.primary(['provider', 'provider_id']);
  },
  /** Counts of messages and codes, and their cost in ten-thousandths of the currency. `usage/usage.ts` describes them. */
  usage_counts(t) {
    idOf(t, 'application_id');
    strings(t, { day: 10, channel: 16, country: 2, currency: 3 }); // Day: `2026-01-31`, in UTC.
    // Signed, because a report that replaces another one subtracts 1.
    for (const name of ['sent', 'delivered', 'undelivered', 'failed']) t.integer(name).notNullable();
    for (const name of ['codes', 'verified']) t.integer(name).notNullable().defaultTo(0);
    t.bigInteger('cost').notNullable();
    t.primary(['application_id', 'day', 'channel', 'country', 'currency']);
  },

  // Providers and prices
  /** Providers that were added in the dashboard or with the command. */
  providers(t) {
    t.string('id', 40).primary();
    accountKey(t);
    strings(t, { type: 40, name: 64 });
    t.text('settings', 'mediumtext').notNullable(); // JSON: the fields that are not secret.
    t.text('secrets_sealed', 'mediumtext').notNullable(); // JSON: secret fields, and the key for delivery reports.
    t.boolean('enabled').notNullable();
    t.bigInteger('created_at').notNullable();
    t.unique(['account_id', 'name'], { indexName: 'providers_name' });
  },
  /** Which providers send an account's messages. */
  routes(t) {
    t.increments('id');
    accountKey(t);
    strings(t, { channel: 16, country: 2 }); // The country is an ISO 3166 code, or * for all other countries.
    t.text('providers').notNullable(); // JSON: ids in the order in which they are tried, optionally with weights.
    t.unique(['account_id', 'channel', 'country'], { indexName: 'routes_key' });
  },
  /** Prices of an account's messages on channels that `PRICES_FILE` does not list. */
  prices(t) {
    accountKey(t);
    strings(t, { channel: 16 });
    t.text('prices').notNullable(); // JSON: prices by ISO 3166 code; * for all other countries.
    t.primary(['account_id', 'channel']);
  },
  /** Has one row, whose version counts changes of providers, routes and prices. */
  routing_versions(t) {
    t.integer('id').primary();
    t.bigInteger('version').notNullable();
    t.string('currency', 3); // ISO 4217 code of the currency of all prices. Null: usd.
  },

  // Webhooks
  /** Subscriptions of applications. */
  webhooks(t) {
    t.increments('id');
    t.string('webhook_id', 40).notNullable().unique();
    idOf(t, 'application_id').index();
    texts(t, 'url', 'events', 'secret_sealed'); // `events` is a JSON list.
    counter(t, 'failures'); // Number of failed calls since the last successful one.
    t.bigInteger('rests_until').notNullable().defaultTo(0); // End of the pause after a failed call, or by a person.
    t.bigInteger('created_at').notNullable();
  },
  /** The outbox: events that a webhook has not accepted yet. */
  webhook_deliveries(t) {
    rowOf(t, 'webhook_id');
    strings(t, { event_id: 40 });
    t.text('body').notNullable();
    t.smallint('attempts').unsigned().notNullable().defaultTo(0);
    t.string('claim', 16);
    t.bigInteger('due_at').notNullable(); // Time of the next attempt, or end of the worker's lease.
    t.bigInteger('created_at').notNullable().index();
    t.index(['webhook_id', 'due_at']);
  },
  /** The latest calls of webhooks, for the dashboard. */
  webhook_attempts(t) {
    rowOf(t, 'webhook_id');
    strings(t, { event_id: 40 });
    texts(t, 'body', 'reply'); // The event, and the start of the reply or the reason why there is none.
    t.smallint('attempt').unsigned().notNullable();
    t.smallint('status').unsigned(); // HTTP status. Null: no reply.
    t.bigInteger('called_at').notNullable().index();
    t.index(['webhook_id', 'id']);
  },

  // Automations
  /** Addresses that receive the events of a shop. */
  incoming_hooks(t) {
    t.increments('id');
    t.string('hook_id', 40).notNullable().unique();
    idOf(t, 'application_id').index();
    strings(t, { kind: 20 });
    t.text('secret_sealed'); // Null until a person enters the secret that the shop has created.
    counter(t, 'rejected'); // Number of rejected requests.
    t.string('rejected_because', 200).notNullable().defaultTo('');
    t.bigInteger('rejected_at').notNullable().defaultTo(0);
    t.bigInteger('created_at').notNullable();
  },
  /** Which event of a shop sends which message. `hook_id` is the `id` of the hook, here and in the next tables. */
  automations(t) {
    t.increments('id');
    idOf(t, 'hook_id').index();
    idOf(t, 'application_id').index();
    strings(t, { event: 64, template: 64 });
    t.string('channel', 20); // Null: the application's channel order.
    t.text('fields').notNullable(); // JSON: Liquid texts of the recipient, country, language and variables.
    t.boolean('enabled').notNullable();
    t.bigInteger('created_at').notNullable();
  },
  /** Events of shops and their results. */
  incoming_events(t) {
    rowOf(t, 'hook_id');
    idOf(t, 'application_id').index();
    // `delivery_key` is a hash: a shop may deliver an event several times. `reference` is the order number. `names`
    // lists the events in the delivery, separated with commas.
    strings(t, { delivery_key: 64, topic: 100, reference: 100, names: 200 });
    texts(t, 'delivery', 'results'); // JSON: the delivery without its body, and the result of each event.
    t.text('body_sealed', 'mediumtext'); // Null once it is no longer needed.
    t.bigInteger('due_at').index(); // Time of the next attempt, or end of the worker's lease. Null: done.
    t.string('claim', 16);
    counter(t, 'attempts');
    t.bigInteger('received_at').notNullable().index();
    t.unique(['hook_id', 'delivery_key']);
    t.index(['hook_id', 'due_at']);
  },
  /** Events of orders that were handled, so that each is handled once. The id is a hash of hook, order and event. */
  handled_events(t) {
    t.string('id', 64).primary();
    idOf(t, 'hook_id').index();
    idOf(t, 'application_id').index();
    t.bigInteger('event_id').notNullable(); // The row of `incoming_events` that handles the event.
    t.bigInteger('changed_at'); // When the shop last changed the order.
    t.bigInteger('created_at').notNullable().index();
  },

  // Two-factor authentication
  /** Second factors of users who are identified by their email address. */
  two_factors(t) {
    rowOf(t, 'application_id');
    strings(t, { identity: 320 });
    t.text('secret_sealed').notNullable();
    t.bigInteger('last_step').notNullable(); // The time step of the last accepted code, which is not accepted again.
    strings(t, { proved_by: 80 }); // Hash of the browser that last verified a code, and so can change the factor.
    bigIntegers(t, 'proved_until', 'created_at');
    t.boolean('vouched').notNullable().defaultTo(true); // Whether a caller with a userToken has verified a code.
    t.unique(['application_id', 'identity']);
    t.index(['vouched', 'proved_until'], 'two_factors_vouched');
  },
  /** Recovery codes that were not used. */
  two_factor_recovery_codes(t) {
    t.bigIncrements('id');
    t.bigInteger('factor_id').notNullable();
    strings(t, { code_hash: 64 });
    t.unique(['factor_id', 'code_hash']);
  },
  /** Browsers that have verified a code of a factor. They get more attempts. */
  two_factor_browsers(t) {
    t.bigIncrements('id');
    t.bigInteger('factor_id').notNullable();
    strings(t, { browser: 80 });
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['factor_id', 'browser']);
  },
  /** Factors that are being set up. */
  two_factor_enrolments(t) {
    t.bigIncrements('id');
    t.string('mask_id', 32).notNullable().unique();
    idOf(t, 'application_id');
    strings(t, { identity: 320, client: 80 }); // Client: hash of the browser; the `mask_id` if it is unknown.
    t.string('source', 80); // Hash of the IP address.
    t.text('secret_sealed').notNullable();
    t.bigInteger('replaces').notNullable(); // Id of the factor that this one replaces.
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['application_id', 'identity', 'client']);
  },
  /** Consecutive wrong codes of a caller, or of a group of callers, for a user. */
  two_factor_failures(t) {
    rowOf(t, 'application_id');
    strings(t, { identity: 320, caller: 80 });
    t.integer('failures').unsigned().notNullable();
    t.bigInteger('locked_until').notNullable();
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['application_id', 'identity', 'caller']);
  },
  /** Rows that transactions lock to change a user's second factor one at a time. `two_factor_failures` has the counts. */
  two_factor_guesses(t) {
    rowOf(t, 'application_id');
    strings(t, { identity: 320 });
    counter(t, 'guesses');
    t.bigInteger('locked_until').notNullable().defaultTo(0);
    t.bigInteger('expires_at').notNullable().index();
    t.unique(['application_id', 'identity']);
  },

  // Fraud guard
  /** When the guard started to observe an application, and whether any of its codes was ever verified. */
  fraud_applications(t) {
    t.integer('application_id').unsigned().primary();
    t.bigInteger('guarded_since').notNullable();
    t.boolean('ever_verified').notNullable();
  },
  /** Recipients of an application that were sent to and verified, and the cost, by minute, hour and day. */
  fraud_counters(t) {
    idOf(t, 'application_id');
    strings(t, { dimension: 16, counter_key: 64, size: 8 }); // For example, `country`, `US` and `day`.
    bigIntegers(t, 'start', 'sent', 'verified', 'spend');
    t.primary(['application_id', 'dimension', 'counter_key', 'size', 'start']);
    t.index(['size', 'start'], 'fraud_counters_start');
  },
  /** Recipients that were counted. `RecipientRecord` in `fraud/fraud.ts` describes the columns. */
  fraud_recipients(t) {
    idOf(t, 'application_id');
    strings(t, { recipient_key: 64 });
    t.bigInteger('counted_at').notNullable();
    for (const name of ['messages', 'unverified']) t.integer(name).notNullable();
    t.string('source', 64);
    t.boolean('new_country').notNullable();
    t.bigInteger('verified_at');
    t.bigInteger('expires_at').notNullable().index('fraud_recipients_expires');
    t.primary(['application_id', 'recipient_key']);
  },
  /** Countries, prefixes and other scopes that were paused or allowed. */
  fraud_scopes(t) {
    rowOf(t, 'application_id');
    strings(t, { scope: 16, scope_key: 64, rule: 16 });
    t.integer('level').notNullable(); // Number of recent pauses. The next one lasts longer.
    t.bigInteger('paused_at').notNullable();
    t.bigInteger('paused_until'); // Null: until a person acts.
    t.text('evidence').notNullable(); // JSON: the counts that caused the pause.
    t.boolean('established').notNullable(); // Whether the scope was an established country.
    t.bigInteger('allowed_until').notNullable(); // -1: allowed forever.
    t.unique(['application_id', 'scope', 'scope_key'], { indexName: 'fraud_scopes_key' });
  },
  /** Notices about pauses, which are also listed as events, and about costs. */
  fraud_notices(t) {
    rowOf(t, 'application_id');
    strings(t, { notice_key: 64, kind: 16 }); // The key identifies the fact, so that it is reported only once.
    t.text('body').notNullable(); // JSON: the notice.
    t.bigInteger('created_at').notNullable().index('fraud_notices_created');
    t.bigInteger('mailed_at').index('fraud_notices_mailed'); // Null: an email is due. 0: the notice is not emailed.
    t.unique(['application_id', 'notice_key'], { indexName: 'fraud_notices_key' });
  },
  /** Messages that the guard would have refused while it only observed. */
  fraud_observations(t) {
    idOf(t, 'application_id');
    t.bigInteger('day').notNullable().index('fraud_observations_day'); // Start of the UTC day.
    strings(t, { rule: 16, scope: 16, scope_key: 64 });
    t.integer('messages').notNullable();
    t.primary(['application_id', 'day', 'rule', 'scope', 'scope_key']);
  },

  // Dashboard
  /** Dashboard users: one for each account of an email address. */
  people(t) {
    t.increments('id');
    accountKey(t);
    t.string('email', 320).notNullable().index();
    strings(t, { role: 16 });
    t.bigInteger('created_at').notNullable();
    t.bigInteger('last_seen_at');
    t.unique(['account_id', 'email']);
  },
  /** Sign-ins of dashboard users. */
  person_sessions(t) {
    t.string('token_hash', 64).primary();
    idOf(t, 'person_id').index();
    bigIntegers(t, 'created_at', 'used_at');
    t.bigInteger('confirmed_at'); // When the person last entered a code or used a passkey. Null: at `created_at`.
    t.bigInteger('expires_at').notNullable().index();
  },
  /** Invitations to an account. */
  invitations(t) {
    t.increments('id');
    t.string('token_hash', 64).notNullable().unique();
    idOf(t, 'account_id').index();
    t.string('email', 320); // Null: anyone who has the link can join.
    strings(t, { role: 16 });
    t.bigInteger('created_at').notNullable();
    t.bigInteger('expires_at').notNullable().index();
  },
  /** Sign-in links that the operator has created. */
  sign_in_links(t) {
    t.string('token_hash', 64).primary();
    strings(t, { email: 320 });
    t.integer('account_id').unsigned(); // Null in links of an earlier version, which are not valid.
    t.bigInteger('expires_at').notNullable().index();
  },
  /** Passkeys of dashboard users. */
  passkeys(t) {
    t.increments('id');
    t.string('email', 320).notNullable().index();
    strings(t, { name: 100 });
    t.string('credential_hash', 64).notNullable().unique(); // Indexed, because an id has up to 1023 bytes.
    texts(t, 'credential_id', 'public_key');
    strings(t, { user_handle: 64, rp_id: 255 });
    // `counter` is the authenticator's signature counter. A challenge is accepted once.
    bigIntegers(t, 'counter', 'last_challenge_at', 'created_at');
    t.bigInteger('last_used_at');
  },
  /** The log of changes. */
  audit_entries(t) {
    rowOf(t, 'account_id');
    strings(t, { actor: 320, action: 64, subject: 320 });
    t.text('changes').notNullable(); // JSON: the old and new value of each field.
    t.bigInteger('created_at').notNullable().index('audit_entries_created');
    t.index(['account_id', 'id']);
  },
};

/** Tables whose text MySQL compares with the default collation of utf8mb4, which ignores case. */
const DEFAULT_COLLATION = [
  'counted_sessions',
  'fraud_applications',
  'fraud_notices',
  'prices',
  'routing_versions',
  'settings_version',
];

export async function up(db: Knex): Promise<void> {
  for (const [name, addColumns] of Object.entries(TABLES))
    await db.schema.createTable(name, (t) => {
      // Compares text byte by byte, as SQLite does.
      if (db.client.dialect === 'mysql' && !DEFAULT_COLLATION.includes(name)) {
        t.charset('utf8mb4');
        t.collate('utf8mb4_bin');
      }
      addColumns(t);
    });
  await db('counted_sessions').insert({ id: 1, expires_at: 0, session_id: 0 });
  await db('routing_versions').insert({ id: 1, version: 1 });
  await db('settings_version').insert({ id: 1, version: 0 });
}
