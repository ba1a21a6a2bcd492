/** The usage that events of messages change. */
import { unitsOf, type UsageChange } from '../usage/usage.js';
import { acceptedAttempt, type DeliveryReport, type Message } from './message.js';
import type { Price } from './price.js';

export function usageChange(message: Message, price: Price, counts: Partial<UsageChange>): UsageChange {
  const { applicationId, channel, finishedAt } = message;
  const { country, currency } = price;
  return { applicationId, at: finishedAt ?? 0, channel, country, currency, ...counts };
}

/** Counts a report on the day of the send, and subtracts the report that it replaces. */
export function usageOfReport(message: Message, report: DeliveryReport, before?: DeliveryReport | null): UsageChange[] {
  const { channel, price } = acceptedAttempt(message) ?? {};
  if (!channel || !price) return [];
  return [usageChange({ ...message, channel }, price, { [report]: 1, ...(before ? { [before]: -1 } : {}) })];
}

/** Counts the message as sent instead of failed, on the day on which it was first counted. */
export function usageOfCorrection(message: Message): UsageChange[] {
  const { channel, price } = acceptedAttempt(message)!;
  return [usageChange({ ...message, channel }, price!, { failed: -1, sent: 1, cost: unitsOf(price!.charge) })];
}
