/** `GET /usage` returns an application's counts and costs. */
import { dayBefore, localDay } from '../../platform/local-day.js';
import { Router, type RequestHandler } from 'express';
import { DAY, isDay, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { reply } from '../../platform/http/envelope.js';
import { apiCall } from '../../platform/http/unknown-parameters.js';
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

/** Throws for days that do not exist, such as 2026-02-30. */
function assertDay(field: string, day: string): void {
  if (!isDay(day)) throw invalid(field, 'a day such as 2026-01-31');
}

export function usageRoutes(authentication: RequestHandler, usage: UsageService, clock: Clock): Router {
  const router = Router();
  router.all('/usage', ...apiCall(authentication, 'UsageRequest', 'GET'), async (request, response) => {
    const { id, timeZone } = applicationOf(response);
    const { from: first, to = localDay(clock.now(), timeZone) } = usageParameters(parametersOf(request));
    assertDay('to', to);
    const from = first ?? dayBefore(to, DEFAULT_DAYS - 1);
    assertDay('from', from);
    if (from > to) throw invalid('from', 'no later than to');
    if (Date.parse(to) - Date.parse(from) >= MAX_DAYS * DAY)
      throw invalid('from', `at most ${MAX_DAYS - 1} days before to`);
    const sums = await usage.sums({ applicationIds: [id], from, to }, ['day', 'channel']);
    const daily = sums.map(({ channel, cost, currency, ...counts }) => ({
      ...counts,
      authType: AUTH_TYPES[channel],
      charge: chargeOf(cost),
      currency,
    }));
    const body: Schemas['UsageReply'] = { success: true, message: 'usage', data: { from, to, usage: daily } };
    reply(response, body);
  });
  return router;
}
