/** Identifies the order or invoice that a notification is about, so that news about it replaces a scheduled message. */
import { sha256 } from '../../platform/crypto.js';
import type { SendPlan } from '../messages/send-plan.js';
import type { TemplateName } from './catalogue.js';

type Family = 'order' | 'payment' | 'refund' | 'invoice';

/**
 * Templates that describe successive states of the same thing, so that the latest one makes the others wrong. Templates
 * without a family, such as `feedback_request`, neither replace messages nor are replaced.
 */
const FAMILIES: Partial<Record<TemplateName, Family>> = {
  order_placed: 'order',
  order_confirmed: 'order',
  order_processing: 'order',
  order_shipped: 'order',
  order_out_for_delivery: 'order',
  order_delivered: 'order',
  order_delayed: 'order',
  delivery_failed: 'order',
  order_cancelled: 'order',
  order_returned: 'order',
  payment_success: 'payment',
  payment_pending: 'payment',
  payment_failed: 'payment',
  refund_initiated: 'refund',
  refund_completed: 'refund',
  refund_failed: 'refund',
  invoice_generated: 'invoice',
  invoice_reminder: 'invoice',
  invoice_overdue: 'invoice',
  invoice_paid: 'invoice',
  invoice_cancelled: 'invoice',
};

/** Returns the key of the order or invoice and the recipient; undefined if the notification replaces nothing. */
export function orderKeyOf(
  applicationId: number,
  { address }: SendPlan,
  template: TemplateName,
  { orderId, invoiceNumber }: Readonly<Record<string, string>>,
): string | undefined {
  const family = FAMILIES[template];
  const subject = family === 'invoice' ? invoiceNumber : orderId;
  if (family === undefined || subject === undefined) return undefined;
  return sha256(JSON.stringify([applicationId, address.toLowerCase(), family, subject]));
}
