/** The one-time passcode, on every channel. */
import type { ChannelName, Content } from '../channels/channel.js';
import { escapeHtml, oneLine } from './text.js';

export interface OtpVariables {
  readonly code: string;
  /** Whole minutes that the code was valid for when it was made. */
  readonly minutes: number;
  /** Name of the application that asked for it. */
  readonly application: string;
  /** Language and country of a call, such as `de-DE`; English when it is none that is spoken. */
  readonly language?: string;
}

/** What a call says before the characters, by language; the voice reads those in its own. */
const SPOKEN: Readonly<Record<string, (name: string) => string>> = {
  de: (name) => `Guten Tag. Ihr Code für ${name} lautet:`,
  en: (name) => `Hello. Your ${name} code is:`,
  es: (name) => `Hola. Su código de ${name} es:`,
  fr: (name) => `Bonjour. Votre code ${name} est :`,
  it: (name) => `Buongiorno. Il suo codice ${name} è:`,
  nl: (name) => `Hallo. Uw code voor ${name} is:`,
  pt: (name) => `Olá. O seu código ${name} é:`,
};

function introduction(language: string, name: string): string {
  return (SPOKEN[language.slice(0, 2)] ?? SPOKEN.en!)(name);
}

export function renderOtp(channel: ChannelName, variables: OtpVariables): Content {
  const { code } = variables;
  const name = oneLine(variables.application);
  const validity = `It is valid for ${variables.minutes} minute${variables.minutes === 1 ? '' : 's'}.`;
  const warning = 'Never share it, not even with us.';
  switch (channel) {
    case 'SMS':
    case 'WHATSAPP':
      return { kind: 'text', text: `${code} is your ${name} code. ${validity} ${warning}`, variables: [code] };
    case 'VOICE':
      return { kind: 'speech', sentences: [introduction(variables.language ?? 'en', name), [...code].join(', ')] };
    case 'EMAIL':
      return {
        kind: 'email',
        subject: `${code} is your ${name} code`,
        text: `Your ${name} code is:\n\n    ${code}\n\n${validity} ${warning}\n\nIf you did not ask for it, you can ignore this mail.\n`,
        html: html(name, code, `${validity} ${warning}`),
      };
  }
}

function html(name: string, code: string, advice: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:440px;margin:0 auto">
<p style="margin:0 0 16px">Your <strong>${escapeHtml(name)}</strong> code is:</p>
<p style="margin:0 0 16px;padding:16px;border:1px solid #8888;border-radius:8px;text-align:center;font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px">${escapeHtml(code)}</p>
<p style="margin:0 0 16px">${escapeHtml(advice)}</p>
<p style="margin:0;color:#777;font-size:14px">If you did not ask for it, you can ignore this mail.</p>
</div>
</body>
</html>
`;
}
