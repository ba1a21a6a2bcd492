/** Checkboxes for the events of a webhook. */
import { EVENT_NAMES, type EventName } from '../../modules/webhooks/event.js';
import { FieldProblem } from '../components/form.js';
import { FieldError, type FormBody, type FormState } from '../form.js';

export const EVENT_MEANINGS: Readonly<Record<EventName, string>> = {
  'message.accepted': 'A provider, or the dev inbox (a test inbox), accepted a message.',
  'message.delivered': 'The provider reported the delivery. Mail servers and some networks do not report deliveries.',
  'message.failed': 'A message failed, expired, or was reported as undelivered.',
  'otp.verified': 'A recipient entered the correct code.',
  'otp.locked': 'A code was locked after too many wrong codes were entered.',
  'otp.canceled': 'Your program canceled a code.',
  'fraud.paused': 'Protection or a person paused messages, or messages now need a challenge.',
  'fraud.refused':
    'Protection refused messages. Sent once for each UTC day with refused messages, on the same or the next day.',
  'recipient.opted_out': 'A recipient opted out of order notifications, for example by replying STOP.',
  'recipient.opted_in': 'A recipient allowed order notifications again.',
};

/** The events that most shops react to: they are selected in the form for a new webhook. */
export const RECOMMENDED_EVENTS: readonly EventName[] = [
  'message.delivered',
  'message.failed',
  'fraud.paused',
  'fraud.refused',
];

/** Returns the selected events. Throws a {@link FieldError} if no event is selected. */
export function readEvents(body: FormBody): readonly EventName[] {
  const events = EVENT_NAMES.filter((name) => body.events?.includes(name));
  if (events.length === 0) throw new FieldError('Choose at least one event.');
  return events;
}

type EventsProps = { readonly form: FormState; readonly checked: readonly string[] };

const GROUPS = { Messages: 'message.', Codes: 'otp.', Protection: 'fraud.', Recipients: 'recipient.' };

/** A script selects and shows the checkbox `Select all`. */
export const EventBoxes = ({ form, checked }: EventsProps) => (
  <fieldset class={form.errors.events ? 'field wrong' : 'field'}>
    <legend>Events</legend>
    <div class="event-groups">
      {Object.entries(GROUPS).map(([title, prefix]) => (
        <fieldset key={title} class="event-group" data-group>
          <legend class="unseen">{title}</legend>
          <div class="card-head">
            <span class="strong" aria-hidden="true">
              {title}
            </span>
            <label class="choice small" hidden>
              <input type="checkbox" data-all /> Select all <span class="unseen">{title}</span>
            </label>
          </div>
          {EVENT_NAMES.filter((name) => name.startsWith(prefix)).map((name) => (
            <label key={name} class="choice">
              <input
                type="checkbox"
                name="events"
                value={name}
                checked={checked.includes(name)}
                id={name === EVENT_NAMES[0] ? 'field-events' : undefined}
                aria-describedby={form.errors.events ? 'field-events-error' : undefined}
              />
              <span>
                <code>{name}</code> <span class="hint">{EVENT_MEANINGS[name]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
    <FieldProblem form={form} name="events" />
  </fieldset>
);
