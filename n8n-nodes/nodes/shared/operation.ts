import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Request } from './transport';

/** One operation of the node: its request, and the simplified reply. */
export interface Operation {
  request(context: IExecuteFunctions, itemIndex: number): Request & { body: IDataObject };
  /** Whether a repetition would send a message or use up a code, so that it needs an Idempotency-Key. */
  needsKey: boolean;
  simplify(reply: IDataObject): IDataObject;
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
