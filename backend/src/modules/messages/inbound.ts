/** Reads messages from recipients: STOP, START and HELP, and their equivalents in other languages. */
import type { Application } from '../applications/application.js';
import type { InboundMessage } from '../../providers/provider-type.js';
import { parseRecipient } from '../recipients/recipient.js';
import { wishOf, wordOf } from '../suppressions/opt-out.js';
import type { OptOutsService } from '../suppressions/opt-outs-service.js';
import type { MessagesStore } from './messages-store.js';

/** Maximum length of a sender's number in a request. */
const MAX_NUMBER_LENGTH = 40;

interface Dependencies {
  readonly store: Pick<MessagesStore, 'sentTo'>;
  readonly optOuts: Pick<OptOutsService, 'change'>;
  readonly applicationOf: (id: number) => Promise<Application | undefined>;
}

export type ReceiveInbound = ReturnType<typeof createReceiveInbound>;

export function createReceiveInbound({ store, optOuts, applicationOf }: Dependencies) {
  /**
   * Applies a reply to all applications that have sent the recipient a message through the provider. Returns the text to
   * reply with, if the reply asks for help.
   */
  return async function receiveInbound(
    provider: string,
    { channel, from, text }: InboundMessage,
  ): Promise<string | undefined> {
    const word = wordOf(text);
    if (word === undefined || from.length > MAX_NUMBER_LENGTH) return undefined;
    const address = parseRecipient(from.startsWith('+') ? from : `+${from}`)?.address;
    if (address === undefined) return undefined;
    const applicationIds = await store.sentTo(provider, channel, address);
    const wish = wishOf(word);
    if (wish === 'help') {
      const names = await Promise.all(applicationIds.map(async (id) => (await applicationOf(id))?.name));
      return names.length > 0 ? `${names.join(', ')}: reply STOP to stop messages about your orders.` : undefined;
    }
    const decision = { channel, address, optedOut: wish === 'stop', source: 'reply', word } as const;
    await optOuts.change(applicationIds.map((applicationId) => ({ applicationId, ...decision })));
    return undefined;
  };
}
