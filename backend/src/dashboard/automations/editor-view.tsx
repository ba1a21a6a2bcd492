/** An automation: which message it sends, and how the values of the event fill in its fields. */
import type { Application } from '../../modules/applications/application.js';
import type { Automation, ShopConnection } from '../../modules/automations/automation.js';
import {
  fieldLabel,
  fieldNamesOf,
  sampleValues,
  sourceOf,
  valueName,
  type SampleValue,
} from '../../modules/automations/mapping.js';
import { eventTypeOf, SHOP_TYPES } from '../../modules/automations/shop-types.js';
import type { JsonObject } from '../../modules/automations/shop-type.js';
import { countryName, countryNamed } from '../../modules/recipients/country.js';
import { maskRecipient, parseRecipient, phoneDigits } from '../../modules/recipients/recipient.js';
import { chooseLanguage } from '../../modules/templates/language-codes.js';
import { templateLabel } from '../../modules/templates/template.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Content } from '../../providers/provider.js';
import { Card } from '../components/card.js';
import { Crumbs } from '../components/crumbs.js';
import { useVisit } from '../components/context.js';
import { Disclosure } from '../components/disclosure.js';
import { ConfirmationBox, Field, FieldProblem, Form, FormProblems, Select } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Time } from '../components/time.js';
import { Submit } from '../components/submit.js';
import { EMPTY_FORM, type FormState } from '../form.js';
import { channelInSentence } from '../messages/labels.js';
import { PhoneScreen } from '../templates/preview-panel.js';
import { textPath } from '../templates/text-page.js';
import { requiredFields, type FilledDraft } from './field-checks.js';
import { CHANNEL_CHOICES } from './shop-view.js';
import {
  automationPath,
  automationsPath,
  FIELD_HINTS,
  shopLabel,
  shopPath,
  SwitchBadge,
  testEventAdvice,
} from './labels.js';

/** The message, which is filled in with the sample, if there is one. */
export type Preview =
  | {
      readonly kind: 'message';
      readonly filled: FilledDraft | undefined;
      readonly channel: ChannelName;
      readonly content: Content;
    }
  | { readonly kind: 'problem'; readonly text: string };

export interface EditorProps {
  readonly application: Application;
  readonly shop: ShopConnection;
  readonly automation: Automation;
  readonly sample: { readonly body: JsonObject; readonly receivedAt: number; readonly hasEvent: boolean } | undefined;
  readonly preview: Preview;
  /** The channel of a test, which uses the saved fields. */
  readonly testChannel: ChannelName;
  readonly form: FormState;
  readonly testForm: FormState;
}

/** The form of the fields. The preview and the buttons are outside of it, because the test between them is a form as well. */
const FORM_ID = 'mapping';
const PHONE_LABEL = 'Your phone number';

const labelOf = (automation: Automation, name: string): string =>
  requiredFields(automation).includes(name) ? `${fieldLabel(name)} (required)` : fieldLabel(name);

/** The name of the select with the target of a clicked value. The prefix `sample-` marks it as not stored; see unsaved.js. */
export const INTO = 'sample-into';

/** Number of values that a field offers. The others are in the list of all values. */
const MAX_SUGGESTED = 4;
/** Words in the names of the values that fit a field, for fields whose label has other words. */
const WORDS: Readonly<Record<string, string>> = {
  to: 'phone email',
  language: 'locale',
  orderId: 'number',
  orderTotal: 'total',
  amount: 'total',
  customerName: 'name',
  transactionId: 'transaction',
};

/** Returns the received values, except those in lists, whose names contain one of the field's words, or all words of its label. */
function suggestedValues(name: string, values: readonly SampleValue[]): readonly SampleValue[] {
  const words = WORDS[name]?.split(' ');
  const labelWords = fieldLabel(name).toLowerCase().split(' ');
  const fitting = values.filter(({ path }) => {
    if (path.includes('[')) return false;
    const parts = path.toLowerCase().split(/[._]/);
    const isPart = (word: string) => parts.includes(word);
    return words ? words.some(isPart) : labelWords.every(isPart);
  });
  const isFirst = (entry: SampleValue, n: number) => fitting.findIndex(({ value }) => value === entry.value) === n;
  return fitting.filter(isFirst).slice(0, MAX_SUGGESTED);
}

/** Hides parts of phone numbers and email addresses, as on other pages. `billing.country` and `CH` → `Switzerland`. */
function shownValue({ path, value }: SampleValue): string {
  const name = path.toLowerCase();
  if (name === 'to' || /phone|email/.test(name))
    return parseRecipient(value) || phoneDigits(value) ? maskRecipient(value) : value;
  const country = /(?:^|[._])country(?:_code)?$/.test(name) ? countryNamed(value) : undefined;
  return country === undefined ? value : countryName(country);
}

