/**
 * Sections of the settings page. Each section is a separate form, so that two people can edit different sections at the
 * same time.
 */
import { countryName } from '../../modules/recipients/country.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import type { ComponentChildren } from 'preact';
import type { AccountCeilings } from '../../modules/applications/account-ceilings.js';
import type { ApplicationChange, EditableApplication } from '../../modules/applications/application-change.js';
import { LIMIT_NAMES, LIMITS, type ApplicationLimits } from '../../modules/applications/application-limits.js';
import type { ApplicationSettings, ApplicationStatus } from '../../modules/applications/application.js';
import { phoneChannels } from '../../modules/applications/application.js';
import * as values from '../../modules/applications/setting-values.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { LANGUAGE_CODES } from '../../modules/templates/language-codes.js';
import { languageLabel } from '../../modules/templates/template.js';
import { PHONE_CHANNELS } from '../../platform/contract/channels.js';
import { Field, Select, TextArea, type Choice } from '../components/form.js';
import { labelsOf, readersOf, SettingFields } from '../components/setting-fields.js';
import { FieldError, type Fields, type FormState, type ValuesOf } from '../form.js';
import { GuessChances } from './guess-chances.js';

type FieldTexts = Readonly<Record<string, string>>;

interface SectionFields {
  readonly form: FormState;
  readonly ceilings: AccountCeilings;
  /** Returns the props for a form field, including its label. */
  fieldProps(name: string): { form: FormState; name: string; label: string };
}

export interface Section {
  readonly id: string;
  readonly right: 'change' | 'own';
  readonly title: string;
  readonly lead: ComponentChildren;
  /** Field labels, in form order. */
  readonly labels: FieldTexts;
  readonly readers: Fields;
  readonly texts: (stored: EditableApplication) => FieldTexts;
  /** A field whose value is never shown again. It has no entry in `labels`, and may be left empty. */
  readonly secretField?: string;
  /** Returns the field texts without secrets, for people who may not change the section. */
  readonly maskedTexts?: (stored: EditableApplication) => FieldTexts;
  /** Converts the form values to a change. Throws a {@link FieldError} if the values contradict each other. */
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
  title: 'General',
  lead: 'The name in messages, the default language, and whether requests are accepted.',
  labels: { name: 'Name', status: 'Status', language: 'Language' },
  readers: { name: values.parseApplicationName, status: parseStatus, language: values.parseMessageLanguage },
  texts: ({ name, status: state, settings }) => ({ name, status: state, language: settings.language }),
  change: ({ name, status: state, language }) => ({ name, status: state, settings: { language } }),
  fields: ({ fieldProps }) => (
    <>
      <Field {...fieldProps('name')} hint="Recipients see it in every message." maxLength={100} required />
      <Select {...fieldProps('status')} choices={STATUS_CHOICES} />
      <Select
        {...fieldProps('language')}
        hint="Used if a request does not specify a language."
        choices={LANGUAGE_CHOICES}
      />
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
  lead: 'Tried in this order if a request does not specify a channel. Landlines get a call only if you save an order that includes Voice call, or if the request specifies it. Email addresses always get an email.',
  labels: { first: 'First', second: 'If that fails', third: 'Last' },
  readers: { first: String, second: String, third: String },
  texts: ({ settings }) =>
    Object.fromEntries(CHANNEL_PLACES.map((place, n) => [place, phoneChannels(settings)[n] ?? ''])),
  change: ({ first, second, third }) => ({
    settings: { channels: values.parseChannelOrder([first, second, third].filter((name) => name !== '')) },
  }),
  fields: ({ fieldProps }) => (
    <div class="columns three">
      {CHANNEL_PLACES.map((place) => (
        <Select key={place} {...fieldProps(place)} choices={channelChoices(place)} />
      ))}
    </div>
  ),
});

const countryList = (codes: readonly string[]): string => codes.map(countryName).join(', ') || 'all countries';

