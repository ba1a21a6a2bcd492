import type { Language } from '../language.js';

export const it: Language = {
  code: 'it',
  direction: 'ltr',
  voice: 'it-IT',
  colon: ':',
  greeting: 'Ciao {customerName}!',
  caller: 'Questo è un messaggio di {application}.',
  attached: 'Il documento è allegato in formato PDF.',
  labels: {
    customerName: 'Cliente',
    orderId: 'Ordine',
    orderTotal: 'Totale',
    amount: 'Importo',
    status: 'Stato',
    cancelReason: 'Motivo',
    failureReason: 'Motivo',
    paymentMethod: 'Metodo di pagamento',
    retryPaymentLink: 'Paga ora',
    trackingNo: 'Numero di tracciamento',
    estimatedDelivery: 'Consegna prevista',
    deliveryAgentName: 'Il tuo corriere',
    refundedAmount: 'Rimborso',
    refundMethod: 'Rimborsato su',
    refundId: 'Numero del rimborso',
    expectedCreditDate: 'Accredito previsto entro',
    orderDetailsLink: 'Vedi l’ordine',
    transactionId: 'Transazione',
    trackingLink: 'Segui la spedizione',
    feedbackLink: 'Valuta l’ordine',
    supportLink: 'Richiedi assistenza',
    retryUrl: 'Riprova',
    updateMessage: 'Aggiornamento',
    orderDate: 'Data dell’ordine',
    invoiceNumber: 'Fattura',
    invoiceUrl: 'Vedi la fattura',
  },
  otp: {
    message: '{code} è il tuo codice per {application}.',
    validity: {
      one: 'Il codice è valido per {minutes} minuto.',
      many: 'Il codice è valido per {minutes} minuti.',
      other: 'Il codice è valido per {minutes} minuti.',
    },
    warning: 'Non comunicarlo mai a nessuno, nemmeno a noi.',
    subject: '{code} è il tuo codice per {application}',
    email: 'Il tuo codice per {application} è:',
    speech: 'Ciao. Il tuo codice per {application} è:',
    keyPrompt: 'Ciao. {application} ha un codice per te. Per ascoltarlo, premi un tasto qualsiasi.',
    ignore: 'Se non hai richiesto questo codice, puoi ignorare questa email.',
  },
  templates: {
    order_placed: {
      subject: 'Abbiamo ricevuto il tuo ordine {orderId}',
      sentences: ['Grazie! Abbiamo ricevuto il tuo ordine {orderId}.'],
    },
    order_confirmed: {
      subject: 'Il tuo ordine {orderId} è confermato',
      sentences: ['Il tuo ordine {orderId} è confermato.'],
    },
    order_processing: {
      subject: 'Stiamo preparando il tuo ordine {orderId}',
      sentences: ['Stiamo preparando il tuo ordine {orderId}.'],
    },
    order_shipped: {
      subject: 'Il tuo ordine {orderId} è in viaggio',
      sentences: ['Il tuo ordine {orderId} è in viaggio.'],
    },
    order_out_for_delivery: {
      subject: 'Il tuo ordine {orderId} sta per arrivare',
      sentences: ['Il tuo ordine {orderId} è in consegna.'],
    },
    order_delivered: {
      subject: 'Il tuo ordine {orderId} è arrivato',
      sentences: ['Il tuo ordine {orderId} è stato consegnato. Grazie per averci scelto!'],
    },
    order_delayed: {
      subject: 'Il tuo ordine {orderId} è in ritardo',
      sentences: ['Ci dispiace: il tuo ordine {orderId} è in ritardo.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'Non siamo riusciti a consegnare il tuo ordine {orderId}',
      sentences: ['Non siamo riusciti a consegnare il tuo ordine {orderId}.'],
    },
    order_cancelled: {
      subject: 'Il tuo ordine {orderId} è stato annullato',
      sentences: ['Il tuo ordine {orderId} è stato annullato.'],
    },
    order_returned: {
      subject: 'Abbiamo ricevuto il reso del tuo ordine {orderId}',
      sentences: ['Abbiamo ricevuto il reso del tuo ordine {orderId}.'],
    },
    payment_success: {
      subject: 'Abbiamo ricevuto il pagamento dell’ordine {orderId}',
      sentences: ['Grazie! Abbiamo ricevuto il pagamento dell’ordine {orderId}.'],
    },
    payment_pending: {
      subject: 'Il pagamento dell’ordine {orderId} è in sospeso',
      sentences: ['Il pagamento dell’ordine {orderId} è ancora in sospeso.'],
    },
    payment_failed: {
      subject: 'Il pagamento dell’ordine {orderId} non è riuscito',
      sentences: ['Il pagamento dell’ordine {orderId} non è riuscito.'],
    },
    refund_initiated: {
      subject: 'Abbiamo avviato il rimborso dell’ordine {orderId}',
      sentences: ['Abbiamo avviato il rimborso di {refundedAmount} per l’ordine {orderId}.'],
    },
    refund_completed: {
      subject: 'Il rimborso dell’ordine {orderId} è completato',
      sentences: ['Il rimborso di {refundedAmount} per l’ordine {orderId} è completato.'],
    },
    refund_failed: {
      subject: 'Il rimborso dell’ordine {orderId} non è riuscito',
      sentences: ['Il rimborso dell’ordine {orderId} non è riuscito. Ce ne stiamo occupando.'],
    },
    feedback_request: {
      subject: 'Com’è andato il tuo ordine {orderId}?',
      sentences: ['Com’è andato il tuo ordine {orderId}? Ci farebbe piacere conoscere la tua opinione.'],
    },
    order_update: {
      subject: 'Un aggiornamento sul tuo ordine {orderId}',
      sentences: ['C’è un aggiornamento sul tuo ordine {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'La tua fattura {invoiceNumber}',
      sentences: ['La tua fattura {invoiceNumber} di {amount} è pronta.'],
    },
    invoice_reminder: {
      subject: 'La tua fattura {invoiceNumber} è da pagare',
      sentences: ['Ti ricordiamo che la tua fattura {invoiceNumber} di {amount} è da pagare.'],
    },
    invoice_overdue: {
      subject: 'La tua fattura {invoiceNumber} è scaduta',
      sentences: ['La tua fattura {invoiceNumber} di {amount} è scaduta. Ti chiediamo di pagarla appena possibile.'],
    },
    invoice_paid: {
      subject: 'La tua fattura {invoiceNumber} è stata pagata',
      sentences: ['Grazie! Abbiamo ricevuto il pagamento della tua fattura {invoiceNumber}.'],
    },
    invoice_cancelled: {
      subject: 'La tua fattura {invoiceNumber} è stata annullata',
      sentences: ['La tua fattura {invoiceNumber} è stata annullata. Non devi pagare nulla.'],
    },
  },
};
