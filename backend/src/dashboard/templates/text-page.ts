/** Which text a page is about, and what its form holds. */
import { CHANNELS, type ChannelName } from '../../providers/provider.js';
import { TEMPLATES, VARIABLES } from '../../platform/contract/generated/templates.js';
import { isWebLink } from '../../platform/http/web-link.js';
import type { OverrideKey } from '../../modules/templates/overrides-store.js';
import { samplesOf } from '../../modules/templates/templates-service.js';
import { LANGUAGES } from '../../modules/templates/rendering/languages.js';
import type { OverrideText } from '../../modules/templates/rendering/override.js';
import { TEMPLATE_NAMES } from '../../modules/templates/rendering/render.js';
import { textOf, type FormBody, type FormState } from '../form.js';
import { PageNotFound } from '../page.js';

export const CHANNEL_LABELS: Readonly<Record<ChannelName, string>> = {
  SMS: 'SMS',
  WHATSAPP: 'WhatsApp',
  VOICE: 'Call',
  EMAIL: 'E-mail',
};

const names = new Intl.DisplayNames('en', { type: 'language' });
export const languageLabel = (code: string): string => names.of(code) ?? code;
export const LANGUAGE_CODES: readonly string[] = Object.keys(LANGUAGES);

export interface TemplateLabel {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly group: 'Codes' | 'Orders' | 'Invoices';
}

export const TEMPLATE_LABELS: readonly TemplateLabel[] = TEMPLATE_NAMES.map((name) => {
  if (name === 'otp') return { name, label: 'One-time code', help: 'Tells the code to enter.', group: 'Codes' };
  const { kind, label, help } = TEMPLATES[name as keyof typeof TEMPLATES];
  return { name, label, help, group: kind === 'order' ? 'Orders' : 'Invoices' };
});

export const labelOf = (template: string): TemplateLabel => TEMPLATE_LABELS.find(({ name }) => name === template)!;

/** The text that the path of a page names; one that does not exist is not found. */
export function keyIn({ template = '', channel = '', language = '' }: Readonly<Record<string, string>>): OverrideKey {
  const name = CHANNELS.find((one) => one.toLowerCase() === channel);
  if (!TEMPLATE_NAMES.includes(template) || !name || !LANGUAGE_CODES.includes(language)) throw new PageNotFound();
  return { template, channel: name, language };
}

export const templatesPath = (appKey: string): string => `/dashboard/applications/${appKey}/templates`;

export const textPath = (appKey: string, { template, channel, language }: OverrideKey): string =>
  `${templatesPath(appKey)}/${template}/${channel.toLowerCase()}/${language}`;

/** A text's name, for people. */
export const titleOf = ({ template, channel, language }: OverrideKey): string =>
  `${labelOf(template).label}, ${CHANNEL_LABELS[channel]}, ${languageLabel(language)}`;

/** What a variable is, for who fills in a sample. */
export interface VariableHelp {
  readonly name: string;
  readonly label: string;
  readonly link: boolean;
  readonly maxLength: number;
}

const OTP_VARIABLES: Readonly<Record<string, Omit<VariableHelp, 'name'>>> = {
  code: { label: 'Code', link: false, maxLength: 10 },
  minutes: { label: 'Minutes that it is valid', link: false, maxLength: 4 },
};

export const variablesOf = (template: string): VariableHelp[] =>
  Object.keys(samplesOf(template)).map((name) => ({
    name,
    ...(OTP_VARIABLES[name] ?? VARIABLES[name as keyof typeof VARIABLES]),
  }));

/** Name of a sample's field. */
export const sampleField = (variable: string): string => `sample-${variable}`;

/** What the form of a text holds, as it was typed or as it is filled in at first. */
export interface TextForm {
  readonly own: OverrideText;
  /** Values to try, without those that cannot be used. */
  readonly values: Readonly<Record<string, string>>;
  readonly state: FormState;
}

function problemWith({ name, link }: VariableHelp, value: string): string | undefined {
  if (link && value !== '' && !isWebLink(value)) return 'Enter a link that begins with https:// or http://.';
  if (name === 'minutes' && !/^\d{1,4}$/.test(value)) return 'Enter whole minutes, such as 5.';
  return name === 'code' && !/^[A-Za-z0-9]{4,10}$/.test(value) ? 'Enter 4 to 10 letters or digits.' : undefined;
}

function formOf(template: string, own: OverrideText, samples: Readonly<Record<string, string>>, to: string): TextForm {
  const errors: Record<string, string> = {};
  const values: Record<string, string> = {};
  const typed: Record<string, string> = {
    text: own.text,
    to,
    ...(own.subject === null ? {} : { subject: own.subject }),
  };
  for (const variable of variablesOf(template)) {
    const { name, maxLength } = variable;
    const value = (samples[name] ?? '').slice(0, maxLength);
    const problem = problemWith(variable, value);
    typed[sampleField(name)] = value;
    if (problem) errors[sampleField(name)] = problem;
    else if (value.trim() !== '') values[name] = value;
  }
  if (template === 'otp') for (const [name, sample] of Object.entries(samplesOf(template))) values[name] ??= sample;
  return { own, values, state: { typed, errors } };
}

/** A form that nobody has touched. */
export const freshForm = (template: string, own: OverrideText, to: string): TextForm =>
  formOf(template, own, samplesOf(template), to);

/** What was posted. */
export function postedForm({ template, channel }: OverrideKey, body: FormBody): TextForm {
  const subject = channel === 'EMAIL' ? textOf(body, 'subject').trim() : null;
  const samples = variablesOf(template).map(({ name }) => [name, textOf(body, sampleField(name))] as const);
  return formOf(
    template,
    { subject, text: textOf(body, 'text') },
    Object.fromEntries(samples),
    textOf(body, 'to').trim(),
  );
}
