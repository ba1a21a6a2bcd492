/** `passbell template`: what messages say, and an application's own texts in place of it. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CHANNELS, type ChannelName, type Content } from '../providers/provider.js';
import type { Application } from '../modules/applications/application.js';
import { findTemplate, templateOf } from '../modules/notifications/catalogue.js';
import type { OverrideKey } from '../modules/templates/overrides-store.js';
import { samplesOf } from '../modules/templates/templates-service.js';
import { LANGUAGES } from '../modules/templates/rendering/languages.js';
import { OverrideError } from '../modules/templates/rendering/override.js';
import { TEMPLATE_NAMES, templateVariables } from '../modules/templates/rendering/render.js';
import { OperatorError, withExamples, type Context } from './context.js';
import { answer, block, JSON_OPTION, table, type OutputOptions } from './output.js';

interface KeyOptions extends OutputOptions {
  readonly channel: ChannelName;
  readonly language: string;
}

interface SetOptions extends KeyOptions {
  readonly text?: string;
  readonly textFile?: string;
  readonly subject?: string;
}

interface PreviewOptions extends KeyOptions {
  readonly variable?: Readonly<Record<string, string>>;
  readonly html?: boolean;
}

export function addTemplateCommands(program: Command, context: Context): void {
  const template = program.command('template').description("what messages say, and an application's own texts");
  withExamples(template, [
    'list',
    'set APP_KEY order_shipped --channel SMS --text "Order {{ orderId }} is on its way!"',
    'preview APP_KEY order_shipped --channel EMAIL',
    'unset APP_KEY order_shipped --channel SMS',
  ]);
  addList(template, context);
  addSet(template, context);
  addUnset(template, context);
  addPreview(template, context);
}

async function applicationOf(context: Context, appKey: string): Promise<Application> {
  return (await context.service()).applications.existing(appKey);
}

function templateName(text: string): string {
  const name = TEMPLATE_NAMES.find((one) => one === text.trim().toLowerCase()) ?? findTemplate(text);
  if (name === undefined) throw new InvalidArgumentError(`It must be one of ${TEMPLATE_NAMES.join(', ')}.`);
  return name;
}

/** A command about one text: its template, channel and language. */
function keyCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .argument('<APP_KEY>', 'key of the application')
    .argument('<TEMPLATE>', 'name of the template, as in "template list"', templateName)
    .addOption(new Option('--channel <CHANNEL>', 'channel of the text').choices(CHANNELS).makeOptionMandatory())
    .addOption(
      new Option('--language <LANGUAGE>', 'language of the text').choices(Object.keys(LANGUAGES)).default('en'),
    )
    .option(...JSON_OPTION);
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
  // `application` is there for own texts; approved WhatsApp templates number what follows it.
  const numbered = variables.slice(1).map((variable, index) => `${index + 1} ${variable}`);
  return [name, needed, numbered.join(', ').replace(/(.{50,70}?), /g, '$1,\n')];
}

function addList(template: Command, context: Context): void {
  const list = template
    .command('list')
    .description('show all templates with their variables, or the own texts of an application')
    .argument('[APP_KEY]', 'key of the application')
    .option(...JSON_OPTION)
    .action(async (appKey: string | undefined, output: OutputOptions) => {
      if (appKey === undefined) {
        const all = TEMPLATE_NAMES.map(templateJson);
        return answer(context, output, all, table(['Template', 'Needs', 'Variables'], all.map(templateRow)));
      }
      const application = await applicationOf(context, appKey);
      const own = await (await context.service()).templates.list(application);
      const rows = own.map(({ template: name, channel, language, subject, text }) => [
        `${name}\n${channel} ${language}`,
        [...(subject === null ? [] : [`Subject: ${subject}`]), text].join('\n'),
      ]);
      answer(context, output, own, rows.length > 0 ? table(['Template', 'Text'], rows) : 'It has no texts of its own.');
    });
  withExamples(list, ['', '--json', 'APP_KEY']);
}

/** Runs what may refuse a text, and says why as an operator reads it. */
async function judged<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw error instanceof OverrideError ? new OperatorError(error.message) : error;
  });
}

function addSet(template: Command, context: Context): void {
  const set = keyCommand(template, 'set', 'replace a text; running servers follow within 2 seconds')
    .option('--text <TEXT>', 'the text, in Liquid; a call reads one sentence a line')
    .option('--text-file <FILE>', 'file that holds the text')
    .option('--subject <TEXT>', 'subject, of a mail')
    .action(async (appKey: string, name: string, options: SetOptions) => {
      const { text, textFile, subject = null } = options;
      if ((text === undefined) === (textFile === undefined)) set.error('error: give either --text or --text-file');
      const application = await applicationOf(context, appKey);
      const own = { ...keyOf(name, options), subject, text: text ?? (await readFile(textFile!, 'utf8')) };
      const { templates } = await context.service();
      await judged(() => templates.set(application, own));
      const content = await templates.preview(application, own, samplesOf(name));
      answer(context, options, own, `Kept. With the sample variables it says:\n\n${shown(content)}`);
    });
  withExamples(set, [
    'APP_KEY order_shipped --channel SMS --text "Order {{ orderId }} is on its way!{% if trackingLink %} {{ trackingLink }}{% endif %}"',
    'APP_KEY order_placed --channel EMAIL --language de --subject "Bestellung {{ orderId }}" --text-file order-placed.de.liquid',
  ]);
}

function addUnset(template: Command, context: Context): void {
  const unset = keyCommand(template, 'unset', "go back to the service's own text").action(
    async (appKey: string, name: string, options: KeyOptions) => {
      const application = await applicationOf(context, appKey);
      const key = keyOf(name, options);
      if (!(await (await context.service()).templates.unset(application, key)))
        throw new OperatorError(`the application has no text of its own for ${name}, ${key.channel}, ${key.language}`);
      answer(context, options, key, "The service's own text is back.");
    },
  );
  withExamples(unset, ['APP_KEY order_shipped --channel SMS']);
}

/** What a person would read or hear. */
function shown(content: Content): string {
  if (content.kind === 'text') return content.text;
  if (content.kind === 'speech') return content.sentences.join('\n');
  return `${block([['Subject', content.subject]])}\n\n${content.text}`;
}

/** `name=value`, collected over all times that the option is given. */
function variable(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const split = text.indexOf('=');
  if (split < 1) throw new InvalidArgumentError('It must be NAME=VALUE, such as orderId=A-1001.');
  return { ...before, [text.slice(0, split)]: text.slice(split + 1) };
}

function addPreview(template: Command, context: Context): void {
  const preview = keyCommand(template, 'preview', 'show what a message says; nothing is sent')
    .option('--variable <NAME=VALUE>', 'a variable; repeatable; samples of all when none is given', variable)
    .option('--html', 'the HTML of a mail, for a browser')
    .action(async (appKey: string, name: string, options: PreviewOptions) => {
      const application = await applicationOf(context, appKey);
      const values = options.variable ?? samplesOf(name);
      const { templates } = await context.service();
      const content = await judged(() => templates.preview(application, keyOf(name, options), values));
      if (options.html && content.kind !== 'email') preview.error('error: only a mail has HTML');
      answer(context, options, content, options.html && content.kind === 'email' ? content.html : shown(content));
    });
  withExamples(preview, [
    'APP_KEY order_shipped --channel VOICE --language pl',
    'APP_KEY order_shipped --channel EMAIL --variable orderId=A-1 --html > mail.html',
  ]);
}
