import type { Content } from '../../../providers/provider.js';
import { emailHtml } from './email.js';
import { languageOf } from './languages.js';

/** Renders a security notice as an email. The text is in English, like the dashboard. */
export function renderSecurityNotice(
  { title = '', text = '', advice = '' }: Readonly<Record<string, string>>,
  application: string,
): Content {
  return {
    kind: 'email',
    subject: title,
    text: `${title}\n\n${text}\n\n${advice}\n\n-- \n${application}\n`,
    html: emailHtml({ language: languageOf('en'), application, title, paragraphs: [text], note: advice }),
  };
}
