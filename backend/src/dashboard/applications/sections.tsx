/**
 * Sections of the settings page. Each section is a separate form, so that two people can edit different sections at the
 * same time.
 */
import { countryName } from '../../modules/recipients/country.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import type { ComponentChildren } from 'preact';
import type { ApplicationChange, EditableApplication } from '../../modules/applications/application-change.js';
import { LIMITS, type ApplicationLimits } from '../../modules/applications/application-limits.js';
import type { Application, ApplicationSettings, ApplicationStatus } from '../../modules/applications/application.js';
import { phoneChannels } from '../../modules/applications/application.js';
import * as values from '../../modules/applications/setting-values.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { SettingError } from '../../modules/settings/bounded-setting.js';
import { LANGUAGE_CODES } from '../../modules/templates/language-codes.js';
import { languageLabel } from '../../modules/templates/template.js';
import { PHONE_CHANNELS } from '../../platform/contract/channels.js';
import { CountriesField } from '../components/country-fields.js';
import { Field, Select, TextArea, type Choice } from '../components/form.js';
import { labelsOf } from '../components/setting-fields.js';
import { FieldError, type Fields, type FormState, type ValuesOf } from '../form.js';
import { LIMIT_READERS, LimitFields, limitTexts, type LimitsUse } from './limits.js';
import { pathOf } from './parts.js';

type FieldTexts = Readonly<Record<string, string>>;

interface SectionFields {
  readonly form: FormState;
  readonly application: Application;
  /** Only on the page with the limits. */
  readonly use: LimitsUse | undefined;
  /** Returns the props for a form field, including its label. */
  fieldProps(name: string): { form: FormState; name: string; label: string };
}

export interface Section {
  readonly id: string;
  readonly right: 'change' | 'own';
  readonly title: string;
  /** Confirms a change, if the title cannot be the subject of the sentence. */
  readonly notice?: string;
  readonly lead: ComponentChildren;
  /** Field labels, in form order. */
  readonly labels: FieldTexts;
  readonly readers: Fields;
  readonly texts: (stored: EditableApplication) => FieldTexts;
  /** A field whose value is never shown again. It has no entry in `labels`, and may be left empty. */
  readonly secretField?: string;
  /** Returns the field texts without secrets, for people who may not change the section. */
  readonly maskedTexts?: (stored: EditableApplication) => FieldTexts;
  /** Converts the form values to a change. Throws a {@link SettingError} if they contradict each other. */
  readonly change: (values: never) => ApplicationChange;
  readonly fields: (fields: SectionFields) => ComponentChildren;
  /** A change that must be confirmed with a checkbox. */
  readonly confirmation?: {
    readonly label: string;
    /** Explains the consequences of the change. */
    readonly warning: string;
    readonly isNeeded: (stored: EditableApplication, change: ApplicationChange) => boolean;
  };
}

/** Defines a section. Infers the parameter type of `change` from `readers`. */
const defineSection = <F extends Fields>(
  definition: Omit<Section, 'readers' | 'change'> & {
    readonly readers: F;
    readonly change: (values: ValuesOf<F>) => ApplicationChange;
  },
): Section => definition;

const LANGUAGE_CHOICES: readonly Choice[] = [
  { value: '', label: 'Default (English)' },
  ...LANGUAGE_CODES.map((code) => ({ value: code, label: languageLabel(code) })),
];

const STATUS_CHOICES: readonly Choice[] = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive: all requests are rejected' },
];

function parseStatus(text: string): ApplicationStatus {
  if (text !== 'active' && text !== 'inactive') throw new FieldError('Choose Active or Inactive.');
  return text;
}

const generalSection = defineSection({
  id: 'general',
  right: 'change',
  title: 'Details',
  lead: 'What recipients see, and whether requests are accepted.',
  labels: { name: 'Name', language: 'Language', status: 'Status' },
  readers: { name: values.parseApplicationName, status: parseStatus, language: values.parseMessageLanguage },
  texts: ({ name, status: state, settings }) => ({ name, status: state, language: settings.language }),
  change: ({ name, status: state, language }) => ({ name, status: state, settings: { language } }),
  fields: ({ fieldProps }) => (
    <>
      <Field {...fieldProps('name')} hint="Recipients see it in every message." maxLength={100} required />
      <Select
        {...fieldProps('language')}
        hint="Used if a request does not specify a language."
        choices={LANGUAGE_CHOICES}
      />
      <Select {...fieldProps('status')} choices={STATUS_CHOICES} />
    </>
  ),
  confirmation: {
    label: 'Deactivate this application',
    warning:
      'All requests of this application, and its two-factor widget, will be rejected until you activate it again. To save, check the box “Deactivate this application”.',
    isNeeded: (stored, { status }) => stored.status === 'active' && status === 'inactive',
  },
});

