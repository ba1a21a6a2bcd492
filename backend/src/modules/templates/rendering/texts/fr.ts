import type { Language } from '../language.js';

export const fr: Language = {
  code: 'fr',
  direction: 'ltr',
  voice: 'fr-FR',
  colon: '\u00a0:',
  greeting: 'Bonjour {customerName}\u00a0!',
  caller: 'Ceci est un message de {application}.',
  attached: 'Le document est joint au format PDF.',
  labels: {
    customerName: 'Client',
    orderId: 'Commande',
    orderTotal: 'Total',
    amount: 'Montant',
    status: 'Statut',
    cancelReason: 'Motif',
    failureReason: 'Motif',
    paymentMethod: 'Moyen de paiement',
    retryPaymentLink: 'Payer maintenant',
    trackingNo: 'Numéro de suivi',
    estimatedDelivery: 'Livraison prévue',
    deliveryAgentName: 'Votre livreur',
    refundedAmount: 'Remboursement',
    refundMethod: 'Mode de remboursement',
    refundId: 'Numéro de remboursement',
    expectedCreditDate: 'Date prévue',
    orderDetailsLink: 'Voir la commande',
    transactionId: 'Transaction',
    trackingLink: 'Suivre le colis',
    feedbackLink: 'Évaluer la commande',
    supportLink: 'Obtenir de l’aide',
    retryUrl: 'Réessayer',
    updateMessage: 'Nouvelle',
    orderDate: 'Date de commande',
    invoiceNumber: 'Facture',
    invoiceUrl: 'Voir la facture',
  },
  otp: {
    message: '{code} est votre code {application}.',
    validity: {
      one: 'Il est valable {minutes} minute.',
      many: 'Il est valable {minutes} minutes.',
      other: 'Il est valable {minutes} minutes.',
    },
    warning: 'Ne le communiquez à personne. Nous ne vous le demanderons jamais.',
    subject: '{code} est votre code {application}',
    email: 'Votre code {application} est\u00a0:',
    speech: 'Bonjour. Votre code {application} est\u00a0:',
    keyPrompt: 'Bonjour. {application} a un code pour vous. Appuyez sur une touche pour l’écouter.',
    ignore: 'Si vous n’avez pas demandé ce code, vous pouvez ignorer cet e-mail.',
  },
  templates: {
    order_placed: {
      subject: 'Nous avons reçu votre commande {orderId}',
      sentences: ['Merci\u00a0! Votre commande {orderId} est bien enregistrée.'],
    },
    order_confirmed: {
      subject: 'Votre commande {orderId} est confirmée',
      sentences: ['Votre commande {orderId} est confirmée.'],
    },
    order_processing: {
      subject: 'Nous préparons votre commande {orderId}',
      sentences: ['Nous préparons votre commande {orderId}.'],
    },
    order_shipped: {
      subject: 'Votre commande {orderId} est en route',
      sentences: ['Votre commande {orderId} est en route.'],
    },
    order_out_for_delivery: {
      subject: 'Votre commande {orderId} arrive bientôt',
      sentences: ['Votre commande {orderId} est en cours de livraison.'],
    },
    order_delivered: {
      subject: 'Votre commande {orderId} est arrivée',
      sentences: ['Votre commande {orderId} a été livrée. Profitez-en bien\u00a0!'],
    },
    order_delayed: {
      subject: 'Votre commande {orderId} est retardée',
      sentences: ['Nous sommes désolés\u00a0: votre commande {orderId} est retardée.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'Nous n’avons pas pu livrer votre commande {orderId}',
      sentences: ['Nous n’avons pas pu livrer votre commande {orderId}.'],
    },
    order_cancelled: {
      subject: 'Votre commande {orderId} a été annulée',
      sentences: ['Votre commande {orderId} a été annulée.'],
    },
    order_returned: {
      subject: 'Le retour de votre commande {orderId} nous est bien parvenu',
      sentences: ['Le retour de votre commande {orderId} nous est bien parvenu.'],
    },
    payment_success: {
      subject: 'Nous avons reçu votre paiement pour la commande {orderId}',
      sentences: ['Merci\u00a0! Votre paiement pour la commande {orderId} nous est bien parvenu.'],
    },
    payment_pending: {
      subject: 'Le paiement de votre commande {orderId} est toujours attendu',
      sentences: ['Le paiement de votre commande {orderId} est toujours attendu.'],
    },
    payment_failed: {
      subject: 'Le paiement de votre commande {orderId} a échoué',
      sentences: ['Le paiement de votre commande {orderId} a échoué.'],
    },
    refund_initiated: {
      subject: 'Votre remboursement pour la commande {orderId} est en cours',
      sentences: ['Nous avons lancé votre remboursement de {refundedAmount} pour la commande {orderId}.'],
    },
    refund_completed: {
      subject: 'Votre remboursement pour la commande {orderId} a été effectué',
      sentences: ['Votre remboursement de {refundedAmount} pour la commande {orderId} a été effectué.'],
    },
    refund_failed: {
      subject: 'Le remboursement de votre commande {orderId} a échoué',
      sentences: ['Le remboursement de votre commande {orderId} a échoué. Nous nous en occupons.'],
    },
    feedback_request: {
      subject: 'Comment s’est passée votre commande {orderId}\u00a0?',
      sentences: ['Comment s’est passée votre commande {orderId}\u00a0? Votre avis nous intéresse.'],
    },
    order_update: {
      subject: 'Du nouveau pour votre commande {orderId}',
      sentences: ['Il y a du nouveau pour votre commande {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'Votre facture {invoiceNumber}',
      sentences: ['Votre facture {invoiceNumber} de {amount} est disponible.'],
    },
    invoice_reminder: {
      subject: 'Votre facture {invoiceNumber} est à payer',
      sentences: ['Petit rappel\u00a0: votre facture {invoiceNumber} de {amount} est à payer.'],
    },
    invoice_overdue: {
      subject: 'Votre facture {invoiceNumber} est en retard de paiement',
      sentences: [
        'Votre facture {invoiceNumber} de {amount} est en retard de paiement. Merci de la régler dès que possible.',
      ],
    },
    invoice_paid: {
      subject: 'Votre facture {invoiceNumber} est payée',
      sentences: ['Merci\u00a0! Le paiement de votre facture {invoiceNumber} nous est bien parvenu.'],
    },
    invoice_cancelled: {
      subject: 'Votre facture {invoiceNumber} a été annulée',
      sentences: ['Votre facture {invoiceNumber} a été annulée. Aucun paiement n’est nécessaire.'],
    },
  },
};
