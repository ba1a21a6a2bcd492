/** Seeded random numbers, which make simulations repeatable. */

export interface Random {
  /** From 0 up to, but not including, 1. */
  uniform(): number;
  /** From 0 to n − 1. */
  below(n: number): number;
  chance(probability: number): boolean;
  normal(mean: number, deviation: number): number;
  /** The time between two events of a Poisson process. */
  exponential(mean: number): number;
  digits(count: number): string;
}

/** Mulberry32: its 32-bit state is enough to simulate traffic. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function uniform(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (n: number) => Math.floor(uniform() * n);
  return {
    uniform,
    below,
    chance: (probability) => uniform() < probability,
    normal: (mean, deviation) =>
      mean + deviation * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    exponential: (mean) => -mean * Math.log(1 - uniform()),
    digits: (count) => String(below(10 ** count)).padStart(count, '0'),
  };
}
