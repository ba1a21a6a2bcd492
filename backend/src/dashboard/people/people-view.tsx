import type { Invitation, Person } from '../../modules/people/person.js';
import { ROLES, type Role } from '../../modules/access/rights.js';
import { Badge } from '../components/badge.js';
import { Breakable } from '../components/breakable.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Copy } from '../components/copy.js';
import { Field, Form, FormProblems, Presets } from '../components/form.js';
import { NextStep } from '../components/next-step.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';
import type { Step } from '../home/checklist.js';

const ROLE_TEXTS: Readonly<Record<Role, { readonly label: string; readonly hint: string }>> = {
  owner: {
    label: 'Owner',
    hint: 'Can do everything, including managing secrets, providers and people, and erasing data.',
  },
  member: {
    label: 'Member',
    hint: 'Can change some settings, all texts, the allow-list and the widget design, remove suppressed addresses, send test messages, cancel scheduled messages, and send failed messages again.',
  },
  viewer: {
    label: 'Viewer',
    hint: 'Can see messages, usage and most settings, but cannot change anything or see secrets.',
  },
};

const ROLE_CHOICES = ROLES.map((role) => ({ value: role, ...ROLE_TEXTS[role] }));

const RoleForm = ({ person }: { person: Person }) => (
  <Form action={`/dashboard/people/${person.id}/role`} class="inline">
    <select name="role" aria-label={`Role of ${person.email}`}>
      {ROLES.map((role) => (
        <option key={role} value={role} selected={role === person.role}>
          {ROLE_TEXTS[role].label}
        </option>
      ))}
    </select>
    <button class="button subtle small" aria-label={`Save the role of ${person.email}`}>
      Save
    </button>
  </Form>
);

function RemoveForm({ person }: { person: Person }) {
  const isSelf = person.id === useVisit().person.id;
  return (
    <Form action={`/dashboard/people/${person.id}/remove`} class="inline">
      {isSelf ? (
        <button
          class="button subtle small"
          aria-label="Leave the account"
          data-confirm="Leave this account? You will be signed out of it everywhere, and will need a new invitation to regain access."
        >
          Leave
        </button>
      ) : (
        <button
          class="button danger small"
          aria-label={`Remove ${person.email}`}
          data-confirm={`Remove ${person.email}? They will be signed out of this account everywhere, and will need a new invitation to regain access.`}
        >
          Remove
        </button>
      )}
    </Form>
  );
}

function PersonEmail({ person }: { person: Person }) {
  const visit = useVisit();
  return (
    <>
      <span class="strong">
        <Breakable text={person.email} />
      </span>{' '}
      {person.id === visit.person.id && <span class="quiet">(you)</span>}
    </>
  );
}

export interface ListedPerson extends Person {
  readonly hasAuthenticator: boolean;
  readonly hasPasskey: boolean;
}

function SignInMethods({ hasAuthenticator, hasPasskey }: ListedPerson) {
  if (hasPasskey) return <Badge kind="good">Passkey</Badge>;
  return hasAuthenticator ? <Badge kind="good">Authenticator</Badge> : <Badge kind="neutral">Off</Badge>;
}

const OnlyOwner = () => (
  <>
    {ROLE_TEXTS.owner.label}
    <span class="reason">The only owner cannot leave. Make someone else an owner first.</span>
  </>
);

/** `isOnlyOwner`: whether the person is the only owner, who can neither leave nor get another role. */
const peopleColumns = (isOnlyOwner: (person: Person) => boolean): readonly Column<ListedPerson>[] => [
  { title: 'Person', cell: (person) => <PersonEmail person={person} /> },
  {
    title: 'Role',
    cell: (person) => (isOnlyOwner(person) ? <OnlyOwner /> : <RoleForm person={person} />),
  },
  { title: 'Two-factor', cell: (person) => <SignInMethods {...person} /> },
  {
    title: 'Last seen',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? <span class="quiet">Never</span> : <Time ms={lastSeenAt} />),
  },
  { title: 'Action', cell: (person) => !isOnlyOwner(person) && <RemoveForm person={person} /> },
];

const INVITATION_COLUMNS: readonly Column<Invitation>[] = [
  { title: 'Invited', cell: ({ email }) => <Breakable text={email ?? 'the first owner'} /> },
  { title: 'Role', cell: ({ role }) => ROLE_TEXTS[role].label },
  { title: 'Expires', cell: ({ expiresAt }) => <Time ms={expiresAt} /> },
  {
    title: 'Action',
    cell: ({ id, email }) => (
      <Form action={`/dashboard/people/invitations/${id}/take-back`} class="inline">
        <button class="button subtle small" aria-label={`Revoke the invitation for ${email ?? 'the first owner'}`}>
          Revoke
        </button>
      </Form>
    ),
  },
];

interface PeopleViewProps {
  readonly people: readonly ListedPerson[];
  readonly invited: readonly Invitation[];
  readonly link: string | undefined;
  /** The account's next step, if someone was just invited. */
  readonly next: Step | undefined;
}

export function PeopleView({ people, invited, link, next }: PeopleViewProps) {
  const owners = people.filter(({ role }) => role === 'owner');
  const isOnlyOwner = ({ role }: Person) => owners.length === 1 && role === 'owner';
  const hasActions = !people.every(isOnlyOwner);
  const columns = peopleColumns(isOnlyOwner).filter(({ title }) => title !== 'Action' || hasActions);
  return (
    <>
      <PageHead
        title="People"
        lead="People with access to this account. Members can change texts and some settings. Viewers have read-only access."
      >
        <a class="button" href={INVITATION_PATH}>
          Invite someone
        </a>
      </PageHead>
      {link && (
        <Card id="new-link" class="card highlight" title="Invitation link">
          <Copy label="link" value={link} />
          <p class="hint">
            The link won't be shown again. It expires in 7 days, and works only together with a code that we email to
            this person.
          </p>
          <NextStep step={next} />
        </Card>
      )}
      <Table caption="People" columns={columns} rows={people} keyOf={({ id }) => id} />
      {invited.length > 0 && (
        <section class="stack" aria-labelledby="invited">
          <h2 id="invited">Open invitations</h2>
          <Table caption="Invitations" columns={INVITATION_COLUMNS} rows={invited} keyOf={({ id }) => id} />
        </section>
      )}
    </>
  );
}

export const PEOPLE_PATH = '/dashboard/people';
export const INVITATION_PATH = `${PEOPLE_PATH}/invite`;

export const InvitationView = ({ form }: { readonly form: FormState }) => (
  <>
    <p class="crumbs">
      <a href={PEOPLE_PATH}>People</a>
    </p>
    <PageHead title="Invite someone" lead="The invitation link expires in 7 days." />
    <Form action={INVITATION_PATH} class="card" noValidate>
      <FormProblems
        form={form}
        labels={{ email: 'Email address', role: 'Role' }}
        prevented="The invitation was not sent."
      />
      <Field form={form} name="email" label="Email address" type="email" autocomplete="off" autofocus required />
      <Presets form={form} name="role" label="Role" choices={ROLE_CHOICES} />
      <Submit label="Send invitation" cancel={PEOPLE_PATH} />
    </Form>
  </>
);
