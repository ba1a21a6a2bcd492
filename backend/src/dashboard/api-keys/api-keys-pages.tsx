/** The page `/api-keys`: keys with which programs use the management API. */
import type { Clock } from '../../platform/clock.js';
import { RIGHTS, type Right } from '../../modules/access/rights.js';
import { parseApplicationName, wholeNumber } from '../../modules/applications/setting-values.js';
import { OPERATIONS } from '../../modules/manage/operations.js';
import type { ManagementKeys } from '../../modules/management-keys/index.js';
import {
  AREAS,
  MAX_KEY_DAYS,
  scopeTexts,
  type Area,
  type ManagementKey,
} from '../../modules/management-keys/management-key.js';
import { SettingError } from '../../modules/settings/bounded-setting.js';
import { Card } from '../components/card.js';
import { Copy } from '../components/copy.js';
import { Field, Form, FormProblems, Presets, Select, type Choice } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { FieldError, filledForm, readForm, statusOf, textOf, type FormBody, type FormState } from '../form.js';
import type { Change, PageReply, PageRoute, Visit } from '../page.js';
import { act, actAfterCheck, page, redirect, show } from '../page.js';

const PATH = '/dashboard/api-keys';

const AREA_LABELS: Readonly<Record<Area, string>> = {
  applications: 'Applications and settings',
  secrets: 'App Secrets',
  webhooks: 'Webhooks',
  templates: 'Templates',
  fraud: 'Protection',
  users: 'End users',
  messages: 'Messages and usage',
  recipients: 'Suppressions and erasure',
  providers: 'Providers, routes and prices',
  audit: 'Audit log',
};

const RIGHT_CHOICES: readonly Choice[] = [
  { value: '', label: 'No access' },
  { value: 'read', label: 'Read' },
  { value: 'change', label: 'Read and change' },
  { value: 'own', label: 'Full access' },
];
/** Returns the rights with which a key can do more in an area than with a lower right: the audit log needs full access. */
const choicesFor = (area: Area): readonly Choice[] =>
  RIGHT_CHOICES.filter(
    ({ value }) =>
      value === '' ||
      value === 'own' ||
      OPERATIONS.some((operation) => operation.area === area && operation.right === value),
  );

/** The right that a preset has in all areas; `custom`: a right for each area. */
const PRESETS = [
  {
    value: 'read',
    label: 'Read only',
    hint: 'For reports and monitoring. The key cannot change anything.',
  },
  {
    value: 'change',
    label: 'Read and change',
    hint: 'The key can change what members can change, such as texts, allow-lists and some settings.',
  },
  {
    value: 'own',
    label: 'Full access',
    hint: 'The key can also change secrets, limits, webhooks and providers, but not people, API keys or the account. Protect this key like a password.',
  },
  { value: 'custom', label: 'Custom', hint: 'Choose the access for each area.' },
] as const;

/** Returns the rights of a preset. Nothing about App Secrets can be read, so that a key for reading has no right to them. */
const presetScopes = (right: Right): ManagementKey['scopes'] =>
  Object.fromEntries(
    AREAS.filter((area) => right !== 'read' || area !== 'secrets').map((area) => [area, right] as const),
  );

const EMPTY_KEY_FORM = filledForm({ days: '90', preset: 'read' });

/** Names the preset that has these rights. Without one, lists the rights. */
function rightsText(scopes: ManagementKey['scopes']): string {
  const isPreset = (right: Right) => AREAS.every((area) => scopes[area] === presetScopes(right)[area]);
  const preset = PRESETS.find(({ value }) => value !== 'custom' && isPreset(value));
  return preset?.label ?? scopeTexts(scopes).join(', ');
}

const RevokeForm = ({ id, name }: ManagementKey) => (
  <Form action={`${PATH}/${id}/revoke`} class="inline">
    <button
      class="button danger small"
      aria-label={`Revoke ${name}`}
      data-confirm={`Revoke ${name}? Programs that use this key will lose access.`}
    >
      Revoke
    </button>
  </Form>
);

const columnsAt = (now: number): readonly Column<ManagementKey>[] => [
  { title: 'Name', cell: ({ name }) => <span class="strong">{name}</span> },
  { title: 'Key', cell: ({ hint }) => <code>{hint}…</code> },
  { title: 'Access', cell: ({ scopes }) => rightsText(scopes) },
  { title: 'Created by', cell: ({ createdBy }) => createdBy },
  {
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span class="quiet">Never</span> : <Time ms={lastUsedAt} />),
  },
  { title: 'Expires', cell: ({ expiresAt }) => (expiresAt <= now ? 'Expired' : <Time ms={expiresAt} />) },
  { title: 'Action', cell: (key) => <RevokeForm {...key} /> },
];

function parseRight(text: string): Right | undefined {
  const right = RIGHTS.find((known) => known === text);
  if (text !== '' && right === undefined) throw new FieldError('Choose the access.');
  return right;
}

