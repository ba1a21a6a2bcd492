import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import type { ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { recipientsOf } from '../../modules/fraud/fraud-texts.js';
import { visibleState, type Message, type VisibleState } from '../../modules/messages/message.js';
import {
  MAX_COUNTED_USERS,
  type EndUser,
  type ListedUser,
  type ListedUsers,
} from '../../modules/end-users/end-users-service.js';
import { MINUTE } from '../../platform/clock.js';
import { localDay } from '../../platform/local-day.js';
import { countryName } from '../../modules/recipients/country.js';
import { countryOf, maskRecipient } from '../../modules/recipients/recipient.js';
import { templateLabel } from '../../modules/templates/template.js';
import { pathOf } from '../applications/parts.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useNow, useTimeZone, useVisit } from '../components/context.js';
import { Copy } from '../components/copy.js';
import { Crumbs } from '../components/crumbs.js';
import { Facts } from '../components/facts.js';
import { Form, FormProblems } from '../components/form.js';
import { RecipientSearch } from '../messages/filters.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Pager } from '../components/pager.js';
import { areTitles, Table, type Column } from '../components/table.js';
import { dayName, Time } from '../components/time.js';
import type { FormState } from '../form.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { CREATED, stateColumn } from '../messages/message-list.js';
import { shortProblemsOf, unknownAttempt } from '../messages/reasons.js';
import { CODE_TITLES, CodeDetails, codeOf, Story } from '../messages/story.js';
import { countText } from '../usage/figures.js';

export const usersPath = (application: Application): string => `${pathOf(application)}/users`;

/** The value of most people, which phones hide. */
const Usual = ({ children }: { readonly children: string }) => <span class="quiet none">{children}</span>;

const hasCountry = ({ user }: ListedUser): boolean => user.identityType !== 'email';

/** Whether the last code was not the one that added the person, as for most people, or there is none. */
const hasNotableCode = ({ user, lastEnteredAt }: ListedUser): boolean =>
  lastEnteredAt === undefined || lastEnteredAt - user.createdAt >= MINUTE;

/** Users that are not verified have entered codes from an authenticator app, or recovery codes. */
const NO_MESSAGE_CODE = 'Only two-factor codes';

/** Columns in which no user has a value are left out. */
const userColumns = (
  application: Application,
  users: readonly ListedUser[],
  hasDays: boolean,
): readonly Column<ListedUser>[] =>
  [
    {
      title: 'Recipient',
      cell: ({ user, reference }: ListedUser) => (
        <>
          <a class="strong" href={`${usersPath(application)}/${reference}`}>
            {maskRecipient(user.identity)}
          </a>{' '}
          {!user.verified && <Badge kind="neutral">Not verified</Badge>}
        </>
      ),
    },
    users.some(hasCountry) && {
      title: 'Country',
      cell: (one: ListedUser) =>
        hasCountry(one) ? <span class="quiet">{countryName(countryOf(one.user.identity))}</span> : <Usual>–</Usual>,
    },
    users.some(hasNotableCode) && {
      title: 'Last code entered',
      cell: (one: ListedUser) => {
        if (one.lastEnteredAt === undefined) return NO_MESSAGE_CODE;
        return hasNotableCode(one) ? <Time ms={one.lastEnteredAt} /> : <Usual>When added</Usual>;
      },
    },
    users.some(({ hasFactor }) => hasFactor) && {
      title: 'Second factor',
      cell: ({ hasFactor }: ListedUser) => (hasFactor ? <Badge kind="good">On</Badge> : <Usual>Off</Usual>),
    },
    {
      title: 'Added',
      number: true,
      cell: ({ user }: ListedUser) => <Time ms={user.createdAt} clock={hasDays} isZoneNamed />,
    },
  ].filter((column) => column !== false);

interface UsersProps extends ListedUsers {
  readonly application: Application;
  /** Whether newer users are on other pages. */
  readonly isOlder: boolean;
  readonly form: FormState;
  /** Whether nothing is stored about the recipient that was entered. */
  readonly isUnknown: boolean;
}

const UnknownRecipient = ({ path }: { readonly path: string }) => (
  <EmptyState
    title="Nothing found"
    action={
      <a class="button subtle" href={path}>
        Show all end users
      </a>
    }
  >
    This application has no end user, code or message for this recipient or user ID. Check your entry and its country
    code, or look in another application.
  </EmptyState>
);

/** `128 people. Times are in Europe/Oslo.` */
function leadText(total: number, zone: string): string {
  if (total === 0) return 'The people who enter codes from this application, for example to sign in to your site.';
  const more = total < MAX_COUNTED_USERS ? '' : ' or more';
  return `${countText(total)}${more} ${total === 1 ? 'person' : 'people'}. Times are in ${zone}.`;
}

/** The newest users; older ones on other pages. */
function UserList({ application, users, olderThan, isOlder }: Omit<UsersProps, 'form' | 'isUnknown'>) {
  const path = usersPath(application);
  const zone = useTimeZone();
  const today = localDay(useNow(), zone);
  const dayOf = ({ user }: ListedUser) => dayName(localDay(user.createdAt, zone), today);
  const hasDays = areTitles(users, dayOf);
  if (users.length === 0 && !isOlder)
    return (
      <EmptyState
        title="No end users yet"
        action={
          <a class="button subtle" href={`${pathOf(application)}/widget/code`}>
            Add the two-factor widget to your site
          </a>
        }
      >
        People appear here after they enter their first code.
      </EmptyState>
    );
  return (
    <div class="message-list user-list">
      <Table
        caption="End users, newest first"
        columns={userColumns(application, users, hasDays)}
        rows={users}
        keyOf={({ user }) => user.userId}
        {...(hasDays && { groupOf: dayOf })}
      />
      <Pager latest={isOlder && path} older={olderThan !== undefined && `${path}?before=${olderThan}`} />
    </div>
  );
}

const PERSON_LABEL = 'Recipient or user ID';

export function UsersView({ form, isUnknown, ...list }: UsersProps) {
  const path = usersPath(list.application);
  return (
    <>
      <PageHead title="End users" lead={leadText(list.total, useTimeZone())} />
      <FormProblems form={form} labels={{ person: PERSON_LABEL }} prevented="" />
      <Form action={`${path}/find`} class="search" noValidate>
        <RecipientSearch form={form} name="person" label={PERSON_LABEL} placeholder="Phone, email or user ID" />
      </Form>
      {isUnknown ? <UnknownRecipient path={path} /> : <UserList {...list} />}
    </>
  );
}

interface UserProps {
  readonly path: string;
  readonly endUser: EndUser;
}

interface StoryProps extends UserProps {
  readonly application: Application;
  readonly pause: ScopeView | undefined;
  /** Whether a pause or a challenge may stop messages to the person now. */
  readonly mayBeStopped: boolean;
  /** The latest messages to the person, newest first. */
  readonly messages: readonly Message[];
  /** The page with all messages to the person. */
  readonly messagesPath: string;
}

const LOST: readonly VisibleState[] = ['failed', 'expired', 'undelivered'];

type ActionProps = { action: string; label: string; question: string; danger?: boolean };

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

/** Returns the person's state: whether messages arrive and codes are accepted, and when the last code was entered. */
function stateOf({ endUser, messages: [newest], pause }: StoryProps): readonly [BadgeKind, string, ComponentChildren] {
  const { users, lockedUntil, lastEnteredAt } = endUser;
  if (lockedUntil > 0)
    return [
      'bad',
      'Locked',
      <>
        Too many wrong codes were entered. Even correct codes may be rejected until <Time ms={lockedUntil} />.
      </>,
    ];
  if (pause) return ['bad', 'Paused', `Messages to ${recipientsOf(pause)} are refused.`];
  const isEntered = newest && codeOf(endUser, newest)?.state === 'verified';
  const last = newest && !isEntered ? visibleState(newest) : undefined;
  if (last === 'refused') return ['warning', 'Not reached', 'The latest message was refused.'];
  if (last && LOST.includes(last))
    return unknownAttempt(newest!)
      ? ['warning', 'Not confirmed', 'The provider did not confirm the latest message.']
      : ['warning', 'Not reached', 'The latest message did not arrive.'];
  if (!users.some(({ verified }) => verified) || lastEnteredAt === undefined)
    return ['neutral', 'Not verified', 'This person has not entered a code from a message yet.'];
  return [
    'good',
    'Verified',
    <>
      Last entered a code on <Time ms={lastEnteredAt} />.
    </>,
  ];
}

function StateLine(props: StoryProps) {
  const [kind, label, text] = stateOf(props);
  return (
    <>
      <Badge kind={kind}>{label}</Badge> {text}
    </>
  );
}

/** The newest message, from the request to the entered code, and what to do if it did not arrive. */
function StoryCard({ application, endUser, messages: [newest], pause, mayBeStopped }: StoryProps) {
  if (!newest)
    return (
      <Card id="story" title="What happened">
        <p class="quiet">No messages to this person in the last 30 days.</p>
      </Card>
    );
  return (
    <Card id="story" title={newest.template === 'otp' ? 'Latest code' : 'Latest message'}>
      <Story message={newest} application={application} pause={pause} mayBeStopped={mayBeStopped} endUser={endUser} />
    </Card>
  );
}

const storyColumns = (endUser: EndUser): readonly Column<Message>[] => [
  {
    title: 'Message',
    cell: ({ id, template, channel }) => (
      <a class="strong" href={`/dashboard/messages/${id}`}>
        {templateLabel(template)} · {CHANNEL_NAMES[channel]}
      </a>
    ),
  },
  stateColumn((message) => codeOf(endUser, message)?.state === 'verified'),
  {
    title: 'Result',
    cell: (message) => {
      const code = message.state === 'sent' && codeOf(endUser, message);
      const entered = code && [
        CODE_TITLES[code.state],
        code.state === 'replaced' ? ': ' : ', ',
        <CodeDetails code={code} expiresAt={message.expiresAt} />,
      ];
      return (
        <span class="reason">
          {(code && code.state === 'verified' && entered) || shortProblemsOf([message]) || entered}
        </span>
      );
    },
  },
  CREATED,
];

const MessagesCard = ({ endUser, messages }: StoryProps) =>
  messages.length === 0 ? null : (
    <section class="message-list" aria-labelledby="latest">
      <h2 id="latest">Latest messages</h2>
      <Table caption="Latest messages" columns={storyColumns(endUser)} rows={messages} keyOf={({ id }) => id} />
    </section>
  );

/** The person's users, sessions, locks and second factor, with the changes that are possible now. */
function DetailsCard({ path, endUser: { users, lockedUntil, factor, lastEnteredAt } }: UserProps) {
  const { may } = useVisit();
  const hasFactor = factor?.since !== undefined;
  const neverEntered = users.length > 0 ? NO_MESSAGE_CODE : 'Never';
  return (
    <Card id="details" title="Details">
      {users.map((user) => (
        <Facts
          key={user.userId}
          strip
          facts={[
            ['User ID', <Copy label="user ID" value={user.userId} />],
            ['Verified by code', user.verified ? 'Yes' : 'No'],
            ['Added', <Time ms={user.createdAt} />],
          ]}
        />
      ))}
      <Facts
        strip
        facts={[
          ['Last code entered', lastEnteredAt === undefined ? neverEntered : <Time ms={lastEnteredAt} />],
          ['Locked until', lockedUntil > 0 && <Time ms={lockedUntil} />],
          ['Second factor', hasFactor ? <>On since {<Time ms={factor.since!} />}</> : 'Off'],
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
              label="Turn off the second factor"
              question="Turn off the second factor of this person? Check the person's identity first."
            />
          )}
        </div>
      )}
    </Card>
  );
}

