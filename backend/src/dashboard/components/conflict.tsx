/**
 * Shows an edit conflict: someone else, or the same person in another tab, changed the values after the form was
 * opened.
 */
import type { FormBody } from '../form.js';
import { Form } from './form.js';
import { PageHead } from './page-head.js';
import { Table } from './table.js';

export type ConflictField = Readonly<Record<'name' | 'label' | 'stored' | 'typed', string>>;

interface ConflictProps {
  /** The changed object, such as `the settings of My shop`. */
  readonly what: string;
  readonly action: string;
  readonly back: string;
  readonly fields: readonly ConflictField[];
  /** The submitted form, which the person can submit again to overwrite the stored values. */
  readonly body: FormBody;
  readonly stored: unknown;
}

export function Conflict({ what, action, back, fields, body, stored }: ConflictProps) {
  const hidden = Object.entries(body)
    .filter(([name]) => !['token', 'version'].includes(name))
    .flatMap(([name, texts]) => texts.map((text) => [name, text] as const));
  const different = fields.filter((field) => field.stored !== field.typed);
  return (
    <>
      <PageHead
        title="These settings have changed"
        lead={`While you had this page open, you (in another tab) or someone else changed ${what}. Your changes were not saved.`}
      />
      <Table
        caption="Current values and your values"
        columns={[
          { title: 'Field', cell: ({ label }) => label },
          { title: 'Current value', cell: (field) => field.stored || <span class="quiet">nothing</span> },
          { title: 'Your value', cell: ({ typed }) => typed || <span class="quiet">nothing</span> },
        ]}
        rows={different}
        keyOf={({ name }) => name}
      />
      <Form action={action} stored={stored}>
        {hidden.map(([name, text], n) => (
          <input key={n} type="hidden" name={name} value={text} />
        ))}
        <div class="actions">
          <button class="button">Overwrite with my values</button>
          <a class="button subtle" href={back}>
            Keep the current values
          </a>
        </div>
      </Form>
    </>
  );
}
