/** Texts of the page that asks for a code. `{…}` are placeholders. */
const en = {
  title: 'Enter your code',
  sent: 'We sent a code to {to}.',
  label: 'Code',
  verify: 'Verify',
  wrong: 'This code is incorrect or has expired. Check it, or request a new one.',
  locked: 'Too many wrong codes. Try again in {seconds} seconds.',
  resent: 'We sent a new code.',
  wait: 'Wait {seconds} seconds before you request a new code.',
  notSent: 'We could not send a new code. Try again later.',
  problem: 'Something went wrong. Try again in a moment.',
  resend: 'Send a new code',
  SMS: 'Send a new code by SMS',
  WHATSAPP: 'Send a new code by WhatsApp',
  VOICE: 'Call me with a new code',
  EMAIL: 'Send a new code by email',
  cancel: 'Cancel',
  verified: 'Thank you. You can close this page.',
  cancelled: 'Cancelled. You can close this page.',
};

export type Texts = typeof en;

const de: Texts = {
  title: 'Code eingeben',
  sent: 'Wir haben einen Code an {to} gesendet.',
  label: 'Code',
  verify: 'Bestätigen',
  wrong: 'Dieser Code ist falsch oder abgelaufen. Prüfen Sie ihn, oder fordern Sie einen neuen an.',
  locked: 'Zu viele falsche Codes. Versuchen Sie es in {seconds} Sekunden erneut.',
  resent: 'Wir haben einen neuen Code gesendet.',
  wait: 'Warten Sie {seconds} Sekunden, bevor Sie einen neuen Code anfordern.',
  notSent: 'Wir konnten keinen neuen Code senden. Versuchen Sie es später erneut.',
  problem: 'Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal.',
  resend: 'Neuen Code senden',
  SMS: 'Neuen Code per SMS senden',
  WHATSAPP: 'Neuen Code per WhatsApp senden',
  VOICE: 'Mit neuem Code anrufen',
  EMAIL: 'Neuen Code per E-Mail senden',
  cancel: 'Abbrechen',
  verified: 'Danke. Sie können diese Seite schließen.',
  cancelled: 'Abgebrochen. Sie können diese Seite schließen.',
};

const fr: Texts = {
  title: 'Saisissez votre code',
  sent: 'Nous avons envoyé un code à {to}.',
  label: 'Code',
  verify: 'Vérifier',
  wrong: 'Ce code est incorrect ou a expiré. Vérifiez-le ou demandez-en un nouveau.',
  locked: 'Trop de codes incorrects. Réessayez dans {seconds} secondes.',
  resent: 'Nous avons envoyé un nouveau code.',
  wait: 'Attendez {seconds} secondes avant de demander un nouveau code.',
  notSent: "Nous n'avons pas pu envoyer de nouveau code. Réessayez plus tard.",
  problem: 'Une erreur est survenue. Réessayez dans un instant.',
  resend: 'Envoyer un nouveau code',
  SMS: 'Envoyer un nouveau code par SMS',
  WHATSAPP: 'Envoyer un nouveau code par WhatsApp',
  VOICE: "M'appeler avec un nouveau code",
  EMAIL: 'Envoyer un nouveau code par e-mail',
  cancel: 'Annuler',
  verified: 'Merci. Vous pouvez fermer cette page.',
  cancelled: 'Annulé. Vous pouvez fermer cette page.',
};

const es: Texts = {
  title: 'Introduce tu código',
  sent: 'Hemos enviado un código a {to}.',
  label: 'Código',
  verify: 'Verificar',
  wrong: 'Este código es incorrecto o ha caducado. Compruébalo o solicita uno nuevo.',
  locked: 'Demasiados códigos incorrectos. Inténtalo de nuevo en {seconds} segundos.',
  resent: 'Hemos enviado un código nuevo.',
  wait: 'Espera {seconds} segundos antes de solicitar un código nuevo.',
  notSent: 'No hemos podido enviar un código nuevo. Inténtalo más tarde.',
  problem: 'Algo ha salido mal. Inténtalo de nuevo en un momento.',
  resend: 'Enviar un código nuevo',
  SMS: 'Enviar un código nuevo por SMS',
  WHATSAPP: 'Enviar un código nuevo por WhatsApp',
  VOICE: 'Llamarme con un código nuevo',
  EMAIL: 'Enviar un código nuevo por correo electrónico',
  cancel: 'Cancelar',
  verified: 'Gracias. Puedes cerrar esta página.',
  cancelled: 'Cancelado. Puedes cerrar esta página.',
};

