import type { Language } from '../language.js';

export const nl: Language = {
  code: 'nl',
  direction: 'ltr',
  voice: 'nl-NL',
  colon: ':',
  greeting: 'Hallo {customerName}!',
  caller: 'Dit is een bericht van {application}.',
  attached: 'Het document is als pdf bijgevoegd.',
  labels: {
    customerName: 'Klant',
    orderId: 'Bestelling',
    orderTotal: 'Totaal',
    amount: 'Bedrag',
    status: 'Status',
    cancelReason: 'Reden',
    failureReason: 'Reden',
    paymentMethod: 'Betaalmethode',
    retryPaymentLink: 'Nu betalen',
    trackingNo: 'Trackingnummer',
    estimatedDelivery: 'Verwachte levering',
    deliveryAgentName: 'Uw bezorger',
    refundedAmount: 'Terugbetaling',
    refundMethod: 'Terugbetaald via',
    refundId: 'Terugbetalingsnummer',
    expectedCreditDate: 'Uiterlijk verwacht op',
    orderDetailsLink: 'Bestelling bekijken',
    transactionId: 'Transactie',
    trackingLink: 'Pakket volgen',
    feedbackLink: 'Bestelling beoordelen',
    supportLink: 'Hulp krijgen',
    retryUrl: 'Opnieuw proberen',
    updateMessage: 'Update',
    orderDate: 'Besteld op',
    invoiceNumber: 'Factuur',
    invoiceUrl: 'Factuur bekijken',
  },
  otp: {
    message: '{code} is uw code voor {application}.',
    validity: { one: 'De code is {minutes} minuut geldig.', other: 'De code is {minutes} minuten geldig.' },
    warning: 'Deel de code nooit met anderen, ook niet met ons.',
    subject: '{code} is uw code voor {application}',
    email: 'Uw code voor {application} is:',
    speech: 'Hallo. Uw code voor {application} is:',
    keyPrompt: 'Hallo. {application} heeft een code voor u. Druk op een willekeurige toets om de code te horen.',
    ignore: 'Hebt u deze code niet aangevraagd? Dan kunt u deze e-mail negeren.',
  },
  templates: {
    order_placed: {
      subject: 'We hebben uw bestelling {orderId} ontvangen',
      sentences: ['Bedankt! We hebben uw bestelling {orderId} ontvangen.'],
    },
    order_confirmed: {
      subject: 'Uw bestelling {orderId} is bevestigd',
      sentences: ['Uw bestelling {orderId} is bevestigd.'],
    },
    order_processing: {
      subject: 'We maken uw bestelling {orderId} klaar',
      sentences: ['We maken uw bestelling {orderId} klaar.'],
    },
    order_shipped: {
      subject: 'Uw bestelling {orderId} is onderweg',
      sentences: ['Uw bestelling {orderId} is onderweg.'],
    },
    order_out_for_delivery: {
      subject: 'Uw bestelling {orderId} komt er bijna aan',
      sentences: ['De bezorger is onderweg met uw bestelling {orderId}.'],
    },
    order_delivered: {
      subject: 'Uw bestelling {orderId} is bezorgd',
      sentences: ['Uw bestelling {orderId} is bezorgd. Veel plezier ermee!'],
    },
    order_delayed: {
      subject: 'Uw bestelling {orderId} is vertraagd',
      sentences: ['Het spijt ons: uw bestelling {orderId} is vertraagd.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'We konden uw bestelling {orderId} niet bezorgen',
      sentences: ['We konden uw bestelling {orderId} niet bezorgen.'],
    },
    order_cancelled: {
      subject: 'Uw bestelling {orderId} is geannuleerd',
      sentences: ['Uw bestelling {orderId} is geannuleerd.'],
    },
    order_returned: {
      subject: 'We hebben uw retourzending van bestelling {orderId} ontvangen',
      sentences: ['We hebben uw retourzending van bestelling {orderId} ontvangen.'],
    },
    payment_success: {
      subject: 'We hebben uw betaling voor bestelling {orderId} ontvangen',
      sentences: ['Bedankt! We hebben uw betaling voor bestelling {orderId} ontvangen.'],
    },
    payment_pending: {
      subject: 'De betaling voor uw bestelling {orderId} staat nog open',
      sentences: ['De betaling voor uw bestelling {orderId} staat nog open.'],
    },
    payment_failed: {
      subject: 'De betaling voor uw bestelling {orderId} is mislukt',
      sentences: ['De betaling voor uw bestelling {orderId} is mislukt.'],
    },
    refund_initiated: {
      subject: 'De terugbetaling voor bestelling {orderId} is in gang gezet',
      sentences: ['We hebben de terugbetaling van {refundedAmount} voor bestelling {orderId} in gang gezet.'],
    },
    refund_completed: {
      subject: 'De terugbetaling voor bestelling {orderId} is voltooid',
      sentences: ['De terugbetaling van {refundedAmount} voor bestelling {orderId} is voltooid.'],
    },
    refund_failed: {
      subject: 'De terugbetaling voor bestelling {orderId} is mislukt',
      sentences: ['De terugbetaling voor bestelling {orderId} is mislukt. We zoeken uit wat er is misgegaan.'],
    },
    feedback_request: {
      subject: 'Hoe was uw bestelling {orderId}?',
      sentences: ['Hoe was uw bestelling {orderId}? We horen graag wat u ervan vindt.'],
    },
    order_update: {
      subject: 'Een update over uw bestelling {orderId}',
      sentences: ['We hebben een update over uw bestelling {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'Uw factuur {invoiceNumber}',
      sentences: ['Uw factuur {invoiceNumber} van {amount} staat klaar.'],
    },
    invoice_reminder: {
      subject: 'Uw factuur {invoiceNumber} moet nog worden betaald',
      sentences: ['Een vriendelijke herinnering: uw factuur {invoiceNumber} van {amount} moet nog worden betaald.'],
    },
    invoice_overdue: {
      subject: 'De betaaltermijn van uw factuur {invoiceNumber} is verstreken',
      sentences: [
        'De betaaltermijn van uw factuur {invoiceNumber} van {amount} is verstreken. Wilt u de factuur zo snel mogelijk betalen?',
      ],
    },
    invoice_paid: {
      subject: 'Uw factuur {invoiceNumber} is betaald',
      sentences: ['Bedankt! We hebben de betaling van uw factuur {invoiceNumber} ontvangen.'],
    },
    invoice_cancelled: {
      subject: 'Uw factuur {invoiceNumber} is geannuleerd',
      sentences: ['Uw factuur {invoiceNumber} is geannuleerd. U hoeft niets te betalen.'],
    },
  },
};
