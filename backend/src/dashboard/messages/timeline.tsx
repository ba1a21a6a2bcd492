/** What happened to a message, step by step. */
import type { TimelineStep } from '../../modules/messages/timeline.js';
import { Time } from '../components/time.js';
import { amount, CHANNEL_NAMES, duration } from './words.js';

interface StepWords {
  readonly kind: 'good' | 'bad' | 'neutral' | 'now';
  readonly title: string;
  readonly text?: string | undefined;
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const times = (n: number): string => (n === 1 ? 'once' : `${n} times`);

function wordsOf(step: TimelineStep): StepWords {
  switch (step.kind) {
    case 'accepted':
      return {
        kind: 'neutral',
        title: 'Accepted and queued',
        text: `To be tried: ${step.plan.map((channel) => CHANNEL_NAMES[channel]).join(', then ')}.`,
      };
    case 'claimed':
      return { kind: 'neutral', title: 'Claimed by a worker', text: `For ${CHANNEL_NAMES[step.channel]}.` };
    case 'refused':
      return {
        kind: 'bad',
        title: `${CHANNEL_NAMES[step.channel]} did not take it`,
        text: step.times > 1 ? `Tried ${times(step.times)}: ${step.reason}.` : `${sentence(step.reason)}.`,
      };
    case 'fallback':
      return {
        kind: 'neutral',
        title: `${CHANNEL_NAMES[step.to]} is next`,
        text: `It goes on from ${CHANNEL_NAMES[step.from]} to the next channel of its plan.`,
      };
    case 'sent':
      return {
        kind: 'good',
        title: `${CHANNEL_NAMES[step.channel]} took it`,
        text: step.price
          ? `The provider accepted it for ${amount(step.price.charge, step.price.currency)}.`
          : undefined,
      };
    case 'reported':
      return step.report === 'delivered'
        ? { kind: 'good', title: 'Delivered', text: 'The provider reports that it arrived.' }
        : { kind: 'bad', title: 'Not delivered', text: 'The provider reports that it did not arrive.' };
    case 'failed':
      return { kind: 'bad', title: 'Given up', text: 'There was no other channel to try: it became a dead letter.' };
    case 'expired':
      return { kind: 'bad', title: 'Dropped', text: 'It was no longer valid when its turn came, and was not sent.' };
    case 'retried':
      return { kind: 'neutral', title: 'Sent again', text: 'Somebody put the dead letter back into the queue.' };
    case 'waiting':
      return { kind: 'now', title: 'Waits in the queue', text: `For ${CHANNEL_NAMES[step.channel]}.` };
    case 'sending':
      return { kind: 'now', title: 'With a worker', text: `It is being handed to ${CHANNEL_NAMES[step.channel]}.` };
  }
}

/** Time since the step before that has one. */
function sincesOf(steps: readonly TimelineStep[]): (number | undefined)[] {
  let before: number | undefined;
  return steps.map(({ at }) => {
    const since = at !== undefined && before !== undefined ? Math.max(0, at - before) : undefined;
    before = at ?? before;
    return since;
  });
}

export function Timeline({ steps }: { readonly steps: readonly TimelineStep[] }) {
  const sinces = sincesOf(steps);
  return (
    <ol class="timeline">
      {steps.map((step, n) => {
        const { kind, title, text } = wordsOf(step);
        return (
          <li key={n} class={kind}>
            <p class="step-title">{title}</p>
            {text && <p class="quiet">{text}</p>}
            {step.at !== undefined && (
              <p class="quiet small">
                <Time ms={step.at} />
                {sinces[n] !== undefined && sinces[n] > 0 && ` · ${duration(sinces[n])} later`}
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}
