// Generated from the built-in texts by `npm run generate`. Do not edit.

/** Notifications as an SMS with sample values, by language and template. An application can have other texts. */
export const PREVIEWS = {
  en: {
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
  },
  de: {
    order_placed:
      'My Shop: Guten Tag Ana Silva! Vielen Dank! Wir haben Ihre Bestellung A-1001 erhalten. Betrag: 59,90 EUR. Gesamtbetrag: 64,80 EUR. Bestellt am: 1. März 2026. Zahlungsart: Visa mit der Endung 4242. Bestellung ansehen: https://shop.example/orders/A-1001 Hilfe erhalten: https://shop.example/help',
    order_confirmed:
      'My Shop: Guten Tag Ana Silva! Ihre Bestellung A-1001 ist bestätigt. Gesamtbetrag: 64,80 EUR. Bestellt am: 1. März 2026. Voraussichtliche Lieferung: 5. März 2026. Bestellung ansehen: https://shop.example/orders/A-1001',
    order_processing:
      'My Shop: Guten Tag Ana Silva! Wir bearbeiten Ihre Bestellung A-1001. Status: Verpackt. Voraussichtliche Lieferung: 5. März 2026. Bestellung ansehen: https://shop.example/orders/A-1001',
    order_shipped:
      'My Shop: Guten Tag Ana Silva! Ihre Bestellung A-1001 ist unterwegs. Sendungsnummer: 1Z999AA10123456784. Voraussichtliche Lieferung: 5. März 2026. Sendung verfolgen: https://track.example/1Z999AA10123456784',
    order_out_for_delivery:
      'My Shop: Guten Tag Ana Silva! Ihre Bestellung A-1001 wird gerade zugestellt. Ihr Zusteller: Sam. Voraussichtliche Lieferung: 5. März 2026. Sendung verfolgen: https://track.example/1Z999AA10123456784',
    order_delivered:
      'My Shop: Guten Tag Ana Silva! Ihre Bestellung A-1001 wurde zugestellt. Viel Freude damit! Bestellung bewerten: https://shop.example/rate/A-1001 Hilfe erhalten: https://shop.example/help Bestellung ansehen: https://shop.example/orders/A-1001',
    order_delayed:
      'My Shop: Guten Tag Ana Silva! Es tut uns leid: Ihre Bestellung A-1001 verspätet sich. Der Zusteller ist überlastet. Voraussichtliche Lieferung: 5. März 2026. Sendung verfolgen: https://track.example/1Z999AA10123456784 Hilfe erhalten: https://shop.example/help',
    delivery_failed:
      'My Shop: Guten Tag Ana Silva! Wir konnten Ihre Bestellung A-1001 nicht zustellen. Grund: Niemand war zu Hause. Erneut versuchen: https://shop.example/retry/A-1001 Hilfe erhalten: https://shop.example/help',
    order_cancelled:
      'My Shop: Guten Tag Ana Silva! Ihre Bestellung A-1001 wurde storniert. Grund: Nicht vorrätig. Erstattung: 19,90 EUR. Hilfe erhalten: https://shop.example/help',
    order_returned:
      'My Shop: Guten Tag Ana Silva! Wir haben Ihre Rücksendung zu Bestellung A-1001 erhalten. Status: Wird geprüft. Erstattung auf: Visa mit der Endung 4242. Hilfe erhalten: https://shop.example/help',
    payment_success:
      'My Shop: Guten Tag Ana Silva! Vielen Dank! Wir haben Ihre Zahlung für Bestellung A-1001 erhalten. Betrag: 59,90 EUR. Gesamtbetrag: 64,80 EUR. Transaktion: T-3003. Zahlungsart: Visa mit der Endung 4242. Bestellung ansehen: https://shop.example/orders/A-1001',
    payment_pending:
      'My Shop: Guten Tag Ana Silva! Die Zahlung für Ihre Bestellung A-1001 steht noch aus. Betrag: 59,90 EUR. Gesamtbetrag: 64,80 EUR. Zahlungsart: Visa mit der Endung 4242. Jetzt bezahlen: https://shop.example/pay/A-1001',
    payment_failed:
      'My Shop: Guten Tag Ana Silva! Die Zahlung für Ihre Bestellung A-1001 ist fehlgeschlagen. Grund: Karte abgelehnt. Betrag: 59,90 EUR. Zahlungsart: Visa mit der Endung 4242. Transaktion: T-3003. Jetzt bezahlen: https://shop.example/pay/A-1001 Erneut versuchen: https://shop.example/retry/A-1001 Hilfe erhalten: https://shop.example/help',
    refund_initiated:
      'My Shop: Guten Tag Ana Silva! Wir haben Ihre Erstattung von 19,90 EUR für Bestellung A-1001 veranlasst. Erstattungsnummer: R-2002. Erstattung auf: Visa mit der Endung 4242. Erwartet bis: 10. März 2026.',
    refund_completed:
      'My Shop: Guten Tag Ana Silva! Ihre Erstattung von 19,90 EUR für Bestellung A-1001 ist abgeschlossen. Erstattungsnummer: R-2002. Erstattung auf: Visa mit der Endung 4242. Transaktion: T-3003.',
    refund_failed:
      'My Shop: Guten Tag Ana Silva! Die Erstattung für Ihre Bestellung A-1001 ist fehlgeschlagen. Wir kümmern uns darum. Erstattungsnummer: R-2002. Grund: Karte abgelaufen. Hilfe erhalten: https://shop.example/help',
    feedback_request:
      'My Shop: Guten Tag Ana Silva! Wie war Ihre Bestellung A-1001? Wir freuen uns auf Ihre Meinung. Bestellung bewerten: https://shop.example/rate/A-1001',
    order_update:
      'My Shop: Guten Tag Ana Silva! Wir haben Neuigkeiten zu Ihrer Bestellung A-1001. Ihr Paket liegt an der Abholstelle bereit. Status: Verpackt. Gesamtbetrag: 64,80 EUR. Betrag: 59,90 EUR. Grund: Nicht vorrätig. Grund: Karte abgelehnt. Zahlungsart: Visa mit der Endung 4242. Sendungsnummer: 1Z999AA10123456784. Voraussichtliche Lieferung: 5. März 2026. Ihr Zusteller: Sam. Erstattung: 19,90 EUR. Erstattung auf: Visa mit der Endung 4242. Erstattungsnummer: R-2002. Erwartet bis: 10. März 2026. Transaktion: T-3003. Bestellt am: 1. März 2026. Jetzt bezahlen: https://shop.example/pay/A-1001 Bestellung ansehen: https://shop.example/orders/A-1001 Sendung verfolgen: https://track.example/1Z999AA10123456784 Bestellung bewerten: https://shop.example/rate/A-1001 Hilfe erhalten: https://shop.example/help Erneut versuchen: https://shop.example/retry/A-1001',
    invoice_generated:
      'My Shop: Guten Tag Ana Silva! Ihre Rechnung INV-2026-17 über 59,90 EUR liegt bereit. Rechnung ansehen: https://shop.example/invoices/17',
    invoice_reminder:
      'My Shop: Guten Tag Ana Silva! Eine freundliche Erinnerung: Ihre Rechnung INV-2026-17 über 59,90 EUR ist fällig. Rechnung ansehen: https://shop.example/invoices/17',
    invoice_overdue:
      'My Shop: Guten Tag Ana Silva! Ihre Rechnung INV-2026-17 über 59,90 EUR ist überfällig. Bitte begleichen Sie den Betrag so bald wie möglich. Rechnung ansehen: https://shop.example/invoices/17',
    invoice_paid:
      'My Shop: Guten Tag Ana Silva! Vielen Dank! Wir haben die Zahlung Ihrer Rechnung INV-2026-17 erhalten. Betrag: 59,90 EUR. Rechnung ansehen: https://shop.example/invoices/17',
    invoice_cancelled:
      'My Shop: Guten Tag Ana Silva! Ihre Rechnung INV-2026-17 wurde storniert. Eine Zahlung ist nicht nötig.',
  },
  fr: {
    order_placed:
      "My Shop : Bonjour Ana Silva ! Merci ! Votre commande A-1001 est bien enregistrée. Montant : 59,90 EUR. Total : 64,80 EUR. Date de commande : 1 mars 2026. Moyen de paiement : Visa se terminant par 4242. Voir la commande : https://shop.example/orders/A-1001 Obtenir de l'aide : https://shop.example/help",
    order_confirmed:
      'My Shop : Bonjour Ana Silva ! Votre commande A-1001 est confirmée. Total : 64,80 EUR. Date de commande : 1 mars 2026. Livraison prévue : 5 mars 2026. Voir la commande : https://shop.example/orders/A-1001',
    order_processing:
      'My Shop : Bonjour Ana Silva ! Nous préparons votre commande A-1001. Statut : Emballée. Livraison prévue : 5 mars 2026. Voir la commande : https://shop.example/orders/A-1001',
    order_shipped:
      'My Shop : Bonjour Ana Silva ! Votre commande A-1001 est en route. Numéro de suivi : 1Z999AA10123456784. Livraison prévue : 5 mars 2026. Suivre le colis : https://track.example/1Z999AA10123456784',
    order_out_for_delivery:
      'My Shop : Bonjour Ana Silva ! Votre commande A-1001 est en cours de livraison. Votre livreur : Sam. Livraison prévue : 5 mars 2026. Suivre le colis : https://track.example/1Z999AA10123456784',
    order_delivered:
      "My Shop : Bonjour Ana Silva ! Votre commande A-1001 a été livrée. Profitez-en bien ! Évaluer la commande : https://shop.example/rate/A-1001 Obtenir de l'aide : https://shop.example/help Voir la commande : https://shop.example/orders/A-1001",
    order_delayed:
      "My Shop : Bonjour Ana Silva ! Nous sommes désolés : votre commande A-1001 est retardée. Le transporteur a du retard. Livraison prévue : 5 mars 2026. Suivre le colis : https://track.example/1Z999AA10123456784 Obtenir de l'aide : https://shop.example/help",
    delivery_failed:
      "My Shop : Bonjour Ana Silva ! Nous n'avons pas pu livrer votre commande A-1001. Motif : Destinataire absent. Réessayer : https://shop.example/retry/A-1001 Obtenir de l'aide : https://shop.example/help",
    order_cancelled:
      "My Shop : Bonjour Ana Silva ! Votre commande A-1001 a été annulée. Motif : Rupture de stock. Remboursement : 19,90 EUR. Obtenir de l'aide : https://shop.example/help",
    order_returned:
      "My Shop : Bonjour Ana Silva ! Le retour de votre commande A-1001 nous est bien parvenu. Statut : En cours de vérification. Mode de remboursement : Visa se terminant par 4242. Obtenir de l'aide : https://shop.example/help",
    payment_success:
      'My Shop : Bonjour Ana Silva ! Merci ! Votre paiement pour la commande A-1001 nous est bien parvenu. Montant : 59,90 EUR. Total : 64,80 EUR. Transaction : T-3003. Moyen de paiement : Visa se terminant par 4242. Voir la commande : https://shop.example/orders/A-1001',
    payment_pending:
      'My Shop : Bonjour Ana Silva ! Le paiement de votre commande A-1001 est toujours attendu. Montant : 59,90 EUR. Total : 64,80 EUR. Moyen de paiement : Visa se terminant par 4242. Payer maintenant : https://shop.example/pay/A-1001',
    payment_failed:
      "My Shop : Bonjour Ana Silva ! Le paiement de votre commande A-1001 a échoué. Motif : Carte refusée. Montant : 59,90 EUR. Moyen de paiement : Visa se terminant par 4242. Transaction : T-3003. Payer maintenant : https://shop.example/pay/A-1001 Réessayer : https://shop.example/retry/A-1001 Obtenir de l'aide : https://shop.example/help",
    refund_initiated:
      'My Shop : Bonjour Ana Silva ! Nous avons lancé votre remboursement de 19,90 EUR pour la commande A-1001. Numéro de remboursement : R-2002. Mode de remboursement : Visa se terminant par 4242. Date prévue : 10 mars 2026.',
    refund_completed:
      'My Shop : Bonjour Ana Silva ! Votre remboursement de 19,90 EUR pour la commande A-1001 a été effectué. Numéro de remboursement : R-2002. Mode de remboursement : Visa se terminant par 4242. Transaction : T-3003.',
    refund_failed:
      "My Shop : Bonjour Ana Silva ! Le remboursement de votre commande A-1001 a échoué. Nous nous en occupons. Numéro de remboursement : R-2002. Motif : Carte expirée. Obtenir de l'aide : https://shop.example/help",
    feedback_request:
      "My Shop : Bonjour Ana Silva ! Comment s'est passée votre commande A-1001 ? Votre avis nous intéresse. Évaluer la commande : https://shop.example/rate/A-1001",
    order_update:
      "My Shop : Bonjour Ana Silva ! Il y a du nouveau pour votre commande A-1001. Votre colis vous attend au point de retrait. Statut : Emballée. Total : 64,80 EUR. Montant : 59,90 EUR. Motif : Rupture de stock. Motif : Carte refusée. Moyen de paiement : Visa se terminant par 4242. Numéro de suivi : 1Z999AA10123456784. Livraison prévue : 5 mars 2026. Votre livreur : Sam. Remboursement : 19,90 EUR. Mode de remboursement : Visa se terminant par 4242. Numéro de remboursement : R-2002. Date prévue : 10 mars 2026. Transaction : T-3003. Date de commande : 1 mars 2026. Payer maintenant : https://shop.example/pay/A-1001 Voir la commande : https://shop.example/orders/A-1001 Suivre le colis : https://track.example/1Z999AA10123456784 Évaluer la commande : https://shop.example/rate/A-1001 Obtenir de l'aide : https://shop.example/help Réessayer : https://shop.example/retry/A-1001",
    invoice_generated:
      'My Shop : Bonjour Ana Silva ! Votre facture INV-2026-17 de 59,90 EUR est disponible. Voir la facture : https://shop.example/invoices/17',
    invoice_reminder:
      'My Shop : Bonjour Ana Silva ! Petit rappel : votre facture INV-2026-17 de 59,90 EUR est à payer. Voir la facture : https://shop.example/invoices/17',
    invoice_overdue:
      'My Shop : Bonjour Ana Silva ! Votre facture INV-2026-17 de 59,90 EUR est en retard de paiement. Merci de la régler dès que possible. Voir la facture : https://shop.example/invoices/17',
    invoice_paid:
      'My Shop : Bonjour Ana Silva ! Merci ! Le paiement de votre facture INV-2026-17 nous est bien parvenu. Montant : 59,90 EUR. Voir la facture : https://shop.example/invoices/17',
    invoice_cancelled:
      "My Shop : Bonjour Ana Silva ! Votre facture INV-2026-17 a été annulée. Aucun paiement n'est nécessaire.",
  },
  es: {
    order_placed:
      'My Shop: ¡Hola, Ana Silva! ¡Gracias! Hemos recibido su pedido A-1001. Importe: 59,90 EUR. Total: 64,80 EUR. Fecha del pedido: 1 de marzo de 2026. Forma de pago: Visa terminada en 4242. Ver el pedido: https://shop.example/orders/A-1001 Obtener ayuda: https://shop.example/help',
    order_confirmed:
      'My Shop: ¡Hola, Ana Silva! Hemos confirmado su pedido A-1001. Total: 64,80 EUR. Fecha del pedido: 1 de marzo de 2026. Entrega prevista: 5 de marzo de 2026. Ver el pedido: https://shop.example/orders/A-1001',
    order_processing:
      'My Shop: ¡Hola, Ana Silva! Estamos preparando su pedido A-1001. Estado: Preparado. Entrega prevista: 5 de marzo de 2026. Ver el pedido: https://shop.example/orders/A-1001',
    order_shipped:
      'My Shop: ¡Hola, Ana Silva! Hemos enviado su pedido A-1001. Seguimiento: 1Z999AA10123456784. Entrega prevista: 5 de marzo de 2026. Seguir el paquete: https://track.example/1Z999AA10123456784',
    order_out_for_delivery:
      'My Shop: ¡Hola, Ana Silva! Su pedido A-1001 ha salido a reparto. Su repartidor: Sam. Entrega prevista: 5 de marzo de 2026. Seguir el paquete: https://track.example/1Z999AA10123456784',
    order_delivered:
      'My Shop: ¡Hola, Ana Silva! Su pedido A-1001 se ha entregado. ¡Que lo disfrute! Valorar el pedido: https://shop.example/rate/A-1001 Obtener ayuda: https://shop.example/help Ver el pedido: https://shop.example/orders/A-1001',
    order_delayed:
      'My Shop: ¡Hola, Ana Silva! Lo sentimos: su pedido A-1001 se retrasa. El transportista tiene retrasos. Entrega prevista: 5 de marzo de 2026. Seguir el paquete: https://track.example/1Z999AA10123456784 Obtener ayuda: https://shop.example/help',
    delivery_failed:
      'My Shop: ¡Hola, Ana Silva! No hemos podido entregar su pedido A-1001. Motivo: No habia nadie en casa. Volver a intentarlo: https://shop.example/retry/A-1001 Obtener ayuda: https://shop.example/help',
    order_cancelled:
      'My Shop: ¡Hola, Ana Silva! Su pedido A-1001 se ha cancelado. Motivo: Sin existencias. Reembolso: 19,90 EUR. Obtener ayuda: https://shop.example/help',
    order_returned:
      'My Shop: ¡Hola, Ana Silva! Ya tenemos de vuelta su pedido A-1001. Estado: En revision. Reembolso en: Visa terminada en 4242. Obtener ayuda: https://shop.example/help',
    payment_success:
      'My Shop: ¡Hola, Ana Silva! ¡Gracias! Hemos recibido el pago de su pedido A-1001. Importe: 59,90 EUR. Total: 64,80 EUR. Referencia del pago: T-3003. Forma de pago: Visa terminada en 4242. Ver el pedido: https://shop.example/orders/A-1001',
    payment_pending:
      'My Shop: ¡Hola, Ana Silva! El pago de su pedido A-1001 sigue pendiente. Importe: 59,90 EUR. Total: 64,80 EUR. Forma de pago: Visa terminada en 4242. Pagar ahora: https://shop.example/pay/A-1001',
    payment_failed:
      'My Shop: ¡Hola, Ana Silva! El pago de su pedido A-1001 ha fallado. Motivo: Tarjeta rechazada. Importe: 59,90 EUR. Forma de pago: Visa terminada en 4242. Referencia del pago: T-3003. Pagar ahora: https://shop.example/pay/A-1001 Volver a intentarlo: https://shop.example/retry/A-1001 Obtener ayuda: https://shop.example/help',
    refund_initiated:
      'My Shop: ¡Hola, Ana Silva! Hemos iniciado el reembolso de 19,90 EUR de su pedido A-1001. Referencia del reembolso: R-2002. Reembolso en: Visa terminada en 4242. Previsto para: 10 de marzo de 2026.',
    refund_completed:
      'My Shop: ¡Hola, Ana Silva! El reembolso de 19,90 EUR de su pedido A-1001 se ha completado. Referencia del reembolso: R-2002. Reembolso en: Visa terminada en 4242. Referencia del pago: T-3003.',
    refund_failed:
      'My Shop: ¡Hola, Ana Silva! El reembolso de su pedido A-1001 ha fallado. Lo estamos revisando. Referencia del reembolso: R-2002. Motivo: Tarjeta caducada. Obtener ayuda: https://shop.example/help',
    feedback_request:
      'My Shop: ¡Hola, Ana Silva! ¿Qué le ha parecido su pedido A-1001? Su respuesta nos ayuda a mejorar. Valorar el pedido: https://shop.example/rate/A-1001',
    order_update:
      'My Shop: ¡Hola, Ana Silva! Tenemos novedades sobre su pedido A-1001. Su paquete esta listo en el punto de recogida. Estado: Preparado. Total: 64,80 EUR. Importe: 59,90 EUR. Motivo: Sin existencias. Motivo: Tarjeta rechazada. Forma de pago: Visa terminada en 4242. Seguimiento: 1Z999AA10123456784. Entrega prevista: 5 de marzo de 2026. Su repartidor: Sam. Reembolso: 19,90 EUR. Reembolso en: Visa terminada en 4242. Referencia del reembolso: R-2002. Previsto para: 10 de marzo de 2026. Referencia del pago: T-3003. Fecha del pedido: 1 de marzo de 2026. Pagar ahora: https://shop.example/pay/A-1001 Ver el pedido: https://shop.example/orders/A-1001 Seguir el paquete: https://track.example/1Z999AA10123456784 Valorar el pedido: https://shop.example/rate/A-1001 Obtener ayuda: https://shop.example/help Volver a intentarlo: https://shop.example/retry/A-1001',
    invoice_generated:
      'My Shop: ¡Hola, Ana Silva! Ya puede consultar su factura INV-2026-17 por 59,90 EUR. Ver la factura: https://shop.example/invoices/17',
    invoice_reminder:
      'My Shop: ¡Hola, Ana Silva! Le recordamos que tiene pendiente de pago la factura INV-2026-17 por 59,90 EUR. Ver la factura: https://shop.example/invoices/17',
    invoice_overdue:
      'My Shop: ¡Hola, Ana Silva! Su factura INV-2026-17 por 59,90 EUR ha vencido. Por favor, abone el importe lo antes posible. Ver la factura: https://shop.example/invoices/17',
    invoice_paid:
      'My Shop: ¡Hola, Ana Silva! ¡Gracias! Hemos recibido el pago de su factura INV-2026-17. Importe: 59,90 EUR. Ver la factura: https://shop.example/invoices/17',
    invoice_cancelled: 'My Shop: ¡Hola, Ana Silva! Su factura INV-2026-17 se ha anulado. No es necesario pagarla.',
  },
  pt: {
    order_placed:
      'My Shop: Ola, Ana Silva! Obrigado! Recebemos o seu pedido A-1001. Valor: BRL 59,90. Total: BRL 64,80. Data do pedido: 01/03/2026. Forma de pagamento: Visa com final 4242. Ver o pedido: https://shop.example/orders/A-1001 Obter ajuda: https://shop.example/help',
    order_confirmed:
      'My Shop: Ola, Ana Silva! O seu pedido A-1001 esta confirmado. Total: BRL 64,80. Data do pedido: 01/03/2026. Entrega prevista: 05/03/2026. Ver o pedido: https://shop.example/orders/A-1001',
    order_processing:
      'My Shop: Ola, Ana Silva! Estamos preparando o seu pedido A-1001. Status: Embalado. Entrega prevista: 05/03/2026. Ver o pedido: https://shop.example/orders/A-1001',
    order_shipped:
      'My Shop: Ola, Ana Silva! O seu pedido A-1001 esta a caminho. Codigo de rastreamento: 1Z999AA10123456784. Entrega prevista: 05/03/2026. Rastrear a encomenda: https://track.example/1Z999AA10123456784',
    order_out_for_delivery:
      'My Shop: Ola, Ana Silva! O seu pedido A-1001 saiu para entrega. Seu entregador: Sam. Entrega prevista: 05/03/2026. Rastrear a encomenda: https://track.example/1Z999AA10123456784',
    order_delivered:
      'My Shop: Ola, Ana Silva! O seu pedido A-1001 foi entregue. Aproveite! Avaliar o pedido: https://shop.example/rate/A-1001 Obter ajuda: https://shop.example/help Ver o pedido: https://shop.example/orders/A-1001',
    order_delayed:
      'My Shop: Ola, Ana Silva! Pedimos desculpas: o seu pedido A-1001 esta atrasado. A transportadora esta com atrasos. Entrega prevista: 05/03/2026. Rastrear a encomenda: https://track.example/1Z999AA10123456784 Obter ajuda: https://shop.example/help',
    delivery_failed:
      'My Shop: Ola, Ana Silva! Nao conseguimos entregar o seu pedido A-1001. Motivo: Ninguém em casa. Tentar novamente: https://shop.example/retry/A-1001 Obter ajuda: https://shop.example/help',
    order_cancelled:
      'My Shop: Ola, Ana Silva! O seu pedido A-1001 foi cancelado. Motivo: Produto esgotado. Reembolso: BRL 19,90. Obter ajuda: https://shop.example/help',
    order_returned:
      'My Shop: Ola, Ana Silva! Recebemos a devolucao do seu pedido A-1001. Status: Em analise. Reembolso em: Visa com final 4242. Obter ajuda: https://shop.example/help',
    payment_success:
      'My Shop: Ola, Ana Silva! Obrigado! Recebemos o pagamento do seu pedido A-1001. Valor: BRL 59,90. Total: BRL 64,80. Transacao: T-3003. Forma de pagamento: Visa com final 4242. Ver o pedido: https://shop.example/orders/A-1001',
    payment_pending:
      'My Shop: Ola, Ana Silva! O pagamento do seu pedido A-1001 ainda esta pendente. Valor: BRL 59,90. Total: BRL 64,80. Forma de pagamento: Visa com final 4242. Pagar agora: https://shop.example/pay/A-1001',
    payment_failed:
      'My Shop: Ola, Ana Silva! O pagamento do seu pedido A-1001 falhou. Motivo: Cartao recusado. Valor: BRL 59,90. Forma de pagamento: Visa com final 4242. Transacao: T-3003. Pagar agora: https://shop.example/pay/A-1001 Tentar novamente: https://shop.example/retry/A-1001 Obter ajuda: https://shop.example/help',
    refund_initiated:
      'My Shop: Ola, Ana Silva! Iniciamos o reembolso de BRL 19,90 do seu pedido A-1001. Numero do reembolso: R-2002. Reembolso em: Visa com final 4242. Data prevista: 10/03/2026.',
    refund_completed:
      'My Shop: Ola, Ana Silva! O reembolso de BRL 19,90 do seu pedido A-1001 foi concluido. Numero do reembolso: R-2002. Reembolso em: Visa com final 4242. Transacao: T-3003.',
    refund_failed:
      'My Shop: Ola, Ana Silva! O reembolso do seu pedido A-1001 falhou. Estamos cuidando disso. Numero do reembolso: R-2002. Motivo: Cartao vencido. Obter ajuda: https://shop.example/help',
    feedback_request:
      'My Shop: Ola, Ana Silva! Como foi o seu pedido A-1001? Adorariamos saber a sua opiniao. Avaliar o pedido: https://shop.example/rate/A-1001',
    order_update:
      'My Shop: Ola, Ana Silva! Temos novidades sobre o seu pedido A-1001. Seu pacote esta disponivel no ponto de retirada. Status: Embalado. Total: BRL 64,80. Valor: BRL 59,90. Motivo: Produto esgotado. Motivo: Cartao recusado. Forma de pagamento: Visa com final 4242. Codigo de rastreamento: 1Z999AA10123456784. Entrega prevista: 05/03/2026. Seu entregador: Sam. Reembolso: BRL 19,90. Reembolso em: Visa com final 4242. Numero do reembolso: R-2002. Data prevista: 10/03/2026. Transacao: T-3003. Data do pedido: 01/03/2026. Pagar agora: https://shop.example/pay/A-1001 Ver o pedido: https://shop.example/orders/A-1001 Rastrear a encomenda: https://track.example/1Z999AA10123456784 Avaliar o pedido: https://shop.example/rate/A-1001 Obter ajuda: https://shop.example/help Tentar novamente: https://shop.example/retry/A-1001',
    invoice_generated:
      'My Shop: Ola, Ana Silva! A sua fatura INV-2026-17 de BRL 59,90 esta disponivel. Ver a fatura: https://shop.example/invoices/17',
    invoice_reminder:
      'My Shop: Ola, Ana Silva! Um lembrete: o pagamento da sua fatura INV-2026-17 de BRL 59,90 esta pendente. Ver a fatura: https://shop.example/invoices/17',
    invoice_overdue:
      'My Shop: Ola, Ana Silva! A sua fatura INV-2026-17 de BRL 59,90 esta vencida. Por favor, pague-a assim que possivel. Ver a fatura: https://shop.example/invoices/17',
    invoice_paid:
      'My Shop: Ola, Ana Silva! Obrigado! Recebemos o pagamento da sua fatura INV-2026-17. Valor: BRL 59,90. Ver a fatura: https://shop.example/invoices/17',
    invoice_cancelled: 'My Shop: Ola, Ana Silva! A sua fatura INV-2026-17 foi cancelada. Voce nao precisa pagar.',
  },
  pl: {
    order_placed:
      'My Shop: Dzien dobry, Ana Silva! Dziekujemy! Otrzymalismy Twoje zamowienie A-1001. Kwota: 59,90 PLN. Razem: 64,80 PLN. Data zamowienia: 1 marca 2026. Platnosc: Visa konczaca sie na 4242. Zobacz zamowienie: https://shop.example/orders/A-1001 Pomoc: https://shop.example/help',
    order_confirmed:
      'My Shop: Dzien dobry, Ana Silva! Twoje zamowienie A-1001 jest potwierdzone. Razem: 64,80 PLN. Data zamowienia: 1 marca 2026. Przewidywana dostawa: 5 marca 2026. Zobacz zamowienie: https://shop.example/orders/A-1001',
    order_processing:
      'My Shop: Dzien dobry, Ana Silva! Przygotowujemy Twoje zamowienie A-1001. Status: Spakowane. Przewidywana dostawa: 5 marca 2026. Zobacz zamowienie: https://shop.example/orders/A-1001',
    order_shipped:
      'My Shop: Dzien dobry, Ana Silva! Twoje zamowienie A-1001 jest w drodze. Numer przesylki: 1Z999AA10123456784. Przewidywana dostawa: 5 marca 2026. Sledz przesylke: https://track.example/1Z999AA10123456784',
    order_out_for_delivery:
      'My Shop: Dzien dobry, Ana Silva! Twoje zamowienie A-1001 jest wlasnie doreczane. Kurier: Sam. Przewidywana dostawa: 5 marca 2026. Sledz przesylke: https://track.example/1Z999AA10123456784',
    order_delivered:
      'My Shop: Dzien dobry, Ana Silva! Twoje zamowienie A-1001 zostalo doreczone. Zyczymy zadowolenia z zakupu! Ocen zamowienie: https://shop.example/rate/A-1001 Pomoc: https://shop.example/help Zobacz zamowienie: https://shop.example/orders/A-1001',
    order_delayed:
      'My Shop: Dzien dobry, Ana Silva! Przepraszamy: Twoje zamowienie A-1001 sie opozni. Kurier ma opoznienia. Przewidywana dostawa: 5 marca 2026. Sledz przesylke: https://track.example/1Z999AA10123456784 Pomoc: https://shop.example/help',
    delivery_failed:
      'My Shop: Dzien dobry, Ana Silva! Nie udalo nam sie doreczyc Twojego zamowienia A-1001. Powod: Nikogo nie bylo w domu. Sprobuj ponownie: https://shop.example/retry/A-1001 Pomoc: https://shop.example/help',
    order_cancelled:
      'My Shop: Dzien dobry, Ana Silva! Twoje zamowienie A-1001 zostalo anulowane. Powod: Brak w magazynie. Zwrot: 19,90 PLN. Pomoc: https://shop.example/help',
    order_returned:
      'My Shop: Dzien dobry, Ana Silva! Otrzymalismy zwrot Twojego zamowienia A-1001. Status: W trakcie sprawdzania. Zwrot na: Visa konczaca sie na 4242. Pomoc: https://shop.example/help',
    payment_success:
      'My Shop: Dzien dobry, Ana Silva! Dziekujemy! Otrzymalismy platnosc za zamowienie A-1001. Kwota: 59,90 PLN. Razem: 64,80 PLN. Transakcja: T-3003. Platnosc: Visa konczaca sie na 4242. Zobacz zamowienie: https://shop.example/orders/A-1001',
    payment_pending:
      'My Shop: Dzien dobry, Ana Silva! Twoje zamowienie A-1001 nadal czeka na platnosc. Kwota: 59,90 PLN. Razem: 64,80 PLN. Platnosc: Visa konczaca sie na 4242. Zaplac teraz: https://shop.example/pay/A-1001',
    payment_failed:
      'My Shop: Dzien dobry, Ana Silva! Platnosc za zamowienie A-1001 nie powiodla sie. Powod: Karta odrzucona. Kwota: 59,90 PLN. Platnosc: Visa konczaca sie na 4242. Transakcja: T-3003. Zaplac teraz: https://shop.example/pay/A-1001 Sprobuj ponownie: https://shop.example/retry/A-1001 Pomoc: https://shop.example/help',
    refund_initiated:
      'My Shop: Dzien dobry, Ana Silva! Zlecilismy zwrot 19,90 PLN za zamowienie A-1001. Numer zwrotu: R-2002. Zwrot na: Visa konczaca sie na 4242. Przewidywana data: 10 marca 2026.',
    refund_completed:
      'My Shop: Dzien dobry, Ana Silva! Zwrot 19,90 PLN za zamowienie A-1001 zostal zrealizowany. Numer zwrotu: R-2002. Zwrot na: Visa konczaca sie na 4242. Transakcja: T-3003.',
    refund_failed:
      'My Shop: Dzien dobry, Ana Silva! Zwrot pieniedzy za zamowienie A-1001 nie powiodl sie. Zajmujemy sie tym. Numer zwrotu: R-2002. Powod: Karta wygasla. Pomoc: https://shop.example/help',
    feedback_request:
      'My Shop: Dzien dobry, Ana Silva! Jak oceniasz swoje zamowienie A-1001? Chetnie poznamy Twoja opinie. Ocen zamowienie: https://shop.example/rate/A-1001',
    order_update:
      'My Shop: Dzien dobry, Ana Silva! Mamy nowe informacje o zamowieniu A-1001. Paczka czeka w punkcie odbioru. Status: Spakowane. Razem: 64,80 PLN. Kwota: 59,90 PLN. Powod: Brak w magazynie. Powod: Karta odrzucona. Platnosc: Visa konczaca sie na 4242. Numer przesylki: 1Z999AA10123456784. Przewidywana dostawa: 5 marca 2026. Kurier: Sam. Zwrot: 19,90 PLN. Zwrot na: Visa konczaca sie na 4242. Numer zwrotu: R-2002. Przewidywana data: 10 marca 2026. Transakcja: T-3003. Data zamowienia: 1 marca 2026. Zaplac teraz: https://shop.example/pay/A-1001 Zobacz zamowienie: https://shop.example/orders/A-1001 Sledz przesylke: https://track.example/1Z999AA10123456784 Ocen zamowienie: https://shop.example/rate/A-1001 Pomoc: https://shop.example/help Sprobuj ponownie: https://shop.example/retry/A-1001',
    invoice_generated:
      'My Shop: Dzien dobry, Ana Silva! Twoja faktura INV-2026-17 na kwote 59,90 PLN jest gotowa. Zobacz fakture: https://shop.example/invoices/17',
    invoice_reminder:
      'My Shop: Dzien dobry, Ana Silva! Przypominamy o platnosci za fakture INV-2026-17 na kwote 59,90 PLN. Zobacz fakture: https://shop.example/invoices/17',
    invoice_overdue:
      'My Shop: Dzien dobry, Ana Silva! Termin platnosci faktury INV-2026-17 na kwote 59,90 PLN minal. Prosimy o wplate jak najszybciej. Zobacz fakture: https://shop.example/invoices/17',
    invoice_paid:
      'My Shop: Dzien dobry, Ana Silva! Dziekujemy! Otrzymalismy platnosc za fakture INV-2026-17. Kwota: 59,90 PLN. Zobacz fakture: https://shop.example/invoices/17',
    invoice_cancelled:
      'My Shop: Dzien dobry, Ana Silva! Twoja faktura INV-2026-17 zostala anulowana. Nie trzeba jej oplacac.',
  },
  it: {
    order_placed:
      "My Shop: Ciao Ana Silva! Grazie! Abbiamo ricevuto il tuo ordine A-1001. Importo: 59,90 EUR. Totale: 64,80 EUR. Data dell'ordine: 1 marzo 2026. Metodo di pagamento: Visa che termina con 4242. Vedi l'ordine: https://shop.example/orders/A-1001 Richiedi assistenza: https://shop.example/help",
    order_confirmed:
      "My Shop: Ciao Ana Silva! Il tuo ordine A-1001 è confermato. Totale: 64,80 EUR. Data dell'ordine: 1 marzo 2026. Consegna prevista: 5 marzo 2026. Vedi l'ordine: https://shop.example/orders/A-1001",
    order_processing:
      "My Shop: Ciao Ana Silva! Stiamo preparando il tuo ordine A-1001. Stato: Imballato. Consegna prevista: 5 marzo 2026. Vedi l'ordine: https://shop.example/orders/A-1001",
    order_shipped:
      'My Shop: Ciao Ana Silva! Il tuo ordine A-1001 è in viaggio. Numero di tracciamento: 1Z999AA10123456784. Consegna prevista: 5 marzo 2026. Segui la spedizione: https://track.example/1Z999AA10123456784',
    order_out_for_delivery:
      'My Shop: Ciao Ana Silva! Il tuo ordine A-1001 è in consegna. Il tuo corriere: Sam. Consegna prevista: 5 marzo 2026. Segui la spedizione: https://track.example/1Z999AA10123456784',
    order_delivered:
      "My Shop: Ciao Ana Silva! Il tuo ordine A-1001 è stato consegnato. Grazie per averci scelto! Valuta l'ordine: https://shop.example/rate/A-1001 Richiedi assistenza: https://shop.example/help Vedi l'ordine: https://shop.example/orders/A-1001",
    order_delayed:
      'My Shop: Ciao Ana Silva! Ci dispiace: il tuo ordine A-1001 è in ritardo. Il corriere è in ritardo. Consegna prevista: 5 marzo 2026. Segui la spedizione: https://track.example/1Z999AA10123456784 Richiedi assistenza: https://shop.example/help',
    delivery_failed:
      'My Shop: Ciao Ana Silva! Non siamo riusciti a consegnare il tuo ordine A-1001. Motivo: Destinatario assente. Riprova: https://shop.example/retry/A-1001 Richiedi assistenza: https://shop.example/help',
    order_cancelled:
      'My Shop: Ciao Ana Silva! Il tuo ordine A-1001 è stato annullato. Motivo: Articolo esaurito. Rimborso: 19,90 EUR. Richiedi assistenza: https://shop.example/help',
    order_returned:
      'My Shop: Ciao Ana Silva! Abbiamo ricevuto il reso del tuo ordine A-1001. Stato: In fase di verifica. Rimborso su: Visa che termina con 4242. Richiedi assistenza: https://shop.example/help',
    payment_success:
      "My Shop: Ciao Ana Silva! Grazie! Abbiamo ricevuto il pagamento dell'ordine A-1001. Importo: 59,90 EUR. Totale: 64,80 EUR. Transazione: T-3003. Metodo di pagamento: Visa che termina con 4242. Vedi l'ordine: https://shop.example/orders/A-1001",
    payment_pending:
      "My Shop: Ciao Ana Silva! Il pagamento dell'ordine A-1001 è ancora in sospeso. Importo: 59,90 EUR. Totale: 64,80 EUR. Metodo di pagamento: Visa che termina con 4242. Paga ora: https://shop.example/pay/A-1001",
    payment_failed:
      "My Shop: Ciao Ana Silva! Il pagamento dell'ordine A-1001 non è riuscito. Motivo: Carta rifiutata. Importo: 59,90 EUR. Metodo di pagamento: Visa che termina con 4242. Transazione: T-3003. Paga ora: https://shop.example/pay/A-1001 Riprova: https://shop.example/retry/A-1001 Richiedi assistenza: https://shop.example/help",
    refund_initiated:
      "My Shop: Ciao Ana Silva! Abbiamo avviato il rimborso di 19,90 EUR per l'ordine A-1001. Numero del rimborso: R-2002. Rimborso su: Visa che termina con 4242. Accredito previsto entro: 10 marzo 2026.",
    refund_completed:
      "My Shop: Ciao Ana Silva! Il rimborso di 19,90 EUR per l'ordine A-1001 è completato. Numero del rimborso: R-2002. Rimborso su: Visa che termina con 4242. Transazione: T-3003.",
    refund_failed:
      "My Shop: Ciao Ana Silva! Il rimborso dell'ordine A-1001 non è riuscito. Ce ne stiamo occupando. Numero del rimborso: R-2002. Motivo: Carta scaduta. Richiedi assistenza: https://shop.example/help",
    feedback_request:
      "My Shop: Ciao Ana Silva! Com'è andato il tuo ordine A-1001? Ci farebbe piacere conoscere la tua opinione. Valuta l'ordine: https://shop.example/rate/A-1001",
    order_update:
      "My Shop: Ciao Ana Silva! C'è un aggiornamento sul tuo ordine A-1001. Il pacco è pronto al punto di ritiro. Stato: Imballato. Totale: 64,80 EUR. Importo: 59,90 EUR. Motivo: Articolo esaurito. Motivo: Carta rifiutata. Metodo di pagamento: Visa che termina con 4242. Numero di tracciamento: 1Z999AA10123456784. Consegna prevista: 5 marzo 2026. Il tuo corriere: Sam. Rimborso: 19,90 EUR. Rimborso su: Visa che termina con 4242. Numero del rimborso: R-2002. Accredito previsto entro: 10 marzo 2026. Transazione: T-3003. Data dell'ordine: 1 marzo 2026. Paga ora: https://shop.example/pay/A-1001 Vedi l'ordine: https://shop.example/orders/A-1001 Segui la spedizione: https://track.example/1Z999AA10123456784 Valuta l'ordine: https://shop.example/rate/A-1001 Richiedi assistenza: https://shop.example/help Riprova: https://shop.example/retry/A-1001",
    invoice_generated:
      'My Shop: Ciao Ana Silva! La tua fattura INV-2026-17 di 59,90 EUR è pronta. Vedi la fattura: https://shop.example/invoices/17',
    invoice_reminder:
      'My Shop: Ciao Ana Silva! Ti ricordiamo che la tua fattura INV-2026-17 di 59,90 EUR è da pagare. Vedi la fattura: https://shop.example/invoices/17',
    invoice_overdue:
      'My Shop: Ciao Ana Silva! La tua fattura INV-2026-17 di 59,90 EUR è scaduta. Ti chiediamo di pagarla appena possibile. Vedi la fattura: https://shop.example/invoices/17',
    invoice_paid:
      'My Shop: Ciao Ana Silva! Grazie! Abbiamo ricevuto il pagamento della tua fattura INV-2026-17. Importo: 59,90 EUR. Vedi la fattura: https://shop.example/invoices/17',
    invoice_cancelled: 'My Shop: Ciao Ana Silva! La tua fattura INV-2026-17 è stata annullata. Non devi pagare nulla.',
  },
  nl: {
    order_placed:
      'My Shop: Hallo Ana Silva! Bedankt! We hebben uw bestelling A-1001 ontvangen. Bedrag: EUR 59,90. Totaal: EUR 64,80. Besteld op: 1 maart 2026. Betaalmethode: Visa eindigend op 4242. Bestelling bekijken: https://shop.example/orders/A-1001 Hulp krijgen: https://shop.example/help',
    order_confirmed:
      'My Shop: Hallo Ana Silva! Uw bestelling A-1001 is bevestigd. Totaal: EUR 64,80. Besteld op: 1 maart 2026. Verwachte levering: 5 maart 2026. Bestelling bekijken: https://shop.example/orders/A-1001',
    order_processing:
      'My Shop: Hallo Ana Silva! We maken uw bestelling A-1001 klaar. Status: Ingepakt. Verwachte levering: 5 maart 2026. Bestelling bekijken: https://shop.example/orders/A-1001',
    order_shipped:
      'My Shop: Hallo Ana Silva! Uw bestelling A-1001 is onderweg. Trackingnummer: 1Z999AA10123456784. Verwachte levering: 5 maart 2026. Pakket volgen: https://track.example/1Z999AA10123456784',
    order_out_for_delivery:
      'My Shop: Hallo Ana Silva! De bezorger is onderweg met uw bestelling A-1001. Uw bezorger: Sam. Verwachte levering: 5 maart 2026. Pakket volgen: https://track.example/1Z999AA10123456784',
    order_delivered:
      'My Shop: Hallo Ana Silva! Uw bestelling A-1001 is bezorgd. Veel plezier ermee! Bestelling beoordelen: https://shop.example/rate/A-1001 Hulp krijgen: https://shop.example/help Bestelling bekijken: https://shop.example/orders/A-1001',
    order_delayed:
      'My Shop: Hallo Ana Silva! Het spijt ons: uw bestelling A-1001 is vertraagd. De bezorger loopt achter. Verwachte levering: 5 maart 2026. Pakket volgen: https://track.example/1Z999AA10123456784 Hulp krijgen: https://shop.example/help',
    delivery_failed:
      'My Shop: Hallo Ana Silva! We konden uw bestelling A-1001 niet bezorgen. Reden: Niemand thuis. Opnieuw proberen: https://shop.example/retry/A-1001 Hulp krijgen: https://shop.example/help',
    order_cancelled:
      'My Shop: Hallo Ana Silva! Uw bestelling A-1001 is geannuleerd. Reden: Niet op voorraad. Terugbetaling: EUR 19,90. Hulp krijgen: https://shop.example/help',
    order_returned:
      'My Shop: Hallo Ana Silva! We hebben uw retourzending van bestelling A-1001 ontvangen. Status: Wordt gecontroleerd. Terugbetaling via: Visa eindigend op 4242. Hulp krijgen: https://shop.example/help',
    payment_success:
      'My Shop: Hallo Ana Silva! Bedankt! We hebben uw betaling voor bestelling A-1001 ontvangen. Bedrag: EUR 59,90. Totaal: EUR 64,80. Transactie: T-3003. Betaalmethode: Visa eindigend op 4242. Bestelling bekijken: https://shop.example/orders/A-1001',
    payment_pending:
      'My Shop: Hallo Ana Silva! De betaling voor uw bestelling A-1001 staat nog open. Bedrag: EUR 59,90. Totaal: EUR 64,80. Betaalmethode: Visa eindigend op 4242. Nu betalen: https://shop.example/pay/A-1001',
    payment_failed:
      'My Shop: Hallo Ana Silva! De betaling voor uw bestelling A-1001 is mislukt. Reden: Kaart geweigerd. Bedrag: EUR 59,90. Betaalmethode: Visa eindigend op 4242. Transactie: T-3003. Nu betalen: https://shop.example/pay/A-1001 Opnieuw proberen: https://shop.example/retry/A-1001 Hulp krijgen: https://shop.example/help',
    refund_initiated:
      'My Shop: Hallo Ana Silva! We hebben de terugbetaling van EUR 19,90 voor bestelling A-1001 in gang gezet. Terugbetalingsnummer: R-2002. Terugbetaling via: Visa eindigend op 4242. Uiterlijk verwacht op: 10 maart 2026.',
    refund_completed:
      'My Shop: Hallo Ana Silva! De terugbetaling van EUR 19,90 voor bestelling A-1001 is voltooid. Terugbetalingsnummer: R-2002. Terugbetaling via: Visa eindigend op 4242. Transactie: T-3003.',
    refund_failed:
      'My Shop: Hallo Ana Silva! De terugbetaling voor bestelling A-1001 is mislukt. We zoeken uit wat er is misgegaan. Terugbetalingsnummer: R-2002. Reden: Kaart verlopen. Hulp krijgen: https://shop.example/help',
    feedback_request:
      'My Shop: Hallo Ana Silva! Hoe was uw bestelling A-1001? We horen graag wat u ervan vindt. Bestelling beoordelen: https://shop.example/rate/A-1001',
    order_update:
      'My Shop: Hallo Ana Silva! We hebben een update over uw bestelling A-1001. Uw pakket ligt klaar bij het afhaalpunt. Status: Ingepakt. Totaal: EUR 64,80. Bedrag: EUR 59,90. Reden: Niet op voorraad. Reden: Kaart geweigerd. Betaalmethode: Visa eindigend op 4242. Trackingnummer: 1Z999AA10123456784. Verwachte levering: 5 maart 2026. Uw bezorger: Sam. Terugbetaling: EUR 19,90. Terugbetaling via: Visa eindigend op 4242. Terugbetalingsnummer: R-2002. Uiterlijk verwacht op: 10 maart 2026. Transactie: T-3003. Besteld op: 1 maart 2026. Nu betalen: https://shop.example/pay/A-1001 Bestelling bekijken: https://shop.example/orders/A-1001 Pakket volgen: https://track.example/1Z999AA10123456784 Bestelling beoordelen: https://shop.example/rate/A-1001 Hulp krijgen: https://shop.example/help Opnieuw proberen: https://shop.example/retry/A-1001',
    invoice_generated:
      'My Shop: Hallo Ana Silva! Uw factuur INV-2026-17 van EUR 59,90 staat klaar. Factuur bekijken: https://shop.example/invoices/17',
    invoice_reminder:
      'My Shop: Hallo Ana Silva! Een vriendelijke herinnering: uw factuur INV-2026-17 van EUR 59,90 moet nog worden betaald. Factuur bekijken: https://shop.example/invoices/17',
    invoice_overdue:
      'My Shop: Hallo Ana Silva! De betaaltermijn van uw factuur INV-2026-17 van EUR 59,90 is verstreken. Wilt u de factuur zo snel mogelijk betalen? Factuur bekijken: https://shop.example/invoices/17',
    invoice_paid:
      'My Shop: Hallo Ana Silva! Bedankt! We hebben de betaling van uw factuur INV-2026-17 ontvangen. Bedrag: EUR 59,90. Factuur bekijken: https://shop.example/invoices/17',
    invoice_cancelled: 'My Shop: Hallo Ana Silva! Uw factuur INV-2026-17 is geannuleerd. U hoeft niets te betalen.',
  },
  ar: {
    order_placed:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! شكرًا لك! استلمنا طلبك ⁨A-1001⁩. المبلغ: ⁨59.90 SAR⁩. الإجمالي: ⁨64.80 SAR⁩. تاريخ الطلب: ⁨1 مارس 2026⁩. طريقة الدفع: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. عرض الطلب: https://shop.example/orders/A-1001 المساعدة: https://shop.example/help',
    order_confirmed:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! تم تأكيد طلبك ⁨A-1001⁩. الإجمالي: ⁨64.80 SAR⁩. تاريخ الطلب: ⁨1 مارس 2026⁩. موعد التسليم المتوقع: ⁨5 مارس 2026⁩. عرض الطلب: https://shop.example/orders/A-1001',
    order_processing:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! نجهّز طلبك ⁨A-1001⁩. الحالة: ⁨تم التغليف⁩. موعد التسليم المتوقع: ⁨5 مارس 2026⁩. عرض الطلب: https://shop.example/orders/A-1001',
    order_shipped:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! طلبك ⁨A-1001⁩ في الطريق إليك. رقم الشحنة: ⁨1Z999AA10123456784⁩. موعد التسليم المتوقع: ⁨5 مارس 2026⁩. تتبع الشحنة: https://track.example/1Z999AA10123456784',
    order_out_for_delivery:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! خرج طلبك ⁨A-1001⁩ للتوصيل. مندوب التوصيل: ⁨سامي⁩. موعد التسليم المتوقع: ⁨5 مارس 2026⁩. تتبع الشحنة: https://track.example/1Z999AA10123456784',
    order_delivered:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! تم تسليم طلبك ⁨A-1001⁩. نتمنى أن ينال إعجابك! قيّم الطلب: https://shop.example/rate/A-1001 المساعدة: https://shop.example/help عرض الطلب: https://shop.example/orders/A-1001',
    order_delayed:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! نعتذر: تأخّر طلبك ⁨A-1001⁩. ⁨شركة الشحن لديها تأخير.⁩ موعد التسليم المتوقع: ⁨5 مارس 2026⁩. تتبع الشحنة: https://track.example/1Z999AA10123456784 المساعدة: https://shop.example/help',
    delivery_failed:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! تعذّر علينا تسليم طلبك ⁨A-1001⁩. السبب: ⁨لم يكن أحد في المنزل⁩. حاول مرة أخرى: https://shop.example/retry/A-1001 المساعدة: https://shop.example/help',
    order_cancelled:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! تم إلغاء طلبك ⁨A-1001⁩. السبب: ⁨نفدت الكمية⁩. المبلغ المسترد: ⁨19.90 SAR⁩. المساعدة: https://shop.example/help',
    order_returned:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! استلمنا مرتجع طلبك ⁨A-1001⁩. الحالة: ⁨قيد الفحص⁩. يُرد إلى: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. المساعدة: https://shop.example/help',
    payment_success:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! شكرًا لك! استلمنا دفعتك للطلب ⁨A-1001⁩. المبلغ: ⁨59.90 SAR⁩. الإجمالي: ⁨64.80 SAR⁩. رقم المعاملة: ⁨T-3003⁩. طريقة الدفع: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. عرض الطلب: https://shop.example/orders/A-1001',
    payment_pending:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! الدفع مقابل طلبك ⁨A-1001⁩ ما زال مستحقًا. المبلغ: ⁨59.90 SAR⁩. الإجمالي: ⁨64.80 SAR⁩. طريقة الدفع: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. ادفع الآن: https://shop.example/pay/A-1001',
    payment_failed:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! لم تنجح عملية الدفع للطلب ⁨A-1001⁩. السبب: ⁨تم رفض البطاقة⁩. المبلغ: ⁨59.90 SAR⁩. طريقة الدفع: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. رقم المعاملة: ⁨T-3003⁩. ادفع الآن: https://shop.example/pay/A-1001 حاول مرة أخرى: https://shop.example/retry/A-1001 المساعدة: https://shop.example/help',
    refund_initiated:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! بدأنا استرداد مبلغ ⁨19.90 SAR⁩ عن الطلب ⁨A-1001⁩. رقم الاسترداد: ⁨R-2002⁩. يُرد إلى: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. متوقع بحلول: ⁨10 مارس 2026⁩.',
    refund_completed:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! اكتمل رد مبلغ ⁨19.90 SAR⁩ عن الطلب ⁨A-1001⁩. رقم الاسترداد: ⁨R-2002⁩. يُرد إلى: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. رقم المعاملة: ⁨T-3003⁩.',
    refund_failed:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! لم ينجح رد المبلغ عن الطلب ⁨A-1001⁩. نعمل على حل ذلك. رقم الاسترداد: ⁨R-2002⁩. السبب: ⁨انتهت صلاحية البطاقة⁩. المساعدة: https://shop.example/help',
    feedback_request:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! كيف كان طلبك ⁨A-1001⁩؟ يسعدنا أن نعرف رأيك. قيّم الطلب: https://shop.example/rate/A-1001',
    order_update:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! لدينا تحديث بشأن طلبك ⁨A-1001⁩. ⁨طردك جاهز في نقطة الاستلام.⁩ الحالة: ⁨تم التغليف⁩. الإجمالي: ⁨64.80 SAR⁩. المبلغ: ⁨59.90 SAR⁩. السبب: ⁨نفدت الكمية⁩. السبب: ⁨تم رفض البطاقة⁩. طريقة الدفع: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. رقم الشحنة: ⁨1Z999AA10123456784⁩. موعد التسليم المتوقع: ⁨5 مارس 2026⁩. مندوب التوصيل: ⁨سامي⁩. المبلغ المسترد: ⁨19.90 SAR⁩. يُرد إلى: ⁨بطاقة Visa تنتهي بالرقم 4242⁩. رقم الاسترداد: ⁨R-2002⁩. متوقع بحلول: ⁨10 مارس 2026⁩. رقم المعاملة: ⁨T-3003⁩. تاريخ الطلب: ⁨1 مارس 2026⁩. ادفع الآن: https://shop.example/pay/A-1001 عرض الطلب: https://shop.example/orders/A-1001 تتبع الشحنة: https://track.example/1Z999AA10123456784 قيّم الطلب: https://shop.example/rate/A-1001 المساعدة: https://shop.example/help حاول مرة أخرى: https://shop.example/retry/A-1001',
    invoice_generated:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! فاتورتك ⁨INV-2026-17⁩ بمبلغ ⁨59.90 SAR⁩ جاهزة. عرض الفاتورة: https://shop.example/invoices/17',
    invoice_reminder:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! تذكير ودّي: فاتورتك ⁨INV-2026-17⁩ بمبلغ ⁨59.90 SAR⁩ مستحقة الدفع. عرض الفاتورة: https://shop.example/invoices/17',
    invoice_overdue:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! تأخّر سداد فاتورتك ⁨INV-2026-17⁩ بمبلغ ⁨59.90 SAR⁩. يرجى السداد في أقرب وقت. عرض الفاتورة: https://shop.example/invoices/17',
    invoice_paid:
      'My Shop: مرحبًا ⁨سارة أحمد⁩! شكرًا لك! استلمنا سداد فاتورتك ⁨INV-2026-17⁩. المبلغ: ⁨59.90 SAR⁩. عرض الفاتورة: https://shop.example/invoices/17',
    invoice_cancelled: 'My Shop: مرحبًا ⁨سارة أحمد⁩! تم إلغاء فاتورتك ⁨INV-2026-17⁩. لا يلزم سدادها.',
  },
} as const;
