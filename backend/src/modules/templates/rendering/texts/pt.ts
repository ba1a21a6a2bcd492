import type { Language } from '../language.js';

export const pt: Language = {
  code: 'pt',
  direction: 'ltr',
  voice: 'pt-BR',
  colon: ':',
  greeting: 'Olá, {customerName}!',
  caller: 'Esta é uma mensagem de {application}.',
  attached: 'O documento está anexado em PDF.',
  labels: {
    customerName: 'Cliente',
    orderId: 'Pedido',
    orderTotal: 'Total',
    amount: 'Valor',
    status: 'Status',
    cancelReason: 'Motivo',
    failureReason: 'Motivo',
    paymentMethod: 'Forma de pagamento',
    retryPaymentLink: 'Pagar agora',
    trackingNo: 'Código de rastreamento',
    estimatedDelivery: 'Entrega prevista',
    deliveryAgentName: 'Seu entregador',
    refundedAmount: 'Reembolso',
    refundMethod: 'Reembolsado em',
    refundId: 'Número do reembolso',
    expectedCreditDate: 'Data prevista',
    orderDetailsLink: 'Ver o pedido',
    transactionId: 'Transação',
    trackingLink: 'Rastrear a encomenda',
    feedbackLink: 'Avaliar o pedido',
    supportLink: 'Obter ajuda',
    retryUrl: 'Tentar novamente',
    updateMessage: 'Novidade',
    orderDate: 'Data do pedido',
    invoiceNumber: 'Fatura',
    invoiceUrl: 'Ver a fatura',
  },
  otp: {
    message: 'Seu código {application}: {code}.',
    validity: {
      one: 'Válido por {minutes} minuto.',
      many: 'Válido por {minutes} minutos.',
      other: 'Válido por {minutes} minutos.',
    },
    warning: 'Não compartilhe com outras pessoas. Nunca pediremos este código.',
    subject: '{code} é o seu código {application}',
    email: 'O seu código {application} é:',
    speech: 'Olá. O seu código {application} é:',
    keyPrompt: 'Olá. {application} tem um código para você. Pressione qualquer tecla para ouvir.',
    ignore: 'Se você não pediu este código, pode ignorar este e-mail.',
  },
  templates: {
    order_placed: {
      subject: 'Recebemos o seu pedido {orderId}',
      sentences: ['Obrigado! Recebemos o seu pedido {orderId}.'],
    },
    order_confirmed: {
      subject: 'O seu pedido {orderId} está confirmado',
      sentences: ['O seu pedido {orderId} está confirmado.'],
    },
    order_processing: {
      subject: 'Estamos preparando o seu pedido {orderId}',
      sentences: ['Estamos preparando o seu pedido {orderId}.'],
    },
    order_shipped: {
      subject: 'O seu pedido {orderId} está a caminho',
      sentences: ['O seu pedido {orderId} está a caminho.'],
    },
    order_out_for_delivery: {
      subject: 'O seu pedido {orderId} chega em breve',
      sentences: ['O seu pedido {orderId} saiu para entrega.'],
    },
    order_delivered: {
      subject: 'O seu pedido {orderId} chegou',
      sentences: ['O seu pedido {orderId} foi entregue. Aproveite!'],
    },
    order_delayed: {
      subject: 'O seu pedido {orderId} está atrasado',
      sentences: ['Pedimos desculpas: o seu pedido {orderId} está atrasado.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'Não conseguimos entregar o seu pedido {orderId}',
      sentences: ['Não conseguimos entregar o seu pedido {orderId}.'],
    },
    order_cancelled: {
      subject: 'O seu pedido {orderId} foi cancelado',
      sentences: ['O seu pedido {orderId} foi cancelado.'],
    },
    order_returned: {
      subject: 'Recebemos a devolução do seu pedido {orderId}',
      sentences: ['Recebemos a devolução do seu pedido {orderId}.'],
    },
    payment_success: {
      subject: 'Recebemos o pagamento do seu pedido {orderId}',
      sentences: ['Obrigado! Recebemos o pagamento do seu pedido {orderId}.'],
    },
    payment_pending: {
      subject: 'O pagamento do seu pedido {orderId} ainda está pendente',
      sentences: ['O pagamento do seu pedido {orderId} ainda está pendente.'],
    },
    payment_failed: {
      subject: 'O pagamento do seu pedido {orderId} falhou',
      sentences: ['O pagamento do seu pedido {orderId} falhou.'],
    },
    refund_initiated: {
      subject: 'Iniciamos o reembolso do seu pedido {orderId}',
      sentences: ['Iniciamos o reembolso de {refundedAmount} do seu pedido {orderId}.'],
    },
    refund_completed: {
      subject: 'O reembolso do seu pedido {orderId} foi concluído',
      sentences: ['O reembolso de {refundedAmount} do seu pedido {orderId} foi concluído.'],
    },
    refund_failed: {
      subject: 'O reembolso do seu pedido {orderId} falhou',
      sentences: ['O reembolso do seu pedido {orderId} falhou. Estamos cuidando disso.'],
    },
    feedback_request: {
      subject: 'Como foi o seu pedido {orderId}?',
      sentences: ['Como foi o seu pedido {orderId}? Adoraríamos saber a sua opinião.'],
    },
    order_update: {
      subject: 'Novidades sobre o seu pedido {orderId}',
      sentences: ['Temos novidades sobre o seu pedido {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'A sua fatura {invoiceNumber}',
      sentences: ['A sua fatura {invoiceNumber} de {amount} está disponível.'],
    },
    invoice_reminder: {
      subject: 'O pagamento da sua fatura {invoiceNumber} está pendente',
      sentences: ['Um lembrete: o pagamento da sua fatura {invoiceNumber} de {amount} está pendente.'],
    },
    invoice_overdue: {
      subject: 'A sua fatura {invoiceNumber} está vencida',
      sentences: ['A sua fatura {invoiceNumber} de {amount} está vencida. Por favor, pague-a assim que possível.'],
    },
    invoice_paid: {
      subject: 'A sua fatura {invoiceNumber} está paga',
      sentences: ['Obrigado! Recebemos o pagamento da sua fatura {invoiceNumber}.'],
    },
    invoice_cancelled: {
      subject: 'A sua fatura {invoiceNumber} foi cancelada',
      sentences: ['A sua fatura {invoiceNumber} foi cancelada. Você não precisa pagar.'],
    },
  },
};
