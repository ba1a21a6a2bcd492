/** Extra lease duration, so that a worker finishes its attempt before another worker can claim the same work. */
export const LEASE_MARGIN_SECONDS = 10;
/** Maximum time that a stopping process waits for open requests and running jobs. */
export const STOP_SECONDS = 20;

/** Provides the current time and timers. Code takes a clock as a parameter, so that tests can advance the time. */
export interface Clock {
  now(): number;
  /** Runs `task` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns the start of the UTC day. */
export const startOfDay = (ms: number): number => Math.floor(ms / DAY) * DAY;

/** Returns the UTC day, such as `2026-01-31`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Whether a text is a day that exists. `Date.parse` turns 30 February into 2 March. */
export const isDay = (text: string): boolean => utcDay(Date.parse(`${text}T00:00:00Z`) || 0) === text;

/** Returns the UTC time to the second, such as `2026-01-31T09:30:05Z`. */
export const isoTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Returns the UTC time to the minute, such as `2026-01-31 09:30 UTC`. */
export const utcMinute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `1` → `1 second`, `90` → `90 seconds`, `596` → `10 minutes`, `9000` → `3 hours` */
export function durationText(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}

/** Returns the number of whole seconds until `untilMs`, at least 1, for `retryAfterSeconds` and `Retry-After`. */
export function secondsUntil(untilMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((untilMs - nowMs) / SECOND));
}
