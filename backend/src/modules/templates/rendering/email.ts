/** The HTML layout of all emails. `email-branding.ts` replaces its comments and its accent color. Uses tables and inline styles, because email clients support little else. */
import { Liquid } from 'liquidjs';
import type { Language } from './language.js';
import { escapeHtml } from './text.js';

export interface LabeledValue {
  readonly label: string;
  readonly value: string;
}

/** The parts of an email from top to bottom, as plain text. */
interface EmailParts {
  readonly language: Pick<Language, 'code' | 'direction'>;
  readonly application: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly code?: string;
  readonly advice?: string;
  readonly facts?: readonly LabeledValue[];
  /** http or https URLs. The first link is shown as a button. */
  readonly links?: readonly LabeledValue[];
  readonly note?: string;
}

const LAYOUT = `{%- assign start = 'left' -%}{%- assign end = 'right' -%}
{%- if language.direction == 'rtl' -%}{%- assign start = 'right' -%}{%- assign end = 'left' -%}{%- endif -%}
<!doctype html>
<html lang="{{ language.code }}" dir="{{ language.direction }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>{{ title }}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .outer { padding: 0 !important; } .card { border-width: 0 !important; border-radius: 0 !important; padding: 24px 20px !important; } }
@media (prefers-color-scheme: dark) {
  body, .page { background: #111418 !important; }
  .card { background: #1c2127 !important; border-color: #343b44 !important; }
  .text, .text a { color: #e8eaed !important; }
  .soft { color: #a5adb8 !important; }
  .line { border-color: #343b44 !important; }
  .code { background: #111418 !important; border-color: #343b44 !important; }
  .button { background: #8ab4f8 !important; border-color: #8ab4f8 !important; }
  .button a { color: #10151c !important; }
  .link a { color: #8ab4f8 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f4f7;-webkit-text-size-adjust:100%">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f4f7">
<tr><td class="outer" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="card" style="background:#ffffff;border:1px solid #e1e5ea;border-radius:12px;padding:32px;text-align:{{ start }};font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<!--logo--><p class="soft" style="margin:0 0 20px;font-size:14px;line-height:20px;color:#5b6470"><bdi>{{ application }}</bdi></p>
<h1 class="text" style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:600;color:#16191d;overflow-wrap:anywhere">{{ title }}</h1>
{%- for paragraph in paragraphs %}
<p class="text" style="margin:0 0 12px;font-size:16px;line-height:24px;color:#16191d;overflow-wrap:anywhere">{{ paragraph }}</p>
{%- endfor %}
{%- if code %}
<p class="code text" dir="ltr" style="margin:20px 0;padding:16px;background:#f2f4f7;border:1px solid #e1e5ea;border-radius:8px;text-align:center;font:600 32px/40px ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px;color:#16191d">{{ code }}</p>
{%- endif %}
{%- if advice %}
<p class="text" style="margin:0 0 12px;font-size:16px;line-height:24px;color:#16191d">{{ advice }}</p>
{%- endif %}
{%- if facts.size > 0 %}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0 0">
{%- for fact in facts %}
<tr>
<td class="line soft" valign="top" style="padding:10px 0;padding-{{ end }}:16px;border-top:1px solid #e1e5ea;font-size:14px;line-height:20px;color:#5b6470">{{ fact.label }}</td>
<td class="line text" valign="top" style="padding:10px 0;border-top:1px solid #e1e5ea;font-size:14px;line-height:20px;color:#16191d;text-align:{{ end }};overflow-wrap:anywhere"><bdi>{{ fact.value }}</bdi></td>
</tr>
{%- endfor %}
</table>
{%- endif %}
{%- for link in links %}
{%- if forloop.first %}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0">
<tr><td class="button" style="background:#1a56db;border:1px solid #1a56db;border-radius:8px"><a href="{{ link.value }}" style="display:inline-block;padding:12px 22px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">{{ link.label }}</a></td></tr>
</table>
{%- else %}
<p class="link" style="margin:16px 0 0;font-size:15px;line-height:22px"><a href="{{ link.value }}" style="color:#1a56db">{{ link.label }}</a></p>
{%- endif %}
{%- endfor %}
{%- if note %}
<p class="soft" style="margin:24px 0 0;font-size:14px;line-height:20px;color:#5b6470">{{ note }}</p>
{%- endif %}
</td></tr>
<!--footer--></table>
</td></tr>
</table>
</body>
</html>
`;

const outputEscape = (value: unknown) => escapeHtml(String(value ?? ''));
const engine = new Liquid({ outputEscape, ownPropertyOnly: true, templates: {} });
const layout = engine.parse(LAYOUT);

export const emailHtml = (parts: EmailParts): string => engine.renderSync(layout, parts) as string;
