/** Describes in words how well a provider of an automatic route delivers. */
import type { Share } from '../../modules/providers/provider-score.js';
import { deliveredShare, enteredShare, hasOutage, rangeOf, sizeOf } from '../../modules/providers/provider-score.js';
import type { EntryScore } from '../../modules/providers/routing.js';
import { countText, nounFor } from '../usage/figures.js';

const percent = (share: number): number => Math.round(100 * share);

/** `about 78–84% of codes entered, based on 512 codes`; undefined without outcomes. */
function rangeText(share: Share): string | undefined {
  const range = rangeOf(share);
  if (!range) return undefined;
  const from = percent(range.from);
  const to = percent(range.to);
  const shown = from === to ? `${from}%` : `${from}–${to}%`;
  const count = Math.round(sizeOf(share));
  return `about ${shown} of codes entered, based on ${countText(count)} ${nounFor(count, 'code')}`;
}

/** `tried first for 84% of messages; about 78–84% of codes entered, based on 512 codes; price 0.004` */
export function scoreText({ share, score }: EntryScore, price: number | undefined): string {
  const first = share < 0.005 ? 'rarely tried first' : `tried first for ${percent(share)}% of messages`;
  const delivered = deliveredShare(score);
  const reports = Math.round(sizeOf(delivered));
  const parts = [
    first,
    hasOutage(score) ? 'most of its latest messages were not delivered' : undefined,
    rangeText(enteredShare(score)) ?? 'no codes counted yet',
    sizeOf(delivered) < 1
      ? undefined
      : `${percent(delivered.good / sizeOf(delivered))}% of ${countText(reports)} ${nounFor(reports, 'reported message')} ${reports === 1 ? 'was' : 'were'} delivered`,
    price === undefined ? undefined : `price ${price}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}
