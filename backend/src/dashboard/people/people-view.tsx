import type { Invitation, Person } from '../../modules/people/person.js';
import { ROLES, type Role } from '../../modules/access/rights.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Copy } from '../components/copy.js';
import { Field, Form, FormProblems, Select, type Choice } from '../components/form.js';
import { NextStep } from '../components/next-step.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';
import type { Step } from '../home/checklist.js';

const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything',
  member: 'Member: settings and texts',
  viewer: 'Viewer: read-only',
};

const ROLE_CHOICES: readonly Choice[] = ROLES.map((role) => ({ value: role, label: ROLE_MEANINGS[role] }));

const RoleForm = ({ person }: { person: Person }) => (
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

const RemoveForm = ({ person }: { person: Person }) => (
  <Form action={`/dashboard/people/${person.id}/remove`} class="inline">
    <button
      class="button danger small"
      aria-label={`Remove ${person.email}`}
      data-confirm={`Remove ${person.email}? They will be signed out everywhere, and will need an invitation to come back.`}
    >
      Remove
    </button>
  </Form>
);

function PersonEmail({ person }: { person: Person }) {
  const visit = useVisit();
  return (
    <>
      <span class="strong">{person.email}</span> {person.id === visit.person.id && <span class="quiet">(you)</span>}
    </>
  );
}

const PEOPLE_COLUMNS: readonly Column<Person>[] = [
  { title: 'Person', cell: (person) => <PersonEmail person={person} /> },
  { title: 'Role', cell: (person) => <RoleForm person={person} /> },
  {
    title: 'Last seen',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? <span class="quiet">never</span> : <Time ms={lastSeenAt} />),
  },
  { title: 'Access', cell: (person) => <RemoveForm person={person} /> },
];

const INVITATION_COLUMNS: readonly Column<Invitation>[] = [
  { title: 'Invited', cell: ({ email }) => email ?? 'the first owner' },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Expires', cell: ({ expiresAt }) => <Time ms={expiresAt} /> },
  {
    title: 'Invitation',
    cell: ({ id, email }) => (
      <Form action={`/dashboard/people/invitations/${id}/take-back`} class="inline">
        <button class="button subtle small" aria-label={`Revoke the invitation of ${email ?? 'the first owner'}`}>
          Revoke
        </button>
      </Form>
    ),
  },
];

interface PeopleViewProps {
  readonly people: readonly Person[];
  readonly invited: readonly Invitation[];
  readonly form: FormState;
  readonly link: string | undefined;
  /** The account's next step, if someone was just invited. */
  readonly next: Step | undefined;
}

export function PeopleView({ people, invited, form, link, next }: PeopleViewProps) {
  return (
    <>
      <PageHead title="People" lead="People with access to this account. Role changes apply immediately." />
      {link && (
        <Card id="new-link" class="card highlight" title="Invitation link">
          <Copy label="link" value={link} />
          <p class="hint">
            Copy it now. It won't be shown again. It expires in 7 days, and works only for this person, who confirms it
            with an emailed code.
          </p>
          <NextStep step={next} />
        </Card>
      )}
      <Table caption="People" columns={PEOPLE_COLUMNS} rows={people} keyOf={({ id }) => id} />
      {invited.length > 0 && (
        <Table caption="Invitations" columns={INVITATION_COLUMNS} rows={invited} keyOf={({ id }) => id} />
      )}
      <Card id="invite" title="Invite someone">
        <FormProblems form={form} prevented="The invitation was not created." />
        <Form action="/dashboard/people/invite" noValidate>
          <div class="columns">
            <Field form={form} name="email" label="Email address" type="email" autocomplete="off" required />
            <Select form={form} name="role" label="Role" choices={ROLE_CHOICES} />
          </div>
          <Submit label="Create invitation" />
        </Form>
      </Card>
    </>
  );
}
