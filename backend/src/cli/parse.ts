/** Reads option values; each answers the value in the form that is stored, or tells what is expected. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { InvalidArgumentError } from 'commander';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { CHANNELS, type ChannelName } from '../channels/channel.js';
import { list } from '../config-values.js';
import { contract } from '../contract.js';
import { entryProblem } from '../modules/applications/allow-list.js';
import type { WidgetDesign } from '../modules/applications/application.js';
import { parseRecipient, phoneDigits } from '../modules/messages/recipient.js';
import { chooseLanguage, LANGUAGES } from '../templates/languages.js';

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return number;
  };
}

/** A date such as `2026-01-31`. */
export function day(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('It must be a date such as 2026-01-31.');
  return text;
}

const unique = (items: readonly string[]): string[] => [...new Set(items)];

/** The name is part of every message, also of mail subjects: one line of moderate length. */
export function applicationName(text: string): string {
  const name = text.trim();
  if (name.length < 1 || name.length > 100 || /\p{Cc}/u.test(name))
    throw new InvalidArgumentError('It must be one line of 1 to 100 characters.');
  return name;
}

/** Lower case, so that one mailbox is one account. */
export function accountEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 320 || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email))
    throw new InvalidArgumentError('It must be a mail address.');
  return email;
}

export function endpoints(text: string): string[] {
  const entries = unique(list(text));
  const problems = entries.map(entryProblem).filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new InvalidArgumentError(`${problems.join('; ')}.`);
  return entries;
}

/** Mail always goes over EMAIL, so that the order is one of the others. */
export const PHONE_CHANNELS: readonly ChannelName[] = CHANNELS.filter((channel) => channel !== 'EMAIL');

export function channels(text: string): ChannelName[] {
  const named = list(text.toUpperCase());
  const known = PHONE_CHANNELS.filter((channel) => named.includes(channel));
  if (named.length === 0 || known.length !== named.length)
    throw new InvalidArgumentError(
      `It must list one or more of ${PHONE_CHANNELS.join(', ')}, each once; EMAIL is for mail addresses by itself.`,
    );
  return named as ChannelName[];
}

export function countries(text: string): string[] {
  const codes = unique(list(text.toUpperCase()));
  const unknown = codes.filter((code) => !isSupportedCountry(code));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`It must list ISO 3166 codes such as US,DE; there is no ${unknown.join(', ')}.`);
  return codes;
}

/** A language that messages are written in; "" for none. */
export function messageLanguageOption(text: string): string {
  const language = chooseLanguage(text);
  if (text.trim() !== '' && language === undefined)
    throw new InvalidArgumentError(`It must be one of ${Object.keys(LANGUAGES).join(', ')}.`);
  return language ?? '';
}

export interface TestRecipientChange {
  readonly address: string;
  /** Undefined removes the recipient. */
  readonly code: string | undefined;
}

/** `RECIPIENT=CODE`, collected over all times that the option is given. An address may hold `=`, a code does not. */
export function testRecipient(text: string, before: readonly TestRecipientChange[] = []): TestRecipientChange[] {
  const split = text.lastIndexOf('=');
  const recipient = text.slice(0, Math.max(split, 0));
  const code = text.slice(split + 1).trim();
  // Test numbers need not exist, so that their digits are enough.
  const address = phoneDigits(recipient) ?? parseRecipient(recipient)?.address;
  if (split < 0 || address === undefined)
    throw new InvalidArgumentError('It must be RECIPIENT=CODE, such as +15550100=123456.');
  if (!/^(?:[A-Za-z0-9]{4,10})?$/.test(code))
    throw new InvalidArgumentError('The code must be 4 to 10 letters or digits; none removes the recipient.');
  return [...before, { address, code: code || undefined }];
}

export function onOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It must be on or off.');
  return text === 'on';
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some of a widget's design as JSON, held against the contract. */
export function widgetDesign(text: string): Partial<WidgetDesign> {
  const design = parsedJson(text);
  if (design === null || typeof design !== 'object' || Array.isArray(design))
    throw new InvalidArgumentError('It must be a JSON object, such as {"title": "Sign in safely"}.');
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true }).addSchema(contract, 'contract');
  for (const [name, value] of Object.entries(design)) {
    const property = `contract#/components/schemas/WidgetDesign/properties/${encodeURIComponent(name)}`;
    const known = Object.hasOwn((contract.components.schemas.WidgetDesign as { properties: object }).properties, name);
    if (!known) throw new InvalidArgumentError(`There is no ${name} in a design.`);
    if (!ajv.validate(property, value))
      throw new InvalidArgumentError(`${name} ${ajv.errorsText(ajv.errors, { dataVar: '' }).trim()}.`);
  }
  return design;
}
