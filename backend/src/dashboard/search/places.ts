/** The search also finds these by name: pages, settings, filters, countries, providers and guides. */
import type { Application } from '../../modules/applications/application.js';
import { readGuides } from '../../modules/docs/guides.js';
import { COUNTRY_NAMES, countryNamed } from '../../modules/recipients/country.js';
import { LANGUAGE_CODES } from '../../modules/templates/language-codes.js';
import { languageLabel, templateLabel, TEMPLATE_NAMES } from '../../modules/templates/template.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { pathOf, settingsPath } from '../applications/parts.js';
import { SETTINGS_PAGES } from '../applications/sections.js';
import { ACTION_CHOICES } from '../audit/actions.js';
import { pricesPath, SENDER_DOMAINS_PATH } from '../channels/labels.js';
import type { Result } from '../components/search.js';
import { TOOLS } from '../connect/tools.js';
import { urlOf } from '../messages/filter.js';
import { CHANNEL_NAMES, STATE_LABELS } from '../messages/labels.js';
import { APPLICATION_NAVIGATION, shownGroups } from '../navigation.js';
import type { Visit } from '../page.js';
import { textPath } from '../templates/text-page.js';

/** A result, and words that find it besides its name. */
export interface Place extends Result {
  readonly words?: string;
}

export const PAGE_WORDS: Readonly<Record<string, string>> = {
  '/messages': 'logs history sms email codes received arrived missing lost delivered',
  '/usage': 'sms billing bills cost expensive spending invoices statistics reports analytics export csv download',
  '/suppressions':
    'block numbers blocked blocklist bounced bounces spam unsubscribed stop sending customers recipients cancel opt-outs',
  '/channels': 'providers routes tests',
  '/people': 'add team members colleagues staff users roles invite developer access permissions',
  '/account-settings': 'logo in emails color footer time zone branding company',
  '/api-keys': 'tokens secrets',
  '/audit': 'logs history changes changed activity export csv download',
  '': 'api credentials app key new secret',
  '/settings': 'options preferences configuration',
  '/templates': `edit text texts wording sms whatsapp email messages translation language ${LANGUAGE_CODES.map(languageLabel).join(' ')}`,
  '/automations': 'connect stores shops orders shopify woocommerce',
  '/protection': 'fraud spam pauses blocked attacks pumping bots',
  '/allow-list': 'ip addresses whitelist blocked',
  '/users': 'customers people locked blocked sessions log in login',
  '/widget': 'design colors logo login form',
  '/connect': 'shopify woocommerce stores shops tools integrations tests',
  '/webhooks': 'events callbacks',
};

/** Words for sections of the settings. Their titles and labels also find them. */
const SECTION_WORDS: Readonly<Record<string, string>> = {
  general: 'sender name application name',
  countries: 'block country allow',
  channels: 'order codes sms whatsapp voice',
  silent: 'resend fallback',
  limits: 'daily cost money',
};

const sections = SETTINGS_PAGES.flatMap((page) => page.sections);

export function placesOfApplication(application: Application, visit: Visit): Place[] {
  const about = application.name;
  const path = pathOf(application);
  const entries = shownGroups(APPLICATION_NAVIGATION, visit.may, true).flatMap((group) => group.entries);
  return [
    ...entries.map((entry) => ({
      // Its name finds the application.
      label: entry.path === '' ? application.name : entry.label,
      about: entry.path === '' ? `Application ${application.appKey}` : about,
      group: 'Pages',
      href: path + entry.path,
      words: PAGE_WORDS[entry.path] ?? '',
    })),
    ...sections.map(({ id, title, labels }) => ({
      label: title,
      about: `Settings of ${about}`,
      group: 'Settings',
      href: settingsPath(application, id),
      words: `${Object.values(labels).join(' ')} ${SECTION_WORDS[id] ?? ''}`,
    })),
    ...TEMPLATE_NAMES.map((template) => ({
      label: templateLabel(template),
      about: `Template of ${about}`,
      group: 'Templates',
      href: textPath(application, { template, channel: 'SMS', language: 'en' }),
    })),
    ...Object.entries(TOOLS).map(([name, { label }]) => ({
      label: `Connect ${label}`,
      about,
      group: 'Pages',
      href: `${path}/connect/${name}`,
    })),
  ];
}

/** States of messages that did not arrive. */
const LOST = new Set(['failed', 'refused', 'undelivered']);

