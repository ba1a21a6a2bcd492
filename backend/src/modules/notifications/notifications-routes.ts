/** The routes `/notifications/order` and `/notifications/invoice`. */
import { Router, type RequestHandler } from 'express';
import { markRepeated, reply, warn } from '../../platform/http/envelope.js';
import { requestIdOf } from '../../platform/http/request-log.js';
import { withoutPort } from '../../platform/http/source-address.js';
import { apiCall } from '../../platform/http/unknown-parameters.js';
import { idempotencyKeyOf, parametersOf } from '../../platform/http/validation.js';
import { applicationOf } from '../applications/authentication.js';
import { domainWarning } from '../recipients/recipient-mistakes.js';
import type { NotificationKind } from './catalogue.js';
import type { DescribeDevice } from './device-info.js';
import { readRequest } from './notification-request.js';
import type { NotificationsService } from './notifications-service.js';

export function notificationsRoutes(
  authentication: RequestHandler,
  notifications: NotificationsService,
  describeDevice: DescribeDevice,
): Router {
  const router = Router();

  const handle =
    (kind: NotificationKind): RequestHandler =>
    async (request, response) => {
      const parameters = readRequest[kind](parametersOf(request));
      warn(response, domainWarning(parameters.to));
      const onRepeat = () => markRepeated(response);
      const options = { idempotencyKey: idempotencyKeyOf(request), requestId: requestIdOf(response), onRepeat };
      const caller = { ip: withoutPort(request.ip ?? ''), userAgent: request.get('User-Agent') ?? '' };
      const device = kind === 'order' ? { deviceInfo: describeDevice(caller) } : {};
      reply(response, await notifications.send(applicationOf(response), kind, parameters, { ...options, ...device }));
    };

  const orderCall = apiCall(authentication, 'OrderNotificationRequest', 'POST');
  router.all('/notifications/order', orderCall, handle('order'));
  const invoiceCall = apiCall(authentication, 'InvoiceNotificationRequest', 'POST');
  router.all('/notifications/invoice', invoiceCall, handle('invoice'));
  return router;
}
