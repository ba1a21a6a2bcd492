/**
 * Parsers for option values. Each parser returns the value in its stored form, or throws an error that describes the
 * expected format.
 */
import { InvalidArgumentError } from 'commander';
import { parseJsonObject } from '../platform/json.js';
import { hasControlCharacters } from '../platform/control-characters.js';
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

export function jsonObject(text: string): object {
  const object = parseJsonObject(text);
  if (!object) throw new InvalidArgumentError('It must be a JSON object, such as {"title": "Sign in safely"}.');
  return object;
}
