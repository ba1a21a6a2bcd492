/** The definition of the Zapier app, checked by Zapier's validation and against its publishing rules. */
import { readFileSync } from 'node:fs';
import { ERRORS } from '../../backend/src/platform/contract/generated/errors.js';
import { TEMPLATES, VARIABLES } from '../../backend/src/platform/contract/generated/templates.js';
import { adviceFor, SERVER_HINTS } from '../../zapier-app/src/hints.js';
import { LABELS } from '../../zapier-app/src/labels.js';
import { App, isSensitiveKey, platform } from '../support/zapier.js';

interface Field {
  key: string;
  label: string;
  type?: string;
  required?: boolean;
  helpText?: string;
  placeholder?: string;
  choices?: { value: string; label: string }[];
  children?: Field[];
  altersDynamicFields?: boolean;
}
interface Operation {
  inputFields?: (Field | ((z: unknown, bundle: unknown) => Field[]))[];
  outputFields: Field[];
  sample: Record<string, unknown>;
}
interface Step {
  key: string;
  noun: string;
  display: { label: string; description: string };
  operation: Operation;
}

const creates = Object.values(App.creates) as unknown as Step[];
const triggers = Object.values(App.triggers) as unknown as Step[];
const searches = Object.values(App.searches) as unknown as Step[];
const steps = [...creates, ...triggers, ...searches];
const fieldsOf = ({ operation }: Step): Field[] =>
  (operation.inputFields ?? []).filter((field): field is Field => typeof field !== 'function');
/** Returns the dynamic fields of a template. */
const dynamicFields = (key: 'order_notification' | 'invoice_notification', templateType?: string): Field[] => {
  const createFields = (App.creates[key] as unknown as Step).operation.inputFields!.at(-1);
  if (typeof createFields !== 'function') throw new Error('the dynamic fields do not come last');
  return createFields({}, { inputData: { templateType } }).filter(({ key }) => key !== 'preview');
};
const kindOf = (name: string) =>
  TEMPLATES[name as keyof typeof TEMPLATES].kind === 'order' ? 'order_notification' : 'invoice_notification';
const everyField: [string, Field][] = [
  ...steps.flatMap((step) => fieldsOf(step).map((field): [string, Field] => [`${step.key} ${field.key}`, field])),
  ...Object.keys(TEMPLATES).flatMap((name) =>
    dynamicFields(kindOf(name), name).map((field): [string, Field] => [`${name} ${field.key}`, field]),
  ),
  ...App.authentication!.fields!.map((field): [string, Field] => [`authentication ${field.key}`, field as Field]),
];

