import type { Automation, ShopConnection, ShopKind } from '../../modules/automations/automation.js';
import { eventTypeOf, SHOP_TYPES } from '../../modules/automations/shop-types.js';
import { CHANNEL_LABELS, templateLabel } from '../../modules/templates/template.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import { Card } from '../components/card.js';
import { Crumbs } from '../components/crumbs.js';
import { useVisit } from '../components/context.js';
import { Copy } from '../components/copy.js';
import { Disclosure } from '../components/disclosure.js';
import { Facts } from '../components/facts.js';
import { ConfirmationBox, Field, Form, FormProblems, Select, type Choice } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Notice } from '../components/notice.js';
import { PublicAddressNotice } from '../components/public-address.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { EMPTY_FORM, type FormState } from '../form.js';
import { Step } from '../connect/steps.js';
import { addressOf, automationPath, automationsPath, ShopDetails, shopLabel, shopPath, SwitchBadge } from './labels.js';
import { LogView, type LogProps } from './log-view.js';

export interface ShopProps extends LogProps {
  /** A new secret, which is shown only once. */
  readonly secret: string | undefined;
  readonly form: FormState;
}

/** The prefix makes sure that the secret is sealed when a person has to sign in first. */
export const SECRET_FIELD = 'secret-hook';

const thisShop = ({ kind }: ShopConnection): string =>
  kind === 'json' ? 'this system' : `this ${SHOP_TYPES[kind].label} shop`;

type PartProps = Pick<ShopProps, 'application' | 'shop'>;

interface SetupStep {
  readonly title: string;
  readonly text: string;
  /** The values that the step needs. */
  readonly shows?: readonly ('address' | 'secret')[];
}

const STEPS: Readonly<Record<ShopKind, readonly SetupStep[]>> = {
  woocommerce: [
    {
      title: 'Add a webhook in WordPress',
      text: 'Open WooCommerce → Settings → Advanced → Webhooks, and choose “Add webhook”. Choose the status “Active” and the topic “Order updated”.',
    },
    {
      title: 'Paste the address and the secret',
      text: 'Paste the address into “Delivery URL” and the secret into “Secret”. Save the webhook.',
      shows: ['address', 'secret'],
    },
    {
      title: 'Optional: confirm new orders',
      text: 'Add a second webhook with the topic “Order created”, and the same address and secret.',
    },
  ],
  shopify: [
    {
      title: 'Create a webhook in Shopify',
      text: 'Open Settings → Notifications → Webhooks, and choose “Create webhook”. Choose the event, such as “Order payment”, and the format “JSON”.',
    },
    {
      title: 'Paste the address',
      text: 'Paste the address into “URL” in Shopify. Save the webhook.',
      shows: ['address'],
    },
    {
      title: 'Enter the secret',
      text: 'Copy the secret that Shopify shows below the list of webhooks, and paste it here.',
      shows: ['secret'],
    },
  ],
  json: [
    {
      title: 'Copy the address and the secret',
      text: 'Store the address and the secret in the system that sends the events.',
      shows: ['address', 'secret'],
    },
    {
      title: 'Send each event',
      text: 'Send a POST request with a JSON body to the address. Add the header “Authorization: Bearer”, followed by the secret, or sign the request with a library for Standard Webhooks.',
    },
    {
      title: 'Name the event',
      text: 'Put the name of the event into the “event” field. Add an “id” field, so that a repeated request does not send a second message.',
    },
  ],
};

/** Whether the shop sends events, so that its set-up needs no attention. */
const isSetUp = ({ shop, events: [newest], secret }: Pick<ShopProps, 'shop' | 'events' | 'secret'>): boolean =>
  newest !== undefined && newest.receivedAt > shop.rejectedAt && shop.secretSealed !== null && secret === undefined;

type SetupProps = PartProps & Pick<ShopProps, 'events' | 'secret' | 'form'>;

function SecretForm({ application, shop, form }: PartProps & Pick<ShopProps, 'form'>) {
  const { createsSecret, label } = SHOP_TYPES[shop.kind];
  return (
    <Form action={`${shopPath(application, shop)}/secret`} noValidate>
      <Field
        form={form}
        name={SECRET_FIELD}
        label="Secret"
        hint={createsSecret ? `Copy it from ${label}.` : 'Leave this empty to create a new secret.'}
        autocomplete="off"
        maxLength={200}
      />
      <Submit
        label={createsSecret ? 'Save secret' : 'Change secret'}
        {...(shop.secretSealed !== null && { kind: 'subtle' })}
      />
    </Form>
  );
}

