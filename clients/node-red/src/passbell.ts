/** The nodes of Passbell. */
import { callOperation, registerAction, toOutput, type Context } from './action.js';
import { registerEvents } from './events.js';
import type { NodeRed } from './node-red.js';
import type { OperationName } from './operations.js';
import { addRoutes } from './routes.js';
import { registerServer } from './server.js';
import { registerWait } from './wait.js';

const isoTime = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString();

/** Sends a message, and outputs the result without the fields that only API clients need. */
async function sendMessage(context: Context): Promise<void> {
  const { maskId, messageId, to, authType, expireTime, sendTime, charge, currency, message } =
    await callOperation(context);
  const times = { ...(sendTime !== undefined && { sendAt: isoTime(sendTime) }) };
  const code = context.name === 'send' ? { maskId, expiresAt: isoTime(expireTime) } : {};
  const payload = { messageId, ...code, to, channel: authType, charge, currency, message, ...times };
  context.send(toOutput(1, 0, { ...context.message, payload }));
}

async function verify(context: Context): Promise<void> {
  const { token, tokenType, expiresIn, user } = await callOperation(context);
  const payload = { verified: true, token, tokenType, expiresIn, user };
  context.send(toOutput(2, 0, { ...context.message, payload }));
}

export default function passbell(RED: NodeRed): void {
  registerServer(RED);
  addRoutes(RED);
  registerAction(RED, { type: 'passbell-send', operation: () => 'send', outputs: 1, run: sendMessage });
  registerAction(RED, { type: 'passbell-verify', operation: () => 'verify', outputs: 2, run: verify });
  registerAction(RED, {
    type: 'passbell-notify',
    operation: ({ kind }): OperationName => (kind === 'invoice' ? 'notifyInvoice' : 'notifyOrder'),
    outputs: 1,
    run: sendMessage,
  });
  registerWait(RED);
  registerEvents(RED);
}
