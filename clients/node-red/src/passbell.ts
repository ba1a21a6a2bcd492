/** The nodes of Passbell. */
import { callOperation, registerAction, toOutput, type Context } from './action.js';
import { registerEvents } from './events.js';
import type { NodeRed } from './node-red.js';
import { outputOf, type OperationName } from '../../connectors/operations.js';
import { addRoutes } from './routes.js';
import { registerServer } from './server.js';
import { registerWait } from './wait.js';

/** Calls the operation, and sends its result to the first output. */
const run = (outputs: number) => async (context: Context) => {
  const payload = outputOf(context.name, await callOperation(context));
  context.send(toOutput(outputs, 0, { ...context.message, payload }));
};

export default function passbell(RED: NodeRed): void {
  registerServer(RED);
  addRoutes(RED);
  registerAction(RED, { type: 'passbell-send', operation: () => 'send', outputs: 1, run: run(1) });
  registerAction(RED, { type: 'passbell-verify', operation: () => 'verify', outputs: 2, run: run(2) });
  registerAction(RED, {
    type: 'passbell-notify',
    operation: ({ kind }): OperationName => (kind === 'invoice' ? 'notifyInvoice' : 'notifyOrder'),
    outputs: 1,
    run: run(1),
  });
  registerWait(RED);
  registerEvents(RED);
}
