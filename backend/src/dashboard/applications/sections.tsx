/** The sections of the settings pages. */
import { LIST } from '../../platform/list.js';
import { LIMITS, type ApplicationLimits } from '../../modules/applications/application-limits.js';
import type { ApplicationChange, EditableApplication } from '../../modules/applications/application-change.js';
import { phoneChannels, type Application, type ApplicationSettings } from '../../modules/applications/application.js';
import * as values from '../../modules/applications/setting-values.js';
import { countryInSentence, countryName } from '../../modules/recipients/country.js';
import { SettingError } from '../../modules/settings/bounded-setting.js';
import { LANGUAGE_CODES } from '../../modules/templates/language-codes.js';
import { languageLabel } from '../../modules/templates/template.js';
import { PHONE_CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { useVisit } from '../components/context.js';
import { CountriesField } from '../components/country-fields.js';
import { Field, Presets, Select, type Choice, type Preset } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { oneOf } from '../fields.js';
import { CHANNEL_NAMES, channelMessages } from '../messages/labels.js';
import {
  BUDGET_NAMES,
  BudgetFields,
  limitTexts,
  looserLimits,
  MissingLimits,
  RATE_NAMES,
  RateFields,
  readersFor,
  type LimitsUse,
} from './limits.js';
import { quietSection } from './quiet-hours.js';
import { defineSection, type Section } from './section.js';
import { challengeSection, twoFactorSection, verificationSection } from './security-sections.js';
import { testRecipientsSection } from './test-recipients.js';

const LANGUAGE_CHOICES: readonly Choice[] = [
  { value: '', label: 'Default (English)' },
  ...LANGUAGE_CODES.map((code) => ({ value: code, label: languageLabel(code) })),
];

const generalSection = defineSection({
  id: 'general',
  right: 'change',
  title: 'Details',
  lead: 'The name of the application, and the language of its messages.',
  labels: { name: 'Name', language: 'Language' },
  readers: { name: values.parseApplicationName, language: values.parseMessageLanguage },
  texts: ({ name, settings }) => ({ name, language: settings.language }),
  change: ({ name, language }) => ({ name, settings: { language } }),
  fields: ({ fieldProps }) => (
    <>
      <Field {...fieldProps('name')} hint="Recipients see this name in your messages." maxLength={100} required />
      <Select
        {...fieldProps('language')}
        hint="Messages are in this language unless your shop asks for another one."
        choices={LANGUAGE_CHOICES}
      />
    </>
  ),
});

const STATUS_CHOICES: readonly Preset[] = [
  { value: 'active', label: 'Active', hint: 'Messages are sent.' },
  {
    value: 'inactive',
    label: 'Inactive',
    hint: 'API and widget requests are rejected. Events from connected shops are logged, but no messages are sent.',
  },
];

const parseStatus = oneOf(['active', 'inactive']);

const statusSection = defineSection({
  id: 'status',
  right: 'change',
  title: 'Status',
  notice: 'Status saved.',
  lead: 'While the application is inactive, no messages are sent. You can activate it again at any time.',
  labels: { status: 'Status' },
  readers: { status: parseStatus },
  texts: ({ status: state }) => ({ status: state }),
  change: ({ status: state }) => ({ status: state }),
  fields: ({ fieldProps }) => (
    <Presets {...fieldProps('status')} label={<span class="unseen">Status</span>} choices={STATUS_CHOICES} />
  ),
  confirmation: {
    label: 'Deactivate this application',
    effects: (stored, { status }) =>
      stored.status === 'active' && status === 'inactive'
        ? 'All API and widget requests will be rejected, and events from connected shops will send no messages, until you activate the application again.'
        : '',
  },
});

const CHANNEL_PLACES = ['first', 'second', 'third'] as const;

const channelChoices = (
  place: (typeof CHANNEL_PLACES)[number],
  unprovided: readonly ChannelName[],
): readonly Choice[] => [
  ...PHONE_CHANNELS.map((name) => ({
    value: name,
    label: unprovided.includes(name) ? `${CHANNEL_NAMES[name]} (not set up)` : CHANNEL_NAMES[name],
  })),
  ...(place === 'first' ? [] : [{ value: '', label: 'None' }]),
];

/**
 * Names the chosen channels without a provider. They are worth a warning if someone chose them, or if the first one is
 * among them.
 */
function Unprovided({ order, unprovided }: Record<'order' | 'unprovided', readonly ChannelName[]>) {
  const isOwner = useVisit().may('own');
  const channels = unprovided.filter((channel) => order.includes(channel));
  if (channels.length === 0) return null;
  const names = LIST.format(channels.map(channelMessages));
  const link = isOwner && <a href="/dashboard/channels/add">Add a provider</a>;
  const isDefault = String(order) === String(PHONE_CHANNELS);
  return isDefault && !channels.includes(order[0]!) ? (
    <p class="hint">
      Passbell skips {names} until you add a provider for them. {link}
    </p>
  ) : (
    <Notice kind="warning" after={link}>
      No provider yet for {names}. Passbell skips channels without a provider.
    </Notice>
  );
}

const channelsSection = defineSection({
  id: 'channels',
  right: 'change',
  title: 'Channels for phone numbers',
  lead: 'Passbell tries these channels in order, unless your shop asks for a specific channel.',
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
  fields: ({ form, fieldProps, unprovided }) => (
    <>
      <div class="columns three">
        {CHANNEL_PLACES.map((place) => (
          <Select key={place} {...fieldProps(place)} choices={channelChoices(place, unprovided)} />
        ))}
      </div>
      <Unprovided order={CHANNEL_PLACES.map((place) => form.typed[place] as ChannelName)} unprovided={unprovided} />
      <p class="hint">
        If a code is not entered, the next code to the same person starts with the next provider or channel. Landlines
        can only get voice calls, and only if your shop asks for one or a saved order contains them. Email addresses get
        emails.
      </p>
    </>
  ),
});

/** The served countries to which no messages may be sent. */
const servedAndRefused = ({
  countries,
  servedCountries,
}: Pick<ApplicationSettings, 'countries' | 'servedCountries'>): string[] =>
  servedCountries.filter((country) => countries.length > 0 && !countries.includes(country));

const namesOf = (codes: readonly string[]): string => codes.map(countryName).join(', ');

const countriesSection = defineSection({
  id: 'countries',
  right: 'change',
  title: 'Countries',
  lead: 'Where your customers are, and where messages may be sent.',
  labels: { servedCountries: 'Countries that you serve', countries: 'Send only to' },
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
        placeholder="Add a country"
        hint="These countries get higher limits. So do the countries under “Send only to” and the countries of your sender numbers. Other countries get fewer messages, and usually no voice calls."
      />
      <CountriesField
        fieldProps={fieldProps('countries')}
        placeholder="All countries"
        hint="Messages to all other countries are refused. Leave this empty to allow all countries."
      />
    </>
  ),
  confirmation: {
    label: 'Save these countries',
    effects({ settings: before }, { settings: { countries = [], servedCountries = [] } = {} }) {
      if (before.countries.length > 0 && countries.length === 0)
        return 'Messages can then be sent to every country, including expensive ones that attackers prefer.';
      const refused = servedAndRefused({ countries, servedCountries });
      if (refused.every((country) => servedAndRefused(before).includes(country))) return '';
      const names = LIST.format(refused.map(countryInSentence));
      const are = refused.length === 1 ? 'it is' : 'they are';
      return `You serve ${names}, but ${are} not in “Send only to”. Messages to ${names} will be refused.`;
    },
  },
});

