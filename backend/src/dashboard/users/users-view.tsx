import type { Application } from '../../modules/applications/application.js';
import type { ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { Message } from '../../modules/messages/message.js';
import type { EndUser, ListedUser, ListedUsers } from '../../modules/end-users/end-users-service.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { pathOf } from '../applications/parts.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Crumbs } from '../components/crumbs.js';
import { Facts } from '../components/facts.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';
import { CHANNEL_NAMES, templateName } from '../messages/labels.js';
import { CREATED, problemsOf, STATE } from '../messages/message-list.js';
import { CODE_TITLES, CodeDetails, codeOf, Story } from '../messages/story.js';

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
  { title: 'Created', cell: ({ user }) => <Time ms={user.createdAt} /> },
  { title: 'User ID', cell: ({ user }) => <code>{user.userId}</code> },
];

interface UsersProps extends ListedUsers {
  readonly application: Application;
  /** Whether newer users are on other pages. */
  readonly isOlder: boolean;
  readonly form: FormState;
}

export function UsersView({ application, users, olderThan, isOlder, form }: UsersProps) {
  const path = usersPath(application);
  return (
    <>
      <PageHead title="End users" lead="The people who sign in to your site with this application." />
      <FormProblems form={form} prevented="" />
      <Form action={`${path}/find`} class="line" noValidate>
        <Field
          form={form}
          name="person"
          label="Recipient or user ID"
          autoComplete="off"
          placeholder="+1 415 555 0100 or ana@example.com"
          required
        />
        <button class="button subtle">Find</button>
      </Form>
      {users.length === 0 && !isOlder ? (
        <EmptyState title="No users yet">A user appears here after the first verified code.</EmptyState>
      ) : (
        <section class="stack compact user-list" aria-labelledby="newest">
          <h2 id="newest">Users, newest first</h2>
          <Table
            caption="Users, newest first"
            columns={userColumns(application)}
            rows={users}
            keyOf={({ user }) => user.userId}
          />
          <Pager latest={isOlder && path} older={olderThan !== undefined && `${path}?before=${olderThan}`} />
        </section>
      )}
    </>
  );
}

interface UserProps {
  /** Path of the person's page. */
  readonly path: string;
  readonly endUser: EndUser;
}

interface StoryProps extends UserProps {
  readonly application: Application;
  /** The pause that refuses messages to the person now. */
  readonly pause: ScopeView | undefined;
  /** The latest messages to the person, newest first. */
  readonly messages: readonly Message[];
  /** The page with all messages to the person. */
  readonly messagesPath: string;
}

type ActionProps = { action: string; label: string; question: string; danger?: boolean };

/** A button that asks before it changes something. */
function ActionButton({ action, label, question, danger = false }: ActionProps) {
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

/** The newest message, from the request to the entered code, and what to do if it did not arrive. */
function StoryCard({ application, endUser, messages: [newest], pause }: StoryProps) {
  if (!newest)
    return (
      <Card id="story" title="What happened">
        <p class="quiet">No messages to this person in the last 30 days.</p>
      </Card>
    );
  return (
    <Card id="story" title={newest.template === 'otp' ? 'Latest code' : 'Latest message'}>
      <Story message={newest} application={application} pause={pause} endUser={endUser} />
    </Card>
  );
}

const storyColumns = (endUser: EndUser): readonly Column<Message>[] => [
  {
    title: 'Message',
    cell: ({ id, template, channel }) => (
      <a class="strong" href={`/dashboard/messages/${id}`}>
        {templateName(template)} · {CHANNEL_NAMES[channel]}
      </a>
    ),
  },
  STATE,
  {
    title: 'Result',
    cell: (message) => {
      const code = message.state === 'sent' && codeOf(endUser, message);
      const entered = code && [
        CODE_TITLES[code.state],
        ', ',
        <CodeDetails code={code} expiresAt={message.expiresAt} />,
      ];
      return <span class="reason">{problemsOf(message) || entered}</span>;
    },
  },
  CREATED,
];

const MessagesCard = ({ endUser, messages }: StoryProps) =>
  messages.length < 2 ? null : (
    <section class="message-list" aria-labelledby="latest">
      <h2 id="latest">Latest messages</h2>
      <Table caption="Latest messages" columns={storyColumns(endUser)} rows={messages} keyOf={({ id }) => id} />
    </section>
  );

/** The person's users, sessions, locks and second factor, with the changes that are possible now. */
function DetailsCard({ path, endUser: { users, lockedUntil, factor } }: UserProps) {
  const { may } = useVisit();
  const hasFactor = factor?.since !== undefined;
  return (
    <Card id="details" title="Details">
      {users.length === 0 && <p class="quiet">This person has never verified a code.</p>}
      {users.map((user) => (
        <Facts
          key={user.userId}
          facts={[
            ['User ID', <code>{user.userId}</code>],
            ['User number', String(user.userApplicationId)],
            ['Address', user.verified ? 'Verified' : 'Not verified'],
            ['Created', <Time ms={user.createdAt} />],
            ['Last verified', user.verified && <Time ms={user.lastVerifiedAt} />],
          ]}
        />
      ))}
      <Facts
        facts={[
          ['Locked until', lockedUntil > 0 && <Time ms={lockedUntil} />],
          ['Two-factor', hasFactor ? <>On since {<Time ms={factor.since!} />}</> : 'Off'],
          ['Recovery codes', hasFactor && `${factor.recoveryCodes} left`],
        ]}
      />
      {may('own') && (
        <div class="actions">
          {lockedUntil > 0 && (
            <ActionButton
              action={`${path}/unlock`}
              label="Remove all locks"
              question="Unlock this person? They can enter codes again immediately. Daily limits still apply."
            />
          )}
          {users.length > 0 && (
            <ActionButton
              action={`${path}/end-sessions`}
              label="End all sessions"
              question="End all sessions? All session tokens of this person will be revoked."
            />
          )}
          {hasFactor && (
            <ActionButton
              action={`${path}/reset-two-factor`}
              label="Reset two-factor"
              question="Turn off two-factor for this person? Check the person's identity first."
            />
          )}
        </div>
      )}
    </Card>
  );
}

export function UserView(props: StoryProps) {
  const { application, path, endUser } = props;
  const { may } = useVisit();
  const title = maskRecipient(endUser.address);
  return (
    <>
      <Crumbs application={application} pages={[{ href: usersPath(application), label: 'End users' }]} />
      <PageHead title={title}>
        {props.messages.length > 0 && (
          <a class="button subtle" href={props.messagesPath}>
            All messages
          </a>
        )}
      </PageHead>
      <div class="message-page">
        <StoryCard {...props} />
        <DetailsCard path={path} endUser={endUser} />
      </div>
      <MessagesCard {...props} />
      {may('own') && (
        <Card id="erase" title="Erase">
          <p>
            Deletes the user and their second factor, and erases their address and the content from messages and codes.
            To erase the person from all applications, use <a href="/dashboard/recipients/erase">Erase a recipient</a>.
          </p>
          <ActionButton
            action={`${path}/erase`}
            label="Erase from this application"
            question={`Erase ${title}? You cannot undo this.`}
            danger
          />
        </Card>
      )}
    </>
  );
}
