/** The parts of an application's settings: each is a form of its own, so that two people in two of them never meet. */
import type { ComponentChildren } from 'preact';
import type { ApplicationSettings, ApplicationStatus } from '../../modules/applications/application.js';
import type { ApplicationChange } from '../../modules/applications/applications-service.js';
import {
  applicationName,
  channelOrder,
  countries,
  MAX_LIMIT,
  messageLanguage,
  PHONE_CHANNELS,
  testRecipient,
  wholeNumber,
} from '../../modules/applications/setting-values.js';
import { DEFAULT_LIMITS, type ApplicationLimits } from '../../platform/limits.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { LANGUAGES } from '../../modules/templates/rendering/languages.js';
import { Field, Select, TextArea, type Choice } from '../components/form.js';
import { CHANNEL_NAMES } from './parts.js';
import { FieldError, type FieldReader, type FormState } from '../form.js';

/** What of an application a section is filled in from. */
export interface Stored {
  readonly name: string;
  readonly status: ApplicationStatus;
  readonly settings: ApplicationSettings;
}

type Texts = Readonly<Record<string, string>>;

type Readers = Readonly<Record<string, FieldReader<unknown>>>;

export interface Section {
  /** Last part of the path that it is sent to. */
  readonly id: string;
  /** Who may change it: what lets somebody in is for owners. */
  readonly right: 'change' | 'own';
  readonly title: string;
  readonly lead: ComponentChildren;
  /** What each field is called, in their order. */
  readonly labels: Texts;
  readonly readers: Readers;
  /** The texts of its fields. */
  readonly texts: (stored: Stored) => Texts;
  /** The same for the log of changes and for who only looks, without what is secret. */
  readonly told?: (stored: Stored) => Texts;
  /** What the fields' values change; throws a {@link FieldError} for what is wrong between them. */
  readonly change: (values: never) => ApplicationChange;
  readonly fields: (form: FormState) => ComponentChildren;
}

/** A section whose change gets what its own readers answer. */
const section = <R extends Readers>(
  parts: Omit<Section, 'readers' | 'change'> & {
    readonly readers: R;
    readonly change: (values: { readonly [N in keyof R]: ReturnType<R[N]> }) => ApplicationChange;
  },
): Section => parts;

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const countryNames = new Intl.DisplayNames('en', { type: 'region' });

const LANGUAGE_CHOICES: readonly Choice[] = [
  { value: '', label: "The service's own" },
  ...Object.keys(LANGUAGES).map((code) => ({ value: code, label: languageNames.of(code) ?? code })),
];

const STATUS_CHOICES: readonly Choice[] = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive: every call is refused' },
];

function status(text: string): ApplicationStatus {
  if (text !== 'active' && text !== 'inactive') throw new FieldError('Choose one of the two.');
  return text;
}

const GENERAL_LABELS = { name: 'Name', status: 'Status', language: 'Language' };

const general = section({
  id: 'general',
  right: 'change',
  title: 'General',
  lead: 'What people read, and whether the application may call at all.',
  labels: GENERAL_LABELS,
  readers: { name: applicationName, status, language: messageLanguage },
  texts: ({ name, status: state, settings }) => ({ name, status: state, language: settings.language }),
  change: ({ name, status: state, language }) => ({ name, status: state, settings: { language } }),
  fields: (form) => (
    <>
      <Field
        form={form}
        name="name"
        label={GENERAL_LABELS.name}
        hint="It is in every message."
        maxLength={100}
        required
      />
      <Select form={form} name="status" label={GENERAL_LABELS.status} choices={STATUS_CHOICES} />
      <Select
        form={form}
        name="language"
        label={GENERAL_LABELS.language}
        hint="Of messages whose request names none."
        choices={LANGUAGE_CHOICES}
      />
    </>
  ),
});

const PLACES = ['first', 'second', 'third'] as const;
const CHANNEL_LABELS = { first: 'First', second: 'If that fails', third: 'And then' };

const channelChoices = (place: (typeof PLACES)[number]): readonly Choice[] => [
  ...PHONE_CHANNELS.map((name) => ({ value: name, label: CHANNEL_NAMES[name] })),
  ...(place === 'first' ? [] : [{ value: '', label: 'Nothing more' }]),
];

const channels = section({
  id: 'channels',
  right: 'change',
  title: 'Channels for phone numbers',
  lead: 'Tried in this order when a request names none. Mail addresses always get mail.',
  labels: CHANNEL_LABELS,
  readers: { first: String, second: String, third: String },
  texts: ({ settings }) => Object.fromEntries(PLACES.map((place, n) => [place, settings.channels[n] ?? ''])),
  change: ({ first, second, third }) => ({
    settings: { channels: channelOrder([first, second, third].filter((name) => name !== '')) },
  }),
  fields: (form) => (
    <div class="columns three">
      {PLACES.map((place) => (
        <Select key={place} form={form} name={place} label={CHANNEL_LABELS[place]} choices={channelChoices(place)} />
      ))}
    </div>
  ),
});

const named = (codes: readonly string[]): string =>
  codes.map((code) => countryNames.of(code) ?? code).join(', ') || 'all of them';

