import type { Language } from '../language.js';

export const pl: Language = {
  code: 'pl',
  direction: 'ltr',
  voice: 'pl-PL',
  colon: ':',
  greeting: 'Dzień dobry, {customerName}!',
  caller: 'To wiadomość od {application}.',
  attached: 'Dokument znajduje się w załączniku w formacie PDF.',
  labels: {
    customerName: 'Klient',
    orderId: 'Zamówienie',
    orderTotal: 'Razem',
    amount: 'Kwota',
    status: 'Status',
    cancelReason: 'Powód',
    failureReason: 'Powód',
    paymentMethod: 'Płatność',
    retryPaymentLink: 'Zapłać teraz',
    trackingNo: 'Numer przesyłki',
    estimatedDelivery: 'Przewidywana dostawa',
    deliveryAgentName: 'Kurier',
    refundedAmount: 'Zwrot',
    refundMethod: 'Zwrot na',
    refundId: 'Numer zwrotu',
    expectedCreditDate: 'Przewidywana data',
    orderDetailsLink: 'Zobacz zamówienie',
    transactionId: 'Transakcja',
    trackingLink: 'Śledź przesyłkę',
    feedbackLink: 'Oceń zamówienie',
    supportLink: 'Pomoc',
    retryUrl: 'Spróbuj ponownie',
    updateMessage: 'Nowa informacja',
    orderDate: 'Data zamówienia',
    invoiceNumber: 'Faktura',
    invoiceUrl: 'Zobacz fakturę',
  },
  otp: {
    message: '{code} to Twój kod {application}.',
    validity: {
      one: 'Jest ważny przez {minutes} minutę.',
      few: 'Jest ważny przez {minutes} minuty.',
      many: 'Jest ważny przez {minutes} minut.',
      other: 'Jest ważny przez {minutes} minuty.',
    },
    warning: 'Nie podawaj go nikomu, nawet nam.',
    subject: '{code} to Twój kod {application}',
    email: 'Twój kod {application} to:',
    speech: 'Dzień dobry. Twój kod {application} to:',
    keyPrompt: 'Dzień dobry. {application} ma dla Ciebie kod. Aby go usłyszeć, naciśnij dowolny klawisz.',
    ignore: 'Jeśli to nie była Twoja prośba o kod, możesz zignorować tę wiadomość.',
  },
  templates: {
    order_placed: {
      subject: 'Otrzymaliśmy Twoje zamówienie {orderId}',
      sentences: ['Dziękujemy! Otrzymaliśmy Twoje zamówienie {orderId}.'],
    },
    order_confirmed: {
      subject: 'Twoje zamówienie {orderId} jest potwierdzone',
      sentences: ['Twoje zamówienie {orderId} jest potwierdzone.'],
    },
    order_processing: {
      subject: 'Przygotowujemy Twoje zamówienie {orderId}',
      sentences: ['Przygotowujemy Twoje zamówienie {orderId}.'],
    },
    order_shipped: {
      subject: 'Twoje zamówienie {orderId} jest w drodze',
      sentences: ['Twoje zamówienie {orderId} jest w drodze.'],
    },
    order_out_for_delivery: {
      subject: 'Twoje zamówienie {orderId} wkrótce dotrze',
      sentences: ['Twoje zamówienie {orderId} jest właśnie doręczane.'],
    },
    order_delivered: {
      subject: 'Twoje zamówienie {orderId} dotarło',
      sentences: ['Twoje zamówienie {orderId} zostało doręczone. Życzymy zadowolenia z zakupu!'],
    },
    order_delayed: {
      subject: 'Twoje zamówienie {orderId} się opóźni',
      sentences: ['Przepraszamy: Twoje zamówienie {orderId} się opóźni.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'Nie udało się doręczyć zamówienia {orderId}',
      sentences: ['Nie udało nam się doręczyć Twojego zamówienia {orderId}.'],
    },
    order_cancelled: {
      subject: 'Twoje zamówienie {orderId} zostało anulowane',
      sentences: ['Twoje zamówienie {orderId} zostało anulowane.'],
    },
    order_returned: {
      subject: 'Otrzymaliśmy zwrot zamówienia {orderId}',
      sentences: ['Otrzymaliśmy zwrot Twojego zamówienia {orderId}.'],
    },
    payment_success: {
      subject: 'Otrzymaliśmy płatność za zamówienie {orderId}',
      sentences: ['Dziękujemy! Otrzymaliśmy płatność za zamówienie {orderId}.'],
    },
    payment_pending: {
      subject: 'Zamówienie {orderId} nadal czeka na płatność',
      sentences: ['Twoje zamówienie {orderId} nadal czeka na płatność.'],
    },
    payment_failed: {
      subject: 'Płatność za zamówienie {orderId} nie powiodła się',
      sentences: ['Płatność za zamówienie {orderId} nie powiodła się.'],
    },
    refund_initiated: {
      subject: 'Zleciliśmy zwrot pieniędzy za zamówienie {orderId}',
      sentences: ['Zleciliśmy zwrot {refundedAmount} za zamówienie {orderId}.'],
    },
    refund_completed: {
      subject: 'Zwrot pieniędzy za zamówienie {orderId} został zrealizowany',
      sentences: ['Zwrot {refundedAmount} za zamówienie {orderId} został zrealizowany.'],
    },
    refund_failed: {
      subject: 'Zwrot pieniędzy za zamówienie {orderId} nie powiódł się',
      sentences: ['Zwrot pieniędzy za zamówienie {orderId} nie powiódł się. Zajmujemy się tym.'],
    },
    feedback_request: {
      subject: 'Jak oceniasz zamówienie {orderId}?',
      sentences: ['Jak oceniasz swoje zamówienie {orderId}? Chętnie poznamy Twoją opinię.'],
    },
    order_update: {
      subject: 'Nowe informacje o zamówieniu {orderId}',
      sentences: ['Mamy nowe informacje o zamówieniu {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'Twoja faktura {invoiceNumber}',
      sentences: ['Twoja faktura {invoiceNumber} na kwotę {amount} jest gotowa.'],
    },
    invoice_reminder: {
      subject: 'Mija termin płatności faktury {invoiceNumber}',
      sentences: ['Przypominamy o płatności za fakturę {invoiceNumber} na kwotę {amount}.'],
    },
    invoice_overdue: {
      subject: 'Termin płatności faktury {invoiceNumber} minął',
      sentences: [
        'Termin płatności faktury {invoiceNumber} na kwotę {amount} minął. Prosimy o wpłatę jak najszybciej.',
      ],
    },
    invoice_paid: {
      subject: 'Faktura {invoiceNumber} jest opłacona',
      sentences: ['Dziękujemy! Otrzymaliśmy płatność za fakturę {invoiceNumber}.'],
    },
    invoice_cancelled: {
      subject: 'Faktura {invoiceNumber} została anulowana',
      sentences: ['Twoja faktura {invoiceNumber} została anulowana. Nie trzeba jej opłacać.'],
    },
  },
};
