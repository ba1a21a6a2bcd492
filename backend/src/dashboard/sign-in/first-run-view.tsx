import { operatorCommand } from '../../platform/config/operator-command.js';
import type { InboxMessage } from '../../modules/dev-inbox/dev-inbox.js';
import { Entrance } from '../components/entrance.js';
import { Field, Form } from '../components/form.js';
import { polling } from '../components/polling.js';
import type { FormState } from '../form.js';
import { TimeZoneField } from '../components/time-zone-field.js';
import { FIRST_RUN_MINUTES } from './first-run.js';

const PHONE_ID = 'phone';

/** Shown on the phone before it has a message. */
const PHONE_HINT = 'SMS messages and emails arrive here. Nothing leaves this computer.';

interface PhoneProps {
  readonly messages: readonly InboxMessage[];
  /** Path that returns this element again, until the first message has arrived. */
  readonly path?: string;
}

/** A phone that shows messages of the dev inbox, each with a button that enters its code. */
export const Phone = ({ messages, path }: PhoneProps) => (
  <section
    id={PHONE_ID}
    class="handset"
    aria-label="Your phone"
    aria-live="polite"
    {...(path !== undefined && messages.length === 0 ? polling(path, PHONE_ID, '500ms') : {})}
  >
    {messages.length === 0 && <p class="quiet small">{path === undefined ? PHONE_HINT : 'Waiting for your code…'}</p>}
    {messages.map(({ id, channel, to, subject, text, code }) => (
      <article key={id}>
        <p class="small">
          <strong>{channel === 'EMAIL' ? 'Email' : 'SMS'}</strong> to {to}
        </p>
        <p class="bubble">{subject || text}</p>
        {code !== '' && (
          <Form action="/dashboard/sign-in/code">
            <input type="hidden" name="code" value={code} />
            <button class="button subtle small">Enter {code}</button>
          </Form>
        )}
      </article>
    ))}
  </section>
);

/** The way back to the form for a code that was requested. */
export const WaitingCode = ({ path }: { readonly path: string }) => (
  <a class="button subtle" href={path}>
    Enter the code you requested
  </a>
);

export interface FirstRunProps {
  readonly form: FormState;
  readonly action: string;
  /** Path of the page for a code that was requested and has not expired. */
  readonly codePath: string | undefined;
}

export const FirstRunView = ({ form, action, codePath }: FirstRunProps) => (
  <Entrance
    title="Set up Passbell"
    lead="Send yourself the first code. When you enter it, you become the owner of this server. Setup takes less than a minute."
    beside={<Phone messages={[]} />}
  >
    {codePath && <WaitingCode path={codePath} />}
    <Form action={action} noValidate>
      <Field
        form={form}
        name="name"
        label="Name of your shop or company (optional)"
        autocomplete="organization"
        maxLength={60}
        autofocus={Object.keys(form.errors).length === 0 && codePath === undefined}
      />
      <Field
        form={form}
        name="email"
        label="Your email address"
        hint="You will use it to sign in. There is no password."
        type="email"
        autocomplete="email"
        inputMode="email"
        required
      />
      <Field
        form={form}
        name="phone"
        label="Your mobile number (optional)"
        hint={`${form.errors.phone ? '' : 'Start with the country code. '}Leave the field empty to get the code by email.`}
        type="tel"
        autocomplete="tel"
        inputMode="tel"
        placeholder="+49 151 23456789"
      />
      <TimeZoneField
        form={form}
        name="timeZone"
        label="Your time zone"
        hint="It is used for dates, times and charts. You can change it later."
        data-time-zone
      />
      <button class="button">Send me a code</button>
    </Form>
  </Entrance>
);

/** Without an owner, nobody gets a code: a form for an email address would be a dead end. */
export const NoOwnerView = ({ isLate }: { readonly isLate: boolean }) => (
  <Entrance
    title="This server has no owner yet"
    lead="To become the owner, open the one-time link that the server printed when it started."
  >
    <ul class="plain small">
      {isLate && (
        <li>
          On this computer, you can also restart Passbell and reload this page within {FIRST_RUN_MINUTES} minutes.
        </li>
      )}
      <li>A restart prints a new link.</li>
      <li>
        If it prints no link, run <code>{operatorCommand()} account create --email EMAIL</code>.
      </li>
    </ul>
    <p class="actions">
      <a class="button" href="">
        Try again
      </a>
      <a class="button subtle" href="/docs">
        Documentation
      </a>
    </p>
  </Entrance>
);
