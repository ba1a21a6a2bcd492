/** Formats applications for the operator command's output. */
import {
  DEFAULT_LIMITS,
  LIMIT_NAMES,
  LIMITS,
  type ApplicationLimits,
} from '../modules/applications/application-limits.js';
import { DEFAULT_DESIGN } from '../modules/applications/application.js';
import type { ManageSchemas } from '../platform/contract/schemas.js';
import type { Autofill } from '../modules/templates/template.js';
import { optionOf, zeroName } from '../modules/settings/bounded-setting.js';
import { formatBlock } from './output.js';

type Application = ManageSchemas['Application'];

function limitLines({ limits }: Application, names: readonly (keyof ApplicationLimits)[]): string[] {
  return names.map((name) => {
    const limit = limits[name]!;
    const usual = limit === DEFAULT_LIMITS[name] ? '' : ` (default ${DEFAULT_LIMITS[name]})`;
    return `${optionOf(name)} ${limit === 0 ? zeroName(LIMITS[name]) : limit}${usual}`;
  });
}

const joinLines = (items: readonly string[], none: string): string => (items.length > 0 ? items.join('\n') : none);

function testRecipientLines(application: Application): string[] {
  return Object.entries(application.testRecipients).map(([address, code]) => `${address} = ${code}`);
}

function designLines({ design }: Application): string[] {
  const changed = Object.entries(design).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULT_DESIGN[name as keyof typeof DEFAULT_DESIGN]),
  );
  return changed.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
}

const silentText = (seconds: number): string =>
  seconds === 0 ? 'not sent another way' : `sent another way after ${seconds} seconds`;

const autofillText = ({ webOtpHost, androidAppHash }: Autofill): string =>
  [webOtpHost && `on ${webOtpHost}`, androidAppHash && `in the Android app ${androidAppHash}`]
    .filter(Boolean)
    .join(', and ') || 'off';

const challengeText = ({ challenge, challengeSiteKey }: Application): string =>
  [challenge, challengeSiteKey && `site key ${challengeSiteKey}`].filter(Boolean).join(', ');

export function applicationBlock(application: Application): string {
  const { authorizedEndpoints, countries, language, deleteAt } = application;
  return formatBlock([
    ['Name', application.name],
    ['App Key', application.appKey],
    ['Status', deleteAt === undefined ? application.status : `deleted; erased on ${deleteAt}`],
    ['Account', `${application.accountEmail} (${application.accountStatus})`],
    ['Allow-list', joinLines(authorizedEndpoints, 'every caller')],
    ['Channels', application.channels.join(', ')],
    ['Countries', countries.join(', ') || 'all'],
    ['Served countries', application.servedCountries.join(', ')],
    ['Language', language || 'English'],
    ['Limits', joinLines(limitLines(application, LIMIT_NAMES), '')],
    ['Test recipients', joinLines(testRecipientLines(application), 'none')],
    ['Two-factor widget', application.twoFactorWidget ? 'on' : 'off'],
    ['Strict two-factor', application.strictTwoFactor ? 'on' : 'off'],
    ['Verified elsewhere', application.verifiedElsewhere ? 'on' : 'off'],
    ['Challenge', challengeText(application)],
    ['Silent codes', silentText(application.silentSeconds)],
    ['Quiet hours', application.quietHours || 'off'],
    ['Autofill', autofillText(application)],
    ['Widget design', joinLines(designLines(application), 'default')],
  ]);
}

export const APPLICATION_COLUMN_TITLES = 'Application,Status,Account,Allow-list,Channels,Other settings'.split(',');

export function applicationRow(application: Application): string[] {
  const { authorizedEndpoints, countries, language, limits } = application;
  const changed = LIMIT_NAMES.filter((name) => limits[name] !== DEFAULT_LIMITS[name]);
  const other = [
    ...(countries.length > 0 ? [`countries ${countries.join(', ')}`] : []),
    ...(language === '' ? [] : [`language ${language}`]),
    ...limitLines(application, changed),
    ...testRecipientLines(application).map((line) => `test ${line}`),
    ...(application.twoFactorWidget ? [] : ['two-factor widget off']),
    ...(application.strictTwoFactor ? ['strict two-factor'] : []),
    ...(application.verifiedElsewhere ? ['verified elsewhere'] : []),
    ...(application.challenge === 'off' ? [] : [`challenge ${challengeText(application)}`]),
    ...(application.silentSeconds > 0 ? [`silent codes ${silentText(application.silentSeconds)}`] : []),
    ...(application.quietHours ? [`quiet hours ${application.quietHours}`] : []),
    ...(application.webOtpHost || application.androidAppHash ? [`autofill ${autofillText(application)}`] : []),
    ...designLines(application).map((line) => `widget ${line}`),
  ];
  return [
    `${application.name}\n${application.appKey}`,
    application.deleteAt === undefined ? application.status : 'deleted',
    `${application.accountEmail}\n${application.accountStatus}`,
    joinLines(authorizedEndpoints, 'every caller'),
    joinLines(application.channels, ''),
    joinLines(other, 'default'),
  ];
}