const CHANNEL_PLACES = ['first', 'second', 'third'] as const;

const channelChoices = (place: (typeof CHANNEL_PLACES)[number]): readonly Choice[] => [
  ...PHONE_CHANNELS.map((name) => ({ value: name, label: CHANNEL_NAMES[name] })),
  ...(place === 'first' ? [] : [{ value: '', label: 'None' }]),
];

const channelsSection = defineSection({
  id: 'channels',
  right: 'change',
  title: 'Channels for phone numbers',
  lead: 'Tried in this order if a request does not specify a channel.',
  labels: { first: 'First choice', second: 'If that fails', third: 'If that fails too' },
  readers: { first: String, second: String, third: String },
  texts: ({ settings }) =>
    Object.fromEntries(CHANNEL_PLACES.map((place, n) => [place, phoneChannels(settings)[n] ?? ''])),
  change({ first, second, third }) {
    const names = [first, second, third];
    const repeated = CHANNEL_PLACES.find((_, n) => names[n] !== '' && names.indexOf(names[n]!) < n);
    if (repeated) throw new SettingError(repeated, 'Choose each channel only once.');
    return { settings: { channels: values.parseChannelOrder(names.filter((name) => name !== '')) } };
  },
  fields: ({ fieldProps }) => (
    <>
      <div class="columns three">
        {CHANNEL_PLACES.map((place) => (
          <Select key={place} {...fieldProps(place)} choices={channelChoices(place)} />
        ))}
      </div>
      <p class="hint">
        Landlines get a call only if you save an order that includes Voice call, or if the request specifies it. Email
        addresses always get an email.
      </p>
    </>
  ),
});

const namesOf = (codes: readonly string[]): string => codes.map(countryName).join(', ');

const countriesSection = defineSection({
  id: 'countries',
  right: 'change',
  title: 'Countries',
  lead: 'Where your customers are, and where messages may be sent.',
  labels: { servedCountries: 'Countries that you serve', countries: 'Allowed countries' },
  readers: { servedCountries: values.parseCountries, countries: values.parseCountries },
  texts: ({ settings }) => ({
    servedCountries: namesOf(settings.servedCountries),
    countries: namesOf(settings.countries),
  }),
  change: (settings) => ({ settings }),
  fields: ({ fieldProps }) => (
    <>
      <CountriesField
        fieldProps={fieldProps('servedCountries')}
        hint="The fraud guard allows more messages, and voice calls, to these countries. Messages to other countries stay allowed. The country of your sender is always included."
      />
      <CountriesField
        fieldProps={fieldProps('countries')}
        hint="Messages to all other countries are refused, and cost nothing. Leave this empty to allow all countries."
      />
    </>
  ),
});

const limitsSection = defineSection({
  id: 'limits',
  right: 'own',
  title: 'Budgets and limits',
  lead: 'They protect you from the cost of a runaway loop or an attack. Leave a limit empty to turn it off, or to use the maximum of your account.',
  labels: labelsOf(LIMITS),
  readers: LIMIT_READERS,
  texts: ({ settings }) => limitTexts(settings.limits),
  change: (limits) => ({ limits: limits as Partial<ApplicationLimits> }),
  fields: ({ form, application: { ceilings }, use }) =>
    use && <LimitFields form={form} bounds={ceilings.limits} use={use} />,
});

const testRecipientsSection = defineSection({
  id: 'test-recipients',
  right: 'own',
  title: 'Test recipients',
  lead: 'For tests and app store reviews. Nothing is sent to them, and their code is always the same.',
  labels: { testRecipients: 'Recipients and their codes' },
  readers: { testRecipients: values.parseTestRecipients },
  texts: ({ settings }) => {
    const lines = Object.entries(settings.testRecipients).map(([address, code]) => `${address} = ${code}`);
    return { testRecipients: lines.join('\n') };
  },
  maskedTexts: ({ settings }) => ({
    testRecipients: Object.keys(settings.testRecipients).map(maskRecipient).join(', '),
  }),
  change: (settings) => ({ settings }),
  fields: ({ fieldProps }) => (
    <TextArea
      {...fieldProps('testRecipients')}
      hint="One per line, such as +15550100 = 123456 or review@shop.example = 246810. Anyone who knows the code can sign in as that recipient."
      spellcheck={false}
    />
  ),
});

