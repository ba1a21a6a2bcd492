import { eventTrigger } from '../events.js';
import { decisionFields, decisionSample } from './recipient-decision.js';

export default eventTrigger({
  key: 'recipient_opted_out',
  event: 'recipient.opted_out',
  noun: 'Opt-Out',
  outputFields: [...decisionFields],
  sample: decisionSample,
});
