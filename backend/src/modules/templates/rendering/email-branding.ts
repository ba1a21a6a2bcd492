/** Adds the branding of an account to rendered emails. */
import type { Content } from '../../../providers/provider.js';
import type { Branding } from '../template.js';
import { escapeHtml } from './text.js';

/** Accent color of the layout in email.ts, which uses it only in `style` attributes. */
const DEFAULT_ACCENT = '#1a56db';

/** Values in the layout are escaped, so `style="` and comments are always part of the layout. */
function withAccent(html: string, accent: string): string {
  const dark = `<style>@media (prefers-color-scheme: dark) { .button { background: ${accent} !important; border-color: ${accent} !important; } .button a { color: #ffffff !important; } }</style>`;
  return html
    .replace(/style="[^"]*"/g, (style) => style.replaceAll(DEFAULT_ACCENT, accent))
    .replace('</head>', () => `${dark}\n</head>`);
}

const logoImage = (url: string): string =>
  `<img src="${escapeHtml(url)}" alt="" height="40" style="display:block;height:40px;width:auto;max-width:100%;margin:0 0 16px;border:0">\n`;

function footerRow(footer: string): string {
  const lines = footer.split('\n').map(escapeHtml).join('<br>');
  return `<tr><td class="soft" style="padding:16px 8px 0;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:12px;line-height:18px;color:#5b6470;overflow-wrap:anywhere"><bdi>${lines}</bdi></td></tr>\n`;
}

export function withBranding(content: Content, { accentColor, footer, logoUrl }: Branding): Content {
  if (content.kind !== 'email') return content;
  const html = content.html
    .replace('<!--logo-->', () => (logoUrl ? logoImage(logoUrl) : ''))
    .replace('<!--footer-->', () => (footer ? footerRow(footer) : ''));
  return {
    ...content,
    html: accentColor ? withAccent(html, accentColor) : html,
    text: footer ? `${content.text}\n${footer}\n` : content.text,
  };
}
