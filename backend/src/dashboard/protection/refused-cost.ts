import type { CountedRefusal } from '../../modules/fraud/fraud.js';
import { createPriceOf } from '../../modules/messages/price.js';
import type { Modules } from '../modules.js';
import { unitsOf } from '../../modules/usage/usage.js';

type RefusedMessages = Pick<CountedRefusal, 'rule' | 'country' | 'messages'>;

/**
 * Estimates what refused messages would have cost, in ten-thousandths of a currency unit; 0 if the price is unknown.
 * Voice calls have their own rule; the other messages are priced as SMS, because their channel is not stored.
 */
export function createRefusedCost(routing: Modules<'providers'>['providers']['routing']) {
  const priceOf = createPriceOf(routing);
  return function refusedCost(applicationId: number, { rule, country, messages }: RefusedMessages): number {
    const channel = rule === 'voice' ? 'VOICE' : 'SMS';
    return messages * unitsOf(priceOf({ applicationId, channel, country }).charge);
  };
}
