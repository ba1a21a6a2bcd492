/** What a key pair is good for: `GET /auth/authentication` tells whether it works, `GET /application` whose it is. */
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { ApiError, type ErrorCode } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import { applicationOf } from './authentication.js';
import { allowOnly, reply } from '../../platform/http/envelope.js';

const REFUSALS: readonly ErrorCode[] = ['INVALID_CREDENTIALS', 'APPLICATION_INACTIVE'];

/** This operation has its own text for a pair that does not work; `code` keeps the reason. */
const ownText: ErrorRequestHandler = (error, _request, _response, next) => {
  const refused = error instanceof ApiError && REFUSALS.includes(error.code);
  next(refused ? new ApiError(error.code, { message: 'authenticated not successfully' }) : error);
};

export function applicationsRoutes({ authentication }: { authentication: RequestHandler }): Router {
  const router = Router();
  router.all('/auth/authentication', allowOnly('GET'), authentication, (_request, response) =>
    reply(response, { success: true, message: 'authenticated successfully' }),
  );
  router.use('/auth/authentication', ownText);
  router.all('/application', allowOnly('GET'), authentication, (_request, response) => {
    const { appKey, name } = applicationOf(response);
    const body: components['schemas']['ApplicationReply'] = {
      success: true,
      message: 'application found',
      data: { appKey, name },
    };
    reply(response, body);
  });
  return router;
}
