/** Sends long texts that take a long time in a parser whose work grows faster than the text. */
import { processorMs } from './processor-time.js';

/**
 * The most that one text may add to the processor time of a request, in milliseconds on a quiet machine. Linear code
 * needs about 5 ms for 64 kB.
 */
const LIMIT_MS = 100;
const REPETITIONS = 4;
/** The time of `linearWork` on a quiet machine. Shared cores and memory make processor time up to ten times longer. */
const LINEAR_WORK_MS = 8;
const LARGE_BYTES = 64_000;
/**
 * Some parsers refuse the largest text for its length, so a text of this size follows: quadratic work on it takes a
 * tenth of a second or more.
 */
const MEDIUM_BYTES = 16_000;
/** Cubic work takes seconds on this text, and hours on the others. */
const SMALL_BYTES = 2000;

const spaces = (start: string, bytes: number): string => `${start}${' '.repeat(bytes - start.length - 1)}!`;

/** `start` is a text that the parser accepts; it also makes parsers that trim their text keep the spaces. */
const texts = (start: string, bytes: number): readonly string[] => [
  spaces(start, SMALL_BYTES),
  ...[MEDIUM_BYTES, bytes]
    .filter((size) => size <= bytes)
    .flatMap((size) => [spaces(start, size), 'a'.repeat(size), '('.repeat(size)]),
  'a,'.repeat(Math.floor(bytes / 2)),
];

export interface LongText {
  /** Shown if the text takes too long. */
  readonly name: string;
  readonly start?: string | undefined;
  /** Largest text that the request can transport. */
  readonly bytes?: number;
  send(text: string): Promise<unknown>;
}

function linearWork(): void {
  for (let n = 0; n < 10; n++) JSON.parse(JSON.stringify('a, (<'.repeat(LARGE_BYTES / 5).split(' ')));
}

/** Returns the limit for the present speed of the machine. */
async function currentLimitMs(): Promise<number> {
  return LIMIT_MS * Math.min(10, Math.max(1, (await processorMs(linearWork)) / LINEAR_WORK_MS));
}

/**
 * Sends the texts, and describes those that take too much processor time. Processor time does not depend on other
 * processes, but sometimes includes a garbage collection or a background task, so a slow text is sent again.
 */
export async function findSlowText({ name, start, bytes = LARGE_BYTES, send }: LongText): Promise<string[]> {
  for (const text of texts(start || 'a', Math.min(bytes, LARGE_BYTES))) {
    let ms = await processorMs(() => send(text));
    let limit = LIMIT_MS;
    for (let n = 0; n < REPETITIONS && ms > limit; n++) {
      limit = await currentLimitMs();
      const short = await processorMs(() => send(start || 'a'));
      ms = Math.min(ms, (await processorMs(() => send(text))) - short);
    }
    if (ms > limit)
      return [`${name}: ${text.length} characters (${text.slice(-3)}) take ${Math.round(ms)} ms of processor time`];
  }
  return [];
}
