/** The HTML of the page that asks for a code. It works without scripts. */
import { secondsUntil } from '../../platform/clock.js';
import { WIDGET_PALETTES } from '../../platform/contract/generated/widget.js';
import { type Application, designOf, type WidgetDesign } from '../applications/application.js';
import { isBright } from '../applications/contrast.js';
import { escapeHtml } from '../templates/rendering/text.js';
import type { CodePage, EndPage, Notice } from './code-page.js';
import { type Texts, textsOf } from './texts.js';

export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: 'self'; form-action 'self'; frame-ancestors 'none'";

const CHANNEL_NAMES: Readonly<Record<string, string>> = { SMS: 'SMS', WHATSAPP: 'WhatsApp' };

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '');

/** `60` → `60 seconds`, `596` → `10 minutes`, `7200` → `2 hours`, in the language of the page. */
function duration(seconds: number, language: string): string {
  const units = [
    { unit: 'second', length: 1, below: 120 },
    { unit: 'minute', length: 60, below: 7200 },
    { unit: 'hour', length: 3600, below: Infinity },
  ];
  const { unit, length } = units.find(({ below }) => seconds < below)!;
  const value = Math.ceil(seconds / length);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Returns the colors as CSS variables. As in the widget, a custom background determines whether the theme is light or dark. */
function colorsOf({ theme, backgroundColor, textColor, accentColor }: WidgetDesign): string {
  const variables = (name: 'light' | 'dark') => {
    const { accent, onAccent, ground, ink, bad } = WIDGET_PALETTES[name];
    const onCustom = isBright(accentColor || accent) ? '#000' : '#fff';
    return `color-scheme:${name};--ground:${backgroundColor || ground};--ink:${textColor || ink};--bad:${bad};--accent:${accentColor || accent};--on-accent:${accentColor ? onCustom : onAccent}`;
  };
  const fixed = backgroundColor ? (isBright(backgroundColor) ? 'light' : 'dark') : theme;
  if (fixed !== 'auto') return `:root{${variables(fixed)}}`;
  return `:root{${variables('light')}}@media(prefers-color-scheme:dark){:root{${variables('dark')}}}`;
}

interface Document {
  readonly application: Application;
  readonly language: string;
  /** Value of a `Refresh` directive. */
  readonly refresh?: string;
}

function document({ application, language, refresh }: Document, bodyOf: (texts: Texts, tag: string) => string): string {
  const { tag, texts } = textsOf(language || application.settings.language);
  const design = designOf(application);
  const style = `${colorsOf(design)}
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:var(--ground);color:var(--ink)}
main{max-width:24rem;margin:10vh auto;padding:0 1rem}h1{font-size:1.4rem}img{max-height:3rem}
input,button{font:inherit;width:100%;box-sizing:border-box;padding:.7rem;border-radius:8px;border:1px solid #888}
input{letter-spacing:.3em;text-align:center;margin:.3rem 0 1rem}button{background:var(--accent);border-color:var(--accent);color:var(--on-accent);cursor:pointer}
.more button{background:none;color:inherit;border-color:#888;margin-top:.6rem}.notice{border:1px solid var(--accent);border-radius:8px;padding:.6rem}
.error{border:2px solid var(--bad);font-weight:600}a{color:inherit}`;
  const logo = design.logoUrl === '' ? '' : `<img src="${escapeHtml(design.logoUrl)}" alt="">`;
  return `<!doctype html><html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
${refresh === undefined ? '' : `<meta http-equiv="refresh" content="${escapeHtml(refresh)}">`}
<title>${escapeHtml(texts.title)}</title><style>${style}</style></head>
<body><main>${logo}<p>${escapeHtml(application.name)}</p>${bodyOf(texts, tag)}</main></body></html>`;
}

function noticeText({ notice, seconds, attemptsLeft }: Notice, texts: Texts, tag: string): string {
  if (notice === undefined) return '';
  const text = fill(texts[notice], { time: duration(seconds ?? 0, tag) });
  const left = attemptsLeft === undefined ? '' : ` ${fill(texts.attemptsLeft, { attempts: String(attemptsLeft) })}`;
  const kind = notice === 'resent' ? 'class="notice" role="status"' : 'class="notice error" role="alert"';
  return `<p ${kind}>${escapeHtml(text + left)}</p>`;
}

function resendButton(channel: string, texts: Texts): string {
  const name = CHANNEL_NAMES[channel];
  const label = channel === 'VOICE' ? texts.call : texts.resend + (name === undefined ? '' : ` (${name})`);
  return `<button name="resend" value="${escapeHtml(channel)}">${escapeHtml(label)}</button>`;
}

/** The page with the form. It reloads itself when its time is over. */
export function codePageHtml(application: Application, page: CodePage, notice: Notice, now: number): string {
  const { language, to, channels, expiresAt } = page;
  const seconds = secondsUntil(expiresAt, now);
  return document({ application, language, refresh: String(seconds) }, (texts, tag) => {
    // Numbers and addresses are written from left to right in all languages.
    const sent = fill(escapeHtml(texts.sent), { to: `<bdi dir="ltr">${escapeHtml(to)}</bdi>` });
    const offered = channels.length > 0 ? channels : [''];
    return `<h1>${escapeHtml(texts.title)}</h1><p>${sent}</p>
${noticeText(notice, texts, tag)}
<form method="post"><label>${escapeHtml(texts.label)}<input name="code" inputmode="numeric"
autocomplete="one-time-code" maxlength="20" required autofocus></label><button>${escapeHtml(texts.verify)}</button></form>
<form method="post" class="more">${offered.map((channel) => resendButton(channel, texts)).join('')}
<button name="cancel" value="yes">${escapeHtml(texts.cancel)}</button></form>
<p>${escapeHtml(fill(texts.closes, { time: duration(seconds, tag) }))}</p>`;
  });
}

/** The page after the last step. Opens `redirectUrl`, if there is one. */
export function endPageHtml(
  application: Application,
  { language, redirectUrl }: Pick<EndPage, 'language' | 'redirectUrl'>,
  key: EndPage['end'] | 'ended' | 'expired',
): string {
  const redirect = redirectUrl === undefined ? {} : { refresh: `0;url=${redirectUrl}` };
  return document({ application, language, ...redirect }, (texts) => {
    const text = escapeHtml(texts[key]);
    return `<h1>${redirectUrl === undefined ? text : `<a href="${escapeHtml(redirectUrl)}">${text}</a>`}</h1>`;
  });
}