const WIDGET_CHOICES: readonly Choice[] = [
  { value: 'open', label: 'Open: available on pages that the allow-list accepts' },
  { value: 'strict', label: 'Strict: every call needs a userToken signed by your server' },
  { value: 'off', label: 'Off: this application does not use two-factor' },
];

function parseWidgetMode(text: string): Pick<ApplicationSettings, 'twoFactorWidget' | 'strictTwoFactor'> {
  if (!WIDGET_CHOICES.some(({ value }) => value === text)) throw new FieldError('Choose one of the options.');
  return { twoFactorWidget: text !== 'off', strictTwoFactor: text === 'strict' };
}

function widgetText({ settings }: EditableApplication): string {
  if (!settings.twoFactorWidget) return 'off';
  return settings.strictTwoFactor ? 'strict' : 'open';
}

const twoFactorSection = defineSection({
  id: 'two-factor',
  right: 'own',
  title: 'Two-factor widget',
  lead: 'Controls which callers can use the widget of this application.',
  labels: { widget: 'Access to the widget' },
  readers: { widget: parseWidgetMode },
  texts: (stored) => ({ widget: widgetText(stored) }),
  change: ({ widget }) => ({ settings: widget }),
  fields: ({ fieldProps, application }) => (
    <Select
      {...fieldProps('widget')}
      hint={
        <>
          Anyone can read the App Key in your page. The <a href={`${pathOf(application)}/widget`}>Widget page</a>{' '}
          explains what they can do with it, and has the server code for strict mode.
        </>
      }
      choices={WIDGET_CHOICES}
    />
  ),
});

const autofillSection = defineSection({
  id: 'autofill',
  right: 'change',
  title: 'Autofill codes from SMS',
  lead: "Phones fill in the code, so that your customers don't have to type it.",
  labels: { webOtpHost: 'Your site', androidAppHash: 'Your Android app' },
  readers: { webOtpHost: values.parseWebOtpHost, androidAppHash: values.parseAndroidAppHash },
  texts: ({ settings: { webOtpHost, androidAppHash } }) => ({ webOtpHost, androidAppHash }),
  change: (settings) => ({ settings }),
  fields: ({ fieldProps }) => (
    <>
      <Field
        {...fieldProps('webOtpHost')}
        hint={
          <>
            The host name of the page where customers enter the code. The SMS then ends with a line such as{' '}
            <code>@shop.example #123456</code>, and phones offer the code only on this site, not on a copy of it. Longer
            texts are shortened to keep them in one SMS.
          </>
        }
        placeholder="shop.example"
        spellcheck={false}
        autocomplete="off"
      />
      <Field
        {...fieldProps('androidAppHash')}
        hint="Only if you have an Android app: its hash for the SMS Retriever API. Ask the developers of the app for it."
        placeholder="FA+9qCX9VSu"
        spellcheck={false}
        autocomplete="off"
      />
    </>
  ),
});

const SILENT_SECONDS = [15, 30, 45, 60, 90, 120, 300, 600] as const;

const secondsText = (seconds: number): string =>
  seconds >= 120 && seconds % 60 === 0 ? `After ${seconds / 60} minutes` : `After ${seconds} seconds`;

/** The usual times, and another one that was stored by the command or the API. */
const silentChoices = (current: string): readonly Choice[] => [
  { value: '0', label: 'Off' },
  ...[...new Set([...SILENT_SECONDS, ...(/^[1-9]\d*$/.test(current) ? [Number(current)] : [])])]
    .sort((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: secondsText(seconds) })),
];

const silentSection = defineSection({
  id: 'silent',
  right: 'own',
  title: 'If a code does not arrive',
  notice: 'Setting for missing codes saved.',
  lead: 'A code that is neither entered nor reported as delivered may not have arrived.',
  labels: { silentSeconds: 'Send it another way' },
  readers: { silentSeconds: values.parseSilentSeconds },
  texts: ({ settings }) => ({ silentSeconds: String(settings.silentSeconds) }),
  change: (settings) => ({ settings }),
  fields: ({ form, fieldProps }) => (
    <Select
      {...fieldProps('silentSeconds')}
      hint="The same code is sent with the next provider or channel, which costs a second message. Codes that are reported as undelivered are sent another way even if this is off."
      choices={silentChoices(form.typed.silentSeconds ?? '')}
    />
  ),
});

