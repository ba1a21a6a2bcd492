import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Request } from './transport';

/** One operation of the node: how it asks, and what of the reply a person needs. */
export interface Operation {
  request(context: IExecuteFunctions, itemIndex: number): Request & { body: IDataObject };
  /** Whether somebody gets a message, which must not come twice. */
  sends: boolean;
  simplify(reply: IDataObject): IDataObject;
}

/** An address or an identifier; a spreadsheet may have made a number of it. */
export function text(context: IExecuteFunctions, name: string, itemIndex: number): string {
  const value = context.getNodeParameter(name, itemIndex, '') as unknown;
  return typeof value === 'number' ? String(value) : ((value ?? '') as string);
}

/**
 * A code as it came: text stays text, with its leading zeros. A number goes as a number, since the server then gives it
 * back the zeros that a spreadsheet dropped.
 */
export function code(context: IExecuteFunctions, name: string, itemIndex: number): string | number {
  return context.getNodeParameter(name, itemIndex, '') as string | number;
}

/** Without what is empty, which the server takes as absent anyway. */
export function compact(values: IDataObject): IDataObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined));
}

/** Unix seconds as ISO 8601. */
export function isoTime(seconds: unknown): string | undefined {
  const number = Number(seconds);
  return seconds !== undefined && Number.isFinite(number) ? new Date(number * 1000).toISOString() : undefined;
}
