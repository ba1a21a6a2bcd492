/** Somebody else, or another tab, was quicker: shows both, and lets the person decide. */
import type { FormBody } from '../form.js';
import { Form } from './form.js';
import { PageHead } from './page-head.js';
import { Table } from './table.js';

export interface ConflictField {
  /** Name in the form. */
  readonly name: string;
  readonly label: string;
  /** As people read it. */
  readonly stored: string;
  readonly typed: string;
}

interface ConflictProps {
  /** What was changed, such as `the settings of My shop`. */
  readonly what: string;
  /** Where the form is sent to, and where one goes to see what is stored. */
  readonly action: string;
  readonly back: string;
  readonly fields: readonly ConflictField[];
  /** What was posted; it is sent again, now against what is stored. */
  readonly body: FormBody;
  readonly stored: unknown;
}

/** For a page of status 409. */
export function Conflict({ what, action, back, fields, body, stored }: ConflictProps) {
  const own = ['token', 'version'];
  const kept = Object.entries(body).flatMap(([name, texts]) => texts.map((text) => [name, text] as const));
  const different = fields.filter((field) => field.stored !== field.typed);
  return (
    <>
      <PageHead
        title="Somebody was quicker"
        lead={`While you had this page open, ${what} changed in another tab or by somebody else. Nothing of yours was saved yet.`}
      />
      <Table
        caption="What is stored and what you entered"
        columns={[
          { title: 'Field', cell: ({ label }) => label },
          { title: 'Stored now', cell: (field) => field.stored || <span class="quiet">nothing</span> },
          { title: 'Yours', cell: ({ typed }) => typed || <span class="quiet">nothing</span> },
        ]}
        rows={different}
        keyOf={({ name }) => name}
      />
      <Form action={action} stored={stored}>
        {kept
          .filter(([name]) => !own.includes(name))
          .map(([name, text], n) => (
            <input key={n} type="hidden" name={name} value={text} />
          ))}
        <div class="actions">
          <button class="button">Save mine all the same</button>
          <a class="button subtle" href={back}>
            Keep what is stored
          </a>
        </div>
      </Form>
    </>
  );
}
