/** The errors that Zapier would add a step's inputs to: codes and tokens, which belong in no error's text. */
import type { ZObject } from 'zapier-platform-core';

const asItIs = (error: Error): Error => Object.assign(error, { doNotContextify: true });

/** Marks the connection as one to be made again. */
export const expiredAuth = (z: ZObject, text: string): Error => asItIs(new z.errors.ExpiredAuthError(text));

/** Ends the run without counting as an error. */
export const halted = (z: ZObject, text: string): Error => asItIs(new z.errors.HaltedError(text));
