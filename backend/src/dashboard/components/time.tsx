import { utcMinute } from '../../platform/clock.js';

/** A time in UTC. A script on the page converts it to the reader's time zone. `ms` is in epoch milliseconds. */
export function Time({ ms }: { readonly ms: number }) {
  return <time dateTime={new Date(ms).toISOString()}>{utcMinute(ms)}</time>;
}
