/** The settings of an application as parameters of the management API and of the operator command. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { contract } from '../../platform/contract/contract.js';
import { WIDGET_TEXTS } from '../../platform/contract/generated/widget.js';
import { linesHaveControlCharacters } from '../../platform/control-characters.js';
import type { ManageSchemas } from '../../platform/contract/schemas.js';
import { SettingError } from '../settings/bounded-setting.js';
import type { WidgetDesign } from './application.js';
import type { ApplicationChange } from './application-change.js';
import * as values from './setting-values.js';

type ApplicationParameters = ManageSchemas['ApplicationSettings'];

/** Parses a value as people type it: lists have one item per line. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  authorizedEndpoints: values.parseEndpoints,
  channels: (text: string) => values.parseChannelOrder(text.toUpperCase().split('\n').filter(Boolean)),
  countries: values.parseCountries,
  servedCountries: values.parseCountries,
  language: values.parseMessageLanguage,
  silentSeconds: values.parseSilentSeconds,
  quietHours: values.parseQuietHours,
  webOtpHost: values.parseWebOtpHost,
  androidAppHash: values.parseAndroidAppHash,
};

/** Calls a parser. Throws a {@link SettingError} for an invalid value. */
function parse<T>(name: string, parser: (text: string) => T, value: unknown): T {
  try {
    return parser(Array.isArray(value) ? value.join('\n') : String(value));
  } catch (error) {
    throw error instanceof values.ValueError ? new SettingError(name, error.message) : error;
  }
}

let ajv: Ajv2020 | undefined;

/** Checks a widget design, which may be partial, against the contract. */
export function parseDesign(design: Readonly<Record<string, unknown>>): Partial<WidgetDesign> {
  const fail = (text: string) => new SettingError('design', text);
  ajv ??= new Ajv2020({ strict: false, validateSchema: false, allErrors: true }).addSchema(contract, 'contract');
  const { properties } = contract.components.schemas.WidgetDesign as { properties: object };
  for (const [name, value] of Object.entries(design)) {
    if (!Object.hasOwn(properties, name)) throw fail(`A design has no field ${name}.`);
    const schema = `contract#/components/schemas/WidgetDesign/properties/${encodeURIComponent(name)}`;
    if (!ajv.validate(schema, value)) throw fail(`${name} ${ajv.errorsText(ajv.errors, { dataVar: '' }).trim()}.`);
    const unknown =
      name === 'texts' && Object.keys(value as object).find((key) => !Object.hasOwn(WIDGET_TEXTS.en, key));
    if (unknown) throw fail(`The widget has no text ${unknown}.`);
    const texts = Object.values(name === 'texts' ? (value as object) : { value }).map(String);
    if (texts.some(linesHaveControlCharacters)) throw fail(`${name} must not contain control characters.`);
  }
  return design;
}

function testRecipientsOf(codes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(codes).map(([recipient, code]) => {
    const parsed = parse('testRecipients', values.parseTestRecipient, `${recipient}=${code}`);
    if (parsed.code === '') throw new SettingError('testRecipients', `${recipient} has no code.`);
    return [parsed.address, parsed.code];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Returns the change that these parameters describe. Throws a {@link SettingError} for an invalid value. */
export function applicationChangeOf(parameters: ApplicationParameters): ApplicationChange {
  const { name, status, design, limits, testRecipients, challenge, challengeSiteKey, challengeSecret } = parameters;
  const { twoFactorWidget, strictTwoFactor, verifiedElsewhere } = parameters;
  const parsed = Object.entries(parameters)
    .filter(([setting, value]) => value !== undefined && Object.hasOwn(PARSERS, setting))
    .map(([setting, value]) => [setting, parse(setting, PARSERS[setting]!, value)]);
  const keys = Object.entries({ siteKey: challengeSiteKey, secret: challengeSecret })
    .filter(([, key]) => key !== undefined)
    .map(([part, key]) => [
      part,
      parse(`challenge${part === 'siteKey' ? 'SiteKey' : 'Secret'}`, values.parseChallengeKey, key),
    ]);
  const hasChallenge = challenge !== undefined || keys.length > 0;
  const settings = {
    ...Object.fromEntries(parsed),
    ...present({ twoFactorWidget, strictTwoFactor, verifiedElsewhere }),
  };
  return {
    settings: testRecipients ? { ...settings, testRecipients: testRecipientsOf(testRecipients) } : settings,
    ...present({ status, limits: limits as ApplicationChange['limits'] }),
    ...(name === undefined ? {} : { name: parse('name', values.parseApplicationName, name) }),
    ...(design ? { design: parseDesign(design) } : {}),
    ...(hasChallenge ? { challenge: { ...present({ kind: challenge }), ...Object.fromEntries(keys) } } : {}),
  };
}

const present = <T extends object>(properties: T): { [N in keyof T]?: NonNullable<T[N]> } =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as T;
