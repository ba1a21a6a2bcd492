/** The Idempotency-Key of a send, the same at every attempt of a run. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Bundle } from 'zapier-platform-core';

/**
 * Zapier does not tell an app which run it works for, so the run is known by what it sends: the Zap, the step's fields and
 * the Reference. A test in the editor is a new send each time, since the person who clicks wants to see a message.
 * It is keyed with the App Secret: nobody can find a recipient or a code in it by trying.
 */
export function runKey(bundle: Bundle, path: string, body: object): string {
  if (bundle.meta?.isLoadingSample) return randomUUID();
  const run = [path, bundle.meta?.zap?.id ?? '', bundle.inputData.reference ?? '', body];
  return createHmac('sha256', bundle.authData.appSecret ?? '')
    .update(JSON.stringify(run))
    .digest('hex');
}
