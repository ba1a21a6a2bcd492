import { createValidator } from '../../platform/http/validation.js';
import type { SendAt } from './send-time.js';

export interface NotificationRequest {
  readonly to: string;
  readonly authWay?: string;
  readonly templateType: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly language?: string;
  readonly sendAt?: SendAt;
  readonly attachmentUrl?: string;
  readonly reference?: string;
}

/** Validates the parameters of a request, by the kind of its template. */
export const readRequest = {
  order: createValidator<NotificationRequest>('OrderNotificationRequest'),
  invoice: createValidator<NotificationRequest>('InvoiceNotificationRequest'),
};
