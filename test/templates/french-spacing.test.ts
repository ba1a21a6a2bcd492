/** French has a no-break space before : ; ! ? and », and after «. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf } from '../../backend/src/modules/templates/rendering/languages.js';
import { builtInText } from '../../backend/src/modules/templates/rendering/built-in.js';
import { render } from '../../backend/src/modules/templates/rendering/render.js';
import { sampleVariables, TEMPLATE_NAMES } from '../../backend/src/modules/templates/template.js';
import { CHANNELS, type ChannelName } from '../../backend/src/platform/contract/channels.js';
import { WIDGET_TEXTS } from '../../backend/src/platform/contract/generated/widget.js';
import { root } from '../support/process.js';

/** Punctuation without the right space. A colon inside a link is not punctuation. */
const WRONG_NO_BREAK_SPACE = /[^\u00a0][:;!?»](?!\S)|«[^\u00a0]/;
const WRONG_PLAIN_SPACE = /[^ ][:;!?](?!\S)|\u00a0|\u202f/;

function textOf(template: string, channel: ChannelName, own = false): string {
  const variables = { ...sampleVariables(template, 'fr'), application: 'Boutique', language: 'fr' };
  const findOverride = () => (own ? builtInText(template, channel, languageOf('fr')) : undefined);
  const content = render(template, channel, variables, findOverride);
  return content.kind === 'speech' ? content.sentences.join('\n') : content.text;
}

it.each(CHANNELS.filter((channel) => channel !== 'SMS'))('French messages on %s have no-break spaces', (channel) => {
  for (const template of TEMPLATE_NAMES)
    for (const own of [false, true]) expect(textOf(template, channel, own)).not.toMatch(WRONG_NO_BREAK_SPACE);
});

it('a French SMS has plain spaces instead, because GSM-7 has no others', () => {
  for (const template of TEMPLATE_NAMES)
    for (const own of [false, true]) expect(textOf(template, 'SMS', own)).not.toMatch(WRONG_PLAIN_SPACE);
  expect(textOf('delivery_failed', 'SMS')).toMatch(/^Boutique : Bonjour Ana Silva ! .* Motif : /);
});

/** Returns the French texts of the page that asks for a code. */
function n8nTexts(): string[] {
  const source = readFileSync(join(root, 'backend/src/modules/code-pages/texts.ts'), 'utf8');
  const french = /^const fr: .*?^};/ms.exec(source)![0].replaceAll('\\u00a0', '\u00a0');
  return [...french.matchAll(/'(.+)',$/gm)].map(([, text]) => text!);
}

it('French subjects, and the French texts of the widget and the page of codes, have no-break spaces', () => {
  const subjects = Object.values(languageOf('fr').templates).map(({ subject }) => subject);
  const texts = [...Object.values(WIDGET_TEXTS.fr), ...n8nTexts(), ...subjects];
  expect(n8nTexts().length).toBeGreaterThan(15);
  for (const text of texts) expect(text).not.toMatch(WRONG_NO_BREAK_SPACE);
});

it('a line with a French label and a link becomes a button of an email', () => {
  const content = render(
    'order_shipped',
    'EMAIL',
    { ...sampleVariables('order_shipped', 'fr'), application: 'Boutique', language: 'fr' },
    () => builtInText('order_shipped', 'EMAIL', languageOf('fr')),
  );
  expect(content).toMatchObject({ html: expect.stringMatching(/>Suivre le colis<\/a>/) });
});