const SECRET_LABELS = { [SECRET_FIELD]: 'Secret' };

/** The secret, while it can be shown; otherwise how to enter or change it. */
function SecretValue({ application, shop, secret, form }: SetupProps) {
  if (secret)
    return (
      <>
        <Copy label="secret" value={secret} />
        <p class="hint">Copy it now. It won't be shown again.</p>
      </>
    );
  if (shop.secretSealed === null)
    return (
      <>
        <FormProblems form={form} labels={SECRET_LABELS} />
        <SecretForm application={application} shop={shop} form={form} />
      </>
    );
  const copied = SHOP_TYPES[shop.kind].createsSecret ? '' : ' If you did not copy it, change the secret below.';
  return <span class="quiet">The secret is stored. It cannot be shown again.{copied}</span>;
}

function SetupSteps(props: SetupProps) {
  const { serviceUrl } = useVisit();
  const { shop } = props;
  const values = {
    address: ['Address', <Copy label="address" value={addressOf(serviceUrl, shop)} />],
    secret: ['Secret', <SecretValue {...props} />],
  } as const;
  const isForm = shop.secretSealed === null;
  return (
    <ol class="steps">
      {STEPS[shop.kind].map(({ title, text, shows = [] }) => (
        <Step key={title} title={title}>
          <p>{text}</p>
          {isForm && shows.includes('secret') ? (
            <SecretValue {...props} />
          ) : (
            <Facts facts={shows.map((name) => values[name])} />
          )}
        </Step>
      ))}
    </ol>
  );
}

const ChangeSecret = ({ form, ...props }: PartProps & Pick<ShopProps, 'form'>) => (
  <Disclosure label="Change the secret" form={form} labels={SECRET_LABELS}>
    <p>The old secret stops working immediately.</p>
    <SecretForm {...props} form={form} />
  </Disclosure>
);

function RejectedNotice({ shop: { rejected, rejectedAt, rejectedBecause } }: Pick<PartProps, 'shop'>) {
  if (rejected === 0) return null;
  return (
    <Notice kind="warning">
      {rejected} {rejected === 1 ? 'request was rejected on' : 'requests were rejected, the last one on'}{' '}
      <Time ms={rejectedAt} />. {rejectedBecause}
    </Notice>
  );
}

/** The address and the secret of a shop that sends events, and the steps and the form that change the set-up. */
function ConnectionCard(props: SetupProps) {
  const { serviceUrl } = useVisit();
  const { application, shop, events, form } = props;
  return (
    <Card beside id="setup" title="Connection" lead={`The address and the secret that ${thisShop(shop)} uses.`}>
      <RejectedNotice shop={shop} />
      <Facts
        facts={[
          ['Address', <Copy oneLine label="address" value={addressOf(serviceUrl, shop)} />],
          ['Secret', 'Stored. It cannot be shown again.'],
          ['Last event', <Time ms={events[0]!.receivedAt} />],
        ]}
      />
      <details>
        <summary>Show the steps</summary>
        <SetupSteps {...props} />
      </details>
      <ChangeSecret application={application} shop={shop} form={form} />
    </Card>
  );
}

function SetupCard(props: SetupProps) {
  const { application, shop, events, secret, form } = props;
  return (
    <Card
      id="setup"
      title={shop.kind === 'json' ? 'Set up your system' : 'Set up the shop'}
      class={secret ? 'card highlight' : 'card'}
    >
      {events.length === 0 && shop.rejected === 0 && (
        <PublicAddressNotice caller={shop.kind === 'json' ? 'A system on the internet' : 'A shop'} />
      )}
      <RejectedNotice shop={shop} />
      <SetupSteps {...props} />
      {shop.secretSealed !== null && secret === undefined && (
        <ChangeSecret application={application} shop={shop} form={form} />
      )}
    </Card>
  );
}

const columnsOf = ({ application, shop }: PartProps): readonly Column<Automation>[] => [
  {
    title: 'Event',
    cell: (automation) => (
      <a class="strong" href={automationPath(application, shop, automation)}>
        {eventTypeOf(shop.kind, automation.event).label}
      </a>
    ),
  },
  { title: 'Template', cell: ({ template }) => templateLabel(template) },
  { title: 'Channel', cell: ({ channel }) => (channel === null ? 'Automatic' : CHANNEL_LABELS[channel]) },
  { title: 'State', cell: (automation) => <SwitchBadge {...automation} /> },
];

