/** The page `/recipients/erase`, which erases a recipient from all of the account's applications. */
import type { ErasedCounts, Erasure } from '../../modules/erasure/erasure-service.js';
import { Card } from '../components/card.js';
import { Facts } from '../components/facts.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { EMPTY_FORM, FieldError, readForm, statusOf, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import { act, page, redirect, show, type PageRoute } from '../page.js';

const ERASE_PATH = '/dashboard/recipients/erase';

const ERASED_LABELS: Readonly<Record<keyof ErasedCounts, readonly [one: string, several: string]>> = {
  messages: ['message', 'messages'],
  codes: ['verification code', 'verification codes'],
  users: ['user', 'users'],
  secondFactors: ['second factor', 'second factors'],
  fraudRecords: ['Protection record', 'Protection records'],
  shopEvents: ['shop event', 'shop events'],
  suppressions: ['suppression or opt-out', 'suppressions and opt-outs'],
};

/** Returns the result as text: `Erased: 3 messages, 1 user.` */
export function resultOf({ erased, testRecipientOf }: Erasure): string {
  const found = (Object.keys(ERASED_LABELS) as (keyof ErasedCounts)[]).filter((kind) => erased[kind] > 0);
  const counts = found.map((kind) => `${erased[kind]} ${ERASED_LABELS[kind][erased[kind] === 1 ? 0 : 1]}`);
  const result = counts.length > 0 ? `Erased: ${counts.join(', ')}.` : 'Nothing is stored about this recipient.';
  const names = testRecipientOf.map(({ name }) => name).join(', ');
  return names === ''
    ? result
    : `${result} The recipient is still a test recipient of ${names}. Remove it in the settings.`;
}

const parseRecipient = (text: string): string => {
  if (text.trim() === '') throw new FieldError('Enter a phone number or an email address.');
  return text;
};

function erasePage(form: FormState) {
  return page(
    'Erase a recipient',
    <>
      <p class="crumbs">
        <a href="/dashboard/messages">Messages</a>
      </p>
      <PageHead title="Erase a recipient" lead="Use this when a person asks you to delete their data." />
      <FormProblems form={form} labels={{ recipient: 'Recipient' }} prevented="Nothing was erased." />
      <Card
        id="erase"
        title="What is erased, and what is kept"
        lead="The data is erased from all applications of your account. You cannot undo this."
      >
        <Facts
          facts={[
            [
              'Deleted',
              'The end user and their second factor, suppressions, opt-outs, Protection records and shop events. If the person enters a code again, they become a new end user with a new ID. Order notifications can reach them again.',
            ],
            ['Erased', 'The phone number or email address, and the content of messages and verification codes.'],
            ['Not sent', 'Messages to this person that are still waiting.'],
            [
              'Kept',
              'Usage counts, the audit log, and logs with parts of the recipient hidden. Test recipients stay in your settings.',
            ],
          ]}
        />
        <Form action={ERASE_PATH} noValidate>
          <Field
            form={form}
            name="recipient"
            label="Recipient"
            hint="A phone number with its country code, or an email address."
            autoComplete="off"
            inputMode="email"
            placeholder="+1 415 555 0100 or ana@example.com"
            required
          />
          <Submit
            label="Erase this recipient"
            kind="danger"
            confirm="Erase this recipient from all applications? The end user, their second factor and the content of all messages to them are deleted. You cannot undo this."
            cancel="/dashboard/messages"
          />
        </Form>
      </Card>
    </>,
    statusOf(form),
  );
}

export const erasePages = ({ applications, erasure }: Modules<'applications' | 'erasure'>): readonly PageRoute[] => [
  show('/recipients/erase', 'own', () => erasePage(EMPTY_FORM)),

  act('/recipients/erase', 'eraseRecipient', async ({ actor, person, body }) => {
    const form = readForm({ recipient: parseRecipient }, body);
    if (!form.ok) return erasePage(form.state);
    // Filters all applications, because `listInAccount` returns only a limited number.
    const own = (await applications.service.list()).filter(({ accountId }) => accountId === person.accountId);
    const result = await erasure.service.erase(actor, own, form.values.recipient);
    if (result) return redirect(ERASE_PATH, { notice: resultOf(result) });
    const recipient = 'Enter a phone number with its country code, or an email address.';
    return erasePage({ ...form.state, errors: { recipient } });
  }),
];
