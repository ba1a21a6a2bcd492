/** `GET /auth/authentication` checks API credentials; `GET /application` returns the application. */
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { ApiError, type ErrorCode } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { allowOnly, reply } from '../../platform/http/envelope.js';
import { designOf } from './application.js';
import { applicationOf } from './authentication.js';

const CREDENTIAL_ERRORS: readonly ErrorCode[] = ['INVALID_CREDENTIALS', 'APPLICATION_INACTIVE'];

/** Sets the message that the API specification requires for rejected credentials. The error code is unchanged. */
const replaceMessage: ErrorRequestHandler = (error, _request, _response, next) => {
  const rejected = error instanceof ApiError && CREDENTIAL_ERRORS.includes(error.code);
  next(rejected ? new ApiError(error.code, { ...error.details, message: 'authenticated not successfully' }) : error);
};

export function applicationsRoutes({ authentication }: { authentication: RequestHandler }): Router {
  const router = Router();
  router.all('/auth/authentication', allowOnly('GET'), authentication, (_request, response) =>
    reply(response, { success: true, message: 'authenticated successfully' }),
  );
  router.use('/auth/authentication', replaceMessage);
  router.all('/application', allowOnly('GET'), authentication, (_request, response) => {
    const application = applicationOf(response);
    const { appKey, name, settings } = application;
    const { language } = settings;
    const body: Schemas['ApplicationReply'] = {
      success: true,
      message: 'application found',
      data: { appKey, name, language, design: designOf(application) },
    };
    reply(response, body);
  });
  return router;
}