/** A section for some limits. */
const limitsOf = (names: readonly (keyof ApplicationLimits)[]) =>
  ({
    right: 'own',
    labels: Object.fromEntries(names.map((name) => [name, LIMITS[name].label])),
    readers: readersFor(names),
    texts: ({ settings }: EditableApplication) => limitTexts(names, settings.limits),
    change: (limits: Readonly<Record<string, number>>) => ({ limits: limits as Partial<ApplicationLimits> }),
    confirmation: {
      label: 'Save these looser limits',
      effects: (stored: Application, { limits }: ApplicationChange, use: LimitsUse | undefined) =>
        limits && use ? looserLimits(stored, limits, use) : '',
    },
  }) as const;

const budgetsSection = defineSection({
  ...limitsOf(BUDGET_NAMES),
  id: 'limits',
  title: 'Budgets',
  lead: 'The most that your messages can cost in a day, even during an attack. A budget applies every day until you change it.',
  fields: ({ form, application, use }) => use && <BudgetFields form={form} application={application} use={use} />,
});

const ratesSection = defineSection({
  ...limitsOf(RATE_NAMES),
  id: 'rates',
  title: 'Rate limits',
  lead: 'Limits stop a software error or an attack before it uses up the budget.',
  above: (application, action) => <MissingLimits action={action} application={application} />,
  fields: ({ form, application: { ceilings, settings } }) => (
    <RateFields form={form} stored={settings.limits} bounds={ceilings.limits} />
  ),
});

