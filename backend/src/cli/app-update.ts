/** `passbell app update`: everything about an application that the operator may change. */
import { Option, type Command } from 'commander';
import type { Service } from '../compose.js';
import { DEFAULT_LIMITS, type ApplicationLimits } from '../platform/limits.js';
import type { ApplicationSettings, ApplicationStatus, WidgetDesign } from '../modules/applications/application.js';
import { MAX_LIMIT, PHONE_CHANNELS } from '../modules/applications/setting-values.js';
import { applicationBlock, applicationJson, LIMIT_NAMES, LIMIT_OPTIONS } from './application-view.js';
import { LANGUAGES } from '../modules/templates/rendering/languages.js';
import { OperatorError, withExamples, type Context } from './context.js';
import { answer, JSON_OPTION, type OutputOptions } from './output.js';
import {
  applicationName,
  channels,
  countries,
  endpoints,
  messageLanguageOption,
  onOff,
  testRecipient,
  widgetDesign,
  wholeNumber,
  type TestRecipientChange,
} from './parse.js';

const STATUSES: readonly ApplicationStatus[] = ['active', 'inactive'];

type Given = Pick<
  ApplicationSettings,
  'authorizedEndpoints' | 'channels' | 'countries' | 'language' | 'strictTwoFactor'
>;

interface UpdateOptions extends OutputOptions, Partial<Given>, Partial<ApplicationLimits> {
  readonly name?: string;
  readonly status?: ApplicationStatus;
  readonly design?: Partial<WidgetDesign>;
  readonly testRecipient?: readonly TestRecipientChange[];
}

/** Those of the options that were given. */
function given<N extends keyof UpdateOptions>(options: UpdateOptions, ...names: N[]): Pick<UpdateOptions, N> {
  const entries = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return Object.fromEntries(entries) as Pick<UpdateOptions, N>;
}

async function changedTestRecipients(service: Service, appKey: string, changes: readonly TestRecipientChange[]) {
  const { settings } = await service.applications.existing(appKey);
  const recipients = new Map(Object.entries(settings.testRecipients));
  for (const { address, code } of changes) {
    if (code !== undefined) recipients.set(address, code);
    else if (!recipients.delete(address)) throw new OperatorError(`${address} is no test recipient of the application`);
  }
  return Object.fromEntries(recipients);
}

async function update(context: Context, appKey: string, { json, ...options }: UpdateOptions, command: Command) {
  if (Object.keys(options).length === 0) command.error('error: nothing to change: give at least one option');
  const service = await context.service();
  const { testRecipient: recipients } = options;
  const application = await service.applications.update(appKey, {
    ...given(options, 'name', 'status', 'design'),
    settings: {
      ...given(options, 'authorizedEndpoints', 'channels', 'countries', 'language', 'strictTwoFactor'),
      ...(recipients ? { testRecipients: await changedTestRecipients(service, appKey, recipients) } : {}),
    },
    limits: given(options, ...LIMIT_NAMES),
  });
  answer(context, json ? { json } : {}, applicationJson(application), applicationBlock(application));
}

export function addAppUpdate(app: Command, context: Context): void {
  const command = app
    .command('update')
    .description('change an application; running servers follow within 2 seconds')
    .argument('<APP_KEY>', 'key of the application')
    .option('--name <NAME>', 'name that recipients read in their messages', applicationName)
    .addOption(new Option('--status <STATUS>', 'an inactive application is refused').choices(STATUSES))
    .option(
      '--authorized-endpoints <LIST>',
      'origins, hosts, *.hosts, addresses or networks that may call; "" lets every caller in',
      endpoints,
    )
    .option('--channels <LIST>', `order for phone numbers: one or more of ${PHONE_CHANNELS.join(', ')}`, channels)
    .option('--countries <LIST>', 'ISO codes of the countries that may be sent to; "" allows all', countries)
    .option(
      '--language <LANGUAGE>',
      `language of messages whose request names none: ${Object.keys(LANGUAGES).join(', ')}; "" for the service's`,
      messageLanguageOption,
    )
    .option(
      '--test-recipient <RECIPIENT=CODE>',
      'fixed code, nothing is sent; "RECIPIENT=" ends it; repeatable',
      testRecipient,
    )
    .option(
      '--strict-two-factor <on|off>',
      "whether the two-factor widget needs a userToken of the site's server on every call",
      onOff,
    )
    .option(
      '--design <JSON>',
      'how the two-factor widget looks: title, logoUrl, theme, accentColor, backgroundColor, textColor, radius, language, texts; what is not named stays',
      widgetDesign,
    );
  for (const name of LIMIT_NAMES) {
    const [option, meaning] = LIMIT_OPTIONS[name];
    const text = `${meaning}; default ${DEFAULT_LIMITS[name]}, 0 = off`;
    command.option(`--${option} <N>`, text, wholeNumber(0, MAX_LIMIT));
  }
  command
    .option(...JSON_OPTION)
    .action((appKey: string, options: UpdateOptions) => update(context, appKey, options, command));
  withExamples(command, [
    'APP_KEY --status inactive',
    'APP_KEY --authorized-endpoints "https://shop.example,*.shop.example,203.0.113.0/24"',
    'APP_KEY --channels WHATSAPP,SMS --countries US,CA --cooldown-seconds 60',
    'APP_KEY --test-recipient "+15550100=123456" --test-recipient "review@shop.example=246810"',
    `APP_KEY --design '{"title": "Sign in safely", "theme": "dark", "accentColor": "#0a7cff", "radius": 12}'`,
  ]);
}
