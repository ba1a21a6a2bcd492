/**
 * Seals secret form fields, so that a page can resubmit a form without containing its secrets in plain text. The names
 * of secret fields start with `secret-`.
 */
import type { Keyring } from '../../platform/crypto.js';
import type { FormBody } from '../form.js';

/** Name prefix of secret fields. */
export const SECRET_PREFIX = 'secret-';
const SEALED_PREFIX = 'sealed-';

const contextFor = (holder: string): string => `dashboard-form-secrets:${holder}`;

/** `holder` identifies the browser's session: no other session can open the secrets. */
export function createFormSecrets(keyring: Keyring) {
  function seal(body: FormBody, holder: string): FormBody {
    const sealed = ([name, values]: [string, readonly string[]]) =>
      name.startsWith(SECRET_PREFIX)
        ? [`${SEALED_PREFIX}${name}`, values.map((value) => keyring.seal(contextFor(holder), value))]
        : [name, values];
    return Object.fromEntries(Object.entries(body).map(sealed));
  }

  function openValue(text: string, holder: string): string[] {
    try {
      return [keyring.open(contextFor(holder), text)];
    } catch {
      return [];
    }
  }

  /** Opens the sealed fields. Omits values that another session sealed. */
  function open(body: FormBody, holder: string): FormBody {
    const read = ([name, values]: [string, readonly string[]]) =>
      name.startsWith(`${SEALED_PREFIX}${SECRET_PREFIX}`)
        ? [name.slice(SEALED_PREFIX.length), values.flatMap((value) => openValue(value, holder))]
        : [name, values];
    return Object.fromEntries(Object.entries(body).map(read));
  }

  return { seal, open };
}
