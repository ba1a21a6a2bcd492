/** The QR code, the key as text, and a link that opens an app on the same device. */
import type { EnrolReply } from '../api.js';
import type { Card, View } from '../card.js';
import { copyButton } from '../copy.js';
import { logError } from '../developer.js';
import { button, h } from '../dom.js';

const APPS = 'Google Authenticator, Microsoft Authenticator, 2FAS, Aegis, 1Password, Bitwarden';

const SMALLEST_TABLET = 600;

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
  /** Explains why there is a new key. */
  readonly notice: string | undefined;
  next(): void;
}

/** Whether this is a phone, which cannot scan its own screen. The shorter side of a tablet has at least 600 pixels. */
const isPhone = (): boolean =>
  matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) < SMALLEST_TABLET;

const disclosure = (summary: string, ...content: Node[]): HTMLElement =>
  h('details', {}, h('summary', {}, summary), h('div', { class: 'stack' }, ...content));

export function enrol(card: Card, { reply, identity, notice, next }: EnrolOptions): View {
  const { texts } = card;
  const { QRCoder = '', accountUri, manualKey = '' } = reply;
  const key = h('code', { class: 'secret', dir: 'ltr', translate: 'no' }, manualKey.replace(/(.{4})(?=.)/g, '$1 '));
  const account = texts.manualLead.replace('{identity}', () => isolate(identity));
  const manual = [h('p', { class: 'quiet' }, account), key, copyButton(card, texts.copy, manualKey, key)];
  const qrCode = drawQrCode(QRCoder, texts.qrLabel);
  const apps = h('p', { class: 'quiet' }, texts.enrolApps.replace('{apps}', APPS));
  const proceed = button('main', texts.next, next);
  const steps = isPhone()
    ? [
        h('p', {}, texts.phoneLead),
        h('a', { class: 'main', href: accountUri }, texts.openPhoneApp),
        h('div', { class: 'stack' }, ...manual),
        proceed,
        disclosure(texts.scanSummary, qrCode),
        apps,
      ]
    : [
        h('p', {}, texts.enrolLead),
        qrCode,
        disclosure(texts.manualSummary, ...manual, h('a', { href: accountUri }, texts.openApp)),
        apps,
        proceed,
      ];
  return { title: texts.enrolTitle, body: [notice ? h('p', { role: 'status' }, notice) : undefined, ...steps] };
}
