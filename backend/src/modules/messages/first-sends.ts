/**
 * Judges providers by entered codes. Only the first send on each channel is judged: later sends go to people whom the first
 * one did not reach, so they would make their providers look bad.
 */
import type { SendOutcome } from '../providers/routing.js';
import { acceptedAttempt, isTest, type Attempt, type Message } from './message.js';

interface Send {
  readonly provider: string | null;
  readonly attempt: Attempt | undefined;
}

/**
 * Returns the outcomes of the first sends of an expired code. A code that was only entered after a further send counts as
 * half entered: it cost time and money. Sends with an unknown outcome do not count.
 */
export function firstSendOutcomes(message: Message, isEntered: boolean): readonly SendOutcome[] {
  if (isTest(message)) return [];
  // The current send is the one that arrived, or otherwise the last one.
  const current: Send = { provider: message.provider, attempt: acceptedAttempt(message) };
  const sends = [...message.earlierSends, current].sort((a, b) => (a.attempt?.at ?? 0) - (b.attempt?.at ?? 0));
  const channels = new Set<string>();
  return sends.flatMap((send): SendOutcome[] => {
    const { provider, attempt } = send;
    if (!attempt?.success || !attempt.price || provider === null || channels.has(attempt.channel)) return [];
    const { channel, price } = attempt;
    channels.add(channel);
    const entered = !isEntered ? 0 : send === current ? 1 : 0.5;
    const outcomes = { entered, notEntered: 1 - entered };
    return [{ applicationId: message.applicationId, channel, country: price.country, provider, outcomes }];
  });
}
