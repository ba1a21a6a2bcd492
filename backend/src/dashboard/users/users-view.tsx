import { CHANNEL_NAMES } from '../messages/labels.js';
import type { Application } from '../../modules/applications/application.js';
import type { EndUser, ListedUser, SentCode } from '../../modules/end-users/end-users-service.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { pathOf } from '../applications/parts.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Facts } from '../components/facts.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';

export const usersPath = (application: Application): string => `${pathOf(application)}/users`;

const userColumns = (application: Application): readonly Column<ListedUser>[] => [
  {
    title: 'Recipient',
    cell: ({ user, reference }) => (
      <a class="strong" href={`${usersPath(application)}/${reference}`}>
        {maskRecipient(user.identity)}
      </a>
    ),
  },
  { title: 'User ID', cell: ({ user }) => <code>{user.userId}</code> },
  { title: 'Created', cell: ({ user }) => <Time ms={user.createdAt} /> },
];

interface UsersProps {
  readonly application: Application;
  readonly newest: readonly ListedUser[];
  readonly form: FormState;
}

export function UsersView({ application, newest, form }: UsersProps) {
  return (
    <>
      <PageHead title="End users" lead="The people who sign in to your site with this application." />
      <FormProblems form={form} prevented="" />
      <Card id="find" title="Find a person">
        <Form action={`${usersPath(application)}/find`} noValidate>
          <Field
            form={form}
            name="person"
            label="Recipient or user ID"
            hint="A phone number with its country code, an email address, or a user ID that a verification returned."
            autoComplete="off"
            placeholder="+1 415 555 0100, ana@example.com or USR-…"
            required
          />
          <Submit label="Find" />
        </Form>
      </Card>
      {newest.length === 0 ? (
        <EmptyState title="No users yet">A user appears here after the first verified code.</EmptyState>
      ) : (
        <Card id="newest" title="Newest users">
          <Table
            caption="Newest users"
            columns={userColumns(application)}
            rows={newest}
            keyOf={({ user }) => user.userId}
          />
        </Card>
      )}
    </>
  );
}

const CODE_STATES: Readonly<Record<SentCode['state'], readonly [label: string, kind: BadgeKind]>> = {
  verified: ['Verified', 'good'],
  waiting: ['Not entered yet', 'neutral'],
  expired: ['Expired', 'neutral'],
  replaced: ['Replaced', 'neutral'],
  canceled: ['Canceled', 'neutral'],
};

const CODE_COLUMNS: readonly Column<SentCode>[] = [
  { title: 'Sent', cell: ({ sentAt }) => <Time ms={sentAt} /> },
  { title: 'Channel', cell: ({ channel }) => CHANNEL_NAMES[channel] },
  {
    title: 'Code',
    cell: ({ state }) => {
      const [label, kind] = CODE_STATES[state];
      return <Badge kind={kind}>{label}</Badge>;
    },
  },
  {
    title: 'Session',
    cell: ({ sessionEnd }) =>
      sessionEnd === undefined ? (
        <span class="quiet">–</span>
      ) : (
        <>
          until <Time ms={sessionEnd} />
        </>
      ),
  },
];

interface UserProps {
  /** Path of the person's page. */
  readonly path: string;
  readonly endUser: EndUser;
}

interface ActionProps {
  readonly action: string;
  readonly label: string;
  readonly question: string;
  readonly danger?: boolean;
}

/** A button that asks before it changes something. Only owners see it. */
function ActionButton({ action, label, question, danger = false }: ActionProps) {
  const { may } = useVisit();
  if (!may('own')) return null;
  return (
    <Form action={action}>
      <div class="actions">
        <button class={danger ? 'button danger' : 'button subtle'} data-confirm={question}>
          {label}
        </button>
      </div>
    </Form>
  );
}

function SessionsCard({ path, endUser: { codes, users } }: UserProps) {
  return (
    <Card
      id="sessions"
      title="Codes and sessions"
      lead="The latest codes of the last 7 days. A session lasts 30 minutes."
    >
      {codes.length === 0 ? (
        <p class="quiet">No codes.</p>
      ) : (
        <Table caption="Latest codes" columns={CODE_COLUMNS} rows={codes} keyOf={(code) => codes.indexOf(code)} />
      )}
      {users.length > 0 && (
        <ActionButton
          action={`${path}/end-sessions`}
          label="End all sessions"
          question="All session tokens of this person will be revoked. Continue?"
        />
      )}
    </Card>
  );
}

function TwoFactorCard({ path, endUser: { factor } }: UserProps) {
  if (factor?.since === undefined)
    return (
      <Card id="two-factor" title="Two-factor">
        <p class="quiet">Off.</p>
      </Card>
    );
  return (
    <Card id="two-factor" title="Two-factor">
      <Facts
        facts={[
          ['Authenticator app', <Time ms={factor.since} />],
          ['Recovery codes left', String(factor.recoveryCodes)],
        ]}
      />
      <ActionButton
        action={`${path}/reset-two-factor`}
        label="Reset two-factor"
        question="Two-factor will be turned off for this person. Check the person's identity first. Continue?"
      />
    </Card>
  );
}

const LocksCard = ({ path, endUser: { lockedUntil } }: UserProps) => (
  <Card id="locks" title="Locks after wrong codes">
    <p>
      {lockedUntil > 0 ? (
        <>
          Locked until <Time ms={lockedUntil} />.
        </>
      ) : (
        'Not locked.'
      )}
    </p>
    <ActionButton
      action={`${path}/unlock`}
      label="Lift all locks"
      question="The person can enter codes again immediately. Daily limits still apply. Continue?"
    />
  </Card>
);

interface UserViewProps extends UserProps {
  readonly application: Application;
  /** The page with the messages to the person. */
  readonly messagesPath: string;
}

export function UserView({ application, path, endUser, messagesPath }: UserViewProps) {
  const { may } = useVisit();
  const title = maskRecipient(endUser.address);
  return (
    <>
      <p class="crumbs">
        <a href={usersPath(application)}>End users</a>
      </p>
      <PageHead title={title}>
        <a class="button subtle" href={messagesPath}>
          Messages to this person
        </a>
      </PageHead>
      <Card id="details" title="Details">
        {endUser.users.length === 0 ? (
          <p class="quiet">This person has never verified a code.</p>
        ) : (
          endUser.users.map((user) => (
            <Facts
              key={user.userId}
              facts={[
                ['User ID', <code>{user.userId}</code>],
                ['User number', String(user.userApplicationId)],
                ['Address', user.verified ? 'verified' : 'not verified'],
                ['Created', <Time ms={user.createdAt} />],
                ['Last verified', user.verified && <Time ms={user.lastVerifiedAt} />],
              ]}
            />
          ))
        )}
      </Card>
      <SessionsCard path={path} endUser={endUser} />
      <div class="halves">
        <TwoFactorCard path={path} endUser={endUser} />
        <LocksCard path={path} endUser={endUser} />
      </div>
      {may('own') && (
        <Card id="erase" title="Erase">
          <p>
            The user and the second factor are deleted. The address and the content are erased from messages and codes.
            To erase the person from all applications, use <a href="/dashboard/recipients/erase">Erase a recipient</a>.
          </p>
          <ActionButton
            action={`${path}/erase`}
            label="Erase from this application"
            question="You cannot undo this. Erase this person?"
            danger
          />
        </Card>
      )}
    </>
  );
}
