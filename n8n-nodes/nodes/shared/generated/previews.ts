// Generated from the built-in texts by `npm run generate`. Do not edit.

/** Notifications as an SMS in English, with sample values, by template. An application can have other texts. */
export const PREVIEWS = {
  order_placed:
    'My Shop: Hello Ana Silva! Thank you! We have received your order A-1001. Amount: USD 59.90. Total: USD 64.80. Ordered on: March 1, 2026. Payment method: Visa ending in 4242. View the order: https://shop.example/orders/A-1001 Get help: https://shop.example/help',
  order_confirmed:
    'My Shop: Hello Ana Silva! Your order A-1001 is confirmed. Total: USD 64.80. Ordered on: March 1, 2026. Expected delivery: March 5, 2026. View the order: https://shop.example/orders/A-1001',
  order_processing:
    'My Shop: Hello Ana Silva! We are preparing your order A-1001. Status: Packed. Expected delivery: March 5, 2026. View the order: https://shop.example/orders/A-1001',
  order_shipped:
    'My Shop: Hello Ana Silva! Your order A-1001 is on its way. Tracking number: 1Z999AA10123456784. Expected delivery: March 5, 2026. Track the parcel: https://track.example/1Z999AA10123456784',
  order_out_for_delivery:
    'My Shop: Hello Ana Silva! Your order A-1001 is out for delivery. Your courier: Sam. Expected delivery: March 5, 2026. Track the parcel: https://track.example/1Z999AA10123456784',
  order_delivered:
    'My Shop: Hello Ana Silva! Your order A-1001 has been delivered. Enjoy! Rate the order: https://shop.example/rate/A-1001 Get help: https://shop.example/help View the order: https://shop.example/orders/A-1001',
  order_delayed:
    'My Shop: Hello Ana Silva! We are sorry: your order A-1001 is delayed. The courier has a backlog. Expected delivery: March 5, 2026. Track the parcel: https://track.example/1Z999AA10123456784 Get help: https://shop.example/help',
  delivery_failed:
    'My Shop: Hello Ana Silva! We could not deliver your order A-1001. Reason: Nobody was at home. Try again: https://shop.example/retry/A-1001 Get help: https://shop.example/help',
  order_cancelled:
    'My Shop: Hello Ana Silva! Your order A-1001 was canceled. Reason: Out of stock. Refund: USD 19.90. Get help: https://shop.example/help',
  order_returned:
    'My Shop: Hello Ana Silva! We have received your return of order A-1001. Status: Being checked. Refund to: Visa ending in 4242. Get help: https://shop.example/help',
  payment_success:
    'My Shop: Hello Ana Silva! Thank you! We have received your payment for order A-1001. Amount: USD 59.90. Total: USD 64.80. Transaction: T-3003. Payment method: Visa ending in 4242. View the order: https://shop.example/orders/A-1001',
  payment_pending:
    'My Shop: Hello Ana Silva! Payment for your order A-1001 is still due. Amount: USD 59.90. Total: USD 64.80. Payment method: Visa ending in 4242. Pay now: https://shop.example/pay/A-1001',
  payment_failed:
    'My Shop: Hello Ana Silva! The payment for your order A-1001 failed. Reason: Card declined. Amount: USD 59.90. Payment method: Visa ending in 4242. Transaction: T-3003. Pay now: https://shop.example/pay/A-1001 Try again: https://shop.example/retry/A-1001 Get help: https://shop.example/help',
  refund_initiated:
    'My Shop: Hello Ana Silva! We have started your refund of USD 19.90 for order A-1001. Refund ID: R-2002. Refund to: Visa ending in 4242. Expected by: March 10, 2026.',
  refund_completed:
    'My Shop: Hello Ana Silva! Your refund of USD 19.90 for order A-1001 is complete. Refund ID: R-2002. Refund to: Visa ending in 4242. Transaction: T-3003.',
  refund_failed:
    'My Shop: Hello Ana Silva! The refund for your order A-1001 failed. We are looking into it. Refund ID: R-2002. Reason: Card expired. Get help: https://shop.example/help',
  feedback_request:
    'My Shop: Hello Ana Silva! How was your order A-1001? We would love to hear from you. Rate the order: https://shop.example/rate/A-1001',
  order_update:
    'My Shop: Hello Ana Silva! We have an update on your order A-1001. Your parcel is ready at the pick-up point. Status: Packed. Total: USD 64.80. Amount: USD 59.90. Reason: Out of stock. Reason: Card declined. Payment method: Visa ending in 4242. Tracking number: 1Z999AA10123456784. Expected delivery: March 5, 2026. Your courier: Sam. Refund: USD 19.90. Refund to: Visa ending in 4242. Refund ID: R-2002. Expected by: March 10, 2026. Transaction: T-3003. Ordered on: March 1, 2026. Pay now: https://shop.example/pay/A-1001 View the order: https://shop.example/orders/A-1001 Track the parcel: https://track.example/1Z999AA10123456784 Rate the order: https://shop.example/rate/A-1001 Get help: https://shop.example/help Try again: https://shop.example/retry/A-1001',
  invoice_generated:
    'My Shop: Hello Ana Silva! Your invoice INV-2026-17 for USD 59.90 is ready. View the invoice: https://shop.example/invoices/17',
  invoice_reminder:
    'My Shop: Hello Ana Silva! A friendly reminder: your invoice INV-2026-17 for USD 59.90 is due. View the invoice: https://shop.example/invoices/17',
  invoice_overdue:
    'My Shop: Hello Ana Silva! Your invoice INV-2026-17 for USD 59.90 is overdue. Please pay it as soon as you can. View the invoice: https://shop.example/invoices/17',
  invoice_paid:
    'My Shop: Hello Ana Silva! Thank you! We have received the payment for your invoice INV-2026-17. Amount: USD 59.90. View the invoice: https://shop.example/invoices/17',
  invoice_cancelled: 'My Shop: Hello Ana Silva! Your invoice INV-2026-17 was canceled. No payment is needed.',
} as const;
