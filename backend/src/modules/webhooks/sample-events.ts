/** Sample events with invented values, which people send to test a webhook. */
import { SECOND, utcDay } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { eventId, type EventBody, type EventName } from './event.js';

type Data = EventBody['data'];

function dataOf(event: EventName, { appKey, name }: Application, now: number): Data {
  const ids = { messageId: random.hex(16), maskId: random.hex(16) };
  const message = { ...ids, authType: 'Sms', to: '+1415*****23', template: 'otp' } as const;
  const code = { maskId: ids.maskId, channel: 'sms', identityType: 'phone', to: message.to } as const;
  switch (event) {
    case 'message.accepted':
      return { ...message, state: 'sent', charge: '0.0000', currency: 'usd', message: 'sent' };
    case 'message.delivered':
      return { ...message, state: 'delivered', charge: '0.0000', currency: 'usd', message: 'delivered' };
    case 'message.failed':
      return { ...message, state: 'failed', message: 'the number is not in use' };
    case 'otp.verified': {
      const userId = `USR-${random.base64url(24)}`;
      return { ...code, userId, verifiedTime: Math.floor(now / SECOND) };
    }
    case 'otp.locked':
      return { ...code, lockedUntilTime: Math.floor(now / SECOND) + 60 };
    case 'otp.canceled':
      return code;
    case 'fraud.paused': {
      const since = Math.floor(now / SECOND) - 3600;
      const place = {
        scope: 'country',
        key: 'US',
        rule: 'country',
        level: 0,
        isChallenged: false,
        reason: 'This is a test.',
      } as const;
      return { appKey, application: name, ...place, sent: 0, verified: 0, since, until: since + 7200 };
    }
    case 'recipient.opted_out':
    case 'recipient.opted_in':
      return { appKey, application: name, authType: 'Sms', to: message.to, source: 'reply' };
    case 'fraud.refused': {
      const counts = { messages: 1, people: 1 };
      const refusals = [{ rule: 'prefix', country: 'US', isServed: true, ...counts } as const];
      return { appKey, application: name, day: utcDay(now), refusals, ...counts };
    }
  }
}

export function sampleEvent(event: EventName, application: Application, now: number): EventBody {
  const id = eventId('test', random.hex(16));
  const createdTime = Math.floor(now / SECOND);
  return { id, event, createdTime, test: true, data: dataOf(event, application, now) } as EventBody;
}
