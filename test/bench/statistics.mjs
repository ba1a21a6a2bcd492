/** Percentiles, medians and ranges. */

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

export function median(values) {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The probability of at most `count` heads in `flips` flips of a coin. */
function atMostHeads(count, flips) {
  let exactly = 0.5 ** flips;
  let sum = 0;
  for (let heads = 0; heads <= count; heads++) {
    sum += exactly;
    exactly *= (flips - heads) / (heads + 1);
  }
  return sum;
}

/**
 * The median, and the interval that contains the true median with a probability of 95% (sign test): with
 * fewer than six values, the whole range.
 */
export function medianInterval(values) {
  const sorted = values.toSorted((a, b) => a - b);
  let outside = 0;
  while (atMostHeads(outside, sorted.length) <= 0.025) outside++;
  const edge = Math.max(0, outside - 1);
  return { median: median(sorted), low: sorted[edge] ?? NaN, high: sorted[sorted.length - 1 - edge] ?? NaN };
}

/** Median, minimum and maximum. */
export function spread(values) {
  const numbers = values.filter((value) => Number.isFinite(value));
  if (numbers.length === 0) return undefined;
  return { median: median(numbers), min: Math.min(...numbers), max: Math.max(...numbers) };
}

export function summarize(times) {
  const sorted = Float64Array.from(times).sort();
  return { p50: at(sorted, 0.5), p95: at(sorted, 0.95), p99: at(sorted, 0.99) };
}
