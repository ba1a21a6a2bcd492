import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { LIMIT_NAMES, LIMITS } from '../modules/applications/application-limits.js';
import { optionOf, zeroName } from '../modules/settings/bounded-setting.js';
import { applicationBlock } from './application-block.js';
import { addAction, addCommand, EFFECTIVE_TEXT, OperatorError, type Context } from './context.js';
import { addOptions, parametersOf, perform } from './operation.js';
import * as parse from './parse.js';

const CEILINGS_HELP = `
If you set a limit that is looser than the account's ceiling, the ceiling changes to this limit. If you turn a limit off
with 0, its ceiling is removed. If you set a ceiling later, it also applies to limits that are off. See "account ceilings".
`;

interface UpdateOptions extends Readonly<Record<string, unknown>> {
  readonly testRecipient?: readonly parse.TestRecipientChange[];
  readonly challengeSecretFile?: string;
  readonly design?: string;
}

/** Returns the application's test recipients after these changes. */
async function changedTestRecipients(
  context: Context,
  application: string,
  changes: readonly parse.TestRecipientChange[],
): Promise<Record<string, string>> {
  const { testRecipients } = await perform(context, 'getApplication', { application });
  const recipients = new Map(Object.entries(testRecipients));
  for (const { address, code } of changes) {
    if (code !== undefined) recipients.set(address, code);
    else if (!recipients.delete(address))
      throw new OperatorError(`${address} is not a test recipient of the application`);
  }
  return Object.fromEntries(recipients);
}

export function addAppUpdate(app: Command, context: Context): void {
  const description = `change an application; ${EFFECTIVE_TEXT}`;
  const command = addCommand(app, 'update', description, [
    'APP_KEY --status inactive',
    'APP_KEY --authorized-endpoints "https://shop.example,*.shop.example,203.0.113.0/24"',
    'APP_KEY --channels WHATSAPP,SMS --countries US,CA --cooldown-seconds 60',
    'APP_KEY --silent-seconds 30 --web-otp-host shop.example --android-app-hash "FA+9qCX9VSu"',
    'APP_KEY --test-recipient "+15550100=123456" --test-recipient "review@shop.example=246810"',
    'APP_KEY --challenge turnstile --challenge-site-key 0x4AAAAAAADnPIDROzbs0Aaj --challenge-secret-file secret.txt',
    `APP_KEY --design '{"title": "Sign in safely", "theme": "dark", "accentColor": "#0a7cff", "radius": 12}'`,
  ]).argument('<APP_KEY>', 'App Key of the application');
  const settings = addOptions(command, 'updateApplication', ['testRecipients', 'challengeSecret', 'design', 'limits']);
  command
    .option(
      '--test-recipient <RECIPIENT=CODE>',
      'recipient with a fixed code, to whom nothing is sent; "RECIPIENT=" removes the recipient; repeatable',
      parse.testRecipient,
    )
    .option(
      '--challenge-secret-file <FILE>',
      'file with the secret key of the vendor, to keep the key out of the shell history',
    )
    .option(
      '--design <JSON>',
      'design of the two-factor widget: title, logoUrl, theme, accentColor, backgroundColor, textColor, radius, language, texts; other values do not change',
      parse.jsonObject,
    );
  for (const name of LIMIT_NAMES) {
    const { text, default: usual, min, max } = LIMITS[name];
    const meaning = `${text}; default ${usual}, 0 = ${zeroName(LIMITS[name])}`;
    command.option(`--${optionOf(name)} <N>`, meaning, parse.wholeNumber(min, max));
  }
  command.addHelpText('after', CEILINGS_HELP);
  addAction(command, context, async (application: string, options: UpdateOptions) => {
    const { testRecipient, challengeSecretFile, design } = options;
    if (Object.keys(options).every((name) => name === 'json'))
      command.error('error: nothing to change: specify at least one option');
    const limits = Object.fromEntries(LIMIT_NAMES.flatMap((name) => (name in options ? [[name, options[name]]] : [])));
    const data = await perform(context, 'updateApplication', {
      application,
      ...parametersOf(settings, options),
      limits,
      ...(design === undefined ? {} : { design }),
      ...(testRecipient ? { testRecipients: await changedTestRecipients(context, application, testRecipient) } : {}),
      ...(challengeSecretFile === undefined ? {} : { challengeSecret: readFileSync(challengeSecretFile, 'utf8') }),
    });
    return { data, text: applicationBlock(data) };
  });
}
