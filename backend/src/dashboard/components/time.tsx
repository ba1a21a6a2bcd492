/** A time in UTC, which the page's script converts to the reader's time zone. `ms` are epoch milliseconds. */
export function Time({ ms }: { readonly ms: number }) {
  const iso = new Date(ms).toISOString();
  return <time dateTime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}</time>;
}
