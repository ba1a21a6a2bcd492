/** The QR code, and the key to type instead. */
import type { EnrolReply } from '../api.js';
import type { Card, View } from '../card.js';
import { copyButton } from '../copy.js';
import { logError } from '../developer.js';
import { button, h } from '../dom.js';

const APPS = 'Google Authenticator, Microsoft Authenticator, 2FAS, Aegis, 1Password, Bitwarden';

/** Draws the image on a canvas, because a strict content security policy forbids `data:` images. */
function drawQrCode(dataUrl: string, label: string): HTMLCanvasElement {
  const canvas = h('canvas', { class: 'qr', role: 'img', 'aria-label': label, hidden: true });
  const draw = async () => {
    const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (byte) => byte.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    canvas.hidden = false;
  };
  draw().catch((error: unknown) => {
    // The user can still type the key.
    logError('the QR code cannot be drawn', error);
  });
  return canvas;
}

/** Isolates the direction of a text from its surroundings. */
const isolate = (text: string): string => `\u2068${text}\u2069`;

export interface EnrolOptions {
  readonly reply: EnrolReply;
  readonly identity: string;
  /** Explains why there is a new QR code. */
  readonly notice: string | undefined;
  next(): void;
}

export function enrol(card: Card, { reply, identity, notice, next }: EnrolOptions): View {
  const { texts } = card;
  const { QRCoder = '', accountUri, manualKey = '' } = reply;
  const key = h('code', { class: 'secret', dir: 'ltr', translate: 'no' }, manualKey.replace(/(.{4})(?=.)/g, '$1 '));
  return {
    title: texts.enrolTitle,
    body: [
      notice ? h('p', { role: 'status' }, notice) : undefined,
      h('p', {}, texts.enrolLead),
      drawQrCode(QRCoder, texts.qrLabel),
      h(
        'details',
        {},
        h('summary', {}, texts.manualSummary),
        h(
          'div',
          { class: 'stack' },
          h(
            'p',
            { class: 'quiet' },
            texts.manualLead.replace('{identity}', () => isolate(identity)),
          ),
          key,
          copyButton(card, texts.copy, manualKey, key),
          // On a phone, the user cannot scan the screen.
          h('a', { class: 'link', href: accountUri }, texts.openApp),
        ),
      ),
      h('p', { class: 'quiet' }, texts.enrolApps.replace('{apps}', APPS)),
      button('main', texts.next, next),
    ],
  };
}