/** Received values that a click puts into the field. Hidden unless JavaScript runs; see automations.js. */
const FieldValues = ({ name, values }: { readonly name: string; readonly values: readonly SampleValue[] }) => (
  <div class="chips" hidden data-field-values={name}>
    {suggestedValues(name, values).map((entry) => (
      <button key={entry.path} type="button" class="chip" data-insert={entry.path} title={entry.path}>
        <span class="quiet">{valueName(entry.path)}:</span> {shownValue(entry)}
      </button>
    ))}
    <button type="button" class="chip more" data-all-values aria-label={`All values for ${fieldLabel(name)}`}>
      All values…
    </button>
  </div>
);

const shownValueId = (name: string): string => `value-${name}`;

interface MappedFieldProps {
  readonly editor: EditorProps;
  readonly name: string;
  readonly values: readonly SampleValue[];
}

/** The value of a field in the last event, with its source or its error. */
function MappedValue({ editor: { form, preview }, name }: Pick<MappedFieldProps, 'editor' | 'name'>) {
  const filled = preview.kind === 'message' ? preview.filled : undefined;
  const value = filled?.values[name];
  const problem = filled?.problems[name];
  const source = sourceOf(form.typed[name] ?? '');
  return (
    <span class="mapped-value" id={shownValueId(name)}>
      {value ? <strong>{shownValue({ path: name, value })}</strong> : filled && <span class="quiet">Empty</span>}
      {problem
        ? // After a form was refused, the field below has the same error.
          problem !== form.errors[name] && <span class="mapped-problem">{problem}</span>
        : source && <span class="hint">{filled?.notes[name] ?? `from the shop's ${source}`}</span>}
    </span>
  );
}

/** A field with its value in the last event. The Liquid template that fills it in is collapsed. */
function MappedField({ editor, name, values }: MappedFieldProps) {
  const { automation, form } = editor;
  return (
    <details class="mapped" open={form.errors[name] !== undefined}>
      <summary>
        <span class="mapped-name">{labelOf(automation, name)}</span>
        <MappedValue editor={editor} name={name} />
        <span class="mapped-change">Change</span>
      </summary>
      <div class="stack">
        {values.length > 0 && <FieldValues name={name} values={values} />}
        <Field
          form={form}
          name={name}
          label={`${fieldLabel(name)}: text and values`}
          hint={FIELD_HINTS[name]}
          maxLength={1000}
          spellcheck={false}
          dir="ltr"
        />
      </div>
    </details>
  );
}

function ChannelCard({ application, shop, automation: { template, channel }, form }: EditorProps) {
  const { email, fields } = SHOP_TYPES[shop.kind];
  const text = {
    template,
    channel: channel ?? ('SMS' as const),
    language: chooseLanguage('', application.settings.language) ?? 'en',
  };
  return (
    <Card
      id="channel"
      title="1. Choose the channel"
      lead={
        <>
          The message uses the template “{templateLabel(template)}”.{' '}
          <a href={textPath(application, text)}>Edit its text</a>
        </>
      }
    >
      <Select
        form={form}
        name="channel"
        label="Channel"
        choices={CHANNEL_CHOICES}
        data-phone={fields.to}
        data-email={email}
      />
      <ConfirmationBox form={form} label="Save it anyway" />
    </Card>
  );
}

/** The fields of the message. Optional fields without a value are collapsed. */
function FieldsCard(editor: EditorProps) {
  const { automation, form, sample, shop } = editor;
  const values = sample ? sampleValues(sample.body) : [];
  const names = fieldNamesOf(automation.template);
  const shown = names.filter(
    (name) => requiredFields(automation).includes(name) || form.typed[name] || form.errors[name],
  );
  const others = names.filter((name) => !shown.includes(name));
  const fieldOf = (name: string) => <MappedField key={name} editor={editor} name={name} values={values} />;
  return (
    <Card
      id="fields"
      title="2. Fill in the message"
      lead={
        sample ? (
          <>
            Each event fills in these fields. The values shown are from{' '}
            {sample.hasEvent ? 'the last event,' : 'a different kind of event,'} received on{' '}
            <Time ms={sample.receivedAt} />.
          </>
        ) : (
          `No event was received in the last three days. ${testEventAdvice(shop)}, then reload this page to choose values by clicking.`
        )
      }
    >
      <div>{shown.map(fieldOf)}</div>
      {others.length > 0 && (
        <details>
          <summary>More fields</summary>
          <p class="hint">
            Currently empty: {others.map(fieldLabel).join(', ')}. Empty fields are left out of the message.
          </p>
          <div>{others.map(fieldOf)}</div>
        </details>
      )}
      <FieldProblem form={form} name="version" />
      {sample && <AllValues automation={automation} form={form} values={values} />}
    </Card>
  );
}

