import type { Message } from '../../modules/messages/message.js';
import { Time } from '../components/time.js';
import { duration } from './labels.js';

/** Why a message was refused, and until when: `too many codes for this recipient, until 08:00 (30 s after the request)`. */
export function RefusalText({ message: { refusal, createdAt } }: { readonly message: Message }) {
  if (!refusal) return null;
  const { reason, until } = refusal;
  if (until === null) return <>{reason}</>;
  return (
    <>
      {reason}, until <Time ms={until} /> ({duration(until - createdAt)} after the request)
    </>
  );
}
