/** A time in UTC. A script on the page converts it to the reader's time zone. `ms` is in epoch milliseconds. */
export function Time({ ms }: { readonly ms: number }) {
  const iso = new Date(ms).toISOString();
  return <time dateTime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}</time>;
}