const countriesSection = section({
  id: 'countries',
  right: 'change',
  title: 'Countries',
  lead: 'Numbers of other countries are refused, before they cost anything.',
  labels: { countries: 'Countries that may be sent to' },
  readers: { countries },
  texts: ({ settings }) => ({ countries: settings.countries.join(', ') }),
  change: (values) => ({ settings: { countries: values.countries } }),
  fields: (form) => (
    <Field
      form={form}
      name="countries"
      label="Countries that may be sent to"
      hint={
        form.errors.countries
          ? 'Codes of two letters with commas between, such as US, CA, DE. Empty: all.'
          : `Codes of two letters with commas between, such as US, CA, DE. Now: ${named(countries(String(form.typed.countries)))}.`
      }
      spellcheck={false}
      autocomplete="off"
    />
  ),
});

const LIMIT_LABELS: Readonly<Record<keyof ApplicationLimits, readonly [label: string, unit: string]>> = {
  cooldownSeconds: ['Pause after the first code to somebody', 'seconds; longer after the next ones'],
  sendsPer10Minutes: ['Codes to one recipient in ten minutes', 'codes'],
  sendsPerDay: ['Codes to one recipient in a day', 'codes'],
  burstPerSecond: ['Sends in a second, all together', 'sends'],
  burstPerMinute: ['Sends in a minute, all together', 'sends'],
  wrongCodesPerLock: ['Wrong codes until a session is locked', 'codes'],
  wrongCodesPerHour: ['Wrong codes in an hour until a recipient is locked', 'codes'],
  notificationRepeatSeconds: ['Pause before the same notification again', 'seconds'],
  widgetCallsPerMinute: ['Calls of the widget from one address in a minute', 'calls'],
};

const LIMIT_NAMES = Object.keys(LIMIT_LABELS) as (keyof ApplicationLimits)[];

const limits = section({
  id: 'limits',
  right: 'own',
  title: 'Limits',
  lead: 'They keep a loop or an attacker from costing you money. 0 turns one off: then nothing holds it back.',
  labels: Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMIT_LABELS[name][0]])),
  readers: Object.fromEntries(LIMIT_NAMES.map((name) => [name, wholeNumber(0, MAX_LIMIT)])),
  texts: ({ settings }) => Object.fromEntries(LIMIT_NAMES.map((name) => [name, String(settings.limits[name])])),
  change: (values) => ({ limits: values as Partial<ApplicationLimits> }),
  fields: (form) => (
    <div class="columns">
      {LIMIT_NAMES.map((name) => (
        <Field
          key={name}
          form={form}
          name={name}
          label={LIMIT_LABELS[name][0]}
          hint={`${LIMIT_LABELS[name][1]}; usually ${DEFAULT_LIMITS[name]}`}
          inputMode="numeric"
          autocomplete="off"
        />
      ))}
    </div>
  ),
});

function testRecipients(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map((line, n) => {
    const { address, code } = testRecipient(line);
    if (code === '') throw new FieldError(`Line ${n + 1} has no code: write RECIPIENT=CODE, such as +15550100=123456.`);
    return [address, code] as const;
  });
  return Object.fromEntries(entries);
}

const tests = section({
  id: 'test-recipients',
  right: 'own',
  title: 'Test recipients',
  lead: 'For your own tests, and for who reviews your app: nothing is sent to them, and their code is always the same.',
  labels: { testRecipients: 'Recipients and their codes' },
  readers: { testRecipients },
  texts: ({ settings }) => ({
    testRecipients: Object.entries(settings.testRecipients)
      .map(([address, code]) => `${address} = ${code}`)
      .join('\n'),
  }),
  told: ({ settings }) => ({ testRecipients: Object.keys(settings.testRecipients).map(maskRecipient).join(', ') }),
  change: (values) => ({ settings: { testRecipients: values.testRecipients } }),
  fields: (form) => (
    <TextArea
      form={form}
      name="testRecipients"
      label="Recipients and their codes"
      hint="One a line, such as +15550100 = 123456 or review@shop.example = 246810. Whoever knows one can sign in as that recipient."
      spellcheck={false}
    />
  ),
});

const ON_OFF: readonly Choice[] = [
  { value: 'off', label: 'From pages that the allow-list lets in' },
  { value: 'on', label: 'Only with a userToken that your server signs' },
];

const twoFactor = section({
  id: 'two-factor',
  right: 'own',
  title: 'Two-factor widget',
  lead: 'What the widget needs to be answered. The strict way proves who the user of the page is.',
  labels: { strictTwoFactor: 'The widget is answered' },
  readers: {
    strictTwoFactor: (text) => {
      if (text !== 'on' && text !== 'off') throw new FieldError('Choose one of the two.');
      return text === 'on';
    },
  },
  texts: ({ settings }) => ({ strictTwoFactor: settings.strictTwoFactor ? 'on' : 'off' }),
  change: (values) => ({ settings: { strictTwoFactor: values.strictTwoFactor } }),
  fields: (form) => <Select form={form} name="strictTwoFactor" label="The widget is answered" choices={ON_OFF} />,
});

export const SECTIONS: readonly Section[] = [general, channels, countriesSection, limits, tests, twoFactor];
