/** The route `/mcp`: an MCP server over streamable HTTP, without sessions. Requests need a key of the management API. */
import { Router, type Request, type RequestHandler } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import { allowOnly, createErrorHandler, jsonBody } from '../../platform/http/envelope.js';
import { loadOnce } from '../../platform/load-once.js';
import type { Log } from '../../platform/log.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { apiErrorOf } from '../manage/api-error.js';
import type { Manage } from '../manage/index.js';
import { createKeyAuthentication, keyOf } from '../management-keys/authentication.js';
import type { ManagementKeys } from '../management-keys/index.js';

/** Rejects pages of other origins, also those whose host name resolves to this server (DNS rebinding). */
const checkOrigin = (serviceUrl: string): RequestHandler =>
  function rejectOtherOrigins(request, _response, next) {
    const origin = request.get('origin');
    if (origin !== undefined && origin !== new URL(serviceUrl).origin)
      throw new ApiError('FORBIDDEN', { hint: 'Browsers cannot use this address from pages of other sites.' });
    next();
  };

/** Rejects several messages in one request, which the current protocol does not have. */
const rejectBatches: RequestHandler = (request, _response, next) => {
  if (Array.isArray(request.body))
    throw new ApiError('INVALID_PARAMETER', { values: { text: 'the body must be one JSON-RPC message' } });
  next();
};

/** Returns the request with the headers of the protocol. Express has already read its body. */
function webRequest(request: Request, serviceUrl: string): globalThis.Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];
  const headers = names.flatMap((name) => {
    const value = request.get(name);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  return new globalThis.Request(`${serviceUrl}/mcp`, { method: 'POST', headers, body: '{}' });
}

export function mcpRoutes(
  manage: Manage,
  keys: ManagementKeys,
  limiter: Limiter,
  log: Log,
  serviceUrl: string,
): Router {
  const endpoint = loadOnce(async () => {
    const [{ createMcpEndpoint }, { createTools }] = await Promise.all([
      import('./mcp-server.js'),
      import('./tools.js'),
    ]);
    return createMcpEndpoint(createTools(manage, serviceUrl), log);
  });

  const router = Router();
  const authentication = createKeyAuthentication(keys, limiter);
  router.all(
    '/',
    checkOrigin(serviceUrl),
    allowOnly('POST'),
    authentication,
    jsonBody,
    rejectBatches,
    async (request, response) => {
      const handle = await endpoint();
      const result = await handle(webRequest(request, serviceUrl), request.body, keyOf(response));
      const headers = Object.fromEntries(result.headers);
      response
        .status(result.status)
        .set(headers)
        .send(await result.text());
    },
  );
  router.use(createErrorHandler(log, { convert: apiErrorOf, scheme: 'Bearer' }));
  return router;
}
