/** The Idempotency-Key header of a send. */
import type { Request } from 'express';
import { requestSchema } from '../contract/contract.js';
import { ApiError } from '../contract/errors.js';

const { pattern, maxLength } = requestSchema('IdempotencyKey') as unknown as { pattern: string; maxLength: number };
const IDEMPOTENCY_KEY = new RegExp(pattern);

export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get('Idempotency-Key');
  if (key === undefined) return undefined;
  if (!IDEMPOTENCY_KEY.test(key) || key.length > maxLength) throw new ApiError('INVALID_IDEMPOTENCY_KEY');
  return key;
}