export const CHANNEL_CHOICES: readonly Choice[] = [
  { value: '', label: 'Automatic' },
  ...CHANNELS.map((channel) => ({ value: channel, label: CHANNEL_LABELS[channel] })),
];

function AddForm({ application, shop, form }: PartProps & Pick<ShopProps, 'form'>) {
  const { events } = SHOP_TYPES[shop.kind];
  const path = shopPath(application, shop);
  const { template: suggested } = eventTypeOf(shop.kind, form.typed.event || Object.keys(events ?? {})[0] || '');
  const templates = Object.keys(TEMPLATES).map((value) => ({
    value,
    label: `${templateLabel(value)}${value === suggested ? ' (suggested)' : ''}`,
  }));
  return (
    <Form action={`${path}/add`} noValidate>
      <div class="columns three">
        {events ? (
          <Select
            form={form}
            name="event"
            label="Event"
            choices={Object.entries(events).map(([value, { label }]) => ({ value, label }))}
          />
        ) : (
          <Field
            form={form}
            name="event"
            label="Event"
            hint="The value of the “event” field in your requests."
            maxLength={64}
          />
        )}
        <Select
          form={form}
          name="template"
          label="Template"
          choices={[{ value: '', label: 'Suggested for the event' }, ...templates]}
          {...(events && {
            'hx-get': path,
            'hx-include': '[name="event"]',
            'hx-trigger': 'change from:[name="event"]',
            'hx-select': '#field-template',
            'hx-swap': 'outerHTML',
          })}
        />
        <Select form={form} name="channel" label="Channel" choices={CHANNEL_CHOICES} />
      </div>
      <ConfirmationBox form={form} label="Add it anyway" />
      <Submit label="Add" />
    </Form>
  );
}

function AutomationsCard({ application, shop, automations, form }: Omit<ShopProps, 'events' | 'secret'>) {
  const prevented = 'The automation was not added.';
  const labels = { event: 'Event', template: 'Template' };
  const add = <AddForm application={application} shop={shop} form={form} />;
  return (
    <Card
      id="automations"
      title={automations.length === 0 ? 'Add an automation' : 'Automations'}
      lead="Choose the message that the customer gets for each event. Nothing is sent until you turn on an automation."
      class="card automation-list"
    >
      {automations.length === 0 ? (
        <>
          <FormProblems form={form} labels={labels} prevented={prevented} />
          {add}
        </>
      ) : (
        <>
          <Table
            caption="Automations"
            columns={columnsOf({ application, shop })}
            rows={automations}
            keyOf={({ id }) => id}
          />
          <Disclosure label="Add an automation" form={form} labels={labels} prevented={prevented}>
            {add}
          </Disclosure>
        </>
      )}
    </Card>
  );
}

export function ShopView({ application, shop, automations, events, secret, form }: ShopProps) {
  const isSecretForm = SECRET_FIELD in form.errors;
  const secretForm = isSecretForm ? form : EMPTY_FORM;
  const isDone = isSetUp({ shop, events, secret });
  const Setup = isDone ? ConnectionCard : SetupCard;
  const setup = <Setup application={application} shop={shop} events={events} secret={secret} form={secretForm} />;
  return (
    <>
      <Crumbs application={application} pages={[{ href: automationsPath(application), label: 'Automations' }]} />
      <PageHead title={shopLabel(shop)} lead={<ShopDetails {...shop} />} />
      {!isDone && setup}
      <AutomationsCard
        application={application}
        shop={shop}
        automations={automations}
        form={isSecretForm ? EMPTY_FORM : form}
      />
      <LogView application={application} shop={shop} automations={automations} events={events} />
      {isDone && setup}
      <Card
        beside
        id="disconnect"
        title="Disconnect"
        lead="The address will stop working. The automations and the received events will be deleted."
      >
        <Form action={`${shopPath(application, shop)}/remove`}>
          <Submit
            label="Disconnect this shop"
            kind="danger"
            confirm={`Disconnect ${thisShop(shop)}? The address will stop working, and the automations and the received events will be deleted.`}
          />
        </Form>
      </Card>
    </>
  );
}
