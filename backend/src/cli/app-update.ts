import { LIMIT_NAMES, LIMITS, type ApplicationLimits } from '../modules/applications/application-limits.js';
import { Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import type { ApplicationChange } from '../modules/applications/application-change.js';
import type { Core } from '../core.js';
import type {
  Application,
  ApplicationSettings,
  ApplicationStatus,
  WidgetDesign,
} from '../modules/applications/application.js';
import { CHALLENGE_KINDS, type ChallengeKind } from '../modules/applications/challenge-settings.js';
import { PHONE_CHANNELS } from '../platform/contract/channels.js';
import { optionOf, zeroName } from '../modules/settings/bounded-setting.js';
import { applicationBlock, applicationJson } from './application-view.js';
import { LANGUAGE_CODES } from '../modules/templates/language-codes.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import * as parse from './parse.js';

const CEILINGS_HELP = `
If a limit exceeds its ceiling, the ceiling of the account changes to the limit, and 0 removes the ceiling. If you set a
ceiling later, it also applies to limits that are off. See "account ceilings".
`;

const STATUSES: readonly ApplicationStatus[] = ['active', 'inactive'];

type SettingOption =
  | 'authorizedEndpoints'
  | 'channels'
  | 'countries'
  | 'servedCountries'
  | 'language'
  | 'twoFactorWidget'
  | 'strictTwoFactor'
  | 'verifiedElsewhere'
  | 'silentSeconds'
  | 'quietHours'
  | 'webOtpHost'
  | 'androidAppHash';

interface UpdateOptions extends Partial<Pick<ApplicationSettings, SettingOption>>, Partial<ApplicationLimits> {
  readonly name?: string;
  readonly status?: ApplicationStatus;
  readonly design?: Partial<WidgetDesign>;
  readonly testRecipient?: readonly parse.TestRecipientChange[];
  readonly challenge?: ChallengeKind;
  readonly challengeSiteKey?: string;
  readonly challengeSecretFile?: string;
  readonly json?: boolean;
}

function presentOptions<N extends keyof UpdateOptions>(options: UpdateOptions, ...names: N[]): Pick<UpdateOptions, N> {
  const entries = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return Object.fromEntries(entries) as Pick<UpdateOptions, N>;
}

function changedTestRecipients({ settings }: Application, changes: readonly parse.TestRecipientChange[]) {
  const recipients = new Map(Object.entries(settings.testRecipients));
  for (const { address, code } of changes) {
    if (code !== undefined) recipients.set(address, code);
    else if (!recipients.delete(address))
      throw new OperatorError(`${address} is not a test recipient of the application`);
  }
  return Object.fromEntries(recipients);
}

/** Returns the change of the challenge; nothing if no option changes it. */
function challengeChange(options: UpdateOptions): Pick<ApplicationChange, 'challenge'> {
  const { challenge: kind, challengeSiteKey: siteKey, challengeSecretFile: secret } = options;
  const entries = Object.entries({ kind, siteKey, secret }).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? { challenge: Object.fromEntries(entries) } : {};
}

async function update({ applications }: Core, appKey: string, options: UpdateOptions): Promise<Application> {
  const { testRecipient: changes } = options;
  const testRecipients = changes && changedTestRecipients(await applications.service.load(appKey), changes);
  return applications.service.update(OPERATOR, appKey, {
    ...presentOptions(options, 'name', 'status', 'design'),
    settings: {
      ...presentOptions(
        options,
        'authorizedEndpoints',
        'channels',
        'countries',
        'servedCountries',
        'language',
        'twoFactorWidget',
        'strictTwoFactor',
        'verifiedElsewhere',
        'silentSeconds',
        'quietHours',
        'webOtpHost',
        'androidAppHash',
      ),
      ...(testRecipients ? { testRecipients } : {}),
    },
    ...challengeChange(options),
    limits: presentOptions(options, ...LIMIT_NAMES),
  });
}

export function addAppUpdate(app: Command, context: Context): void {
  const command = addCommand(
    app,
    'update',
    'change an application; running servers apply the change within 2 seconds',
    [
      'APP_KEY --status inactive',
      'APP_KEY --authorized-endpoints "https://shop.example,*.shop.example,203.0.113.0/24"',
      'APP_KEY --channels WHATSAPP,SMS --countries US,CA --cooldown-seconds 60',
      'APP_KEY --silent-seconds 30 --web-otp-host shop.example --android-app-hash "FA+9qCX9VSu"',
      'APP_KEY --test-recipient "+15550100=123456" --test-recipient "review@shop.example=246810"',
      'APP_KEY --challenge turnstile --challenge-site-key 0x4AAAAAAADnPIDROzbs0Aaj --challenge-secret-file secret.txt',
      `APP_KEY --design '{"title": "Sign in safely", "theme": "dark", "accentColor": "#0a7cff", "radius": 12}'`,
    ],
  )
    .argument('<APP_KEY>', 'App Key of the application')
    .option('--name <NAME>', 'name that recipients see in messages', parse.applicationName)
    .addOption(new Option('--status <STATUS>', 'requests of an inactive application are rejected').choices(STATUSES))
    .option(
      '--authorized-endpoints <LIST>',
      'origins, hosts, *.hosts, IP addresses or networks that may call the API; "" allows every caller',
      parse.endpoints,
    )
    .option(
      '--channels <LIST>',
      `channels for phone numbers, in this order: one or more of ${PHONE_CHANNELS.join(', ')}; landlines get a call only if you list VOICE`,
      parse.channels,
    )
    .option('--countries <LIST>', 'ISO codes of the countries to send to; "" allows all', parse.countries)
    .option(
      '--served-countries <LIST>',
      'ISO codes of countries that you serve, so that the fraud guard allows calls and more messages there',
      parse.countries,
    )
    .option(
      '--language <LANGUAGE>',
      `default language of messages: ${LANGUAGE_CODES.join(', ')}; "" for English`,
      parse.messageLanguageOption,
    )
    .option(
      '--test-recipient <RECIPIENT=CODE>',
      'recipient with a fixed code, to whom nothing is sent; "RECIPIENT=" removes it; repeatable',
      parse.testRecipient,
    )
    .option(
      '--two-factor-widget <on|off>',
      'allow the two-factor widget; turn it off if the application does not use two-factor',
      parse.onOff,
    )
    .option(
      '--strict-two-factor <on|off>',
      'require a userToken, signed by your server, in every call of the two-factor widget',
      parse.onOff,
    )
    .option(
      '--verified-elsewhere <on|off>',
      'on if your site checks codes itself; the fraud guard then uses only the codes that your server reports with /auth/reportverified',
      parse.onOff,
    )
    .addOption(
      new Option(
        '--challenge <KIND>',
        'challenge for suspicious requests: altcha is a proof of work from this server; turnstile and hcaptcha need the keys of the vendor',
      ).choices(CHALLENGE_KINDS),
    )
    .option('--challenge-site-key <KEY>', 'site key of the vendor', parse.challengeKey)
    .option(
      '--challenge-secret-file <FILE>',
      'file with the secret key of the vendor, which keeps it out of the shell history',
      parse.challengeSecretFile,
    )
    .option(
      '--silent-seconds <N>',
      'send a code with the next provider or channel if it is neither entered nor reported as delivered within this many seconds; costs a second message; 15 to 600, 0 = off; default 0',
      parse.silentSeconds,
    )
    .option(
      '--quiet-hours <FROM-TO>',
      'send no notifications to phone numbers between these local times, such as 22:00-08:00, in any time zone of their country; "" for none',
      parse.quietHours,
    )
    .option(
      '--web-otp-host <HOST>',
      'host name of the site on which codes are entered; browsers fill in codes from an SMS only there; "" for none',
      parse.webOtpHost,
    )
    .option(
      '--android-app-hash <HASH>',
      'hash of the Android app that reads codes from an SMS (SMS Retriever), 11 characters; "" for none',
      parse.androidAppHash,
    )
    .option(
      '--design <JSON>',
      'design of the two-factor widget: title, logoUrl, theme, accentColor, backgroundColor, textColor, radius, language, texts; other values stay as they are',
      parse.widgetDesign,
    );
  for (const name of LIMIT_NAMES) {
    const { text, default: usual, min, max } = LIMITS[name];
    command.option(
      `--${optionOf(name)} <N>`,
      `${text}; default ${usual}, 0 = ${zeroName(LIMITS[name])}`,
      parse.wholeNumber(min, max),
    );
  }
  command.addHelpText('after', CEILINGS_HELP);
  addAction(command, context, async (appKey: string, options: UpdateOptions) => {
    const names = Object.keys(options).filter((name) => name !== 'json');
    if (names.length === 0) command.error('error: nothing to change: specify at least one option');
    const application = await update(await context.core(), appKey, options);
    return { data: applicationJson(application), text: applicationBlock(application) };
  });
}
