/** Percentiles, medians and ranges. */

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

export function median(values) {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
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
