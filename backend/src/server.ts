/** The HTTP application: which path leads where. */
import express, { type Router, type Express, type RequestHandler } from 'express';
import { docsRoutes } from './platform/http/docs-routes.js';
import { createErrorHandler, noStore, notFound } from './platform/http/envelope.js';
import { createRequestLog } from './platform/http/request-log.js';
import type { Log } from './platform/log.js';
import type { Metrics } from './platform/metrics.js';
import { widgetRoutes } from './modules/twofactor/widget-script-routes.js';

export interface AppParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly trustProxy: boolean | number | string[];
  /** Routes below `/api/v1`. */
  readonly api: readonly Router[];
  /** Routes that begin with `/callbacks`; undefined when no provider reports. */
  readonly callbacks: Router | undefined;
  /** `/.well-known/jwks.json`. */
  readonly jwks: RequestHandler;
  readonly health: Router;
  /** Routes below `/dashboard`; undefined on a process that only delivers. */
  readonly dashboard: Router | undefined;
  /** Routes below `/dev`; undefined when the dev inbox is off. */
  readonly dev: Router | undefined;
  /** Routes below `/demo`; undefined outside of embedded mode. */
  readonly demo: Router | undefined;
}

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function createApp(parts: AppParts): Express {
  const { log, metrics, trustProxy, api, callbacks, jwks, health, dashboard, dev, demo } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.use(createRequestLog({ log, metrics }));
  app.use((_request, response, next) => {
    response.set(SECURITY_HEADERS);
    next();
  });

  app.use('/api/v1', noStore, ...api, notFound, createErrorHandler(log, { ordinary: false }));
  if (callbacks) app.use(callbacks);
  app.get('/.well-known/jwks.json', jwks);
  app.use(health);
  app.use(docsRoutes());
  app.use(widgetRoutes());
  if (dashboard) app.use('/dashboard', dashboard);
  if (dev) app.use('/dev', dev);
  if (demo) app.use('/demo', demo);
  app.use(notFound, createErrorHandler(log, { ordinary: true }));
  return app;
}
