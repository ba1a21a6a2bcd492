/** The recorded changes in words. */
import { LIMITS } from '../../modules/applications/application-limits.js';
import type { AuditAction, AuditEntry, Change } from '../../modules/audit/audit.js';
import { SHOP_TYPES } from '../../modules/automations/shop-types.js';
import { FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { countryInSentence, countryName } from '../../modules/recipients/country.js';
import { isOff, zeroName, type SettingTable } from '../../modules/settings/bounded-setting.js';
import { LANGUAGE_CODES } from '../../modules/templates/language-codes.js';
import { isNotification, languageLabel, templateLabel } from '../../modules/templates/template.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { PROVIDER_TYPES, providerType } from '../../providers/provider-types.js';
import { CHALLENGE_NAMES } from '../applications/parts.js';
import { countryTitle } from '../channels/prices-view.js';
import { withUnit } from '../with-unit.js';
import { labelsOf } from '../components/setting-fields.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { countText } from '../usage/figures.js';
import type { Targets } from './actions.js';

/** Names of settings on their pages. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  ...labelsOf(LIMITS),
  ...Object.fromEntries(Object.entries(labelsOf(FRAUD_THRESHOLDS)).map(([name, label]) => [`fraud ${name}`, label])),
  countries: 'Send only to',
  servedCountries: 'Countries that you serve',
  twoFactorWidget: 'Two-factor widget',
  strictTwoFactor: 'Strict mode of the two-factor widget',
  verifiedElsewhere: 'Your server checks the codes',
  silentSeconds: 'Seconds without a delivery report until a code is sent another way',
  webOtpHost: 'Site for autofill',
  androidAppHash: 'Android app for autofill',
  // The operator can change the currency later.
  budgetPerDay: 'Daily budget, in the currency of the prices',
  enabled: 'state',
  // The names of changes that are recorded as words.
  'old secret valid for hours': 'Hours for which the old App Secret stays valid',
  'erased at': 'Will be erased on',
};

const PROVIDER_FIELDS = PROVIDER_TYPES.flatMap(({ fields }) => fields);

/** Names of a provider's settings on its page, unless types give a setting different names. */
const PROVIDER_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  PROVIDER_FIELDS.filter(({ name, label }) =>
    PROVIDER_FIELDS.every((other) => other.name !== name || other.label === label),
  ).map(({ name, label }) => [name, label]),
);

const PROVIDER_CHOICES = new Map(
  PROVIDER_FIELDS.flatMap(({ name, choiceLabels = {} }) =>
    Object.entries(choiceLabels).map(([value, label]) => [`${name} ${value}`, label]),
  ),
);

/** Returns the label of a shop's event. Other systems can use any event name. */
const eventLabel = (event: string): string =>
  Object.values(SHOP_TYPES).find(({ events }) => events?.[event])?.events?.[event]?.label ?? event;

/** Returns the message and the event of an automation: `paid: payment_success` → `Payment received (Order paid)`. */
const automationText = (text: string): string =>
  text.replace(/^([\w.:/-]+): ([a-z_]+)$/, (_, event: string, template: string) =>
    isNotification(template) ? `${templateLabel(template)} (${eventLabel(event)})` : text,
  );

/** Returns the name of a setting, or its words: `graceHours` → `grace hours`. IDs are those of webhooks and shops. */
function wordsOf(name: string, action: AuditAction): string {
  if (action === 'price.change' && /^(?:\*|[A-Z]{2})$/.test(name)) return countryTitle(name);
  if (/[\da-f]{32}$/.test(name)) return `${name.startsWith('WHK-') ? 'webhook' : 'shop'} ${name}`;
  const words = automationText(name)
    .replace(/^country ([A-Z]{2})$/, (_, country: string) => `messages to ${countryInSentence(country)}`)
    .replace(/(?<=[a-z\d])[A-Z]|(?<=[a-z])\d/g, (start) => ` ${start.toLowerCase()}`)
    .replace(/\b(?:api|id|sid|sms|url)\b/g, (word) => word.toUpperCase());
  return (action.startsWith('provider.') && PROVIDER_SETTINGS[name]) || (SETTING_NAMES[name] ?? words);
}

const YES_NO = new Map(Object.entries({ true: 'yes', false: 'no' }));

/** Words for the values of settings that are a choice. */
const CHOICES = new Map(
  Object.entries({
    enabled: { true: 'on', false: 'off' },
    'fraud strictness': { 1: 'Relaxed', 2: 'Normal', 3: 'Strict' },
    'fraud pauseHome': { 0: 'email the owners', 1: 'pause messages' },
    challenge: CHALLENGE_NAMES,
    silentSeconds: { 0: 'off' },
    mode: { ordered: 'fixed order' },
  }).map(([name, words]) => [name, new Map(Object.entries(words))]),
);

/** All settings with bounds, by their names in the audit log. */
export const BOUNDED: SettingTable = {
  ...LIMITS,
  ...Object.fromEntries(Object.entries(FRAUD_THRESHOLDS).map(([name, setting]) => [`fraud ${name}`, setting])),
};

/** Returns a value in words: the names of countries and channels, and `off` for a limit of 0. */
function valueText(name: string, value: string, action: AuditAction): string {
  if (name === 'countries' || name === 'servedCountries')
    return value.split(', ').filter(Boolean).map(countryName).join(', ');
  if (name === 'channels' || name === 'channel')
    return value.replace(/[A-Z]+/g, (channel) => CHANNEL_NAMES[channel as ChannelName] ?? channel);
  if (name === 'language') return LANGUAGE_CODES.find((code) => code === value) ? languageLabel(value) : value;
  if (name === 'type') return providerType(value)?.title ?? value;
  const choice =
    (action.startsWith('provider.') && PROVIDER_CHOICES.get(`${name} ${value}`)) ||
    (CHOICES.get(name) ?? YES_NO).get(value);
  if (choice) return choice;
  const limit = BOUNDED[name];
  if (limit && value === '0' && isOff(limit, 0)) return zeroName(limit);
  return limit && /^\d+$/.test(value) ? countText(Number(value)) : automationText(value);
}

const isNumber = (text: string): boolean => /^\d/.test(text);

/** Returns the changes in words. The unit is part of the new value, or of the old one if the new one is no number. */
export const changesInWords = ({ action, changes }: AuditEntry): readonly Change[] =>
  changes.map((change) => {
    const name = wordsOf(change.name, action);
    const before = valueText(change.name, change.before, action);
    const after = valueText(change.name, change.after, action);
    const unit = BOUNDED[change.name]?.unit;
    if (unit && isNumber(after)) return { name, before, after: withUnit(after, unit) };
    return { name, before: unit && isNumber(before) ? withUnit(before, unit) : before, after };
  });

export function withProviderNames(entry: AuditEntry, { providers }: Pick<Targets, 'providers'>): AuditEntry {
  const named = (text: string) => providers.reduce((shown, { id, name }) => shown.replaceAll(id, name), text);
  const changes = entry.changes.map(({ name, before, after }) => ({
    name,
    before: named(before),
    after: named(after),
  }));
  return { ...entry, changes };
}
