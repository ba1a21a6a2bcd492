/** Email addresses that an account does not send to, and why. */
import { utcDay } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';

export const REASONS = ['hardBounce', 'complaint', 'softBounces', 'manual'] as const;
export type SuppressionReason = (typeof REASONS)[number];

/** Number of soft bounces in a row after which an address is suppressed. */
export const MAX_SOFT_BOUNCES = 3;
/** Maximum length of a provider's stored explanation. */
export const MAX_DETAILS_LENGTH = 500;

/** Completes “is suppressed because …”. */
export const CAUSES: Readonly<Record<SuppressionReason, string>> = {
  hardBounce: 'the address does not exist or rejects all emails',
  complaint: 'the recipient marked an email as spam',
  softBounces: `${MAX_SOFT_BOUNCES} emails in a row bounced`,
  manual: 'a person added it to the suppression list',
};

export interface Suppression {
  readonly address: string;
  readonly reason: SuppressionReason;
  /** Name of the provider, or of the person who added the address. */
  readonly source: string;
  /** The provider's explanation. */
  readonly details: string | null;
  readonly createdAt: number;
}

export const suppressedError = ({ createdAt, reason }: Pick<Suppression, 'createdAt' | 'reason'>): ApiError =>
  new ApiError('RECIPIENT_SUPPRESSED', {
    field: 'to',
    values: { since: utcDay(createdAt), cause: CAUSES[reason] },
  });

/** Addresses are compared without case. */
export const addressKey = (address: string): string => address.trim().toLowerCase();

/** Columns of an exported list. */
export const COLUMNS = ['Address', 'Reason', 'Since', 'Source', 'Details'] as const;

/** Returns the values of a line of an exported list. */
export const columnsOf = ({ address, reason, createdAt, source, details }: Suppression): string[] => [
  address,
  reason,
  new Date(createdAt).toISOString(),
  source,
  details ?? '',
];

const cellsOf = (line: string): string[] =>
  line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^["']{1,2}|"$/g, ''));

const isHeader = (line: string): boolean => !line.includes('@') && /mail|address|adresse|recipient|contact/i.test(line);

/**
 * Parses a list whose lines start with an address, such as an exported list. The second column is the reason; an unknown or
 * missing reason becomes `manual`. Ignores a header and empty lines. Without a header, a line may also consist of several
 * addresses. `wrongLines`: numbers of the lines with anything else.
 */
export function parseList(csv: string, isEmail: (text: string) => boolean) {
  const entries: Pick<Suppression, 'address' | 'reason'>[] = [];
  const wrongLines: number[] = [];
  let hasHeader = false;
  for (const [n, line] of csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const cells = cellsOf(line);
    const [first = '', second = ''] = cells;
    if (cells.every((cell) => cell === '')) continue;
    if (n === 0 && isHeader(line)) {
      hasHeader = true;
      continue;
    }
    const isRow = hasHeader || !isEmail(second);
    const addresses = isRow ? [first] : cells.filter(Boolean);
    const reason = REASONS.find((known) => known === second) ?? 'manual';
    entries.push(...addresses.filter(isEmail).map((address) => ({ address, reason })));
    if (!addresses.every(isEmail)) wrongLines.push(n + 1);
  }
  return { entries, wrongLines };
}
