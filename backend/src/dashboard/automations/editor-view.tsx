/** An automation: which message it sends, and how the values of the event fill in its fields. */
import type { Application } from '../../modules/applications/application.js';
import type { Automation, ShopConnection } from '../../modules/automations/automation.js';
import { fieldNamesOf, sampleValues, type FilledFields } from '../../modules/automations/mapping.js';
import { eventTypeOf } from '../../modules/automations/shop-types.js';
import type { JsonObject } from '../../modules/automations/shop-type.js';
import { CHANNEL_LABELS, templateLabel } from '../../modules/templates/template.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import { Card } from '../components/card.js';
import { Crumbs } from '../components/crumbs.js';
import { useVisit } from '../components/context.js';
import { Field, FieldProblem, Form, FormProblems, Select } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Time } from '../components/time.js';
import { Submit } from '../components/submit.js';
import { filledForm, type FormState } from '../form.js';
import { CHANNEL_CHOICES } from './shop-view.js';
import { automationPath, automationsPath, fieldHint, fieldLabel, shopLabel, shopPath, SwitchBadge } from './labels.js';

/** The result of filling in the fields with the sample. */
export type Preview =
  | { readonly kind: 'message'; readonly filled: FilledFields; readonly text: string }
  | { readonly kind: 'problem'; readonly text: string };

export interface EditorProps {
  readonly application: Application;
  readonly shop: ShopConnection;
  readonly automation: Automation;
  readonly sample: { readonly body: JsonObject; readonly receivedAt: number; readonly hasEvent: boolean } | undefined;
  readonly preview: Preview | undefined;
  readonly form: FormState;
  readonly testForm: FormState;
}

const isRequired = ({ template }: Automation, name: string): boolean =>
  name === 'to' || (TEMPLATES[template].required as readonly string[]).includes(name);

const labelOf = (automation: Automation, name: string): string =>
  isRequired(automation, name) ? `${fieldLabel(name)} (required)` : fieldLabel(name);

function FieldsCard({ automation, form, preview }: EditorProps) {
  const filled: Readonly<Record<string, string>> =
    preview?.kind === 'message' ? { ...preview.filled.variables, to: preview.filled.to } : {};
  return (
    <Card
      id="fields"
      title="Message"
      lead="Fields can contain text and values from the event, such as {{ number }}. Empty fields are left out."
    >
      <FormProblems form={form} />
      <div class="stack">
        <Select form={form} name="channel" label="Channel" choices={CHANNEL_CHOICES} />
        {fieldNamesOf(automation.template).map((name) => (
          <div key={name}>
            <Field
              form={form}
              name={name}
              label={labelOf(automation, name)}
              hint={fieldHint(name)}
              maxLength={1000}
              spellcheck={false}
              dir="ltr"
            />
            {filled[name] !== undefined && <p class="quiet small filled">→ {filled[name]}</p>}
          </div>
        ))}
      </div>
      <div class="actions">
        <button class="button">Save</button>
        <button class="button subtle" name="preview" value="yes">
          Preview
        </button>
      </div>
      <FieldProblem form={form} name="version" />
    </Card>
  );
}

function SampleCard({ automation, sample, form }: EditorProps) {
  if (!sample)
    return (
      <Card id="sample" title="Received values">
        <p>
          No event was received in the last three days. Place a test order in the shop, then reload this page to choose
          values by clicking.
        </p>
      </Card>
    );
  const choices = fieldNamesOf(automation.template).map((name) => ({ value: name, label: fieldLabel(name) }));
  return (
    <Card
      id="sample"
      title="Received values"
      lead={
        <>
          Received <Time ms={sample.receivedAt} />
          {!sample.hasEvent && ', from a different event'}. Choose a field, then the value to put into it.
        </>
      }
    >
      <Select form={form} name="into" label="Put the value into" choices={choices} />
      <ul class="sample-values">
        {sampleValues(sample.body).map(({ path, value }) => (
          <li key={path}>
            <button class="button subtle small" name="insert" value={path} data-insert={path}>
              {path}
            </button>
            <span class="small">{value}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function PreviewCard({ preview }: Pick<EditorProps, 'preview'>) {
  return (
    <Card id="preview" title="Preview" lead="Filled in with the received values.">
      {preview === undefined && <p class="quiet">The preview appears as soon as an event is received.</p>}
      {preview?.kind === 'problem' && <p class="check bad">{preview.text}</p>}
      {preview?.kind === 'message' && <p class="message-text">{preview.text}</p>}
    </Card>
  );
}

function TestCard(props: EditorProps & { readonly path: string }) {
  const { testForm, path, automation, sample } = props;
  const { person } = useVisit();
  const { channel } = automation;
  return (
    <Card
      id="test"
      title="Send a test"
      lead="Sends you the message for the last received event, with the saved fields."
    >
      {sample === undefined ? (
        <p class="quiet">You can send a test as soon as an event is received.</p>
      ) : (
        <Form action={`${path}/test`} noValidate>
          <div class="stack">
            <FormProblems form={testForm} prevented="Nothing was sent." />
            {channel === 'EMAIL' ? (
              <p>
                The message goes to your own address, <strong>{person.email}</strong>.
              </p>
            ) : (
              <Field
                form={testForm}
                name="phone"
                label="Your phone number"
                hint={`With its country code. The message is sent by ${CHANNEL_LABELS[channel ?? 'SMS']}.`}
                type="tel"
                autocomplete="tel"
                maxLength={40}
              />
            )}
            <Submit label="Send a test" kind="subtle" />
          </div>
        </Form>
      )}
    </Card>
  );
}

function SwitchCard({ automation, path }: Pick<EditorProps, 'automation'> & { readonly path: string }) {
  const { enabled } = automation;
  return (
    <Card
      id="switch"
      title={
        <>
          This automation is <SwitchBadge enabled={enabled} />
        </>
      }
      lead={
        enabled
          ? 'Every new event sends a message to the customer.'
          : 'Events are logged, but nothing is sent. After you switch it on, only new events send messages.'
      }
    >
      <div class="actions">
        <Form action={`${path}/switch`}>
          <input type="hidden" name="enabled" value={enabled ? '' : 'yes'} />
          <button class={enabled ? 'button subtle' : 'button'}>{enabled ? 'Turn off' : 'Turn on'}</button>
        </Form>
        <Form action={`${path}/remove`}>
          <button class="button danger" data-confirm="Delete this automation?">
            Delete
          </button>
        </Form>
      </div>
    </Card>
  );
}

export function EditorView(props: EditorProps) {
  const { application, shop, automation } = props;
  const path = automationPath(application, shop, automation);
  const { label } = eventTypeOf(shop.kind, automation.event);
  return (
    <>
      <Crumbs
        application={application}
        pages={[
          { href: automationsPath(application), label: 'Automations' },
          { href: shopPath(application, shop), label: shopLabel(shop) },
        ]}
      />
      <PageHead title={label} lead={`Sends the template “${templateLabel(automation.template)}”.`} />
      <SwitchCard automation={automation} path={path} />
      <Form action={path} stored={storedOf(automation)} noValidate data-mapping>
        <div class="halves">
          <FieldsCard {...props} />
          <SampleCard {...props} />
        </div>
      </Form>
      <div class="halves">
        <PreviewCard {...props} />
        <TestCard {...props} path={path} />
      </div>
    </>
  );
}

/** The stored values that the form edits. */
export const storedOf = ({ channel, fields }: Automation) => ({ channel, fields });

export const formOf = ({ channel, fields }: Automation): FormState => filledForm({ ...fields, channel: channel ?? '' });
