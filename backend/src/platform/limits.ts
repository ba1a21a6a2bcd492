/** Every number that bounds something, with its reason. Times are in seconds unless the name says otherwise. */

/** What an application may change; 0 switches a limit off. */
export const DEFAULT_LIMITS = {
  /** A person needs about this long to see that no message came; doubled for the next, doubled again for the rest. */
  cooldownSeconds: 30,
  /** More in ten minutes is a loop or somebody who pumps SMS, not a person. */
  sendsPer10Minutes: 5,
  /** Bounds what one recipient can cost in a day. */
  sendsPerDay: 10,
  /** Burst of one application: a checkout queue passes, a loop without a pause does not. */
  burstPerSecond: 20,
  burstPerMinute: 100,
  /** Guesses on one session between two locks: five of a million codes. */
  wrongCodesPerLock: 5,
  /** Guesses on one recipient in an hour over all of its sessions, since new sends must not buy new guesses. */
  wrongCodesPerHour: 20,
  /** The same notification to one recipient again so soon is a double click or a workflow that ran twice. */
  notificationRepeatSeconds: 30,
  /** Calls of the widget from one address: a whole office passes, a search for who has two-factor is slow. */
  widgetCallsPerMinute: 60,
} as const;

export type ApplicationLimits = { readonly [N in keyof typeof DEFAULT_LIMITS]: number };

/** Multiples of `cooldownSeconds` after the first, second and every later send within ten minutes: 30, 60, 120 s. */
export const COOLDOWN_STEPS = [1, 2, 4] as const;

/** First and second lock of a session; the third lasts until the code expires. */
export const LOCK_SECONDS = [60, 300] as const;

/** A recipient that reached `wrongCodesPerHour` rests as long as the hour that is counted. */
export const RECIPIENT_LOCK_SECONDS = 3600;

/** Wrong key pairs a minute and address: a person who mistypes passes, a search does not. */
export const FAILED_AUTHENTICATIONS_PER_MINUTE = 10;

/** Wrong codes in a row that lock the two-factor of an identity, and for how long. */
export const TWO_FACTOR_WRONG_CODES = 5;
export const TWO_FACTOR_LOCK_SECONDS = 900;
/** Wrong codes are forgotten when none has come for this long: longer than a lock, so that each lock is a whole one. */
export const TWO_FACTOR_GUESSES_KEPT_SECONDS = 3600;
/** Codes of one step before and one after the clock are taken: phones drift, and people type slowly. */
export const TOTP_STEPS_AROUND = 1;
/** Enough to install an authenticator app and scan; then a QR code left on a screen is worthless. */
export const ENROLMENT_SECONDS = 600;
/** How long a verified code lets the same browser turn two-factor off or move it, without another one. */
export const PROOF_SECONDS = 600;
/** A site signs a userToken for the page that it renders, not for good. */
export const USER_TOKEN_MAX_SECONDS = 86_400;
/** A sheet of paper; each has 50 random bits, far more than five guesses in a quarter of an hour find. */
export const RECOVERY_CODES = 10;

/** Dashboard: a working day, after which everybody signs in again, and the lunch break that ends a session before. */
export const PERSON_SESSION_HOURS = 12;
export const PERSON_SESSION_IDLE_MINUTES = 120;
/** How often it is noted that a session is in use: a page is no write. */
export const PERSON_SESSION_NOTED_SECONDS = 60;
/** Signing in to the dashboard: life of a code, pauses between codes for one address, and how many there are. */
export const SIGN_IN_CODE_MINUTES = 10;
export const SIGN_IN_SPACING_SECONDS = [30, 60, 120] as const;
export const SIGN_IN_PER_10_MINUTES = 5;
/** More than for a shop's customers: who asks for codes in another's name has to ask for longer until they are kept out. */
export const SIGN_IN_PER_DAY = 50;
/** From one address an office signs in, and a list of addresses is not tried. */
export const SIGN_IN_PER_HOUR_AND_SOURCE = 60;
export const SIGN_IN_GUESSES_PER_MINUTE = 20;
/** How long somebody may take from the address to the last code. */
export const SIGN_IN_MINUTES = 30;
/** How long an invitation to the dashboard can be taken: a week, with a weekend in it. */
export const INVITATION_HOURS = 168;
/** How often a process notes that an application is in use: people read it, and a call is no write. */
export const LAST_USED_NOTED_SECONDS = 60;
/** Applications of an account that a page lists. */
export const APPLICATIONS_LISTED = 200;

/** Messages that one person may send from the dashboard to see a template: they are paid like any other. */
export const TEST_MESSAGES_PER_10_MINUTES = 20;
export const TEST_MESSAGES_PER_DAY = 100;

/** Largest request body; the largest honest one is a notification of a few kilobytes. */
export const BODY_LIMIT = '64kb';

/** Life of a session token: long enough for a checkout. */
export const TOKEN_SECONDS = 1800;

