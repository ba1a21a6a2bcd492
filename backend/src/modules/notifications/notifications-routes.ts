/** `/notifications/order` and `/notifications/invoice`. */
import { Router, type Request, type RequestHandler } from 'express';
import { applicationOf } from '../applications/authentication.js';
import { allowOnly, jsonBody, reply } from '../../platform/http/envelope.js';
import { idempotencyKeyOf } from '../../platform/http/idempotency-key.js';
import { requestIdOf } from '../../platform/http/request-log.js';
import { withoutPort } from '../../platform/http/source-address.js';
import { createValidator, parametersOf, type Validator } from '../../platform/http/validation.js';
import type { NotificationKind } from './catalogue.js';
import type { DescribeDevice } from './device-info.js';
import type { NotificationRequest, SendNotification } from './notifications-service.js';

const orderParameters = createValidator<NotificationRequest>('OrderNotificationRequest');
const invoiceParameters = createValidator<NotificationRequest>('InvoiceNotificationRequest');

export interface NotificationsRoutesParts {
  readonly authentication: RequestHandler;
  readonly sendNotification: SendNotification;
  readonly describeDevice: DescribeDevice;
}

export function notificationsRoutes(parts: NotificationsRoutesParts): Router {
  const { authentication, sendNotification, describeDevice } = parts;
  const router = Router();

  const deviceOf = (request: Request) =>
    describeDevice({ ip: withoutPort(request.ip ?? ''), userAgent: request.get('User-Agent') ?? '' });

  function send(
    kind: NotificationKind,
    read: Validator<NotificationRequest>,
    about: (request: Request) => object,
  ): RequestHandler {
    return async (request, response) => {
      const parameters = read(parametersOf(request));
      reply(
        response,
        await sendNotification(applicationOf(response), kind, parameters, {
          idempotencyKey: idempotencyKeyOf(request),
          requestId: requestIdOf(response),
          ...about(request),
        }),
      );
    };
  }

  const order = send('order', orderParameters, (request) => ({ deviceInfo: deviceOf(request) }));
  const invoice = send('invoice', invoiceParameters, () => ({}));
  router.all('/notifications/order', allowOnly('POST'), authentication, jsonBody, order);
  router.all('/notifications/invoice', allowOnly('POST'), authentication, jsonBody, invoice);
  return router;
}
