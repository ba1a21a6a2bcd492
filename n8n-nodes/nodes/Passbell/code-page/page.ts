import { type Texts, textsOf } from './texts';

/** Name, language and colors of the application. */
export interface Branding {
  name: string;
  language: string;
  design: { logoUrl?: string; accentColor?: string; backgroundColor?: string; textColor?: string };
}

export interface PageContent {
  branding: Branding;
  /** URL that receives the form; "" for the URL of the page. */
  action: string;
  /** The recipient. The page shows only part of it. */
  to: string;
  /** Channels over which a new code can be sent. `resend`: the channel of the first code. */
  resend: readonly string[];
  notice?: { key: keyof Texts; seconds?: number | undefined; attemptsLeft?: number | undefined } | undefined;
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '');

/** `+14155550123` → `***123`, `ana@example.com` → `a***@example.com` */
function mask(to: string): string {
  const [name = '', domain] = to.trim().split('@');
  return domain === undefined ? `***${name.slice(-3)}` : `${name.charAt(0)}***@${domain}`;
}

const color = (value: unknown, fallback: string): string =>
  /^#[0-9a-f]{3,8}$/i.test(String(value)) ? String(value) : fallback;

/** `60` → `60 seconds`, `596` → `10 minutes`, in the language of the page. */
function duration(seconds: number, language: string): string {
  const [value, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

function document({ name, language, design }: Branding, body: (texts: Texts) => string): string {
  const { tag, texts } = textsOf(language);
  const accent = color(design.accentColor, '#2f5bea');
  const style = `body{margin:0;font:16px/1.5 system-ui,sans-serif;background:${color(design.backgroundColor, '#fff')};color:${color(design.textColor, '#222')}}
main{max-width:24rem;margin:10vh auto;padding:0 1rem}h1{font-size:1.4rem}img{max-height:3rem}
input,button{font:inherit;width:100%;box-sizing:border-box;padding:.7rem;border-radius:8px;border:1px solid #888}
input{letter-spacing:.3em;text-align:center;margin:.3rem 0 1rem}button{background:${accent};border-color:${accent};color:#fff;cursor:pointer}
.more button{background:none;color:inherit;border-color:#888;margin-top:.6rem}.notice{border:1px solid ${accent};border-radius:8px;padding:.6rem}
.error{border:2px solid #c62828;font-weight:600}`;
  const logo = /^https:\/\/[^\s"<>\\]+$/.test(design.logoUrl ?? '')
    ? `<img src="${escape(design.logoUrl!)}" alt="">`
    : '';
  return `<!doctype html><html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
<title>${escape(texts.title)}</title><style>${style}</style></head>
<body><main>${logo}<p>${escape(name)}</p>${body(texts)}</main></body></html>`;
}

/** The page that asks for a code. It works without scripts. */
export const codePage = ({ branding, action, to, resend, notice }: PageContent): string =>
  document(branding, (texts) => {
    const { seconds = 0, attemptsLeft } = notice ?? {};
    const values = {
      time: duration(seconds, textsOf(branding.language).tag),
      attempts: String(attemptsLeft),
    };
    const left = attemptsLeft === undefined ? '' : ` ${fill(texts.attemptsLeft, values)}`;
    const button = (key: string) =>
      `<button name="action" value="${escape(key)}">${escape(texts[key as keyof Texts] ?? texts.resend)}</button>`;
    // Numbers and addresses are written from left to right in all languages.
    const sent = fill(escape(texts.sent), { to: `<bdi dir="ltr">${escape(mask(to))}</bdi>` });
    const kind = notice?.key === 'resent' ? 'class="notice" role="status"' : 'class="notice error" role="alert"';
    return `<h1>${escape(texts.title)}</h1><p>${sent}</p>
${notice ? `<p ${kind}>${escape(fill(texts[notice.key], values) + left)}</p>` : ''}
<form method="post" action="${escape(action)}"><label>${escape(texts.label)}<input name="code" inputmode="numeric"
autocomplete="one-time-code" maxlength="20" required autofocus></label>${button('verify')}</form>
<form method="post" action="${escape(action)}" class="more">${resend.map(button).join('')}${button('cancel')}</form>`;
  });

/** The page after the last step. */
export const endPage = (branding: Branding, key: 'verified' | 'cancelled'): string =>
  document(branding, (texts) => `<h1>${escape(texts[key])}</h1>`);
