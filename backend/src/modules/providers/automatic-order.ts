/**
 * Orders the providers of an automatic route for one message (Thompson sampling): a provider comes first as often as it is
 * probably the best. Pure functions.
 */
import type { ProviderScore, Share } from './provider-score.js';
import { deliveredShare, drawShare, enteredShare, hasOutage, meanOf, seededRandom, sizeOf } from './provider-score.js';

export interface Candidate {
  readonly score: ProviderScore;
  /** What a message costs with this provider; undefined if it is not known. */
  readonly price?: number | undefined;
}

/** Share of messages that are sent first through a provider without outcomes. Outcomes arrive late, so it is small. */
const EXPLORED = 0.02;
/** Share of messages that are sent first through a provider with an outage, to notice its end. */
const PROBED = 0.05;
/** A provider with fewer outcomes is not compared with others yet. */
const MIN_OUTCOMES = 5;
/** Draws count each outcome so many times: fewer messages then go to providers that are probably worse. */
const DRAW_WEIGHT = 3;
/** The cheaper of two providers comes first if its share is at most so much lower. */
const PRICE_MARGIN = 0.01;
/** Outcomes after which a share is known well enough to prefer a cheaper provider. */
const MIN_OUTCOMES_FOR_PRICE = 100;

/** Entered codes show that messages arrived. Reports are used where no codes are entered, such as for notifications. */
export const comparedShare = (candidates: readonly Candidate[]): ((score: ProviderScore) => Share) =>
  candidates.some(({ score }) => score.entered >= 1) ? enteredShare : deliveredShare;

/**
 * Returns the candidates in the order in which they are tried. It depends only on the scores and the message's random id,
 * so that retries use the same order. Without outcomes, it is nearly always the order of the route.
 */
export function automaticOrder<C extends Candidate>(candidates: readonly C[], messageId: string): readonly C[] {
  const random = seededRandom(messageId);
  const shareOf = comparedShare(candidates);
  const size = ({ score }: C) => sizeOf(shareOf(score));
  const mean = ({ score }: C) => meanOf(shareOf(score));
  const failing = candidates.filter(({ score }) => hasOutage(score));
  const working = candidates.filter((candidate) => !failing.includes(candidate));
  // Providers that send no reports cannot be compared by reports.
  const comparable = shareOf === enteredShare || candidates.every((candidate) => size(candidate) >= 1);
  const compared = comparable ? working.filter((candidate) => size(candidate) >= MIN_OUTCOMES) : [];
  const unknown = working.filter((candidate) => !compared.includes(candidate));
  // Outcomes arrive late: the more are known, the fewer messages try the provider.
  const chanceOf = (candidate: C) =>
    failing.includes(candidate) ? PROBED : EXPLORED * (1 - Math.min(1, size(candidate) / (2 * MIN_OUTCOMES)));
  const explored = [...unknown, ...failing].find((candidate) => random() < chanceOf(candidate));
  if (compared.length === 0) return withFirst([...working, ...failing], explored);
  // Only the first send of a message is compared, so only the first provider is drawn. After a provider that reports
  // undelivered messages, there is time for another one.
  const next = [...working].sort(
    (a, b) => Number(reportsFailures(b.score)) - Number(reportsFailures(a.score)) || mean(b) - mean(a),
  );
  const drawn = compared.map(({ score }) => {
    const { good, bad } = shareOf(score);
    return drawShare({ good: DRAW_WEIGHT * good, bad: DRAW_WEIGHT * bad }, random);
  });
  const best = compared[drawn.indexOf(Math.max(...drawn))]!;
  const cheaper = random() < EXPLORED ? undefined : cheaperThan(best, compared, shareOf);
  return withFirst([...next, ...failing], explored ?? cheaper ?? best);
}

const reportsFailures = ({ undelivered }: ProviderScore): boolean => undelivered >= 1;

const withFirst = <C>(candidates: readonly C[], first: C | undefined): readonly C[] =>
  first === undefined ? candidates : [first, ...candidates.filter((candidate) => candidate !== first)];

/** Returns the cheapest provider that costs less than `best`, and is about as good. */
function cheaperThan<C extends Candidate>(
  best: C,
  compared: readonly C[],
  shareOf: (score: ProviderScore) => Share,
): C | undefined {
  const priceOf = ({ price = Infinity }: Candidate) => price;
  const least = meanOf(shareOf(best.score)) - PRICE_MARGIN;
  return compared
    .filter((other) => other.price !== undefined && best.price !== undefined && other.price < best.price)
    .filter(({ score }) => sizeOf(shareOf(score)) >= MIN_OUTCOMES_FOR_PRICE && meanOf(shareOf(score)) >= least)
    .reduce<C | undefined>((found, other) => (found && priceOf(found) <= priceOf(other) ? found : other), undefined);
}

const SHARE_DRAWS = 1000;

/** Returns the share of messages for which each candidate comes first. */
export function firstShares(candidates: readonly Candidate[]): readonly number[] {
  const counts = candidates.map(() => 0);
  for (let n = 0; n < SHARE_DRAWS; n++) {
    const id = Math.floor(((n + 0.5) / SHARE_DRAWS) * 2 ** 32).toString(16);
    counts[candidates.indexOf(automaticOrder(candidates, id.padStart(8, '0'))[0]!)]! += 1;
  }
  return counts.map((count) => count / SHARE_DRAWS);
}