const quietSection = defineSection({
  id: 'quiet',
  right: 'change',
  title: 'Quiet hours',
  lead: 'Notifications to phone numbers wait until the morning. Codes and emails never wait.',
  labels: { quietFrom: 'From', quietUntil: 'Until' },
  readers: { quietFrom: String, quietUntil: String },
  texts({ settings: { quietHours } }) {
    const [quietFrom = '', quietUntil = ''] = quietHours.split('-');
    return { quietFrom, quietUntil };
  },
  change({ quietFrom, quietUntil }) {
    if (quietFrom === '' && quietUntil === '') return { settings: { quietHours: '' } };
    if (quietFrom === '' || quietUntil === '')
      throw new SettingError(quietFrom === '' ? 'quietFrom' : 'quietUntil', 'Enter both times, or leave both empty.');
    return { settings: { quietHours: values.parseQuietHours(`${quietFrom}-${quietUntil}`) } };
  },
  fields: ({ fieldProps }) => (
    <>
      <div class="columns times">
        <Field {...fieldProps('quietFrom')} type="time" />
        <Field {...fieldProps('quietUntil')} type="time" />
      </div>
      <p class="hint">
        At most 12 hours. They apply in every time zone of the recipient's country. Leave both empty to turn quiet hours
        off. Scheduled messages keep their send time.
      </p>
    </>
  ),
});

const VERIFIED_CHOICES: readonly Choice[] = [
  { value: 'here', label: 'Passbell' },
  { value: 'elsewhere', label: 'Your site' },
];

function parseVerifiedElsewhere(text: string): boolean {
  if (!VERIFIED_CHOICES.some(({ value }) => value === text)) throw new FieldError('Choose one of the options.');
  return text === 'elsewhere';
}

const verificationSection = defineSection({
  id: 'verification',
  right: 'own',
  title: 'Code verification',
  lead: 'Codes that nobody enters are a sign of fraud, so Passbell must know which ones are entered.',
  labels: { verified: 'Who checks the codes' },
  readers: { verified: parseVerifiedElsewhere },
  texts: ({ settings }) => ({ verified: settings.verifiedElsewhere ? 'elsewhere' : 'here' }),
  change: ({ verified }) => ({ settings: { verifiedElsewhere: verified } }),
  fields: ({ fieldProps }) => (
    <Select
      {...fieldProps('verified')}
      hint="If your site checks codes itself, messages are not paused when nobody enters the codes, unless your server reports entered codes with /auth/reportverified. The daily budget and the limits for new countries still apply."
      choices={VERIFIED_CHOICES}
    />
  ),
});

const CHALLENGE_CHOICES: readonly Choice[] = [
  { value: 'off', label: 'Off' },
  { value: 'altcha', label: 'ALTCHA: the browser does a short calculation, without a third-party service' },
  { value: 'turnstile', label: 'Cloudflare Turnstile' },
  { value: 'hcaptcha', label: 'hCaptcha' },
];

const challengeSection = defineSection({
  id: 'challenge',
  right: 'own',
  title: 'Challenge',
  lead: 'If a request looks suspicious, Passbell asks the browser to solve a challenge, instead of refusing the request.',
  labels: { challenge: 'Type', challengeSiteKey: 'Site key' },
  secretField: 'challengeSecret',
  readers: {
    challenge: values.parseChallengeKind,
    challengeSiteKey: values.parseChallengeKey,
    challengeSecret: values.parseChallengeKey,
  },
  texts: ({ settings: { challenge } }) => ({ challenge: challenge.kind, challengeSiteKey: challenge.siteKey }),
  change: ({ challenge: kind, challengeSiteKey: siteKey, challengeSecret: secret }) => ({
    challenge: { kind, siteKey, secret },
  }),
  fields: ({ form, fieldProps }) => (
    <>
      <Select
        {...fieldProps('challenge')}
        hint={
          <>
            Before you turn it on, <a href="/docs/challenge">add the challenge to your site</a>.
          </>
        }
        choices={CHALLENGE_CHOICES}
      />
      <div class="stack vendor-keys">
        <Field
          {...fieldProps('challengeSiteKey')}
          hint="The dashboard of Turnstile or hCaptcha shows it next to the secret key."
          spellcheck={false}
          autocomplete="off"
        />
        <Field
          form={form}
          name="challengeSecret"
          label="Secret key"
          hint="It is stored encrypted, and never shown again. Leave it empty to keep the stored key."
          type="password"
          autocomplete="new-password"
        />
      </div>
    </>
  ),
});

/** The pages of the settings. */
export const SETTINGS_PAGES: readonly { readonly title: string; readonly sections: readonly Section[] }[] = [
  { title: 'General', sections: [generalSection, countriesSection] },
  { title: 'Delivery', sections: [channelsSection, quietSection, silentSection, autofillSection] },
  { title: 'Limits', sections: [limitsSection] },
  { title: 'Security', sections: [twoFactorSection, challengeSection, verificationSection, testRecipientsSection] },
];
