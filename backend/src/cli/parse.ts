/**
 * Parsers for option values. Each parser returns the value in its stored form, or throws an error that describes the
 * expected format.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { InvalidArgumentError } from 'commander';
import { utcDay } from '../platform/clock.js';
import { contract } from '../platform/contract/contract.js';
import { parseJsonObject } from '../platform/json.js';
import { hasControlCharacters, linesHaveControlCharacters } from '../platform/control-characters.js';
import type { WidgetDesign } from '../modules/applications/application.js';
import * as values from '../modules/applications/setting-values.js';

/** Adapts a parser to commander: converts the parser's `ValueError` to an `InvalidArgumentError`. */
const commanderParser =
  <T>(read: (text: string) => T) =>
  (text: string): T => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof values.ValueError ? new InvalidArgumentError(error.message) : error;
    }
  };

export const wholeNumber = (min: number, max: number) => commanderParser(values.wholeNumber(min, max));
export const applicationName = commanderParser(values.parseApplicationName);
export const endpoints = commanderParser(values.parseEndpoints);
export const channels = commanderParser((text) => values.parseChannelOrder(channelNames(text)));
export const countries = commanderParser(values.parseCountries);
export const silentSeconds = commanderParser(values.parseSilentSeconds);
export const quietHours = commanderParser(values.parseQuietHours);
export const webOtpHost = commanderParser(values.parseWebOtpHost);
export const androidAppHash = commanderParser(values.parseAndroidAppHash);
export const challengeKey = commanderParser(values.parseChallengeKey);
export const challengeSecretFile = commanderParser((path) => values.parseChallengeKey(readFileSync(path, 'utf8')));
export const messageLanguageOption = commanderParser(values.parseMessageLanguage);

/** Splits a comma-separated channel list. Keeps duplicates, which `channelOrder` rejects. */
const channelNames = (text: string): string[] =>
  text
    .toUpperCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export function day(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(time) || utcDay(time) !== text)
    throw new InvalidArgumentError('It must be a date such as 2026-01-31.');
  return text;
}

/** Parses an account's email address. Converts it to lower case, so that one mailbox cannot have two accounts. */
export function accountEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 320 || !/^[^\s@]+@[^\s@]+$/u.test(email) || hasControlCharacters(email))
    throw new InvalidArgumentError('It must be an email address.');
  return email;
}

export interface TestRecipientChange {
  readonly address: string;
  /** The code for the test recipient; undefined to remove the test recipient. */
  readonly code: string | undefined;
}

/** Parses `RECIPIENT=CODE`, and appends the result to `previous`, the values from earlier uses of the option. */
export function testRecipient(text: string, previous: readonly TestRecipientChange[] = []): TestRecipientChange[] {
  const { address, code } = commanderParser(values.parseTestRecipient)(text);
  return [...previous, { address, code: code || undefined }];
}

export function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.');
  return text === 'on';
}

/** Parses a widget design, which may be partial, from JSON. Validates it against the contract. */
export function widgetDesign(text: string): Partial<WidgetDesign> {
  const design = parseJsonObject(text);
  if (!design) throw new InvalidArgumentError('It must be a JSON object, such as {"title": "Sign in safely"}.');
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true }).addSchema(contract, 'contract');
  for (const [name, value] of Object.entries(design)) {
    const property = `contract#/components/schemas/WidgetDesign/properties/${encodeURIComponent(name)}`;
    const known = Object.hasOwn((contract.components.schemas.WidgetDesign as { properties: object }).properties, name);
    if (!known) throw new InvalidArgumentError(`A design has no ${name}.`);
    if (!ajv.validate(property, value))
      throw new InvalidArgumentError(`${name} ${ajv.errorsText(ajv.errors, { dataVar: '' }).trim()}.`);
    const texts = Object.values(name === 'texts' ? (value as object) : { value }).map(String);
    if (texts.some(linesHaveControlCharacters))
      throw new InvalidArgumentError(`${name} must not contain control characters.`);
  }
  return design;
}
