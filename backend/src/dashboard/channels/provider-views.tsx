/** The pages that add and change a provider. */
import type { ProviderView } from '../../modules/providers/provider-view.js';
import { COUNTRY_NAMES, countryName } from '../../modules/recipients/country.js';
import type { ProviderType } from '../../providers/provider-type.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useNow, useVisit } from '../components/context.js';
import { Copy } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import { FilterSearch } from '../components/filter-search.js';
import { Form, FormProblems, Select } from '../components/form.js';
import { LinkNav } from '../components/link-nav.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Tile, Tiles } from '../components/tiles.js';
import type { FormState } from '../form.js';
import type { Step } from '../home/checklist.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { countText } from '../usage/figures.js';
import type { Activity } from './activity.js';
import { isIdle, ProviderBadge } from './activity-view.js';
import { channelList, CHANNELS_PATH, helpLabel, providerPath, TYPES_PATH, typesPath } from './labels.js';
import { ActivityFigures, FailureNotice, StateCard } from './provider-activity.js';
import { ProviderFields, shownValue } from './provider-form.js';
import { TestCard, type TestOutcome } from './test-card.js';

const COVERS_MOST = 'nearly all countries';

/** Returns the channels of a provider, and where it sends to. */
function reachOf({ channels, capabilities: { countries }, description }: ProviderType): string {
  const names = countries?.map(countryName).sort();
  const where = names ? `only to ${names.join(', ')}` : description.includes(COVERS_MOST) && COVERS_MOST;
  return [channelList(channels), where].filter(Boolean).join(' · ');
}

/** Returns what a provider reports. */
function reportsOf({ capabilities: { automaticReports, deliveryReports, inbound } }: ProviderType): string {
  const parts = [
    !deliveryReports
      ? 'no delivery reports'
      : automaticReports
        ? 'automatic delivery reports'
        : 'delivery reports by webhook',
    inbound && 'STOP replies',
  ];
  return parts.filter(Boolean).join(' · ');
}

const firstSentence = ({ description }: ProviderType): string => /^.*?[.](?= |$)/.exec(description)?.[0] ?? '';

interface EntryProps {
  readonly type: ProviderType;
  /** The number of providers of this type that the account has. */
  readonly count: number;
}

const TypeEntry = ({ type, count }: EntryProps) => (
  <Tile
    title={type.title}
    href={`${TYPES_PATH}/${type.name}`}
    label={`Set up ${type.title}`}
    badge={count > 0 && <Badge kind="good">{count === 1 ? 'Added' : `${countText(count)} added`}</Badge>}
  >
    <p class="small">{firstSentence(type)}</p>
    <p class="quiet small">
      {reachOf(type)}
      <span class="reports"> · {reportsOf(type)}</span>
    </p>
  </Tile>
);

