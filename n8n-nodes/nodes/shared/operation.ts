import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Request } from './transport';

/** One operation of the node: its request, and the simplified reply. */
export interface Operation {
  request(context: IExecuteFunctions, itemIndex: number, recipient?: string): Request & { body: IDataObject };
  /** Whether a repetition would send a message or use up a code, so that it needs an Idempotency-Key. */
  needsKey: boolean;
  /** An operation that returns a list has one item for each of its elements. */
  simplify(reply: IDataObject): IDataObject | IDataObject[];
  /** The recipients of an item; without this, the operation makes one request for each item. */
  recipients?(context: IExecuteFunctions, itemIndex: number): string[];
}

/** An address or an identifier as a string; spreadsheets may convert it to a number. */
export function text(context: IExecuteFunctions, name: string, itemIndex: number): string {
  const value = context.getNodeParameter(name, itemIndex, '') as unknown;
  return typeof value === 'number' ? String(value) : ((value ?? '') as string);
}

/** An OTP, unchanged: a string keeps its leading zeros, and the server restores those of a number. */
export function code(context: IExecuteFunctions, name: string, itemIndex: number): string | number {
  return context.getNodeParameter(name, itemIndex, '') as string | number;
}

/** Omits empty values, which the server treats as missing. */
export function compact(values: IDataObject): IDataObject {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== undefined && value !== null),
  );
}

/** Unix seconds as ISO 8601. */
export function isoTime(seconds: unknown): string | undefined {
  const number = Number(seconds);
  return seconds !== undefined && Number.isFinite(number) ? new Date(number * 1000).toISOString() : undefined;
}

/** The wall-clock time of a zone, as if it were UTC, minus UTC. */
function offsetOf(ms: number, timeZone: string): number {
  // The Swedish format is almost ISO 8601: `2026-01-31 15:04:05`.
  const local = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(ms);
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(ms / 1000) * 1000;
}

/** Adds the time zone of the workflow to a time of the date picker, which has none. Other values stay as they are. */
export function zonedTime(value: unknown, timeZone: string): string {
  if (value instanceof Date) return value.toISOString();
  const text = String(value ?? '').trim();
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?$/.exec(text) ?? [];
  const asUtc = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(asUtc)) return text;
  // The first offset may be wrong close to a change to or from daylight saving time.
  return new Date(asUtc - offsetOf(asUtc - offsetOf(asUtc, timeZone), timeZone)).toISOString();
}

/** Splits a list of recipients: separated by commas, semicolons or line breaks, or an array. */
export function readRecipients(context: IExecuteFunctions, itemIndex: number): string[] {
  const value = context.getNodeParameter('to', itemIndex, '') as unknown;
  const parts = (Array.isArray(value) ? value : [value]).flatMap((part) => String(part ?? '').split(/[,;\n]/));
  const recipients = [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
  return recipients.length > 0 ? recipients : [''];
}

/** `?a=1&b=2`, without empty values; "" if there are none. */
export function queryString(values: IDataObject): string {
  const entries = Object.entries(compact(values)).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return entries.length > 0 ? `?${entries.join('&')}` : '';
}