const countriesSection = defineSection({
  id: 'countries',
  right: 'change',
  title: 'Countries',
  lead: 'Numbers in countries that are not allowed are rejected before they cost anything.',
  labels: { countries: 'Allowed countries', servedCountries: 'Countries that you serve' },
  readers: { countries: values.parseCountries, servedCountries: values.parseCountries },
  texts: ({ settings }) => ({
    countries: settings.countries.join(', '),
    servedCountries: settings.servedCountries.join(', '),
  }),
  change: (settings) => ({ settings }),
  fields: ({ form, fieldProps }) => {
    const now = form.errors.countries ? '' : ` Now: ${countryList(values.parseCountries(form.typed.countries ?? ''))}.`;
    const hint = `Names or two-letter codes, separated by commas, such as Germany, US. If empty, all countries are allowed.${now}`;
    return (
      <>
        <Field {...fieldProps('countries')} hint={hint} spellcheck={false} autocomplete="off" />
        <Field
          {...fieldProps('servedCountries')}
          hint="If all countries are allowed: where your customers are, in addition to the country of your sender. The fraud guard allows more messages, and voice calls, there."
          spellcheck={false}
          autocomplete="off"
        />
      </>
    );
  },
});

const limitsSection = defineSection({
  id: 'limits',
  right: 'own',
  title: 'Limits',
  lead: 'Limits protect you from the cost of a runaway loop or an attack. The operator of this server sets their bounds.',
  labels: labelsOf(LIMITS),
  readers: readersOf(LIMITS),
  texts: ({ settings }) => Object.fromEntries(LIMIT_NAMES.map((name) => [name, String(settings.limits[name])])),
  change: (limits) => ({ limits: limits as Partial<ApplicationLimits> }),
  fields: ({ form, ceilings }) => (
    <>
      <SettingFields form={form} table={LIMITS} names={LIMIT_NAMES} bounds={ceilings.limits} />
      <GuessChances wrongCodesPerHour={Number(form.typed.wrongCodesPerHour) || 0} />
    </>
  ),
});

function parseTestRecipients(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map((line, n) => {
    const { address, code } = values.parseTestRecipient(line);
    if (code === '') throw new FieldError(`Line ${n + 1} has no code: write RECIPIENT=CODE, such as +15550100=123456.`);
    return [address, code] as const;
  });
  return Object.fromEntries(entries);
}

const testRecipientsSection = defineSection({
  id: 'test-recipients',
  right: 'own',
  title: 'Test recipients',
  lead: 'For tests and app store reviews. Nothing is sent to them, and their code is always the same.',
  labels: { testRecipients: 'Recipients and their codes' },
  readers: { testRecipients: parseTestRecipients },
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
  lead: 'The widget uses only the App Key, which anyone can read in your page. The Widget page explains what they can do with it, and shows the server code for strict mode.',
  labels: { widget: 'Access to the widget' },
  readers: { widget: parseWidgetMode },
  texts: (stored) => ({ widget: widgetText(stored) }),
  change: ({ widget }) => ({ settings: widget }),
  fields: ({ fieldProps }) => <Select {...fieldProps('widget')} choices={WIDGET_CHOICES} />,
});

const autofillSection = defineSection({
  id: 'autofill',
  right: 'change',
  title: 'Autofill codes from SMS',
  lead: (
    <>
      Phones can fill in the code from an SMS, so that your customers don't have to type it. Passbell then adds a line
      for the phone to the SMS, such as <code>@shop.example #123456</code>. The code is offered only on your site, not
      on a copy of it. A longer text may be shortened, so that it still fits into one SMS.
    </>
  ),
  labels: { webOtpHost: 'Your site', androidAppHash: 'Your Android app' },
  readers: { webOtpHost: values.parseWebOtpHost, androidAppHash: values.parseAndroidAppHash },
  texts: ({ settings: { webOtpHost, androidAppHash } }) => ({ webOtpHost, androidAppHash }),
  change: (settings) => ({ settings }),
  fields: ({ fieldProps }) => (
    <>
      <Field
        {...fieldProps('webOtpHost')}
        hint="The host name of the page where customers enter the code, such as shop.example, without https://. Leave it empty if they do not enter codes on a site."
        spellcheck={false}
        autocomplete="off"
      />
      <Field
        {...fieldProps('androidAppHash')}
        hint="Only if you have one: the 11 characters with which the app recognizes its messages, such as FA+9qCX9VSu. Its developers know them as the hash of SMS Retriever."
        spellcheck={false}
        autocomplete="off"
      />
    </>
  ),
});

