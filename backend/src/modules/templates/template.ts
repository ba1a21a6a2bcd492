/** The message templates: the one-time code (`otp`) and the notifications that the API contract defines. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { TEMPLATES, VARIABLES } from '../../platform/contract/generated/templates.js';

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

const SAMPLE_VALUES: MessageVariables = {
  ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { sample }]) => [name, sample])),
  code: '123456',
  minutes: '5',
};

/** Returns a sample value for each variable of the template, except `application`. */
export function sampleVariables(template: string): MessageVariables {
  const names = templateVariables(template).filter((name) => name !== 'application');
  return Object.fromEntries(names.map((name) => [name, SAMPLE_VALUES[name] ?? '']));
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

export const templateLabel = (template: string): string =>
  isNotification(template) ? TEMPLATES[template].label : 'Verification code';

/** Returns a title such as `Order Shipped, SMS, English`. */
export const overrideTitle = ({ template, channel, language }: OverrideKey): string =>
  `${templateLabel(template)}, ${CHANNEL_LABELS[channel]}, ${languageLabel(language)}`;
