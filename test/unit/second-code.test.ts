/** The order in which a second code for a person tries providers and channels. */
import { planAfter } from '../../backend/src/modules/messages/second-code.js';

const CHANNELS = ['SMS', 'WHATSAPP', 'VOICE'] as const;
const WAYS = [
  { channel: 'SMS', provider: 'P1' },
  { channel: 'SMS', provider: 'P2' },
  { channel: 'WHATSAPP', provider: 'P3' },
  { channel: 'VOICE', provider: 'P1' },
] as const;

it.each([
  ['the next provider of the channel', WAYS[0], ['SMS', 'WHATSAPP', 'VOICE'], 'P2'],
  ['the next channel after the last provider', WAYS[1], ['WHATSAPP', 'VOICE', 'SMS'], 'P3'],
  ['a channel that another provider serves', WAYS[2], ['VOICE', 'SMS', 'WHATSAPP'], 'P1'],
  ['the first way after the last one', WAYS[3], ['SMS', 'WHATSAPP', 'VOICE'], 'P1'],
])('starts with %s', (_what, previous, channels, provider) => {
  expect(planAfter({ channels: CHANNELS }, WAYS, previous)).toEqual({ channels, provider });
});

it('does not change the plan after a way that is not part of it', () => {
  expect(planAfter({ channels: CHANNELS }, WAYS, { channel: 'EMAIL', provider: 'P9' })).toEqual({ channels: CHANNELS });
  expect(planAfter({ channels: CHANNELS }, WAYS, { channel: 'SMS', provider: null })).toEqual({ channels: CHANNELS });
});
