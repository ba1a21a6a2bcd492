/** Requests that carry a code. */
import { ApiError } from '../contract/errors.js';
import type { Validator } from './validation.js';

/**
 * Reads the parameters of such a request. A code of a type that no code has is refused by name, and is a guess like any
 * other: `guess` judges one that no code is, and what it throws counts for more than the name.
 */
export async function readWithCode<T>(read: Validator<T>, source: unknown, guess: () => Promise<unknown>): Promise<T> {
  try {
    return read(source);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INVALID_PARAMETER')) throw error;
    await guess().catch((judged: ApiError) => {
      if (judged.code !== 'INVALID_OTP') throw judged;
    });
    throw error;
  }
}
