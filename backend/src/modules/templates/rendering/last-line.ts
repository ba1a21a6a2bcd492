/** Adds the last line to an SMS with a code from which browsers and Android apps can fill in the code. */
import { smsSegments, smsText, type SmsText } from '../../../platform/gsm7.js';
import type { Autofill } from '../template.js';

/**
 * Android's SMS Retriever requires messages of at most this length, and does not specify an encoding. One SMS has at most
 * 140 bytes; the same limit in UTF-8 is for phones that count the decoded text.
 */
const MAX_RETRIEVER_BYTES = 140;

interface LastLine {
  readonly text: string;
  readonly forApp: boolean;
}

/**
 * Returns the possible last lines, most useful first. Browsers look for `@host #code` at the start of the last line, and
 * ignore the rest of it. Android looks for the hash at the end of the message.
 */
function lastLines(code: string, { webOtpHost, androidAppHash }: Autofill): LastLine[] {
  const site = { text: `@${webOtpHost} #${code}`, forApp: false };
  const app = { text: androidAppHash, forApp: true };
  if (!webOtpHost) return androidAppHash ? [app] : [];
  return androidAppHash ? [{ text: `${site.text} ${app.text}`, forApp: true }, site, app] : [site];
}

/**
 * Returns the first of these texts that fits into one SMS together with a last line. `texts`: the same message, most
 * complete first. If none fits, the first text gets the line only if that does not cost another SMS segment.
 */
export function withLastLine(texts: readonly [string, ...string[]], code: string, autofill?: Autofill): SmsText {
  const plain = smsText(texts[0]);
  const lines = autofill ? lastLines(code, autofill) : [];
  if (lines.length === 0) return plain;
  const candidates = lines.flatMap(({ text: line, forApp }) =>
    texts.map((text) => ({ sms: smsText(`${text}\n${line}`), forApp })),
  );
  const fits = candidates.find(
    ({ sms, forApp }) => smsSegments(sms.text) === 1 && (!forApp || Buffer.byteLength(sms.text) <= MAX_RETRIEVER_BYTES),
  );
  const costsNothing = candidates.find(
    ({ sms, forApp }) => !forApp && smsSegments(sms.text) <= smsSegments(plain.text),
  );
  return (fits ?? costsNothing)?.sms ?? plain;
}
