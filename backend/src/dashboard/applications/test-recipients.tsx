/** The section “Test recipients” of the settings page “Security”: a row for each recipient and its code. */
import * as values from '../../modules/applications/setting-values.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { Field, FieldProblem } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { readForm, submittedForm, textOf, type Fields, type FormBody, type FormState, type ReadForm } from '../form.js';
import type { Section } from './section.js';

const RISK = 'Anyone who knows the code of a test recipient can sign in as that recipient.';

type Row = readonly [recipient: string, code: string];

const EMPTY_ROW: Row = ['', ''];
const SEPARATOR = ' = ';
const MASKED_CODE = '••••••';

const isEmpty = ([recipient, code]: Row): boolean => recipient === '' && code === '';

/** The rows as lines, in one field, so that a conflict shows all of them. */
const textOfRows = (rows: readonly Row[]): string => rows.map((row) => row.join(SEPARATOR)).join('\n');

function rowsIn({ typed: { testRecipients = '' } }: FormState): Row[] {
  if (testRecipients === '') return [];
  return testRecipients.split('\n').map((line) => {
    const split = line.lastIndexOf(SEPARATOR);
    return [line.slice(0, split), line.slice(split + SEPARATOR.length)];
  });
}

/** The submitted rows. Removed rows are empty, so that errors stay at the fields of the page. */
function submittedRows(body: FormBody): Row[] {
  const count = Object.keys(body).filter((name) => name.startsWith('recipient-')).length;
  return Array.from({ length: count }, (_, n): Row => {
    if (textOf(body, `remove-${n}`) !== '') return EMPTY_ROW;
    return [textOf(body, `recipient-${n}`).trim(), textOf(body, `code-${n}`).trim()];
  });
}

function read(body: FormBody): ReadForm<Fields> {
  const rows = submittedRows(body);
  const typed = { testRecipients: textOfRows(rows) };
  if (textOf(body, 'more') !== '')
    return { ok: false, state: submittedForm(body, { testRecipients: textOfRows([...rows, EMPTY_ROW]) }) };
  const filled = rows.flatMap((row, n) => (isEmpty(row) ? [] : [n]));
  const fields = filled.flatMap((n): [string, (text: string) => string][] => [
    [`recipient-${n}`, values.parseTestAddress],
    [`code-${n}`, values.parseTestCode],
  ]);
  const form = readForm(Object.fromEntries(fields), body);
  if (!form.ok) return { ok: false, state: submittedForm(body, typed, form.state.errors) };
  const testRecipients: Record<string, string> = {};
  for (const n of filled) {
    const address = form.values[`recipient-${n}`]!;
    if (Object.hasOwn(testRecipients, address)) {
      const errors = { [`recipient-${n}`]: 'This recipient is listed twice.' };
      return { ok: false, state: submittedForm(body, typed, errors) };
    }
    testRecipients[address] = form.values[`code-${n}`]!;
  }
  return { ok: true, values: { testRecipients }, state: submittedForm(body, typed) };
}

function TestRow({ form, row, n, isNew }: { form: FormState; row: Row; n: number; isNew: boolean }) {
  const [recipient, code] = row;
  const shown = { typed: { [`recipient-${n}`]: recipient, [`code-${n}`]: code }, errors: form.errors };
  const number = <span class="unseen"> {n + 1}</span>;
  const input = { autocomplete: 'off', spellcheck: false, autocapitalize: 'none' } as const;
  return (
    <div class="test-row">
      <Field
        {...input}
        form={shown}
        name={`recipient-${n}`}
        label={<>Recipient{number}</>}
        placeholder="+12015550123"
        autofocus={isNew}
      />
      <Field {...input} form={shown} name={`code-${n}`} label={<>Code{number}</>} placeholder="123456" maxLength={10} />
      {!isEmpty(row) && (
        <label class="choice">
          <input type="checkbox" name={`remove-${n}`} value="yes" aria-label={`Remove ${recipient}`} />
          Remove
        </label>
      )}
    </div>
  );
}

export const testRecipientsSection: Section = {
  id: 'test-recipients',
  right: 'own',
  title: 'Test recipients',
  lead: 'Use these recipients for tests and app store reviews. Nothing is sent to them, and their codes never change.',
  labels: { testRecipients: 'Recipients and their codes' },
  rowLabels: (form) =>
    Object.fromEntries(
      rowsIn(form).flatMap((_, n) => [
        [`recipient-${n}`, `Recipient ${n + 1}`],
        [`code-${n}`, `Code ${n + 1}`],
      ]),
    ),
  read,
  texts: ({ settings }) => ({ testRecipients: textOfRows(Object.entries(settings.testRecipients)) }),
  maskedTexts: ({ settings }) => ({
    testRecipients: textOfRows(
      Object.keys(settings.testRecipients).map((address): Row => [maskRecipient(address), MASKED_CODE]),
    ),
  }),
  change: (settings: { testRecipients: Readonly<Record<string, string>> }) => ({ settings }),
  fields({ form, application: { settings } }) {
    const rows = rowsIn(form);
    const hasAny = Object.keys(settings.testRecipients).length > 0;
    return (
      <>
        {hasAny && <Notice kind="warning">{RISK}</Notice>}
        {rows.length === 0 && <p class="strong">No test recipients</p>}
        <div class="test-rows" id="field-testRecipients" tabIndex={-1}>
          {rows.map((row, n) => (
            <TestRow
              key={n}
              form={form}
              row={row}
              n={n}
              isNew={n === rows.length - 1 && isEmpty(row) && Object.keys(form.errors).length === 0}
            />
          ))}
          <FieldProblem form={form} name="testRecipients" />
        </div>
        <p class="hint">
          {rows.length > 0 &&
            'A phone number with its country code, or an email address, and a code of 4 to 10 letters or digits. '}
          {!hasAny && RISK}
        </p>
      </>
    );
  },
  more: 'Add a test recipient',
};
