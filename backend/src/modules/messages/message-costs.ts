/** Calculates a new message's highest cost and checks its length. Renders the message only if necessary. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import { ProviderError, type Content } from '../../providers/provider.js';
import { lengthProblem, pricedParts, SHORT_VALUES_LENGTH } from '../templates/rendering/message-length.js';
import { countryOf } from '../recipients/recipient.js';
import { unitsOf } from '../usage/usage.js';
import type { Message, MessageDraft } from './message.js';
import type { PriceOf } from './price.js';
import type { ContentOf } from './provider-call.js';

type Draft = Pick<MessageDraft, 'id' | 'applicationId' | 'template' | 'plan' | 'variables'>;

export type MessageCosts = ReturnType<typeof createMessageCosts>;

export function createMessageCosts(
  priceOf: PriceOf,
  contentOf: ContentOf,
  variablesOf: (id: string, payload: string) => Readonly<Record<string, string>>,
) {
  async function contentFor({ id, applicationId, template, variables }: Draft, channel: ChannelName): Promise<Content> {
    try {
      return await contentOf({ id, applicationId, template, channel }, variables);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
    }
  }

  async function costOn(channel: ChannelName, country: string, draft: Draft): Promise<number> {
    const { applicationId } = draft;
    const singlePartCost = unitsOf(priceOf({ applicationId, channel, country }).charge);
    if (singlePartCost === 0 || channel !== 'SMS') return singlePartCost;
    const parts = pricedParts(channel, await contentFor(draft, channel));
    return unitsOf(priceOf({ applicationId, channel, country }, parts).charge);
  }

  /**
   * Returns the highest cost of a message to this country on any of its channels, in ten-thousandths of the currency.
   */
  async function highestCost(draft: Draft, country: string): Promise<number> {
    return Math.max(...(await Promise.all(draft.plan.map((channel) => costOn(channel, country, draft)))));
  }

  /** Returns a stored message's highest cost; 0 if the content has been erased, because the message cannot be sent. */
  async function storedCost({ payload, ...message }: Message): Promise<number> {
    if (payload === null) return 0;
    const variables = variablesOf(message.id, payload);
    return highestCost({ ...message, variables }, countryOf(message.recipient));
  }

  /** Throws an {@link ApiError} if the variables make the message too long for one of its channels. */
  async function rejectLong(draft: Draft): Promise<void> {
    const length = Object.values(draft.variables).reduce((sum, value) => sum + value.length, 0);
    if (length <= SHORT_VALUES_LENGTH) return;
    for (const channel of draft.plan) {
      if (channel !== 'SMS' && channel !== 'VOICE') continue;
      const problem = lengthProblem(channel, await contentFor(draft, channel));
      if (problem === undefined) continue;
      const text = `variables: the message would be ${problem}`;
      throw new ApiError('INVALID_PARAMETER', { field: 'variables', values: { text } });
    }
  }

  return { highestCost, storedCost, rejectLong };
}
