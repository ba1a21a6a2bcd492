/** `GET /usage` returns an application's counts and costs. */
import { Router, type RequestHandler } from 'express';
import { DAY, utcDay, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { allowOnly, reply } from '../../platform/http/envelope.js';
import { warnAboutUnknown } from '../../platform/http/unknown-parameters.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import { applicationOf } from '../applications/authentication.js';
import { AUTH_TYPES } from '../../platform/contract/auth-types.js';
import type { UsageService } from './index.js';
import { chargeOf } from './usage.js';

const DEFAULT_DAYS = 30;
/** Bounds the size of a reply. */
const MAX_DAYS = 366;

const usageParameters = createValidator<Schemas['UsageRequest']>('UsageRequest');

function invalid(field: string, rule: string): ApiError {
  return new ApiError('INVALID_PARAMETER', { values: { text: `${field} must be ${rule}` }, field });
}

/** Returns the start of a day in milliseconds. Throws for days that do not exist, such as 2026-02-30. */
function startOf(field: string, day: string): number {
  const start = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(start) || utcDay(start) !== day) throw invalid(field, 'a day such as 2026-01-31');
  return start;
}

export function usageRoutes(authentication: RequestHandler, usage: UsageService, clock: Clock): Router {
  const router = Router();
  const names = warnAboutUnknown('UsageRequest');
  router.all('/usage', allowOnly('GET'), authentication, names, async (request, response) => {
    const { from: first, to: last } = usageParameters(parametersOf(request));
    const end = last === undefined ? clock.now() : startOf('to', last);
    const start = first === undefined ? end - (DEFAULT_DAYS - 1) * DAY : startOf('from', first);
    if (start > end) throw invalid('from', 'no later than to');
    if (end - start >= MAX_DAYS * DAY) throw invalid('from', `at most ${MAX_DAYS} days before to`);
    const range = { from: utcDay(start), to: utcDay(end) };
    const sums = await usage.sums({ applicationIds: [applicationOf(response).id], ...range }, ['day', 'channel']);
    const daily = sums.map(({ channel, cost, currency, ...counts }) => ({
      ...counts,
      authType: AUTH_TYPES[channel],
      charge: chargeOf(cost),
      currency,
    }));
    const body: Schemas['UsageReply'] = { success: true, message: 'usage', data: { ...range, usage: daily } };
    reply(response, body);
  });
  return router;
}