const SMALL_WORDS = /^(a|an|and|at|by|for|in|is|of|on|or|the|to|with)$/;
const isTitleCase = (label: string): boolean =>
  label.split(/[\s(:]+/).every((word, i) => (i > 0 && SMALL_WORDS.test(word)) || !/^[a-z]/.test(word));

it("passes Zapier's validation", async () => {
  const { results } = await platform({ command: 'validate', calledFromCli: true });
  expect(results).toEqual([]);
});

it('defines all actions and triggers', async () => {
  const { results } = await platform({ command: 'definition', calledFromCli: true });
  const { creates: actions, triggers: hooks } = results as { creates: object; triggers: object };
  expect(Object.keys(actions).sort()).toEqual([
    'cancel_message',
    'invoice_notification',
    'order_notification',
    'revoke_session',
    'send_otp',
    'verify_otp',
    'verify_token',
  ]);
  expect(Object.keys(hooks).sort()).toEqual([
    'fraud_paused',
    'fraud_refused',
    'message_accepted',
    'message_delivered',
    'message_failed',
    'otp_canceled',
    'otp_locked',
    'otp_verified',
    'recipient_opted_in',
    'recipient_opted_out',
  ]);
});

it('is a standalone package', () => {
  const { version, type, exports } = JSON.parse(readFileSync('zapier-app/package.json', 'utf8'));
  expect({ type, exports }).toEqual({ type: 'module', exports: './dist/index.js' });
  expect(App.version).toBe(version);
  const config = JSON.parse(readFileSync('zapier-app/tsconfig.json', 'utf8'));
  expect(config).not.toHaveProperty('extends');
  expect(config.include).toEqual(['src']);
});

describe('the wording', () => {
  it.each(steps.map((step): [string, Step] => [step.key, step]))(
    "of %s follows Zapier's rules",
    (_key, { noun, display, operation }) => {
      expect(isTitleCase(display.label)).toBe(true);
      expect(isTitleCase(noun)).toBe(true);
      // Zapier requires one sentence in the third person, without the name of the app or the platform.
      expect(display.description).toMatch(/^[A-Z][a-z]+s (?!.*(zap|passbell)).{10,}\.$/i);
      if (triggers.some(({ key }) => key === _key)) expect(display.description).toMatch(/^Triggers when /);
      expect(operation.sample).toBeDefined();
    },
  );

  it.each(everyField)(
    "of the field %s follows Zapier's rules",
    (_name, { key, label, helpText, required, choices }) => {
      expect(isTitleCase(label)).toBe(true);
      expect(helpText).toMatch(/[.]$/);
      expect(helpText!.length).toBeGreaterThan(label.length);
      expect(helpText).not.toMatch(/http:\/\/|(?<!\()https:\/\/(?!auth\.example\.com)/);
      expect(key).not.toMatch(/_id$/i);
      if (!_name.startsWith('authentication')) expect([key, isSensitiveKey(key)]).toEqual([key, false]);
      for (const choice of choices ?? []) expect(isTitleCase(choice.label)).toBe(true);
      expect(required).toEqual(expect.any(Boolean));
    },
  );

  it.each(steps.map((step): [string, Step] => [step.key, step]))(
    'of %s starts with the required fields',
    (_key, step) => {
      const marks = fieldsOf(step).map(({ required }) => required === true);
      expect(marks).toEqual([...marks].sort((a, b) => Number(b) - Number(a)));
    },
  );

  it('uses each label only once per form', () => {
    for (const step of steps) {
      const labels = fieldsOf(step).map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});

describe('the sample of', () => {
  const isOfType = (type: string | undefined, value: unknown): boolean =>
    ({
      string: typeof value === 'string',
      password: typeof value === 'string',
      boolean: typeof value === 'boolean',
      integer: Number.isInteger(value),
      number: Number.isFinite(value),
      datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(String(value)),
    })[type ?? 'string'] ?? false;

  it.each(steps.map((step): [string, Step] => [step.key, step]))('%s has all output fields', (_key, { operation }) => {
    const { outputFields, sample } = operation;
    for (const { key, label, type, children } of outputFields) {
      expect(isTitleCase(label)).toBe(true);
      const value = key.split('__').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], sample);
      if (!children) expect([key, isOfType(type, value)]).toEqual([key, true]);
      for (const item of children ? (value as Record<string, unknown>[]) : []) {
        expect(Object.keys(item).sort()).toEqual(children!.map((child) => child.key).sort());
        for (const child of children!)
          expect([child.key, isOfType(child.type, item[child.key])]).toEqual([child.key, true]);
      }
    }
    const roots = new Set(outputFields.map(({ key }) => key.split('__')[0]));
    expect(Object.keys(sample).filter((key) => !roots.has(key))).toEqual([]);
  });
});

describe('templates', () => {
  it('are all in the dropdowns, with the labels from the contract', () => {
    const choices = (['order_notification', 'invoice_notification'] as const).flatMap(
      (key) => fieldsOf(App.creates[key] as unknown as Step).find((field) => field.altersDynamicFields)!.choices!,
    );
    expect(choices.map(({ value, label }) => [value, label])).toEqual(
      Object.entries(TEMPLATES).map(([name, { label }]) => [name, label]),
    );
  });

  it.each(Object.entries(TEMPLATES))(
    '%s has a field for each variable, with required fields first',
    (name, template) => {
      const fields = dynamicFields(kindOf(name), name);
      expect(fields.map(({ key }) => key)).toEqual([...template.required, ...template.oneOf, ...template.optional]);
      for (const { key, label, required, helpText, placeholder } of fields) {
        const variable = VARIABLES[key as keyof typeof VARIABLES];
        expect({ label, required, placeholder }).toEqual({
          label: variable.label,
          required: (template.required as readonly string[]).includes(key),
          placeholder: variable.sample,
        });
        expect(helpText).toContain(variable.help);
        expect(helpText!.includes('Required unless')).toBe((template.oneOf as readonly string[]).includes(key));
      }
    },
  );

  it('have no fields until one is selected, and all order or invoice fields for a mapped template name', () => {
    expect(dynamicFields('order_notification')).toEqual([]);
    expect(dynamicFields('order_notification', '')).toEqual([]);
    const keys = dynamicFields('invoice_notification', 'Invoice Due').map(({ key }) => key);
    expect(keys.sort()).toEqual(['amount', 'customerName', 'invoiceNumber', 'invoiceUrl']);
  });
});

describe('failure messages', () => {
  /** Errors that the app cannot cause, or whose message says all. */
  const WITHOUT_ADVICE =
    /^(MALFORMED_\w+|HEADERS_TOO_LARGE|\w*IDEMPOTENCY_KEY\w*|NOTIFICATION_LIMIT|\w*USER_TOKEN\w*|PROOF_REQUIRED|ENROLMENT_EXPIRED|WIDGET_OFF|TWO_FACTOR_BLOCKED|FORBIDDEN|EDIT_CONFLICT)$/;

  it.each(Object.keys(ERRORS))(
    'error code %s has advice in the words of Zapier, unless the user cannot act on it',
    (code) => {
      if (WITHOUT_ADVICE.test(code) || SERVER_HINTS.includes(code)) return expect(adviceFor(code)).toBeUndefined();
      expect(adviceFor(code)).toMatch(/^[A-Z][^{}]+\.$/);
    },
  );

  it('use the field labels of the form', () => {
    const keys: Record<string, string> = {
      clientId: 'appKey',
      clientSecret: 'appSecret',
      authWay: 'channel',
      token: 'session',
    };
    for (const [name, label] of Object.entries(LABELS))
      expect(everyField.map(([, field]) => [field.key, field.label])).toContainEqual([keys[name] ?? name, label]);
  });
});

it('the generated error codes match the contract', async () => {
  const { ERRORS: generated } = await import('../../zapier-app/src/generated/errors.js');
  expect(generated).toEqual(ERRORS);
});
