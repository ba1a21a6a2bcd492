import { eventTrigger } from '../events.js';
import { decisionFields, decisionSample } from './recipient-decision.js';

export default eventTrigger({
  key: 'recipient_opted_in',
  event: 'recipient.opted_in',
  noun: 'Opt-In',
  outputFields: [...decisionFields],
  sample: decisionSample,
});
