import type { Language } from '../language.js';

export const de: Language = {
  code: 'de',
  direction: 'ltr',
  voice: 'de-DE',
  colon: ':',
  greeting: 'Guten Tag {customerName}!',
  caller: 'Dies ist eine Nachricht von {application}.',
  attached: 'Das Dokument ist als PDF angehängt.',
  labels: {
    customerName: 'Kunde',
    orderId: 'Bestellung',
    orderTotal: 'Gesamtbetrag',
    amount: 'Betrag',
    status: 'Status',
    cancelReason: 'Grund',
    failureReason: 'Grund',
    paymentMethod: 'Zahlungsart',
    retryPaymentLink: 'Jetzt bezahlen',
    trackingNo: 'Sendungsnummer',
    estimatedDelivery: 'Voraussichtliche Lieferung',
    deliveryAgentName: 'Ihr Zusteller',
    refundedAmount: 'Erstattung',
    refundMethod: 'Erstattet auf',
    refundId: 'Erstattungsnummer',
    expectedCreditDate: 'Erwartet bis',
    orderDetailsLink: 'Bestellung ansehen',
    transactionId: 'Transaktion',
    trackingLink: 'Sendung verfolgen',
    feedbackLink: 'Bestellung bewerten',
    supportLink: 'Hilfe erhalten',
    retryUrl: 'Erneut versuchen',
    updateMessage: 'Neuigkeit',
    orderDate: 'Bestellt am',
    invoiceNumber: 'Rechnung',
    invoiceUrl: 'Rechnung ansehen',
  },
  otp: {
    message: '{code} ist Ihr Code für {application}.',
    validity: { one: 'Er gilt {minutes} Minute.', other: 'Er gilt {minutes} Minuten.' },
    warning: 'Geben Sie ihn niemals weiter, auch nicht an uns.',
    subject: '{code} ist Ihr Code für {application}',
    email: 'Ihr Code für {application} lautet:',
    speech: 'Guten Tag. Ihr Code für {application} lautet:',
    keyPrompt: 'Guten Tag. {application} hat einen Code für Sie. Drücken Sie eine beliebige Taste, um ihn zu hören.',
    ignore: 'Wenn Sie diesen Code nicht angefordert haben, können Sie diese E-Mail ignorieren.',
  },
  templates: {
    order_placed: {
      subject: 'Wir haben Ihre Bestellung {orderId} erhalten',
      sentences: ['Vielen Dank! Wir haben Ihre Bestellung {orderId} erhalten.'],
    },
    order_confirmed: {
      subject: 'Ihre Bestellung {orderId} ist bestätigt',
      sentences: ['Ihre Bestellung {orderId} ist bestätigt.'],
    },
    order_processing: {
      subject: 'Wir bearbeiten Ihre Bestellung {orderId}',
      sentences: ['Wir bearbeiten Ihre Bestellung {orderId}.'],
    },
    order_shipped: {
      subject: 'Ihre Bestellung {orderId} ist unterwegs',
      sentences: ['Ihre Bestellung {orderId} ist unterwegs.'],
    },
    order_out_for_delivery: {
      subject: 'Ihre Bestellung {orderId} kommt bald an',
      sentences: ['Ihre Bestellung {orderId} wird gerade zugestellt.'],
    },
    order_delivered: {
      subject: 'Ihre Bestellung {orderId} ist angekommen',
      sentences: ['Ihre Bestellung {orderId} wurde zugestellt. Viel Freude damit!'],
    },
    order_delayed: {
      subject: 'Ihre Bestellung {orderId} verspätet sich',
      sentences: ['Es tut uns leid: Ihre Bestellung {orderId} verspätet sich.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'Wir konnten Ihre Bestellung {orderId} nicht zustellen',
      sentences: ['Wir konnten Ihre Bestellung {orderId} nicht zustellen.'],
    },
    order_cancelled: {
      subject: 'Ihre Bestellung {orderId} wurde storniert',
      sentences: ['Ihre Bestellung {orderId} wurde storniert.'],
    },
    order_returned: {
      subject: 'Wir haben Ihre Rücksendung zu Bestellung {orderId} erhalten',
      sentences: ['Wir haben Ihre Rücksendung zu Bestellung {orderId} erhalten.'],
    },
    payment_success: {
      subject: 'Wir haben Ihre Zahlung für Bestellung {orderId} erhalten',
      sentences: ['Vielen Dank! Wir haben Ihre Zahlung für Bestellung {orderId} erhalten.'],
    },
    payment_pending: {
      subject: 'Die Zahlung für Ihre Bestellung {orderId} steht noch aus',
      sentences: ['Die Zahlung für Ihre Bestellung {orderId} steht noch aus.'],
    },
    payment_failed: {
      subject: 'Die Zahlung für Ihre Bestellung {orderId} ist fehlgeschlagen',
      sentences: ['Die Zahlung für Ihre Bestellung {orderId} ist fehlgeschlagen.'],
    },
    refund_initiated: {
      subject: 'Wir haben Ihre Erstattung für Bestellung {orderId} veranlasst',
      sentences: ['Wir haben Ihre Erstattung von {refundedAmount} für Bestellung {orderId} veranlasst.'],
    },
    refund_completed: {
      subject: 'Ihre Erstattung für Bestellung {orderId} ist abgeschlossen',
      sentences: ['Ihre Erstattung von {refundedAmount} für Bestellung {orderId} ist abgeschlossen.'],
    },
    refund_failed: {
      subject: 'Die Erstattung für Ihre Bestellung {orderId} ist fehlgeschlagen',
      sentences: ['Die Erstattung für Ihre Bestellung {orderId} ist fehlgeschlagen. Wir kümmern uns darum.'],
    },
    feedback_request: {
      subject: 'Wie war Ihre Bestellung {orderId}?',
      sentences: ['Wie war Ihre Bestellung {orderId}? Wir freuen uns auf Ihre Meinung.'],
    },
    order_update: {
      subject: 'Neuigkeiten zu Ihrer Bestellung {orderId}',
      sentences: ['Wir haben Neuigkeiten zu Ihrer Bestellung {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'Ihre Rechnung {invoiceNumber}',
      sentences: ['Ihre Rechnung {invoiceNumber} über {amount} liegt bereit.'],
    },
    invoice_reminder: {
      subject: 'Ihre Rechnung {invoiceNumber} ist fällig',
      sentences: ['Eine freundliche Erinnerung: Ihre Rechnung {invoiceNumber} über {amount} ist fällig.'],
    },
    invoice_overdue: {
      subject: 'Ihre Rechnung {invoiceNumber} ist überfällig',
      sentences: [
        'Ihre Rechnung {invoiceNumber} über {amount} ist überfällig. Bitte begleichen Sie den Betrag so bald wie möglich.',
      ],
    },
    invoice_paid: {
      subject: 'Ihre Rechnung {invoiceNumber} ist bezahlt',
      sentences: ['Vielen Dank! Wir haben die Zahlung Ihrer Rechnung {invoiceNumber} erhalten.'],
    },
    invoice_cancelled: {
      subject: 'Ihre Rechnung {invoiceNumber} wurde storniert',
      sentences: ['Ihre Rechnung {invoiceNumber} wurde storniert. Eine Zahlung ist nicht nötig.'],
    },
  },
};
