/** Formats applications for the operator command's output, without secrets or secret hashes. */
import {
  DEFAULT_LIMITS,
  LIMIT_NAMES,
  LIMITS,
  type ApplicationLimits,
} from '../modules/applications/application-limits.js';
import { DEFAULT_DESIGN, phoneChannels, type Application } from '../modules/applications/application.js';
import type { Autofill } from '../modules/templates/template.js';
import { optionOf, zeroName } from '../modules/settings/bounded-setting.js';
import { formatBlock, isoTime } from './output.js';

export function applicationJson(application: Application) {
  const { appKey, name, status, accountEmail, accountStatus, settings } = application;
  const { authorizedEndpoints, countries, testRecipients, language, limits, design } = settings;
  const channels = phoneChannels(settings);
  const { twoFactorWidget, strictTwoFactor, verifiedElsewhere, silentSeconds, quietHours, webOtpHost, androidAppHash } =
    settings;
  return {
    appKey,
    name,
    status,
    accountEmail,
    accountStatus,
    authorizedEndpoints,
    channels,
    countries,
    servedCountries: settings.servedCountries,
    language,
    limits,
    testRecipients,
    twoFactorWidget,
    strictTwoFactor,
    verifiedElsewhere,
    challenge: settings.challenge.kind,
    challengeSiteKey: settings.challenge.siteKey,
    silentSeconds,
    quietHours,
    webOtpHost,
    androidAppHash,
    design,
    createdAt: isoTime(application.createdAt),
    ...(application.deleteAt === null ? {} : { deleteAt: isoTime(application.deleteAt) }),
  };
}

function limitLines(limits: ApplicationLimits, names: readonly (keyof ApplicationLimits)[]): string[] {
  return names.map((name) => {
    const usual = limits[name] === DEFAULT_LIMITS[name] ? '' : ` (default ${DEFAULT_LIMITS[name]})`;
    return `${optionOf(name)} ${limits[name] === 0 ? zeroName(LIMITS[name]) : limits[name]}${usual}`;
  });
}

const joinLines = (items: readonly string[], none: string): string => (items.length > 0 ? items.join('\n') : none);

function testRecipientLines(application: Application): string[] {
  return Object.entries(application.settings.testRecipients).map(([address, code]) => `${address} = ${code}`);
}

function designLines({ settings }: Application): string[] {
  const changed = Object.entries(settings.design).filter(
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

const challengeText = ({ settings: { challenge } }: Application): string =>
  [challenge.kind, challenge.siteKey && `site key ${challenge.siteKey}`].filter(Boolean).join(', ');

export function applicationBlock(application: Application): string {
  const { authorizedEndpoints, countries, language, limits } = application.settings;
  return formatBlock([
    ['Name', application.name],
    ['App Key', application.appKey],
    [
      'Status',
      application.deleteAt === null ? application.status : `deleted; erased on ${isoTime(application.deleteAt)}`,
    ],
    ['Account', `${application.accountEmail} (${application.accountStatus})`],
    ['Allow-list', joinLines(authorizedEndpoints, 'every caller')],
    ['Channels', phoneChannels(application.settings).join(', ')],
    ['Countries', countries.join(', ') || 'all'],
    ['Served countries', application.settings.servedCountries.join(', ')],
    ['Language', language || 'English'],
    ['Limits', joinLines(limitLines(limits, LIMIT_NAMES), '')],
    ['Test recipients', joinLines(testRecipientLines(application), 'none')],
    ['Two-factor widget', application.settings.twoFactorWidget ? 'on' : 'off'],
    ['Strict two-factor', application.settings.strictTwoFactor ? 'on' : 'off'],
    ['Verified elsewhere', application.settings.verifiedElsewhere ? 'on' : 'off'],
    ['Challenge', challengeText(application)],
    ['Silent codes', silentText(application.settings.silentSeconds)],
    ['Quiet hours', application.settings.quietHours || 'off'],
    ['Autofill', autofillText(application.settings)],
    ['Widget design', joinLines(designLines(application), 'default')],
  ]);
}

export const APPLICATION_COLUMN_TITLES = 'Application,Status,Account,Allow-list,Channels,Other settings'.split(',');

export function applicationRow(application: Application): string[] {
  const { authorizedEndpoints, countries, language, limits } = application.settings;
  const changed = LIMIT_NAMES.filter((name) => limits[name] !== DEFAULT_LIMITS[name]);
  const other = [
    ...(countries.length > 0 ? [`countries ${countries.join(', ')}`] : []),
    ...(language === '' ? [] : [`language ${language}`]),
    ...limitLines(limits, changed),
    ...testRecipientLines(application).map((line) => `test ${line}`),
    ...(application.settings.twoFactorWidget ? [] : ['two-factor widget off']),
    ...(application.settings.strictTwoFactor ? ['strict two-factor'] : []),
    ...(application.settings.verifiedElsewhere ? ['verified elsewhere'] : []),
    ...(application.settings.challenge.kind === 'off' ? [] : [`challenge ${challengeText(application)}`]),
    ...(application.settings.silentSeconds > 0
      ? [`silent codes ${silentText(application.settings.silentSeconds)}`]
      : []),
    ...(application.settings.quietHours ? [`quiet hours ${application.settings.quietHours}`] : []),
    ...(application.settings.webOtpHost || application.settings.androidAppHash
      ? [`codes fill themselves in ${autofillText(application.settings)}`]
      : []),
    ...designLines(application).map((line) => `widget ${line}`),
  ];
  return [
    `${application.name}\n${application.appKey}`,
    application.deleteAt === null ? application.status : 'deleted',
    `${application.accountEmail}\n${application.accountStatus}`,
    joinLines(authorizedEndpoints, 'every caller'),
    joinLines(phoneChannels(application.settings), ''),
    joinLines(other, 'default'),
  ];
}
