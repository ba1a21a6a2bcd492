import type { Language } from '../language.js';

export const es: Language = {
  code: 'es',
  direction: 'ltr',
  voice: 'es-ES',
  colon: ':',
  greeting: '¡Hola, {customerName}!',
  caller: 'Este es un mensaje de {application}.',
  attached: 'Adjuntamos el documento en PDF.',
  labels: {
    customerName: 'Cliente',
    orderId: 'Pedido',
    orderTotal: 'Total',
    amount: 'Importe',
    status: 'Estado',
    cancelReason: 'Motivo',
    failureReason: 'Motivo',
    paymentMethod: 'Forma de pago',
    retryPaymentLink: 'Pagar ahora',
    trackingNo: 'Seguimiento',
    estimatedDelivery: 'Entrega prevista',
    deliveryAgentName: 'Su repartidor',
    refundedAmount: 'Reembolso',
    refundMethod: 'Reembolsado en',
    refundId: 'Referencia del reembolso',
    expectedCreditDate: 'Previsto para',
    orderDetailsLink: 'Ver el pedido',
    transactionId: 'Referencia del pago',
    trackingLink: 'Seguir el paquete',
    feedbackLink: 'Valorar el pedido',
    supportLink: 'Obtener ayuda',
    retryUrl: 'Volver a intentarlo',
    updateMessage: 'Novedad',
    orderDate: 'Fecha del pedido',
    invoiceNumber: 'Factura',
    invoiceUrl: 'Ver la factura',
  },
  otp: {
    message: '{code} es su clave de un solo uso para {application}.',
    validity: {
      one: 'Caduca en {minutes} minuto.',
      many: 'Caduca en {minutes} minutos.',
      other: 'Caduca en {minutes} minutos.',
    },
    warning: 'No comparta este mensaje con nadie, ni siquiera con nosotros.',
    subject: '{code} es su código de un solo uso para {application}',
    email: 'Su código de un solo uso para {application} es:',
    speech: 'Hola. Su código de un solo uso para {application} es:',
    keyPrompt: 'Hola. {application} tiene un código para usted. Pulse cualquier tecla para escucharlo.',
    ignore: 'Si no ha solicitado este código, puede ignorar este correo electrónico.',
  },
  templates: {
    order_placed: {
      subject: 'Hemos recibido su pedido {orderId}',
      sentences: ['¡Gracias! Hemos recibido su pedido {orderId}.'],
    },
    order_confirmed: {
      subject: 'Su pedido {orderId} está confirmado',
      sentences: ['Hemos confirmado su pedido {orderId}.'],
    },
    order_processing: {
      subject: 'Estamos preparando su pedido {orderId}',
      sentences: ['Estamos preparando su pedido {orderId}.'],
    },
    order_shipped: {
      subject: 'Su pedido {orderId} está en camino',
      sentences: ['Hemos enviado su pedido {orderId}.'],
    },
    order_out_for_delivery: {
      subject: 'Su pedido {orderId} llegará pronto',
      sentences: ['Su pedido {orderId} ha salido a reparto.'],
    },
    order_delivered: {
      subject: 'Su pedido {orderId} ha llegado',
      sentences: ['Su pedido {orderId} se ha entregado. ¡Que lo disfrute!'],
    },
    order_delayed: {
      subject: 'Su pedido {orderId} se retrasa',
      sentences: ['Lo sentimos: su pedido {orderId} se retrasa.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'No hemos podido entregar su pedido {orderId}',
      sentences: ['No hemos podido entregar su pedido {orderId}.'],
    },
    order_cancelled: {
      subject: 'Su pedido {orderId} se ha cancelado',
      sentences: ['Su pedido {orderId} se ha cancelado.'],
    },
    order_returned: {
      subject: 'Hemos recibido la devolución de su pedido {orderId}',
      sentences: ['Ya tenemos de vuelta su pedido {orderId}.'],
    },
    payment_success: {
      subject: 'Hemos recibido el pago de su pedido {orderId}',
      sentences: ['¡Gracias! Hemos recibido el pago de su pedido {orderId}.'],
    },
    payment_pending: {
      subject: 'El pago de su pedido {orderId} sigue pendiente',
      sentences: ['El pago de su pedido {orderId} sigue pendiente.'],
    },
    payment_failed: {
      subject: 'El pago de su pedido {orderId} ha fallado',
      sentences: ['El pago de su pedido {orderId} ha fallado.'],
    },
    refund_initiated: {
      subject: 'Hemos iniciado el reembolso de su pedido {orderId}',
      sentences: ['Hemos iniciado el reembolso de {refundedAmount} de su pedido {orderId}.'],
    },
    refund_completed: {
      subject: 'El reembolso de su pedido {orderId} se ha completado',
      sentences: ['El reembolso de {refundedAmount} de su pedido {orderId} se ha completado.'],
    },
    refund_failed: {
      subject: 'El reembolso de su pedido {orderId} ha fallado',
      sentences: ['El reembolso de su pedido {orderId} ha fallado. Lo estamos revisando.'],
    },
    feedback_request: {
      subject: '¿Qué le ha parecido su pedido {orderId}?',
      sentences: ['¿Qué le ha parecido su pedido {orderId}? Su respuesta nos ayuda a mejorar.'],
    },
    order_update: {
      subject: 'Novedades sobre su pedido {orderId}',
      sentences: ['Tenemos novedades sobre su pedido {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'Su factura {invoiceNumber}',
      sentences: ['Ya puede consultar su factura {invoiceNumber} por {amount}.'],
    },
    invoice_reminder: {
      subject: 'Su factura {invoiceNumber} está pendiente de pago',
      sentences: ['Le recordamos que tiene pendiente de pago la factura {invoiceNumber} por {amount}.'],
    },
    invoice_overdue: {
      subject: 'Su factura {invoiceNumber} está vencida',
      sentences: ['Su factura {invoiceNumber} por {amount} ha vencido. Por favor, abone el importe lo antes posible.'],
    },
    invoice_paid: {
      subject: 'Su factura {invoiceNumber} está pagada',
      sentences: ['¡Gracias! Hemos recibido el pago de su factura {invoiceNumber}.'],
    },
    invoice_cancelled: {
      subject: 'Su factura {invoiceNumber} se ha anulado',
      sentences: ['Su factura {invoiceNumber} se ha anulado. No es necesario pagarla.'],
    },
  },
};
