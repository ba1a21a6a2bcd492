/** The body of a request to the WhatsApp Cloud API. Each message uses a template that Meta has approved. */
import { ProviderError, type Content, type OutgoingMessage } from '../provider.js';

/** An approved template and its language code, such as `en_US`. */
export interface ApprovedTemplate {
  readonly name: string;
  readonly language: string;
}

/**
 * Approved templates by template name, with an optional language: `otp`, `otp.de`, `order_shipped`. After `.document`,
 * the template has a document header: `invoice_paid.document`, `invoice_paid.document.de`.
 */
export type ApprovedTemplates = Readonly<Record<string, ApprovedTemplate>>;

type TextContent = Extract<Content, { kind: 'text' }>;

/** Reads `otp = verification_code/en_US` from lines or from a list that is separated by commas. */
export function parseTemplates(text: string): ApprovedTemplates {
  const entries = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, key, name, language] = /^([\w.-]+)\s*=\s*([a-z0-9_]+)\s*\/\s*([A-Za-z_]{2,10})$/.exec(line) ?? [];
      if (!key || !name || !language)
        throw new Error(`contains “${line}”, which must be written like otp = verification_code/en_US`);
      return [key, { name, language }] as const;
    });
  return Object.fromEntries(entries);
}

const find = (name: string, { language }: TextContent, templates: ApprovedTemplates): ApprovedTemplate | undefined =>
  templates[`${name}.${language}`] ?? templates[name];

function templateFor(content: TextContent, templates: ApprovedTemplates) {
  const { template = 'otp', document } = content;
  const withDocument = document && find(`${template}.document`, content, templates);
  if (withDocument)
    return { ...withDocument, header: { type: 'header', parameters: [{ type: 'document', document }] } };
  const found = find(template, content, templates);
  if (found) return { ...found, header: undefined };
  const reason = `there is no approved WhatsApp template for ${template}`;
  throw new ProviderError('permanent', reason, undefined, 'route');
}

/** WhatsApp rejects variables that contain line breaks or long runs of spaces. */
const parameter = (value: string) => ({ type: 'text', text: value.replace(/\s+/g, ' ').trim() || '-' });

/** A code appears twice: in the text, and in the button that copies it. */
function componentsOf({ template, variables = [] }: TextContent) {
  const body = { type: 'body', parameters: variables.map(parameter) };
  if (template !== undefined) return variables.length > 0 ? [body] : [];
  const button = { type: 'button', sub_type: 'url', index: '0', parameters: variables.map(parameter) };
  return [body, button];
}

export function messageBody({ id, to, content }: OutgoingMessage, templates: ApprovedTemplates) {
  if (content.kind !== 'text') throw new ProviderError('permanent', 'this content is not a text message');
  const { name, language, header } = templateFor(content, templates);
  const components = [...(header ? [header] : []), ...componentsOf(content)];
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: to.replace(/^\+/, ''),
    type: 'template',
    template: { name, language: { code: language }, components },
    // Meta returns this value in its delivery reports.
    biz_opaque_callback_data: id,
  };
}