const pt: Texts = {
  title: 'Digite o seu código',
  sent: 'Enviamos um código para {to}.',
  label: 'Código',
  verify: 'Verificar',
  wrong: 'Este código está incorreto ou expirou. Confira-o ou peça um novo.',
  locked: 'Muitos códigos incorretos. Tente novamente em {seconds} segundos.',
  resent: 'Enviamos um novo código.',
  wait: 'Aguarde {seconds} segundos antes de pedir um novo código.',
  notSent: 'Não foi possível enviar um novo código. Tente mais tarde.',
  problem: 'Algo deu errado. Tente novamente em instantes.',
  resend: 'Enviar um novo código',
  SMS: 'Enviar um novo código por SMS',
  WHATSAPP: 'Enviar um novo código pelo WhatsApp',
  VOICE: 'Ligar para mim com um novo código',
  EMAIL: 'Enviar um novo código por e-mail',
  cancel: 'Cancelar',
  verified: 'Obrigado. Você pode fechar esta página.',
  cancelled: 'Cancelado. Você pode fechar esta página.',
};

const pl: Texts = {
  title: 'Wpisz kod',
  sent: 'Wysłaliśmy kod na {to}.',
  label: 'Kod',
  verify: 'Potwierdź',
  wrong: 'Ten kod jest nieprawidłowy lub wygasł. Sprawdź go lub poproś o nowy.',
  locked: 'Zbyt wiele błędnych kodów. Spróbuj ponownie za {seconds} s.',
  resent: 'Wysłaliśmy nowy kod.',
  wait: 'Poczekaj {seconds} s, zanim poprosisz o nowy kod.',
  notSent: 'Nie udało się wysłać nowego kodu. Spróbuj później.',
  problem: 'Coś poszło nie tak. Spróbuj ponownie za chwilę.',
  resend: 'Wyślij nowy kod',
  SMS: 'Wyślij nowy kod SMS-em',
  WHATSAPP: 'Wyślij nowy kod przez WhatsApp',
  VOICE: 'Zadzwoń z nowym kodem',
  EMAIL: 'Wyślij nowy kod e-mailem',
  cancel: 'Anuluj',
  verified: 'Dziękujemy. Możesz zamknąć tę stronę.',
  cancelled: 'Anulowano. Możesz zamknąć tę stronę.',
};

const ar: Texts = {
  title: 'أدخل الرمز',
  sent: 'أرسلنا رمزًا إلى {to}.',
  label: 'الرمز',
  verify: 'تحقق',
  wrong: 'هذا الرمز غير صحيح أو انتهت صلاحيته. تحقق منه أو اطلب رمزًا جديدًا.',
  locked: 'عدد كبير من الرموز الخاطئة. حاول مرة أخرى بعد {seconds} ثانية.',
  resent: 'أرسلنا رمزًا جديدًا.',
  wait: 'انتظر {seconds} ثانية قبل طلب رمز جديد.',
  notSent: 'تعذّر إرسال رمز جديد. حاول لاحقًا.',
  problem: 'حدث خطأ ما. حاول مرة أخرى بعد قليل.',
  resend: 'إرسال رمز جديد',
  SMS: 'إرسال رمز جديد عبر رسالة نصية',
  WHATSAPP: 'إرسال رمز جديد عبر واتساب',
  VOICE: 'الاتصال بي برمز جديد',
  EMAIL: 'إرسال رمز جديد عبر البريد الإلكتروني',
  cancel: 'إلغاء',
  verified: 'شكرًا. يمكنك إغلاق هذه الصفحة.',
  cancelled: 'تم الإلغاء. يمكنك إغلاق هذه الصفحة.',
};

const TEXTS: Readonly<Record<string, Texts>> = { en, de, fr, es, pt, pl, ar };

/** Returns the texts for a language tag such as `pt-BR`; in English if the language is unknown. */
export function textsOf(language: string): { tag: string; texts: Texts } {
  const tag = language.toLowerCase().split('-')[0] ?? '';
  const texts = TEXTS[tag];
  return texts ? { tag, texts } : { tag: 'en', texts: en };
}