const autofillSection = defineSection({
  id: 'autofill',
  right: 'change',
  title: 'Autofill codes from SMS',
  notice: 'Autofill settings saved.',
  lead: 'Phones fill in the code, so that your customers do not have to type it.',
  labels: { webOtpHost: 'Your site', androidAppHash: 'App hash' },
  readers: {
    // People paste the address of their site.
    webOtpHost: (text) =>
      values.parseWebOtpHost(
        text
          .trim()
          .replace(/^https?:\/\//i, '')
          .split(/[/?#]/)[0]!,
      ),
    androidAppHash: values.parseAndroidAppHash,
  },
  texts: ({ settings: { webOtpHost, androidAppHash } }) => ({ webOtpHost, androidAppHash }),
  change: (settings) => ({ settings }),
  fields: ({ form, fieldProps }) => (
    <>
      <Field
        {...fieldProps('webOtpHost')}
        hint={
          <>
            The address of your site, without https://. The last line of the SMS then starts with{' '}
            <code>@shop.example&nbsp;#123456</code>, and phones offer the code only on this site.
          </>
        }
        placeholder="For example, shop.example"
        spellcheck={false}
        autocomplete="off"
      />
      <details open={Boolean(form.typed.androidAppHash)}>
        <summary>For Android apps</summary>
        <Field
          {...fieldProps('androidAppHash')}
          hint="11 characters that identify your app, so that Android lets it read the code. Your developers can create the hash (SMS Retriever API)."
          placeholder="For example, FA+9qCX9VSu"
          spellcheck={false}
          autocomplete="off"
        />
      </details>
    </>
  ),
});

const SILENT_SECONDS = [15, 30, 45, 60, 90, 120, 300, 600] as const;

const secondsText = (seconds: number): string =>
  seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;

/** The usual times, and another one that was stored by the command or the API. */
const silentChoices = (current: string): readonly Choice[] => [
  { value: '0', label: 'Do not send again' },
  ...[...new Set([...SILENT_SECONDS, ...(/^[1-9]\d*$/.test(current) ? [Number(current)] : [])])]
    .sort((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: `Send again after ${secondsText(seconds)}` })),
];

const silentSection = defineSection({
  id: 'silent',
  right: 'own',
  title: 'If a code does not arrive',
  notice: 'Setting for codes that do not arrive saved.',
  lead: 'If a customer is still waiting for a code, Passbell can send the same code another way.',
  labels: { silentSeconds: 'If there is no delivery report' },
  readers: { silentSeconds: values.parseSilentSeconds },
  texts: ({ settings }) => ({ silentSeconds: String(settings.silentSeconds) }),
  change: (settings) => ({ settings }),
  fields: ({ form, fieldProps }) => (
    <>
      <Select
        {...fieldProps('silentSeconds')}
        hint="You pay for each message; limits and budgets apply."
        choices={silentChoices(form.typed.silentSeconds ?? '')}
      />
      <details>
        <summary>When codes are sent again</summary>
        <ul class="hint">
          <li>
            Whatever you choose, a valid code that is reported as undelivered is sent again if another provider or
            channel is set up.
          </li>
          <li>A code is sent at most four times.</li>
          <li>
            A code is not sent again after it has been entered. If the provider did not reply, a code by SMS, WhatsApp
            or voice call is not sent again, because it may have arrived.
          </li>
        </ul>
      </details>
    </>
  ),
});

export interface SettingsPage {
  readonly title: string;
  /** Whether changes also apply to requests that send no message. */
  readonly isImmediate?: boolean;
  readonly sections: readonly Section[];
}

export const SETTINGS_PAGES: readonly SettingsPage[] = [
  { title: 'General', isImmediate: true, sections: [generalSection, countriesSection, statusSection] },
  { title: 'Delivery', sections: [channelsSection, quietSection, silentSection, autofillSection] },
  { title: 'Limits', isImmediate: true, sections: [budgetsSection, ratesSection] },
  {
    title: 'Security',
    isImmediate: true,
    sections: [verificationSection, challengeSection, twoFactorSection, testRecipientsSection],
  },
];
