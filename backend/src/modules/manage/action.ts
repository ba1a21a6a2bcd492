import { ExpectedError } from '../../platform/expected-error.js';
import type { Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { SettingError } from '../settings/bounded-setting.js';
import type { DataOf, OperationName, ParametersOf } from './operations.js';

export interface Caller {
  readonly actor: Actor;
  /** The account that the caller may use; undefined for the operator, who may use all. */
  readonly accountId: number | undefined;
  /** The version on which the caller's change is based; undefined for any. */
  readonly version?: string | undefined;
}

/** A call of an operation on an application that the caller may use. */
export interface ApplicationCall extends Caller {
  readonly application: Application;
}

type CallOf<N extends OperationName> = N extends 'putApplication'
  ? Caller
  : ParametersOf<N> extends { application: string }
    ? ApplicationCall
    : Caller;

export type Action<N extends OperationName> = (
  call: CallOf<N>,
  parameters: ParametersOf<N>,
) => DataOf<N> | Promise<DataOf<N>>;

/** The service calls of operations, by name. The contract defines their parameters and results. */
export type Actions = { readonly [Name in OperationName]: Action<Name> };

/** The object that a caller names does not exist, or belongs to another account. */
export class NoSuchObjectError extends ExpectedError {}

/** Returns the account of a call that concerns one account. */
export function accountOf({ actor, accountId }: Caller): number {
  if (accountId === undefined) throw new Error(`${actor.name} did not name an account`);
  return accountId;
}

/** Whether a stored version is the one that the caller's change is based on. */
export const isExpected = ({ version }: Caller, stored: string): boolean => version === undefined || version === stored;

/** Throws a {@link NoSuchObjectError} for undefined and false, with which services report that there is no such object. */
export function found<T>(result: T | undefined | false, name: string): T {
  if (result === undefined || result === false) throw new NoSuchObjectError(`there is no ${name}`);
  return result;
}

/** Throws a {@link SettingError} if the application was deleted. */
export function requireNotDeleted({ deleteAt }: Application): void {
  if (deleteAt !== null) throw new SettingError('application', 'It was deleted. Restore it first.');
}

interface TimeRange {
  readonly from?: string;
  readonly to?: string;
}

/** Returns the times of a list's range in milliseconds. */
export const timesOf = ({ from, to }: TimeRange) => ({
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
});
