/** What the People page shows. */
import type { Invitation } from '../../modules/people/invitations-store.js';
import { ROLES, type Person, type Role } from '../../modules/people/person.js';
import { useVisit } from '../components/context.js';
import { Copy } from '../components/copy.js';
import { Field, Form, FormProblems, Select, type Choice } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';

const MEANINGS: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything',
  member: 'Member: settings, templates, test sends',
  viewer: 'Viewer: looks, changes nothing',
};

const ROLE_CHOICES: readonly Choice[] = ROLES.map((role) => ({ value: role, label: MEANINGS[role] }));

function RoleForm({ person }: { person: Person }) {
  return (
    <Form action={`/dashboard/people/${person.id}/role`} class="inline">
      <select name="role" aria-label={`Role of ${person.email}`}>
        {ROLES.map((role) => (
          <option key={role} value={role} selected={role === person.role}>
            {role}
          </option>
        ))}
      </select>
      <button class="button subtle small" aria-label={`Save the role of ${person.email}`}>
        Save
      </button>
    </Form>
  );
}

function RemoveForm({ person }: { person: Person }) {
  return (
    <Form action={`/dashboard/people/${person.id}/remove`} class="inline">
      <button
        class="button danger small"
        aria-label={`Remove ${person.email}`}
        data-confirm={`${person.email} is signed out everywhere and cannot come back without an invitation. Remove?`}
      >
        Remove
      </button>
    </Form>
  );
}

function Email({ person }: { person: Person }) {
  const visit = useVisit();
  return (
    <>
      <span class="strong">{person.email}</span> {person.id === visit.person.id && <span class="quiet">(you)</span>}
    </>
  );
}

const COLUMNS: readonly Column<Person>[] = [
  { title: 'Person', cell: (person) => <Email person={person} /> },
  { title: 'Role', cell: (person) => <RoleForm person={person} /> },
  {
    title: 'Last seen',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? <span class="quiet">not yet</span> : <Time ms={lastSeenAt} />),
  },
  { title: 'Access', cell: (person) => <RemoveForm person={person} /> },
];

const INVITED: readonly Column<Invitation>[] = [
  { title: 'Invited', cell: ({ email }) => email ?? 'whoever has the first link' },
  { title: 'As', cell: ({ role }) => role },
  { title: 'Until', cell: ({ expiresAt }) => <Time ms={expiresAt} /> },
  {
    title: 'Invitation',
    cell: ({ id, email }) => (
      <Form action={`/dashboard/people/invitations/${id}/take-back`} class="inline">
        <button class="button subtle small" aria-label={`Take back the invitation of ${email ?? 'the first link'}`}>
          Take back
        </button>
      </Form>
    ),
  },
];

function NewLink({ link }: { link: string }) {
  return (
    <section class="card highlight" aria-labelledby="new-link">
      <h2 id="new-link">Their link</h2>
      <Copy label="link" value={link} />
      <p class="hint">
        Shown only now, good for one week and for one person: it asks for a code that only their mailbox gets.
      </p>
    </section>
  );
}

interface PeopleViewProps {
  readonly people: readonly Person[];
  readonly invited: readonly Invitation[];
  readonly form: FormState;
  readonly link: string | undefined;
}

export function PeopleView({ people, invited, form, link }: PeopleViewProps) {
  return (
    <>
      <PageHead title="People" lead="Who may use this dashboard, and as what. A change holds at once." />
      {link && <NewLink link={link} />}
      <Table caption="People" columns={COLUMNS} rows={people} keyOf={({ id }) => id} />
      {invited.length > 0 && <Table caption="Invitations" columns={INVITED} rows={invited} keyOf={({ id }) => id} />}
      <section class="card" aria-labelledby="invite">
        <h2 id="invite">Invite somebody</h2>
        <FormProblems form={form} />
        <Form action="/dashboard/people/invite" noValidate>
          <div class="columns">
            <Field form={form} name="email" label="Mail address" type="email" autocomplete="off" required />
            <Select form={form} name="role" label="Role" choices={ROLE_CHOICES} />
          </div>
          <div class="actions">
            <button class="button">Make an invitation</button>
          </div>
        </Form>
      </section>
    </>
  );
}