/** All received values. A script opens the list below a field. */
function AllValues({
  automation,
  form,
  values,
}: Pick<EditorProps, 'automation' | 'form'> & { values: readonly SampleValue[] }) {
  const choices = fieldNamesOf(automation.template).map((name) => ({ value: name, label: fieldLabel(name) }));
  return (
    <details id="all-values">
      <summary>All received values</summary>
      <div class="stack">
        <Select form={form} name={INTO} label="Put the value into" choices={choices} />
        <ul class="sample-values">
          {values.map((entry) => (
            <li key={entry.path}>
              <button class="chip" name="insert" value={entry.path} data-insert={entry.path} title={entry.path}>
                <span class="quiet">{valueName(entry.path)}:</span> {shownValue(entry)}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

function Message({ channel, content }: Extract<Preview, { kind: 'message' }>) {
  if (content.kind !== 'email') return <PhoneScreen channel={channel} content={content} />;
  return (
    <div class="mail">
      <p class="mail-subject">{content.subject}</p>
      <p class="mail-text">{content.text}</p>
    </div>
  );
}

/** The message with the values of the last event, or with sample values. Follows the changes of the form. */
const Example = ({ automation, preview, path, sample }: EditorProps & { readonly path: string }) => (
  <div
    id="example"
    hx-post={path}
    hx-trigger={['input', 'change'].map((event) => `${event} from:#${FORM_ID} delay:300ms`).join()}
    hx-include={`#${FORM_ID}`}
    hx-sync="this:queue last"
    hx-select="#example > section"
    hx-select-oob={fieldNamesOf(automation.template)
      .map((name) => `#${shownValueId(name)}`)
      .join()}
    hx-swap="innerHTML"
    hx-vals='{"preview":"yes"}'
  >
    <Card
      id="preview-title"
      title="3. Check the message"
      lead={sample ? 'Filled in with the values from step 2.' : 'Filled in with sample values.'}
    >
      {preview.kind === 'message' && Object.keys(preview.filled?.problems ?? {}).length > 0 && (
        <p class="check bad">The last event would not send a message. Correct the fields with errors.</p>
      )}
      {preview.kind === 'problem' ? <p class="check bad">{preview.text}</p> : <Message {...preview} />}
    </Card>
  </div>
);

/** The buttons of the form, after the test. With JavaScript, the unsaved-changes bar has the Save button. */
const SaveButtons = ({ enabled }: Automation) => (
  <div class="actions">
    {!enabled && (
      <button class="button turns-on" form={FORM_ID} name="enabled" value="yes">
        Save and turn on
      </button>
    )}
    <noscript>
      <div class="actions">
        <button class={enabled ? 'button' : 'button subtle'} form={FORM_ID}>
          Save
        </button>
        <button class="button subtle" form={FORM_ID} name="preview" value="yes">
          Preview
        </button>
      </div>
    </noscript>
  </div>
);

function TestCard(props: EditorProps & { readonly path: string }) {
  const { testForm, path, testChannel, sample } = props;
  const { person } = useVisit();
  return (
    <Card
      id="test"
      title="4. Send a test"
      lead="Send yourself the message for the last received event, with the saved fields."
    >
      {sample === undefined ? (
        <p class="quiet">You can send a test as soon as an event is received.</p>
      ) : (
        <Form action={`${path}/test`} noValidate>
          <div class="stack">
            <FormProblems form={testForm} labels={{ phone: PHONE_LABEL }} prevented="Nothing was sent." />
            {testChannel === 'EMAIL' ? (
              <p>
                The message goes to your own address, <strong>{person.email}</strong>.
              </p>
            ) : (
              <Field
                form={testForm}
                name="phone"
                label={PHONE_LABEL}
                hint={`Include the country code. The test is sent by ${channelInSentence(testChannel)}.`}
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

const DeleteAutomation = ({ path }: { readonly path: string }) => (
  <Disclosure label="Delete this automation" form={EMPTY_FORM} labels={{}}>
    <p>Events will no longer send this message. Messages that were already sent stay on the Messages page.</p>
    <Form action={`${path}/remove`}>
      <Submit label="Delete" kind="danger" confirm="Delete this automation? Events will no longer send this message." />
    </Form>
  </Disclosure>
);

export function EditorView(props: EditorProps) {
  const { application, shop, automation, form } = props;
  const path = automationPath(application, shop, automation);
  const unnamed = fieldNamesOf(automation.template).filter((name) => !form.errors[name]?.includes(fieldLabel(name)));
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
      <PageHead
        title={
          <>
            {label} <SwitchBadge enabled={automation.enabled} />
          </>
        }
        lead={
          automation.enabled
            ? 'Each new event sends a message to the customer.'
            : 'Turn on the automation to send messages for new events.'
        }
      >
        {automation.enabled && (
          <Form action={`${path}/off`}>
            <button class="button subtle">Turn off</button>
          </Form>
        )}
      </PageHead>
      <FormProblems form={form} labels={Object.fromEntries(unnamed.map((name) => [name, fieldLabel(name)]))} />
      <div class="halves guide">
        <Form
          id={FORM_ID}
          class="stack"
          action={path}
          stored={storedOf(automation)}
          form={form}
          noValidate
          data-mapping
        >
          <ChannelCard {...props} />
          <FieldsCard {...props} />
        </Form>
        <div class="stack">
          <Example {...props} path={path} />
          <TestCard {...props} path={path} />
          <SaveButtons {...automation} />
        </div>
      </div>
      <DeleteAutomation path={path} />
    </>
  );
}

/** The stored values that the form edits. */
export const storedOf = ({ channel, fields }: Automation) => ({ channel, fields });