const UserCrumbs = ({ application }: { readonly application: Application }) => (
  <Crumbs application={application} pages={[{ href: usersPath(application), label: 'End users' }]} />
);

/** The page of a person about whom nothing is stored, such as after an erasure. */
export const UnknownUserView = ({ application, address }: { application: Application; address: string }) => (
  <>
    <UserCrumbs application={application} />
    <PageHead
      title={maskRecipient(address)}
      lead="This application has no end user, code, message, suppression or opt-out for this recipient."
    />
  </>
);

export function UserView(props: StoryProps) {
  const { application, path, endUser } = props;
  const { may } = useVisit();
  const title = maskRecipient(endUser.address);
  return (
    <>
      <UserCrumbs application={application} />
      <PageHead title={title} lead={<StateLine {...props} />}>
        {props.messages.length > 0 && (
          <a class="button subtle" href={props.messagesPath}>
            All messages
          </a>
        )}
      </PageHead>
      <div class="message-page">
        <DetailsCard path={path} endUser={endUser} />
        <StoryCard {...props} />
      </div>
      <MessagesCard {...props} />
      {may('own') && (
        <Card id="erase" title="Erase this person">
          <p>
            Deletes this end user with their second factor, opt-outs, Protection records and shop events in this
            application, and any suppression of their email address in the account. Erases their phone number or email
            address, and the content of their messages and codes. You cannot undo this. To erase the person from all
            applications, use <a href="/dashboard/recipients/erase">Erase a recipient</a>.
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