/** Whether a provider type has all words of the search in its name, first sentence, channels or countries. */
function matches(type: ProviderType, text: string): boolean {
  const countries = type.description.includes(COVERS_MOST) ? COUNTRY_NAMES : [];
  const searched = [type.title, firstSentence(type), reachOf(type), reportsOf(type), ...countries]
    .join(' ')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

export const TYPES_ID = 'provider-types';

interface TypesProps {
  readonly types: readonly ProviderType[];
  /** The account's providers. */
  readonly providers: readonly Pick<ProviderView, 'type'>[];
  /** Search text. */
  readonly text: string;
}

const byTitle = (a: ProviderType, b: ProviderType) => a.title.localeCompare(b.title, 'en');

const Types = ({ types, providers }: Omit<TypesProps, 'text'>) => (
  <Tiles>
    {[...types].sort(byTitle).map((type) => (
      <TypeEntry key={type.name} type={type} count={providers.filter((one) => one.type === type.name).length} />
    ))}
  </Tiles>
);

/** Lists all provider types by their first channel, or those that the search finds. */
export function TypeList({ types, providers, text }: TypesProps) {
  const found = types.filter((type) => matches(type, text));
  return (
    <div id={TYPES_ID} class="stack" aria-live="polite">
      {text === '' ? (
        CHANNELS.map((channel) => [channel, types.filter(({ channels: [first] }) => first === channel)] as const)
          .filter(([, entries]) => entries.length > 0)
          .map(([channel, entries]) => (
            <section key={channel} aria-labelledby={`types-${channel}`}>
              <h2 id={`types-${channel}`}>{CHANNEL_NAMES[channel]}</h2>
              <Types types={entries} providers={providers} />
            </section>
          ))
      ) : found.length > 0 ? (
        <Types types={found} providers={providers} />
      ) : (
        <p class="quiet">
          No provider was found. Nearly every SMS provider with an HTTP API works with{' '}
          <a href={`${TYPES_PATH}/http-gateway`}>Other gateway (HTTP)</a>, and nearly every email provider with{' '}
          <a href={`${TYPES_PATH}/smtp`}>Mail server (SMTP)</a>.
        </p>
      )}
    </div>
  );
}

export function TypesPage(props: TypesProps) {
  const channels = CHANNELS.filter((channel) => props.types.some((type) => type.channels.includes(channel)));
  const links = channels.map((channel) => ({
    href: typesPath(channel),
    label: CHANNEL_NAMES[channel],
    current: props.text === CHANNEL_NAMES[channel],
  }));
  const all = { href: TYPES_PATH, label: 'All', current: props.text === '' };
  return (
    <>
      <p class="crumbs">{CHANNELS_LINK}</p>
      <PageHead
        title="Add a provider"
        lead="A provider is a company, a phone or a mail server that sends your messages."
      />
      <div class="list-tools">
        <FilterSearch
          action={TYPES_PATH}
          target={TYPES_ID}
          label="Find a provider"
          placeholder="Name, channel or country"
          text={props.text}
        />
        <LinkNav class="tools" label="Channels" links={[all, ...links]} currentAs="true" />
      </div>
      {props.text === '' && (
        <p class="small">
          For your first provider, use <a href={`${TYPES_PATH}/twilio`}>Twilio</a>, which sends SMS to {COVERS_MOST}.
          For email, use the <a href={`${TYPES_PATH}/smtp`}>mail server</a> of your domain. You can add other providers
          later.
        </p>
      )}
      <TypeList {...props} />
    </>
  );
}

const CHANNELS_LINK = <a href={CHANNELS_PATH}>Channels</a>;

interface FormProps {
  readonly type: ProviderType;
  readonly form: FormState;
  /** A problem that does not concern a single field. */
  readonly problem: string | undefined;
}

const Problems = ({ form, problem, prevented }: Omit<FormProps, 'type'> & { readonly prevented: string }) => (
  <>
    {problem !== undefined && (
      <Notice kind="bad">
        {prevented} {problem}
      </Notice>
    )}
    <FormProblems form={form} labels={{}} prevented={prevented} />
  </>
);

export function AddPage({ type, form, problem }: FormProps) {
  return (
    <>
      <p class="crumbs">
        {CHANNELS_LINK}
        <span aria-hidden="true">/</span>
        <a href={TYPES_PATH}>Add a provider</a>
      </p>
      <PageHead title={type.title} lead={type.description} guide={type.helpUrl} guideLabel={helpLabel(type)} />
      <Card beside id="settings" title="Settings" lead="You can change the settings later.">
        <Problems form={form} problem={problem} prevented="The provider was not added." />
        <Form action={`${TYPES_PATH}/${type.name}`} class="two-columns" noValidate>
          <ProviderFields type={type} form={form} />
          <Submit label="Add the provider" cancel={TYPES_PATH} />
        </Form>
      </Card>
    </>
  );
}

const ENABLED_CHOICES = [
  { value: 'yes', label: 'On: sends messages' },
  { value: 'no', label: 'Off: keeps its settings, but sends nothing' },
];

const SECRET_ADDRESS_HINT = <p class="hint">This address contains a secret. Do not publish it.</p>;

interface SetUpAddressProps {
  readonly type: ProviderType;
  readonly help: string | undefined;
  /** The kind of requests that the provider sends to the address. */
  readonly kind: string;
}

/** Describes where to enter an address at the vendor, or links to the vendor's documentation. */
const SetUpAddress = ({ type: { title, helpUrl }, help, kind }: SetUpAddressProps) => (
  <p>
    {help ?? `In the settings of ${title}, enter this address as the webhook for ${kind}.`}{' '}
    {help === undefined && helpUrl !== undefined && <a href={helpUrl}>{helpLabel({ helpUrl })}</a>}
  </p>
);

function ReportsCard({ provider: { callbackUrl }, type }: { provider: ProviderView; type: ProviderType }) {
  const { deliveryReports } = type.capabilities;
  if (!deliveryReports && !type.channels.includes('EMAIL')) return null;
  return (
    <Card
      beside
      id="reports"
      title="Delivery reports"
      lead="With delivery reports, the Messages and Usage pages show whether messages were delivered."
    >
      {!deliveryReports ? (
        <p>
          A mail server cannot report deliveries, bounces or spam complaints. To see them, add a provider with delivery
          reports, such as Amazon SES or Postmark.
        </p>
      ) : callbackUrl === undefined ? (
        <p>
          The provider cannot report deliveries yet, because it cannot reach this server. Ask the operator to give this
          server a <a href="/docs/going-live">public HTTPS address</a>.
        </p>
      ) : type.capabilities.automaticReports === true ? (
        <p>You have nothing to set up: {type.title} gets the address for delivery reports with each message.</p>
      ) : (
        <>
          <SetUpAddress type={type} help={type.reportsHelp} kind="delivery reports" />
          <Copy oneLine label="address for delivery reports" value={callbackUrl} />
          {SECRET_ADDRESS_HINT}
        </>
      )}
    </Card>
  );
}

function RepliesCard({ provider: { inboundUrl }, type }: { provider: ProviderView; type: ProviderType }) {
  if (inboundUrl === undefined) return null;
  return (
    <Card
      beside
      id="replies"
      title="Replies such as STOP"
      lead="Recipients can reply STOP to stop order notifications."
    >
      <SetUpAddress type={type} help={type.repliesHelp} kind="incoming messages" />
      <Copy oneLine label="address for replies" value={inboundUrl} />
      {SECRET_ADDRESS_HINT}
    </Card>
  );
}

function RemoveCard({ provider: { id, name } }: { readonly provider: ProviderView }) {
  const question = `Remove ${name}? It will be removed from all routes, and its credentials will be deleted.`;
  return (
    <Card
      beside
      id="remove"
      title="Remove the provider"
      lead="Messages that are waiting for this provider will be sent by the next provider in the route, if there is one."
    >
      <Form action={`${providerPath(id)}/remove`}>
        <Submit label={`Remove ${name}`} kind="danger" confirm={question} />
      </Form>
    </Card>
  );
}

interface HeadProps {
  readonly provider: ProviderView;
  readonly type: ProviderType | undefined;
  readonly activity: Activity | undefined;
  /** The time of the oldest message that counts; undefined if all messages of the last day count. */
  readonly since: number | undefined;
  /** The outcome of a test, which the page shows. */
  readonly outcome?: TestOutcome | undefined;
}

/** The provider's name and state. Until it is verified, it sends no messages. */
function ProviderHead({ provider, type, activity, outcome }: Omit<HeadProps, 'since'>) {
  const { name, state, channels, verified, enabled } = provider;
  const { flash } = useVisit();
  // The outcome of a test, and the notice after a change, already state the problem.
  const isStated = outcome !== undefined || flash.warning !== undefined;
  const needsNotice = enabled && !verified && channels.length > 0 && !isStated && flash.notice === undefined;
  return (
    <>
      <p class="crumbs">{CHANNELS_LINK}</p>
      <PageHead
        title={
          <>
            {name} <ProviderBadge state={state} activity={activity} />
          </>
        }
        lead={
          <>
            {type && name !== type.title && `${type.title} · `}
            {channelList(channels)}
            {type?.helpUrl && ' ·'}
          </>
        }
        guide={type?.helpUrl}
        guideLabel={helpLabel(type)}
      />
      {!isStated && <FailureNotice state={state} activity={activity} />}
      {needsNotice && (
        <Notice kind="warning">
          This provider sends no messages until a check of its credentials or a test message succeeds.{' '}
          <a href="#test">Send a test message</a>
        </Notice>
      )}
    </>
  );
}

/** The provider's state, and its figures of the last day. */
const ActivityParts = ({
  provider: { state },
  activity,
  since,
}: Pick<HeadProps, 'provider' | 'activity' | 'since'>) => (
  <>
    <StateCard state={state} activity={activity} isIdleNow={isIdle({ state, activity }, useNow())} />
    <ActivityFigures activity={activity} since={since} />
  </>
);

interface ProviderPageProps extends FormProps, Pick<HeadProps, 'activity' | 'since'> {
  readonly provider: ProviderView;
  readonly testForm: FormState;
  readonly outcome: TestOutcome | undefined;
  /** The account's next step after a successful test. */
  readonly next: Step | undefined;
}

export function ProviderPage(props: ProviderPageProps) {
  const { provider, type, activity, since, form, problem, testForm, outcome, next } = props;
  const { id, version, secrets } = provider;
  return (
    <>
      <ProviderHead provider={provider} type={type} activity={activity} outcome={outcome} />
      <ActivityParts provider={provider} activity={activity} since={since} />
      <TestCard provider={provider} type={type} form={testForm} outcome={outcome} next={next} />
      <Card beside id="settings" title="Settings" lead="Changes apply to new messages.">
        <Problems form={form} problem={problem} prevented="Your changes were not saved." />
        <Form action={providerPath(id)} stored={version} class="two-columns" noValidate>
          <ProviderFields type={type} form={form} secrets={secrets}>
            <Select form={form} name="enabled" label="State" choices={ENABLED_CHOICES} />
          </ProviderFields>
          <Submit label="Save" kind="saved-by-bar" cancel={CHANNELS_PATH} />
        </Form>
      </Card>
      <ReportsCard provider={provider} type={type} />
      <RepliesCard provider={provider} type={type} />
      <RemoveCard provider={provider} />
    </>
  );
}

/**
 * The page of a provider that cannot be edited: its settings come from environment variables, its type no longer
 * exists, or its credentials can no longer be decrypted.
 */
export function FixedProviderPage({ provider, type, activity, since }: HeadProps) {
  const { readOnly, settings } = provider;
  const shown = Object.entries(settings).map(([name, value]) => {
    const field = type?.fields.find((candidate) => candidate.name === name);
    return field ? ([field.label, shownValue(field, value)] as const) : ([name, value] as const);
  });
  return (
    <>
      <ProviderHead provider={provider} type={type} activity={activity} />
      <ActivityParts provider={provider} activity={activity} since={since} />
      <Card beside id="settings" title="Settings">
        <p>
          {readOnly
            ? 'The operator of this server set up this provider. Only the operator can change it.'
            : type
              ? 'This provider cannot be used, because its credentials cannot be decrypted. Remove it and add it again.'
              : 'This provider cannot be used, because this version of Passbell does not support its type.'}
        </p>
        <Facts facts={shown} />
      </Card>
      {!readOnly && <RemoveCard provider={provider} />}
    </>
  );
}
