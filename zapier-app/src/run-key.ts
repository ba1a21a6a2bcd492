/** The Idempotency-Key of a send, the same for every attempt of a run. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Bundle } from 'zapier-platform-core';

/**
 * Zapier passes no run id to apps, so the key is derived from the Zap, the step's fields and the Reference. Each test in the
 * editor is a new send, because the user expects a message. The App Secret keys the hash, so that recipients and codes cannot
 * be recovered by brute force.
 */
export function runKey(bundle: Bundle, path: string, body: object): string {
  if (bundle.meta?.isLoadingSample) return randomUUID();
  const run = [path, bundle.meta?.zap?.id ?? '', bundle.inputData.reference ?? '', body];
  return createHmac('sha256', bundle.authData.appSecret ?? '')
    .update(JSON.stringify(run))
    .digest('hex');
}
