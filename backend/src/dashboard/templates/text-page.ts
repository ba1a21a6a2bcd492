import type { AutomationsService } from '../../modules/automations/index.js';
import type { TemplatesService } from '../../modules/templates/index.js';
import type { MessageLookup } from '../../modules/messages/message-lookup.js';
import type { TestMessages } from '../../modules/test-sends/test-messages.js';
import type { Routing } from '../../modules/providers/routing.js';
import type { Application } from '../../modules/applications/application.js';
import { LANGUAGE_CODES } from '../../modules/templates/language-codes.js';
import type { OverrideProblem } from '../../modules/templates/rendering/override-problems.js';
import type { OverrideKey, OverrideText } from '../../modules/templates/template.js';
import { isNotification, sampleVariables, TEMPLATE_NAMES, templateLabel } from '../../modules/templates/template.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import { isWebLink } from '../../platform/http/web-link.js';
import type { Content } from '../../providers/provider.js';
import { submittedForm, textOf, type FormBody, type FormState } from '../form.js';
import { PageNotFound } from '../page.js';
import { sampleFieldName, sampleFields, type SampleField } from './sample-fields.js';
import { joinSentences, sentenceField } from './sentences.js';

export interface TextServices {
  readonly automations: AutomationsService;
  readonly templates: TemplatesService;
  readonly lookup: MessageLookup;
  readonly testMessages: TestMessages;
  readonly routing: Routing;
}

export interface TextProps {
  readonly application: Application;
  readonly textKey: OverrideKey;
  readonly services: Pick<TextServices, 'routing'>;
}

export interface TemplateInfo {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly group: 'Codes' | 'Orders' | 'Payments and refunds' | 'Invoices';
}

export function templateInfo(name: string): TemplateInfo {
  const label = templateLabel(name);
  if (!isNotification(name))
    return { name, label, help: 'Sent when someone must enter a code, for example to sign in.', group: 'Codes' };
  const { kind, help } = TEMPLATES[name];
  const orderGroup = /^(?:payment|refund)_/.test(name) ? 'Payments and refunds' : 'Orders';
  return { name, label, help, group: kind === 'order' ? orderGroup : 'Invoices' };
}

export function parseTextKey(params: Readonly<Record<string, string>>): OverrideKey {
  const { template = '' } = params;
  const channel = CHANNELS.find((name) => name.toLowerCase() === params.channel);
  const language = LANGUAGE_CODES.find((code) => code === params.language);
  if (!TEMPLATE_NAMES.includes(template) || !channel || !language) throw new PageNotFound();
  return { template, channel, language };
}

export const templatesPath = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/templates`;

export const textPath = (application: Application, { template, channel, language }: OverrideKey): string =>
  `${templatesPath(application)}/${template}/${channel.toLowerCase()}/${language}`;

export interface TextForm {
  readonly draft: OverrideText;
  readonly values: Readonly<Record<string, string>>;
  readonly state: FormState;
}

function sampleProblem({ name, link }: SampleField, value: string): string | undefined {
  if (link && value !== '' && !isWebLink(value)) return 'Enter a link that starts with https:// or http://.';
  if (name === 'minutes' && !/^\d{1,4}$/.test(value)) return 'Enter a whole number of minutes, such as 5.';
  return name === 'code' && !/^[A-Za-z0-9]{4,10}$/.test(value) ? 'Enter 4 to 10 letters or digits.' : undefined;
}

function textForm(template: string, draft: OverrideText, samples: Readonly<Record<string, string>>, to = ''): TextForm {
  const errors: Record<string, string> = {};
  const values: Record<string, string> = {};
  const typed: Record<string, string> = { text: draft.text, to };
  if (draft.subject !== null) typed.subject = draft.subject;
  for (const field of sampleFields(template)) {
    const { name, maxLength } = field;
    const value = (samples[name] ?? '').slice(0, maxLength);
    const problem = sampleProblem(field, value);
    typed[sampleFieldName(name)] = value;
    if (problem) errors[sampleFieldName(name)] = problem;
    else if (value.trim() !== '') values[name] = value;
  }
  return {
    draft,
    values: template === 'otp' ? { ...sampleVariables(template), ...values } : values,
    state: { typed, errors },
  };
}

export const initialForm = ({ template, language }: OverrideKey, draft: OverrideText): TextForm =>
  textForm(template, draft, sampleVariables(template, language));

/** Whether the form contains the whole text as Liquid, instead of its sentences. */
export const isLiquidForm = ({ text }: FormBody): boolean => text !== undefined;

function postedText(key: OverrideKey, body: FormBody): string {
  if (isLiquidForm(body)) return textOf(body, 'text');
  return joinSentences(textOf(body, 'source'), key, (sentence) =>
    body[sentenceField(sentence)] === undefined ? undefined : textOf(body, sentenceField(sentence)),
  );
}

export function postedForm(key: OverrideKey, body: FormBody): TextForm {
  const { template, channel } = key;
  const subject = channel === 'EMAIL' ? textOf(body, 'subject').trim() : null;
  const samples = sampleFields(template).map(({ name }) => [name, textOf(body, sampleFieldName(name))]);
  const draft = { subject, text: postedText(key, body) };
  const form = textForm(template, draft, Object.fromEntries(samples), textOf(body, 'to').trim());
  return { ...form, state: submittedForm(body, form.state.typed, form.state.errors) };
}

/** The result of rendering a draft with the form's sample values. */
export interface Rendering {
  readonly problems: readonly OverrideProblem[];
  readonly content: Content | undefined;
  readonly builtIn: Content;
}

export const isSameText = (a: OverrideText, b: OverrideText): boolean =>
  a.text.trim() === b.text.trim() && (a.subject ?? '').trim() === (b.subject ?? '').trim();

export function renderDraft(
  templates: TemplatesService,
  application: Application,
  key: OverrideKey,
  { draft, values }: TextForm,
  stored: OverrideText | null,
): Rendering {
  const builtIn = templates.preview(application, key, null, values);
  const isStored = stored !== null && isSameText(draft, stored);
  // Built-in texts are rendered directly: their Liquid version lacks some formatting, such as tables in emails.
  if (!isStored && isSameText(draft, templates.builtIn(key))) return { problems: [], content: builtIn, builtIn };
  const problems = templates.problems(application, { ...key, ...draft }, values);
  const content = problems.length === 0 ? templates.preview(application, key, draft, values) : undefined;
  return { problems, content, builtIn };
}
