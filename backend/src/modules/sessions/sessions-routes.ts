/** The routes `/auth/verifytoken` and `/auth/revokesession`, the public keys, and the document with which libraries find them. */
import { Router, type RequestHandler } from 'express';
import type { Schemas } from '../../platform/contract/schemas.js';
import { reply } from '../../platform/http/envelope.js';
import { apiCall } from '../../platform/http/unknown-parameters.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import { applicationOf } from '../applications/authentication.js';
import type { SessionsService } from './sessions-service.js';

const verifyParameters = createValidator<Schemas['VerifyTokenRequest']>('VerifyTokenRequest');
const tokenParameters = createValidator<Schemas['TokenRequest']>('TokenRequest');

export function sessionsRoutes(authentication: RequestHandler, sessions: SessionsService): Router {
  const router = Router();
  router.all(
    '/auth/verifytoken',
    ...apiCall(authentication, 'VerifyTokenRequest', 'POST'),
    async (request, response) => {
      const { token, purpose } = verifyParameters(parametersOf(request));
      const data = await sessions.verify(applicationOf(response), token, purpose);
      const body: Schemas['VerifyTokenReply'] = { success: true, message: 'token is valid', data };
      reply(response, body);
    },
  );
  router.all('/auth/revokesession', ...apiCall(authentication, 'TokenRequest', 'POST'), async (request, response) => {
    const { token } = tokenParameters(parametersOf(request));
    await sessions.revoke(applicationOf(response), token);
    reply(response, { success: true, message: 'session revoked' });
  });
  return router;
}

/** Serves the public keys for sites that validate tokens locally. */
export function jwksRoute(sessions: SessionsService): RequestHandler {
  return async (_request, response) => {
    // Cached only briefly, so that sites soon load a new key.
    response.set('Cache-Control', 'public, max-age=60').json(await sessions.jwks());
  };
}

/**
 * Serves the fields of OpenID Connect Discovery with which tokens are validated. Passbell has no endpoints to sign in, so
 * their fields are missing. Without `baseUrl`, the issuer is not a URL, so there is no document.
 */
export function discoveryRoute(baseUrl: string | undefined): RequestHandler {
  return (_request, response, next) => {
    if (baseUrl === undefined) return next();
    response.set('Cache-Control', 'public, max-age=60').json({
      issuer: baseUrl,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: ['ES256'],
      claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'amr', 'channel'],
    });
  };
}