/** The filters of the list of messages. `today`: when the day started. */
export function messageFilters(today: number): Place[] {
  const words = (state: string) => (LOST.has(state) ? 'customers received codes missing lost fail why' : '');
  return Object.entries(STATE_LABELS).flatMap(([name, { name: label }]) => {
    const state = name as keyof typeof STATE_LABELS;
    return [
      {
        label: `${label} messages`,
        about: 'Last 30 days',
        group: 'Messages',
        href: urlOf('/messages', { state }),
        words: words(name),
      },
      {
        label: `${label} messages today`,
        about: 'Since midnight',
        group: 'Messages',
        href: urlOf('/messages', { state, from: today }),
      },
    ];
  });
}

const guides: readonly Place[] = readGuides().map(({ title, path }) => ({
  label: title,
  about: 'Guide',
  group: 'Documentation',
  href: path,
  words: path.replace('/docs/', ''),
}));

/** For people with the right `own`. */
export const ERASE_PLACE: Place = {
  label: 'Erase a recipient',
  about: 'Messages',
  group: 'Pages',
  href: '/dashboard/recipients/erase',
  words: 'gdpr privacy delete customers person data',
};

/** Places that do not depend on the account. */
export const GENERAL_PLACES: readonly Place[] = [
  {
    label: 'Your profile',
    about: 'Sign-in and security',
    group: 'Pages',
    href: '/dashboard/account',
    words: 'forgot password passkeys two-factor authenticator profile sign out login weekly email notifications',
  },
  {
    label: 'Code expiry and length',
    about: 'Parameters of a request',
    group: 'Documentation',
    href: '/docs/api/otp#sendOtp',
    words: 'validity digits minutes',
  },
  ...guides,
];

/** Words for actions of the audit log. Their labels and groups also find them. */
const ACTION_WORDS: Readonly<Record<string, string>> = {
  'application.update': sections.map(({ title, labels }) => [title, ...Object.values(labels)].join(' ')).join(' '),
  'fraud.settings': 'protection',
  'template.set': 'wording messages',
  'person.role': 'permissions rights',
};

/** The audit log with a single action, for questions such as “Who changed the budget?” */
export const AUDIT_PLACES: readonly Place[] = ACTION_CHOICES.map(({ value, label, group }) => ({
  label,
  about: group,
  group: 'Audit log',
  href: `/dashboard/audit?${new URLSearchParams({ action: value })}`,
  words: `audit changed ${ACTION_WORDS[value] ?? ''}`,
}));

/** Parts of the page Channels. */
export const CHANNEL_PLACES: readonly Place[] = [
  {
    label: 'Sender domains',
    about: 'Channels',
    group: 'Channels',
    href: SENDER_DOMAINS_PATH,
    words: 'spf dkim dns email sender address',
  },
  ...CHANNELS.map((channel) => ({
    label: `${CHANNEL_NAMES[channel]} prices`,
    about: 'Channels',
    group: 'Channels',
    href: pricesPath(channel),
    words: 'costs currency',
  })),
];

const MAX_COUNTRIES = 2;
const MIN_COUNTRY_LENGTH = 3;

/** The settings of the countries that a text names, such as `ger`, `DE` or `stop sending to Germany`. */
export function placesOfCountries(text: string, applications: readonly Application[], hasPrices: boolean): Place[] {
  const code = countryNamed(text);
  const isNamed = (name: string) =>
    countryNamed(name) === code ||
    ` ${text.toLowerCase()} `.includes(` ${name.toLowerCase()} `) ||
    (text.length >= MIN_COUNTRY_LENGTH && name.toLowerCase().startsWith(text.toLowerCase()));
  return COUNTRY_NAMES.filter(isNamed)
    .slice(0, MAX_COUNTRIES)
    .flatMap((name) => [
      ...applications.flatMap((application) => [
        {
          label: `${name}: protection and pauses`,
          about: application.name,
          group: 'Countries',
          href: `${pathOf(application)}/protection`,
        },
        {
          label: `${name}: allowed and served countries`,
          about: application.name,
          group: 'Countries',
          href: settingsPath(application, 'countries'),
        },
      ]),
      ...(hasPrices
        ? [{ label: `${name}: prices`, about: 'Channels', group: 'Countries', href: pricesPath('SMS') }]
        : []),
    ]);
}