/** Codes that one person may send from the dashboard to try it out: enough for an afternoon's work, and no way to pump SMS. */
export const TEST_CODES_PER_10_MINUTES = 5;
export const TEST_CODES_PER_DAY = 20;
/** Entries of an allow-list that the dashboard takes: each call is held against them one by one. */
export const ALLOW_LIST_ENTRIES = 200;
/**
 * Refused callers that are kept of one application, for the API and for the widget each: the most frequent ones, and beside
 * them the latest. More nobody reads, and anybody can be refused.
 */
export const REFUSED_FREQUENT = 10;
export const REFUSED_LATEST = 10;
/** Ways into applications whose refusals wait in memory at a time; what more there are goes unnoted until the next write. */
export const REFUSED_APPLICATIONS = 200;
/** How often a process writes whom it refused; who mends a list does not wait for longer. */
export const REFUSED_WRITE_MS = 2000;
/** How long a refused caller is shown: a weekly job is refused at least once in it. */
export const REFUSED_DAYS = 8;

/** Characters of an application's own text: more than an SMS or a call can hold, enough for a mail about an order. */
export const OVERRIDE_LENGTH = 4000;
/**
 * How long filling such a text in may take, in milliseconds. An honest one takes less than one; on a machine that is busy
 * it must still not count as one that has no end, and what it may make is bounded below as well.
 */
export const OVERRIDE_MS = 500;
/** Characters that filling it in may make: itself a few times over, with long variables. */
export const OVERRIDE_MEMORY = 100_000;

/** Characters of a User-Agent that are looked at; honest ones have some two hundred. */
export const USER_AGENT_LENGTH = 512;

/** How long a notification that cannot be delivered is tried: news about an order are stale a day later. */
export const NOTIFICATION_HOURS = 24;

/** Webhooks of one application: each of its events is stored and sent this often at most. */
export const WEBHOOKS_PER_APPLICATION = 50;
/** How often a worker looks for events that wait to be sent. */
export const WEBHOOK_POLL_MS = 1000;
/** How long a call to a webhook may take; its server is meant to take the event and think about it later. */
export const WEBHOOK_TIMEOUT_MS = 5000;
/** Webhooks that one process serves at a time, and calls to one of them at a time: a slow one holds up few others. */
export const WEBHOOK_CONCURRENCY = 16;
export const WEBHOOK_CALLS = 4;
/** Pauses before the second, third, … call for an event; the last one repeats until the event is given up. */
export const WEBHOOK_DELAYS_SECONDS = [5, 30, 120, 600, 1800, 3600] as const;
/** How long an event is tried. */
export const WEBHOOK_HOURS = 24;
/** Failures in a row after which a webhook gets no call at all for a while, which grows by the pauses above. */
export const WEBHOOK_FAILURES_BEFORE_REST = 10;
/** Longest part of a webhook's reply that is waited for, in bytes: nobody reads it. */
export const WEBHOOK_REPLY_LIMIT = 10_000;
/** Recent events that a caller is shown, and rows that are looked through for them: nothing is written to find them. */
export const RECENT_EVENTS = 10;
export const RECENT_LOOKED_THROUGH = 5000;

/** How long an Idempotency-Key is remembered. */
export const IDEMPOTENCY_HOURS = 24;
/** A request that is in flight for longer than this has died with its process. */
export const IDEMPOTENCY_LEASE_SECONDS = 60;

/** A worker that has not reported back this long after the deadline of its attempt has died. */
export const LEASE_MARGIN_SECONDS = 10;
/** Pauses before the second, third, … attempt after a passing error; the last one repeats. */
export const RETRY_DELAYS_SECONDS = [1, 2, 5, 10, 30, 60] as const;
/**
 * A passing error is repeated on its channel for this long when the plan has another one. Together with one more attempt to
 * connect, the next channel has the message within five seconds: longer nobody waits for a code without asking again.
 */
export const PLAN_RETRY_SECONDS = 2;
/** How long connecting to a provider may take, in milliseconds: one that is there answers in a fraction of it. */
export const CONNECT_TIMEOUT_MS = 3000;
/** Failures in a row after which a provider rests, and for how long: a few messages tell, and one tries again soon. */
export const PROVIDER_FAILURES_BEFORE_REST = 5;
export const PROVIDER_REST_SECONDS = 10;
/** Steps of a message's past that are kept for people to look at; what happens again and again is one step. */
export const HISTORY_STEPS = 50;
/** How often the sweeper looks for messages without a job. */
export const SWEEP_MS = 1000;
/** How often the sweeper makes a new job for a message that waits: a long queue gets few jobs too many. */
export const SWEEP_ROUND_MS = 10_000;
/** How many messages one sweep takes up. */
export const SWEEP_BATCH = 500;
/** Messages of one channel in delivery at a time unless the settings say otherwise: a few workers keep a provider busy. */
export const CHANNEL_CONCURRENCY = 32;
/** A message whose worker died this often kills workers: it goes to the dead letters. Innocent ones share a few crashes. */
export const MAX_CRASHED_ATTEMPTS = 8;

/** How long a change by the operator command may take to reach a running server. */
export const APPLICATION_CACHE_MS = 1000;

