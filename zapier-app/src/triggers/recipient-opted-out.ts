import { eventTrigger } from '../events.js';
import { decisionFields, decisionSample } from './recipient-decision.js';

export default eventTrigger({
  key: 'recipient_opted_out',
  event: 'recipient.opted_out',
  noun: 'Opt-Out',
  label: 'Recipient Opted Out',
  description: 'Triggers when a recipient stops order notifications on a channel, for example with the reply STOP.',
  outputFields: [...decisionFields],
  sample: decisionSample,
});
