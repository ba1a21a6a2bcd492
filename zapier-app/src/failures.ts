/** Errors to which Zapier would otherwise append the step's inputs, which can include codes and tokens. */
import type { ZObject } from 'zapier-platform-core';

const withoutContext = (error: Error): Error => Object.assign(error, { doNotContextify: true });

/** Marks the connection as expired. */
export const expiredAuthError = (z: ZObject, text: string): Error =>
  withoutContext(new z.errors.ExpiredAuthError(text));

/** Stops the run without counting as an error. */
export const haltedError = (z: ZObject, text: string): Error => withoutContext(new z.errors.HaltedError(text));
