/** Numbers next to ranges that are not accepted. */
import { parseRecipient } from '../../backend/src/modules/recipients/recipient.js';

it.each([
  ['+8613481234567', '+8613491234567', '+8613501234567'],
  ['+8617391234567', '+8617401234567', '+8617411234567'],
  ['+79531234567', '+79541234567', '+79551234567'],
  ['+6286712345678', '+6286812345678', '+6286912345678'],
  ['+67527412345', '+67527512345', '+67527612345'],
  ['+12129751234', '+12129761234', '+12129771234'],
  ['+14169751234', '+14169761234', '+14169771234'],
])('accepts %s, but not %s, and accepts %s', (before, rejected, after) => {
  expect(parseRecipient(rejected)?.rejectedKind).toBeDefined();
  for (const accepted of [before, after])
    expect(parseRecipient(accepted)).toMatchObject({ type: 'phone', rejectedKind: undefined });
});

it('accepts the exchange 976 in other countries with +1', () => {
  expect(parseRecipient('+18769761234')).toMatchObject({ country: 'JM', rejectedKind: undefined });
});
