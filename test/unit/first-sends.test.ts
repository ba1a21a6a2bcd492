/** How the sends of an expired code judge their providers. */
import { firstSendOutcomes } from '../../backend/src/modules/messages/first-sends.js';
import { newMessage, type EarlierSend, type Message } from '../../backend/src/modules/messages/message.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { DEV_INBOX_ID } from '../../backend/src/providers/provider-id.js';

const price = { charge: '0.0100', currency: 'usd', country: 'IN' };
const draft = { id: 'a1', applicationId: 7, maskId: 'm', template: 'otp', recipient: '+919810000000', requestId: '' };

const earlier = (provider: string, at: number, more: object = {}, channel: ChannelName = 'SMS'): EarlierSend => ({
  attempt: { channel, success: true, message: 'sent', price, at, ...more },
  provider,
  providerId: 'x',
  report: 'undelivered',
  reportedAt: at,
});

function sent(
  provider: string,
  at: number,
  earlierSends: readonly EarlierSend[] = [],
  channel: ChannelName = 'SMS',
): Message {
  const message = newMessage({ ...draft, plan: [channel], payload: '', expiresAt: 1000 }, 0);
  const attempts = [{ channel, success: true, message: 'sent', price, at }];
  return { ...message, state: 'sent', provider, channel, attempts, earlierSends };
}

const judged = (message: Message, isEntered: boolean) =>
  firstSendOutcomes(message, isEntered).map(({ channel, country, provider, outcomes: { entered, notEntered } }) =>
    [channel, country, provider, entered, notEntered].join(' '),
  );

it.each([
  ['an entered code', sent('A', 1), true, ['SMS IN A 1 0']],
  ['a code that was not entered', sent('A', 1), false, ['SMS IN A 0 1']],
  ['a code that another provider had to send again', sent('B', 2, [earlier('A', 1)]), true, ['SMS IN A 0.5 0.5']],
  ['a code that nobody entered after two sends', sent('B', 2, [earlier('A', 1)]), false, ['SMS IN A 0 1']],
  ['a first send that arrived late', sent('A', 1, [earlier('B', 2)]), true, ['SMS IN A 1 0']],
  [
    'a code that moved to another channel',
    sent('S', 3, [earlier('W', 1, {}, 'WHATSAPP')]),
    true,
    ['WHATSAPP IN W 0.5 0.5', 'SMS IN S 1 0'],
  ],
  ['an unknown outcome', sent('B', 2, [earlier('A', 1, { success: false })]), true, ['SMS IN B 1 0']],
  ['the dev inbox', sent(DEV_INBOX_ID, 1), true, []],
] as const)('judges %s', (_title, message, isEntered, expected) => {
  expect(judged(message, isEntered)).toEqual(expected);
});
