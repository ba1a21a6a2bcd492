/** The message templates: the one-time code (`otp`) and the notifications that the API contract defines. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { TEMPLATES, VARIABLES } from '../../platform/contract/generated/templates.js';
import { languageOf } from './rendering/languages.js';

export type TemplateName = keyof typeof TEMPLATES;
export type VariableName = keyof typeof VARIABLES;

/** How the emails and the widget of an account look. Empty fields select the default. */
export interface Branding {
  /** Color of links and buttons. White text is readable on it. */
  readonly accentColor: string;
  /** Plain text below emails, such as a postal address. */
  readonly footer: string;
  readonly logoUrl: string;
}

export const NO_BRANDING: Branding = { accentColor: '', footer: '', logoUrl: '' };

/** Where people enter the codes of an application, so that their devices can fill them in. An empty field is not set. */
export interface Autofill {
  /** Host name of the site. */
  readonly webOtpHost: string;
  /** Identifies an Android app, which computes it from its package name and certificate. */
  readonly androidAppHash: string;
}

/**
 * Message variables by name, including `application`, `language`, `voiceLanguage`, the fields of {@link Autofill}, and
 * `attachmentName` and `attachmentUrl`.
 */
export type MessageVariables = Readonly<Record<string, string>>;

/**
 * Name of the template for security emails to dashboard users. Not in `TEMPLATE_NAMES`, because applications cannot
 * send or change these emails.
 */
export const SECURITY_NOTICE = 'security_notice';

export const TEMPLATE_NAMES: readonly string[] = ['otp', ...Object.keys(TEMPLATES)];

export const isNotification = (template: string): template is TemplateName => Object.hasOwn(TEMPLATES, template);

/** Returns a notification's variables in the order in which approved WhatsApp templates number them. */
export function notificationVariables(template: TemplateName): VariableName[] {
  const { required, oneOf, optional } = TEMPLATES[template];
  return [...required, ...oneOf, ...optional];
}

export const templateVariables = (template: string): string[] => [
  'application',
  ...(isNotification(template) ? notificationVariables(template) : ['code', 'minutes']),
];

/** Returns a sample value for each variable of the template, except `application`, in the given language. */
export function sampleVariables(template: string, language = 'en'): MessageVariables {
  if (!isNotification(template)) return { code: '123456', minutes: '5' };
  const { samples } = languageOf(language);
  const sampleOf = (name: VariableName) => samples[`${template}.${name}`] ?? samples[name] ?? VARIABLES[name].sample;
  return Object.fromEntries(notificationVariables(template).map((name) => [name, sampleOf(name)]));
}

export interface OverrideKey {
  readonly template: string;
  readonly channel: ChannelName;
  readonly language: string;
}

export interface OverrideText {
  /** Null on every channel except email. */
  readonly subject: string | null;
  readonly text: string;
}

export type Override = OverrideKey & OverrideText;

export const CHANNEL_LABELS: Readonly<Record<ChannelName, string>> = {
  SMS: 'SMS',
  WHATSAPP: 'WhatsApp',
  VOICE: 'Voice call',
  EMAIL: 'Email',
};

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
/** Returns the English name of a language. The Portuguese texts are Brazilian. */
export const languageLabel = (code: string): string => languageNames.of(code === 'pt' ? 'pt-BR' : code) ?? code;

/** Returns a label of the contract in sentence case: `Order ID`, `Order shipped`. No-code hosts show it in title case. */
export const sentenceCase = (label: string): string =>
  label.replace(/ [A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());

export const templateLabel = (template: string): string =>
  isNotification(template) ? sentenceCase(TEMPLATES[template].label) : 'Verification code';

/** Returns a title such as `Order shipped, SMS, English`. */
export const overrideTitle = ({ template, channel, language }: OverrideKey): string =>
  `${templateLabel(template)}, ${CHANNEL_LABELS[channel]}, ${languageLabel(language)}`;
