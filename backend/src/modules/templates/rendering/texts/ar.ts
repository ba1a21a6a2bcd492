import type { Language } from '../language.js';

export const ar: Language = {
  code: 'ar',
  direction: 'rtl',
  voice: 'arb',
  colon: ':',
  greeting: 'مرحبًا {customerName}!',
  caller: 'هذه رسالة من {application}.',
  attached: 'المستند مرفق بصيغة PDF.',
  labels: {
    customerName: 'العميل',
    orderId: 'الطلب',
    orderTotal: 'الإجمالي',
    amount: 'المبلغ',
    status: 'الحالة',
    cancelReason: 'السبب',
    failureReason: 'السبب',
    paymentMethod: 'طريقة الدفع',
    retryPaymentLink: 'ادفع الآن',
    trackingNo: 'رقم الشحنة',
    estimatedDelivery: 'موعد التسليم المتوقع',
    deliveryAgentName: 'مندوب التوصيل',
    refundedAmount: 'المبلغ المسترد',
    refundMethod: 'يُرد إلى',
    refundId: 'رقم الاسترداد',
    expectedCreditDate: 'متوقع بحلول',
    orderDetailsLink: 'عرض الطلب',
    transactionId: 'رقم المعاملة',
    trackingLink: 'تتبع الشحنة',
    feedbackLink: 'قيّم الطلب',
    supportLink: 'المساعدة',
    retryUrl: 'حاول مرة أخرى',
    updateMessage: 'التحديث',
    orderDate: 'تاريخ الطلب',
    invoiceNumber: 'الفاتورة',
    invoiceUrl: 'عرض الفاتورة',
  },
  otp: {
    message: '{code} هو رمزك في {application}.',
    validity: {
      zero: 'صلاحيته أقل من دقيقة.',
      one: 'صالح لدقيقة واحدة.',
      two: 'صالح لدقيقتين.',
      few: 'صالح لمدة {minutes} دقائق.',
      many: 'صالح لمدة {minutes} دقيقة.',
      other: 'صالح لمدة {minutes} دقيقة.',
    },
    warning: 'لا تشاركه مع أحد، ولا حتى معنا.',
    subject: '{code} هو رمزك في {application}',
    email: 'رمزك في {application} هو:',
    speech: 'مرحبًا. رمزك في {application} هو:',
    keyPrompt: 'مرحبًا. لديك رمز من {application}. لسماعه، اضغط على أي مفتاح.',
    ignore: 'إذا لم تطلب هذا الرمز، فيمكنك تجاهل هذه الرسالة.',
  },
  templates: {
    order_placed: {
      subject: 'استلمنا طلبك {orderId}',
      sentences: ['شكرًا لك! استلمنا طلبك {orderId}.'],
    },
    order_confirmed: {
      subject: 'تم تأكيد طلبك {orderId}',
      sentences: ['تم تأكيد طلبك {orderId}.'],
    },
    order_processing: {
      subject: 'نجهّز طلبك {orderId}',
      sentences: ['نجهّز طلبك {orderId}.'],
    },
    order_shipped: {
      subject: 'طلبك {orderId} في الطريق إليك',
      sentences: ['طلبك {orderId} في الطريق إليك.'],
    },
    order_out_for_delivery: {
      subject: 'طلبك {orderId} يصل قريبًا',
      sentences: ['خرج طلبك {orderId} للتوصيل.'],
    },
    order_delivered: {
      subject: 'وصل طلبك {orderId}',
      sentences: ['تم تسليم طلبك {orderId}. نتمنى أن ينال إعجابك!'],
    },
    order_delayed: {
      subject: 'تأخّر طلبك {orderId}',
      sentences: ['نعتذر: تأخّر طلبك {orderId}.', '{updateMessage}'],
    },
    delivery_failed: {
      subject: 'تعذّر تسليم طلبك {orderId}',
      sentences: ['تعذّر علينا تسليم طلبك {orderId}.'],
    },
    order_cancelled: {
      subject: 'تم إلغاء طلبك {orderId}',
      sentences: ['تم إلغاء طلبك {orderId}.'],
    },
    order_returned: {
      subject: 'استلمنا مرتجع الطلب {orderId}',
      sentences: ['استلمنا مرتجع طلبك {orderId}.'],
    },
    payment_success: {
      subject: 'استلمنا دفعتك للطلب {orderId}',
      sentences: ['شكرًا لك! استلمنا دفعتك للطلب {orderId}.'],
    },
    payment_pending: {
      subject: 'الدفع مقابل طلبك {orderId} ما زال مستحقًا',
      sentences: ['الدفع مقابل طلبك {orderId} ما زال مستحقًا.'],
    },
    payment_failed: {
      subject: 'تعذّر الدفع للطلب {orderId}',
      sentences: ['لم تنجح عملية الدفع للطلب {orderId}.'],
    },
    refund_initiated: {
      subject: 'بدأنا استرداد مبلغ الطلب {orderId}',
      sentences: ['بدأنا استرداد مبلغ {refundedAmount} عن الطلب {orderId}.'],
    },
    refund_completed: {
      subject: 'اكتمل استرداد مبلغ الطلب {orderId}',
      sentences: ['اكتمل رد مبلغ {refundedAmount} عن الطلب {orderId}.'],
    },
    refund_failed: {
      subject: 'تعذّر استرداد مبلغ الطلب {orderId}',
      sentences: ['لم ينجح رد المبلغ عن الطلب {orderId}. نعمل على حل ذلك.'],
    },
    feedback_request: {
      subject: 'كيف كان طلبك {orderId}؟',
      sentences: ['كيف كان طلبك {orderId}؟ يسعدنا أن نعرف رأيك.'],
    },
    order_update: {
      subject: 'تحديث بشأن طلبك {orderId}',
      sentences: ['لدينا تحديث بشأن طلبك {orderId}.', '{updateMessage}'],
    },
    invoice_generated: {
      subject: 'فاتورتك {invoiceNumber}',
      sentences: ['فاتورتك {invoiceNumber} بمبلغ {amount} جاهزة.'],
    },
    invoice_reminder: {
      subject: 'فاتورتك {invoiceNumber} مستحقة',
      sentences: ['تذكير ودّي: فاتورتك {invoiceNumber} بمبلغ {amount} مستحقة الدفع.'],
    },
    invoice_overdue: {
      subject: 'تأخّر سداد فاتورتك {invoiceNumber}',
      sentences: ['تأخّر سداد فاتورتك {invoiceNumber} بمبلغ {amount}. يرجى السداد في أقرب وقت.'],
    },
    invoice_paid: {
      subject: 'تم سداد فاتورتك {invoiceNumber}',
      sentences: ['شكرًا لك! استلمنا سداد فاتورتك {invoiceNumber}.'],
    },
    invoice_cancelled: {
      subject: 'تم إلغاء فاتورتك {invoiceNumber}',
      sentences: ['تم إلغاء فاتورتك {invoiceNumber}. لا يلزم سدادها.'],
    },
  },
};
