import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import type { Content } from '../providers/provider.js';
import { CHANNELS, type ChannelName } from '../platform/contract/channels.js';
import { findTemplate, templateOf } from '../modules/notifications/catalogue.js';
import { sampleVariables, TEMPLATE_NAMES, templateVariables, type OverrideKey } from '../modules/templates/template.js';
import { accentNote } from '../modules/templates/rendering/message-length.js';
import { LANGUAGE_CODES } from '../modules/templates/language-codes.js';
import { addAction, addCommand, EFFECTIVE_TEXT, OperatorError, type Context } from './context.js';
import { formatBlock, formatTable } from './output.js';

interface KeyOptions {
  readonly channel: ChannelName;
  readonly language: string;
}

export function complete(template: Command, context: Context): void {
  addList(template, context);
  addSet(template, context);
  addUnset(template, context);
  addPreview(template, context);
}

function templateName(text: string): string {
  const name = TEMPLATE_NAMES.find((template) => template === text.trim().toLowerCase()) ?? findTemplate(text);
  if (name === undefined) throw new InvalidArgumentError(`It must be one of ${TEMPLATE_NAMES.join(', ')}.`);
  return name;
}

function keyCommand(parent: Command, name: string, description: string, examples: readonly string[]): Command {
  return addCommand(parent, name, description, examples)
    .argument('<APP_KEY>', 'App Key of the application')
    .argument('<TEMPLATE>', 'name of the template, as shown by `passbell template list`', templateName)
    .addOption(new Option('--channel <CHANNEL>', 'channel of the text').choices(CHANNELS).makeOptionMandatory())
    .addOption(new Option('--language <LANGUAGE>', 'language of the text').choices(LANGUAGE_CODES).default('en'));
}

const keyOf = (template: string, { channel, language }: KeyOptions): OverrideKey => ({ template, channel, language });

function templateJson(name: string) {
  const named = findTemplate(name);
  if (named === undefined)
    return { name, variables: templateVariables(name), required: ['code'], oneOf: [], aliases: [] };
  const { required, oneOf, aliases } = templateOf(named);
  return { name, variables: templateVariables(name), required, oneOf, aliases };
}

function templateRow({ name, variables, required, oneOf }: ReturnType<typeof templateJson>): string[] {
  const needed = [...required, ...(oneOf.length > 0 ? [oneOf.join(' or ')] : [])].join(', ');
  // Numbers the variables as in approved WhatsApp templates, which do not contain the first variable, `application`.
  const numbered = variables.slice(1).map((variable, index) => `${index + 1} ${variable}`);
  return [name, needed, numbered.join(', ').replace(/(.{50,70}?), /g, '$1,\n')];
}

function addList(template: Command, context: Context): void {
  const description = 'list all templates with their variables, or the custom texts of an application';
  const list = addCommand(template, 'list', description, ['', '--json', 'APP_KEY']);
  list.argument('[APP_KEY]', 'App Key of the application');
  addAction(list, context, async (appKey: string | undefined) => {
    if (appKey === undefined) {
      const data = TEMPLATE_NAMES.map(templateJson);
      return { data, text: formatTable(['Template', 'Required', 'Variables'], data.map(templateRow), '') };
    }
    const { applications, templates } = await context.core();
    const data = await templates.service.list(await applications.service.load(appKey));
    const rows = data.map(({ template: name, channel, language, subject, text }) => [
      `${name}\n${channel} ${language}`,
      subject === null ? text : `Subject: ${subject}\n${text}`,
    ]);
    return { data, text: formatTable(['Template', 'Text'], rows, 'This application has no custom texts.') };
  });
}

function addSet(template: Command, context: Context): void {
  const set = keyCommand(template, 'set', `set a custom text; ${EFFECTIVE_TEXT}`, [
    'APP_KEY order_shipped --channel SMS --text "Order {{ orderId }} is on its way!{% if trackingLink %} {{ trackingLink }}{% endif %}"',
    'APP_KEY order_placed --channel EMAIL --language de --subject "Bestellung {{ orderId }}" --text-file order-placed.de.liquid',
  ])
    .option('--text <TEXT>', 'the text, in Liquid; for voice calls, one sentence per line')
    .option('--text-file <FILE>', 'file that contains the text')
    .option('--subject <TEXT>', 'subject of an email');
  type SetOptions = KeyOptions & { text?: string; textFile?: string; subject?: string };
  addAction(set, context, async (appKey: string, name: string, options: SetOptions) => {
    const { text, textFile, subject = null } = options;
    if ((text === undefined) === (textFile === undefined)) set.error('error: specify either --text or --text-file');
    const { applications, templates } = await context.core();
    const application = await applications.service.load(appKey);
    const data = { ...keyOf(name, options), subject, text: text ?? (await readFile(textFile!, 'utf8')) };
    await templates.service.save(OPERATOR, application, data);
    const content = templates.service.preview(application, data, data, sampleVariables(name, data.language));
    return { data, text: `Saved. With the sample variables:\n\n${contentText(content)}` };
  });
}

function addUnset(template: Command, context: Context): void {
  const examples = ['APP_KEY order_shipped --channel SMS'];
  const unset = keyCommand(template, 'unset', 'restore the built-in text', examples);
  addAction(unset, context, async (appKey: string, name: string, options: KeyOptions) => {
    const { applications, templates } = await context.core();
    const key = keyOf(name, options);
    if (!(await templates.service.remove(OPERATOR, await applications.service.load(appKey), key)))
      throw new OperatorError(`the application has no custom text for ${name}, ${key.channel}, ${key.language}`);
    return { data: key, text: 'The built-in text was restored.' };
  });
}

function contentText(content: Content): string {
  if (content.kind === 'text') {
    const note = accentNote(content);
    return note === undefined ? content.text : `${content.text}\n\nAccents: ${note}`;
  }
  if (content.kind === 'speech') return content.sentences.join('\n');
  return `${formatBlock([['Subject', content.subject]])}\n\n${content.text}`;
}

/** Parses `name=value`, and adds the variable to `previous`, the values from earlier uses of the option. */
function parseVariable(text: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const split = text.indexOf('=');
  if (split < 1) throw new InvalidArgumentError('It must be NAME=VALUE, such as orderId=A-1001.');
  return { ...previous, [text.slice(0, split)]: text.slice(split + 1) };
}

function addPreview(template: Command, context: Context): void {
  const preview = keyCommand(template, 'preview', 'preview a message; nothing is sent', [
    'APP_KEY order_shipped --channel VOICE --language pl',
    'APP_KEY order_shipped --channel EMAIL --variable orderId=A-1 --html > email.html',
  ])
    .option(
      '--variable <NAME=VALUE>',
      'a variable; repeatable; sample values are used if you specify none',
      parseVariable,
    )
    .option('--html', 'output the HTML of an email');
  type PreviewOptions = KeyOptions & { variable?: Readonly<Record<string, string>>; html?: boolean };
  addAction(preview, context, async (appKey: string, name: string, options: PreviewOptions) => {
    const { applications, templates } = await context.core();
    const application = await applications.service.load(appKey);
    const key = keyOf(name, options);
    const values = options.variable ?? sampleVariables(name, key.language);
    const data = templates.service.preview(application, key, await templates.service.find(application, key), values);
    if (options.html && data.kind !== 'email') preview.error('error: only emails have HTML');
    return { data, text: options.html && data.kind === 'email' ? data.html : contentText(data) };
  });
}
