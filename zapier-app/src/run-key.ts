/** The Idempotency-Key of a send, the same for every attempt of a run. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Bundle } from 'zapier-platform-core';

export const hasReference = (bundle: Bundle): boolean => String(bundle.inputData.reference ?? '').trim() !== '';

/**
 * Zapier passes no run id to apps, so the key is derived from the Zap, the step's fields and the Reference. Each test in the
 * editor is a new send, because the user expects a message. The App Secret keys the hash, so that recipients and codes cannot
 * be recovered by brute force. `earlier` is the time of an earlier message that must not count as the same.
 */
export function runKey(bundle: Bundle, path: string, body: object, earlier?: number): string {
  if (bundle.meta?.isLoadingSample) return randomUUID();
  const run = [path, bundle.meta?.zap?.id ?? '', bundle.inputData.reference ?? '', body];
  if (earlier !== undefined) run.push(earlier);
  return createHmac('sha256', bundle.authData.appSecret ?? '')
    .update(JSON.stringify(run))
    .digest('hex');
}
