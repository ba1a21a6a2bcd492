/** What narrows the list of messages down. */
import { CHANNELS } from '../../providers/provider.js';
import type { Application } from '../../modules/applications/application.js';
import type { ShownState } from '../../modules/messages/message.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { Field, Form, FormProblems, Select } from '../components/form.js';
import { filledIn, type FormState } from '../form.js';
import { isNarrowed, linkTo, type Asked } from './filter.js';
import { localText } from './local-time.js';
import { CHANNEL_NAMES, STATES } from './words.js';

/** One link a state; what else is asked for stays. */
export function StateLinks({ asked }: { readonly asked: Asked }) {
  const links: readonly (readonly [ShownState | undefined, string])[] = [
    [undefined, 'All'],
    ...Object.entries(STATES).map(([state, { name }]) => [state as ShownState, name] as const),
  ];
  return (
    <nav class="pills" aria-label="State">
      <ul>
        {links.map(([state, name]) => (
          <li key={name}>
            <a
              href={linkTo('/messages', { ...asked, state })}
              aria-current={asked.state === state ? 'true' : undefined}
              title={state && STATES[state].meaning}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The form as it shows what is asked for. */
export function formOf({ channel, application, from, until, zone }: Asked): FormState {
  const text = (ms: number | undefined) => (ms === undefined ? '' : localText(ms, zone));
  return filledIn({
    recipient: '',
    channel: channel ?? '',
    application: application ?? '',
    from: text(from),
    until: text(until),
  });
}

interface SearchProps {
  readonly asked: Asked;
  readonly form: FormState;
  readonly applications: readonly Application[];
  /** Of who is looked for. */
  readonly recipient: string | undefined;
}

export function Search({ asked, form, applications, recipient }: SearchProps) {
  const { who, state, zone } = asked;
  const more = [asked.channel, asked.application, asked.from, asked.until, form.errors.from, form.errors.until];
  return (
    <Form action="/dashboard/messages/find" class="card search">
      <FormProblems form={form} />
      <input type="hidden" name="state" value={state ?? ''} />
      <input type="hidden" name="who" value={who ?? ''} />
      <input type="hidden" name="zone" value={zone ?? ''} data-zone />
      <div class="search-line">
        <Field
          form={form}
          name="recipient"
          label="Recipient"
          type="search"
          autoComplete="off"
          inputMode="email"
          placeholder="+1 415 555 0100 or ana@example.com"
        />
        <button class="button">Find</button>
      </div>
      {recipient !== undefined && (
        <p class="asked">
          Only messages to <strong>{maskRecipient(recipient)}</strong>.{' '}
          <a href={linkTo('/messages', { ...asked, who: undefined })}>Show those to everybody</a>
        </p>
      )}
      <details class="more" open={more.some((value) => value !== undefined)}>
        <summary>Channel, application and time</summary>
        <div class="search-fields">
          <Select
            form={form}
            name="channel"
            label="Channel"
            choices={[
              { value: '', label: 'Every channel' },
              ...CHANNELS.map((value) => ({ value, label: CHANNEL_NAMES[value] })),
            ]}
          />
          <Select
            form={form}
            name="application"
            label="Application"
            choices={[
              { value: '', label: 'Every application' },
              ...applications.map(({ appKey, name }) => ({ value: appKey, label: name })),
            ]}
          />
          <Field form={form} name="from" label="From" type="datetime-local" />
          <Field form={form} name="until" label="Until" type="datetime-local" />
        </div>
        <div class="search-end">
          <p class="hint">
            Times are in <span data-zone-name>{zone ?? 'UTC'}</span>.
          </p>
          {isNarrowed(asked) && <a href={linkTo('/messages', { state })}>Forget all of this</a>}
        </div>
      </details>
    </Form>
  );
}
