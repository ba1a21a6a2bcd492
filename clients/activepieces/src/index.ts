/** The Activepieces piece of Passbell. */
import { createPiece } from '@activepieces/pieces-framework';
import { actions } from './actions.js';
import { auth } from './connection.js';
import { eventTrigger } from './event-trigger.js';

export const passbell = createPiece({
  displayName: 'Passbell',
  description: 'Send and verify one-time passcodes, and notify customers about orders and invoices',
  auth,
  logoUrl: 'https://passbell.example/passbell/raw/main/clients/node-red/icons/passbell.svg',
  authors: [],
  actions,
  triggers: [eventTrigger],
});