/** How long an expired session still answers "OTP has expired" before it is removed. */
export const SESSION_RETENTION_DAYS = 7;
/** How long a finished message stays for the operator to look at. */
export const MESSAGE_RETENTION_DAYS = 30;
/** Rows that one clean-up statement removes, so that it never blocks for long. */
export const CLEANUP_BATCH = 500;
/** Often enough that each clean-up is short; nothing waits for one. */
export const CLEANUP_INTERVAL_MS = 60_000;

/** Applications whose messages one statement looks for: it asks for each kind of each, and SQLite joins 500 such parts. */
export const LOOKUP_APPLICATIONS = 20;

/** Messages that an export reads at a time: few enough that nothing else waits for long. */
export const EXPORT_CHUNK = 500;
/** Sessions whose codes one transaction counts. */
export const COUNTED_CODES = 500;
/** How long after its end a code is counted: by then all that was under way for it is stored. */
export const CODE_COUNT_DELAY_MS = 120_000;
/** Sessions that are not counted yet among which usage is looked up: all of them, but in a rush. */
export const CODES_LOOKED_THROUGH = 2000;

/** Messages that the dev inbox keeps, in memory only. */
export const DEV_INBOX_SIZE = 500;

/** Connections to the mail server at a time; many mail providers refuse a client with more than ten. */
export const SMTP_CONNECTIONS = 5;
/** How long an idle connection to the mail server is kept: under the minutes after which servers close theirs. */
export const SMTP_IDLE_MS = 60_000;
/** How long an idle connection to Twilio is kept: shorter than any proxy keeps it, so that none is used as it closes. */
export const TWILIO_IDLE_MS = 4000;
/** Longest reply read from Twilio, in characters; an honest one has about two thousand. */
export const TWILIO_REPLY_LIMIT = 100_000;

/** How long a stopping process waits for what is in flight. */
export const STOP_SECONDS = 20;
/** How long an idle connection is kept: longer than proxies do (60 s), who would otherwise meet one that just ends. */
export const KEEP_ALIVE_SECONDS = 65;
/** How long an idle connection may still bring a request to a process that stops. */
export const STOP_IDLE_SECONDS = 5;
/** Retry hint while the database is away. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/** How long a process signs with a key before it asks whether there is a newer one. */
export const SIGNING_KEY_CACHE_MS = 1000;

/** Connections of one process to MySQL: statements are short, so a few serve many requests. */
export const DATABASE_CONNECTIONS = 10;
/** How long a request waits for the database before it says that the service is not available. */
export const DATABASE_TIMEOUT_MS = 5000;
/** How long a statement waits for a row that another one keeps; under the time-out above, so that both sides know of it. */
export const DATABASE_LOCK_SECONDS = 3;
/** After how long MySQL ends a connection that says nothing, and frees its rows: ours end by themselves long before. */
export const DATABASE_ABANDONED_SECONDS = 15;
/** How long an idle connection to MySQL is kept: under the silence after which one is given up. */
export const DATABASE_IDLE_MS = 3000;

/** How long an item may wait for its group to begin: no longer than the work before it may take. */
export const GROUP_WAIT_MS = 5000;

/** How often a transaction is tried when others are in its way: each time at least one of them gets through. */
export const CONFLICT_ATTEMPTS = 5;

/** How often, and after which pause, a start tries to migrate while another process is at it: half a minute in all. */
export const MIGRATION_ATTEMPTS = 60;
export const MIGRATION_PAUSE_MS = 500;

/** How long a request waits for Redis before it says that the service is not available. */
export const REDIS_TIMEOUT_MS = 2000;
/** How often Redis is asked for a sign of life, and after how many in vain it is looked for anew: some six seconds in all. */
export const REDIS_CHECK_MS = 1000;
export const REDIS_SILENT_CHECKS = 2;
/** How often the queue looks for jobs that a lost connection had taken: they are late by up to twice as long. */
export const STALLED_CHECK_MS = 5000;
/** Pause between two searches for the Redis that has replaced the one in use. */
export const REDIS_MOVE_MS = 1000;
/** A message without a job is looked for this long after it was stored: by then a job has normally been taken. */
export const SWEEP_GRACE_MS = 5000;
/** Pause before an outcome that could not be stored is stored again. */
export const STORE_RETRY_MS = 250;

/** Messages that may wait for a worker: about what a few workers deliver while a code is still of use. */
export const MAX_QUEUED = 20_000;
/** Messages on their way among which people find theirs: some more than may wait, for those that came at one time. */
export const OPEN_LOOKED_THROUGH = 2 * MAX_QUEUED;
/** Retry hint while the queue is that long. */
export const OVERLOADED_RETRY_SECONDS = 10;
/** How often a process looks how long the queue is. */
export const BACKLOG_CHECK_MS = 1000;

/** How often a process compares its time with the database's: a poor quartz is off by some milliseconds until then. */
export const CLOCK_CHECK_MS = 60_000;
/** Comparisons of which the quickest counts: the first may have to connect. */
export const CLOCK_SAMPLES = 3;