/** Reads a preset. Requests without one have a right for each area. */
function parsePreset(text: string): Right | undefined {
  return RIGHTS.find((right) => right === text);
}

const NEW_PATH = `${PATH}/new`;

function creationPage(form: FormState = EMPTY_KEY_FORM): PageReply {
  const content = (
    <>
      <p class="crumbs">
        <a href={PATH}>API keys</a>
      </p>
      <PageHead title="New API key" lead="Give the key only the access that its program needs." />
      <FormProblems form={form} labels={{ name: 'Name', days: 'Valid for' }} prevented="The API key was not created." />
      <Form action={PATH} class="card" noValidate>
        <div class="columns">
          <Field
            form={form}
            name="name"
            label="Name"
            hint="For example, the name of the program."
            maxLength={64}
            autofocus
            required
          />
          <Field
            form={form}
            name="days"
            label="Valid for"
            hint={`At most ${MAX_KEY_DAYS} days.`}
            unit="days"
            inputMode="numeric"
            autocomplete="off"
            required
          />
        </div>
        <Presets form={form} name="preset" label="Access" choices={PRESETS} />
        <div class="columns single-rights">
          {AREAS.map((area) => (
            <Select key={area} form={form} name={area} label={AREA_LABELS[area]} choices={choicesFor(area)} />
          ))}
        </div>
        <Submit label="Create API key" cancel={PATH} />
      </Form>
    </>
  );
  return page('New API key', content, statusOf(form));
}

/** Returns the readers of the rights for each area. A key without a preset needs at least one right. */
function rightReaders(body: FormBody) {
  const isEmpty = !parsePreset(textOf(body, 'preset')) && AREAS.every((area) => textOf(body, area) === '');
  function readFirst(text: string): Right | undefined {
    if (isEmpty) throw new FieldError('Choose the access for at least one area.');
    return parseRight(text);
  }
  return Object.fromEntries(AREAS.map((area, n) => [area, n === 0 ? readFirst : parseRight]));
}

export function apiKeysPages(keys: ManagementKeys, clock: Clock): readonly PageRoute[] {
  async function list({ actor, person, flash }: Visit): Promise<PageReply> {
    const all = await keys.list(actor, person.accountId);
    const secret = flash.reveal?.secret;
    const button = (
      <a class="button" href={NEW_PATH}>
        New API key
      </a>
    );
    const content = (
      <>
        <PageHead title="API keys" lead="Programs use API keys to manage this account." guide="/docs/management-api">
          {all.length > 0 && button}
        </PageHead>
        {secret && (
          <Card id="new-key" class="card highlight" title="Your new API key">
            <Copy label="API key" value={secret} />
            <p class="hint">Copy it now. It won't be shown again.</p>
          </Card>
        )}
        {all.length > 0 ? (
          <Table caption="API keys" columns={columnsAt(clock.now())} rows={all} keyOf={({ id }) => id} />
        ) : (
          <EmptyState title="No API keys yet" action={button}>
            Create a key for each script, tool or AI assistant that manages this account.
          </EmptyState>
        )}
      </>
    );
    return page('API keys', content);
  }

  function create({ actor, person, body }: Visit): Change | PageReply {
    const readers = {
      name: parseApplicationName,
      days: wholeNumber(1, MAX_KEY_DAYS, 'days'),
      preset: parsePreset,
      ...rightReaders(body),
    };
    const read = readForm(readers, body);
    if (!read.ok) return creationPage(read.state);
    const { name, days, preset } = read.values;
    const rights = read.values as unknown as Readonly<Record<Area, Right | undefined>>;
    const chosen = AREAS.map((area) => [area, rights[area]] as const).filter(([, right]) => right !== undefined);
    const scopes = preset ? presetScopes(preset) : (Object.fromEntries(chosen) as ManagementKey['scopes']);
    return async () => {
      try {
        const { secret } = await keys.create(actor, { accountId: person.accountId, name, days, scopes });
        return redirect(PATH, { notice: `The API key “${name}” was created.`, reveal: { secret } });
      } catch (error) {
        if (!(error instanceof SettingError)) throw error;
        return creationPage(filledForm(read.state.typed, error.advices));
      }
    };
  }

  async function revoke({ actor, person, params }: Visit): Promise<PageReply> {
    const revoked = await keys.revoke(actor, person.accountId, Number(params.id) || 0);
    return redirect(
      PATH,
      revoked ? { notice: 'The API key was revoked.' } : { problem: 'This API key no longer exists.' },
    );
  }

  return [
    show('/api-keys', 'own', list),
    show('/api-keys/new', 'own', () => creationPage()),
    actAfterCheck('/api-keys', 'own', create, { needsConfirmation: true }),
    act('/api-keys/:id/revoke', 'own', revoke),
  ];
}