const silentSection = defineSection({
  id: 'silent',
  right: 'own',
  title: 'Silent codes',
  lead: 'If a code is neither entered nor reported as delivered, it may have been lost. Passbell can then send the same code with the next provider or channel, which costs a second message. Codes that are reported as undelivered are sent another way even if this is off.',
  labels: { silentSeconds: 'Send the code another way after' },
  readers: { silentSeconds: values.parseSilentSeconds },
  texts: ({ settings }) => ({ silentSeconds: String(settings.silentSeconds) }),
  change: (settings) => ({ settings }),
  fields: ({ fieldProps }) => (
    <Field
      {...fieldProps('silentSeconds')}
      hint="In seconds, from 15 to 600. 0 turns it off."
      inputMode="numeric"
      autocomplete="off"
    />
  ),
});

const quietSection = defineSection({
  id: 'quiet',
  right: 'change',
  title: 'Quiet hours',
  lead: "Notifications to phone numbers wait until the quiet hours have ended in all time zones of the recipient's country. Codes and emails never wait. Messages that are already scheduled keep their send time.",
  labels: { quietHours: 'No notifications between' },
  readers: { quietHours: values.parseQuietHours },
  texts: ({ settings }) => ({ quietHours: settings.quietHours }),
  change: (settings) => ({ settings }),
  fields: ({ fieldProps }) => (
    <Field
      {...fieldProps('quietHours')}
      hint="Local times, such as 22:00-08:00, at most 12 hours. Leave it empty for none."
      autocomplete="off"
    />
  ),
});

const VERIFIED_CHOICES: readonly Choice[] = [
  { value: 'here', label: 'Passbell' },
  { value: 'elsewhere', label: 'Your site (verified elsewhere)' },
];

function parseVerifiedElsewhere(text: string): boolean {
  if (!VERIFIED_CHOICES.some(({ value }) => value === text)) throw new FieldError('Choose one of the options.');
  return text === 'elsewhere';
}

const verificationSection = defineSection({
  id: 'verification',
  right: 'own',
  title: 'Code verification',
  lead: 'The fraud guard needs to know who enters a code. If your site checks codes itself, the guard does not pause messages because of missing verifications, unless your server reports verifications with /auth/reportverified. Caps for new countries and the daily cost limit still apply.',
  labels: { verified: 'Who checks the codes' },
  readers: { verified: parseVerifiedElsewhere },
  texts: ({ settings }) => ({ verified: settings.verifiedElsewhere ? 'elsewhere' : 'here' }),
  change: ({ verified }) => ({ settings: { verifiedElsewhere: verified } }),
  fields: ({ fieldProps }) => <Select {...fieldProps('verified')} choices={VERIFIED_CHOICES} />,
});

const CHALLENGE_CHOICES: readonly Choice[] = [
  { value: 'off', label: 'Off' },
  { value: 'altcha', label: 'ALTCHA: the browser does a small calculation, without a vendor' },
  { value: 'turnstile', label: 'Cloudflare Turnstile' },
  { value: 'hcaptcha', label: 'hCaptcha' },
];

const challengeSection = defineSection({
  id: 'challenge',
  right: 'own',
  title: 'Challenge',
  lead: (
    <>
      When the fraud guard cannot tell your customers from attackers, it can ask the browser for proof instead of
      refusing the message. Your site must pass the challenge to the browser, and the answer back to Passbell:{' '}
      <a href="/docs/challenge">how to add challenges</a>.
    </>
  ),
  labels: { challenge: 'Challenge', challengeSiteKey: 'Site key' },
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
      <Select {...fieldProps('challenge')} choices={CHALLENGE_CHOICES} />
      <Field
        {...fieldProps('challengeSiteKey')}
        hint="Only for Turnstile and hCaptcha, which show it with the secret key."
        spellcheck={false}
        autocomplete="off"
      />
      <Field
        form={form}
        name="challengeSecret"
        label="Secret key"
        hint="Only for Turnstile and hCaptcha. It is stored encrypted, and never shown again. Leave it empty to keep the stored key."
        type="password"
        autocomplete="new-password"
      />
    </>
  ),
});

export const SECTIONS: readonly Section[] = [
  generalSection,
  channelsSection,
  countriesSection,
  limitsSection,
  autofillSection,
  silentSection,
  quietSection,
  verificationSection,
  challengeSection,
  testRecipientsSection,
  twoFactorSection,
];
