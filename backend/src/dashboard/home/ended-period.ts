/** Describes a day or a week that has ended. */
import { LIST } from '../../platform/list.js';
import type { Challenged } from '../../modules/fraud/fraud.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import {
  conversionRate,
  countText,
  isLow,
  messagesText,
  moneyText,
  percent,
  total,
  type Sum,
} from '../usage/figures.js';

/** Messages that the fraud guard refused. */
export interface Refused {
  readonly messages: number;
  /** ISO 3166 code; "" for numbers without a country. */
  readonly country: string;
  /** Estimated cost of the messages, in ten-thousandths of a currency unit; 0 if the price is unknown. */
  readonly cost: number;
}

function refusedText(refused: readonly Refused[], currency: string): string {
  const messages = total(refused.map((one) => one.messages));
  if (messages === 0) return '';
  const countries = new Map<string, number>();
  for (const { country, messages: count } of refused) countries.set(country, (countries.get(country) ?? 0) + count);
  const [main, count] = [...countries].sort(([, a], [, b]) => b - a)[0]!;
  const most = count === messages ? '' : ', most of them';
  const where = main !== '' && count > messages / 2 ? `${most} to ${countryInSentence(main)}` : '';
  const cost = total(refused.map((one) => one.cost));
  const price =
    cost === 0 ? '' : ` ${messages === 1 ? 'It' : 'They'} would have cost about ${moneyText(cost, currency)}.`;
  return ` Passbell refused ${messagesText(messages)}${where}.${price}`;
}

function challengedText(challenged: readonly Challenged[]): string {
  const people = total(challenged.map((one) => one.people));
  if (people === 0) return '';
  const [{ country, people: most }] = challenged as [Challenged];
  const isOne = challenged.every((one) => one.country === country);
  const where =
    country !== '' && most > people / 2
      ? `${isOne ? '' : ', most of them'} in ${countryInSentence(country)}${isOne ? '' : ','}`
      : '';
  return ` ${countText(people)} ${people === 1 ? 'recipient' : 'recipients'}${where} had to solve a challenge first.`;
}

/** The countries with messages that the concerns of applications name, and the messages to all others. */
export interface WithoutNamed {
  readonly named: readonly string[];
  readonly others: Sum;
}

/** Messages of a day or week that has ended. */
export interface EndedPeriod extends WithoutNamed {
  readonly sum: Sum;
  readonly refused: readonly Refused[];
  readonly challenged: readonly Challenged[];
}

/** Describes a period that has ended: `1,204 messages were sent, and 91% of the codes were entered.` */
export function periodText({ sum, named, others, refused, challenged }: EndedPeriod, currency: string): string {
  const { sent, failed } = sum;
  const guarded = `${refusedText(refused, currency)}${challengedText(challenged)}`;
  if (sent + failed === 0) return `No messages were sent.${guarded}`;
  const entered = conversionRate(sum);
  const without = conversionRate(others);
  const isExplained = without !== undefined && entered !== undefined && isLow(entered, without);
  const reason = isExplained
    ? ` (${percent(without)} without ${LIST.format(named.map((country) => countryInSentence(country)))})`
    : '';
  const codes = entered === undefined ? '' : `, and ${percent(entered)} of the codes were entered${reason}`;
  const failures = failed === 0 ? '' : ` ${messagesText(failed)} failed.`;
  return `${messagesText(sent)} ${sent === 1 ? 'was' : 'were'} sent${codes}.${failures}${guarded}`;
}
