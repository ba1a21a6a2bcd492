/** Each built-in text renders the same as its Liquid version. */
import type { Content } from '../../backend/src/providers/provider.js';
import { CHANNELS, type ChannelName } from '../../backend/src/platform/contract/channels.js';
import { TEMPLATES } from '../../backend/src/platform/contract/generated/templates.js';
import { builtInText } from '../../backend/src/modules/templates/rendering/built-in.js';
import { languageOf } from '../../backend/src/modules/templates/rendering/languages.js';
import { overrideProblems } from '../../backend/src/modules/templates/rendering/override-problems.js';
import { render } from '../../backend/src/modules/templates/rendering/render.js';
import { LANGUAGE_CODES } from '../../backend/src/modules/templates/language-codes.js';
import { sampleVariables, TEMPLATE_NAMES, templateVariables } from '../../backend/src/modules/templates/template.js';

const combinations = TEMPLATE_NAMES.flatMap((template) =>
  CHANNELS.flatMap((channel) =>
    LANGUAGE_CODES.map((language) => [`${template} ${channel} ${language}`, template, channel, language] as const),
  ),
);

/**
 * Returns the text without the parts that only one version contains: isolates around numbers, and the email signature.
 */
function comparableText(content: Content): string {
  const text = content.kind === 'speech' ? content.sentences.join('\n') : content.text;
  return text
    .replace(/[\u2068\u2069]/g, '')
    .replace(/\n\n-- \nShop\n$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function variablesOf(template: string, language: string, all: boolean): Record<string, string> {
  const samples = sampleVariables(template, language);
  if (all || !Object.hasOwn(TEMPLATES, template)) return samples;
  const { required, oneOf } = TEMPLATES[template as keyof typeof TEMPLATES];
  const names: readonly string[] = [...required, ...oneOf.slice(0, 1)];
  return Object.fromEntries(Object.entries(samples).filter(([name]) => names.includes(name)));
}

it.each(combinations)(
  '%s renders the same text as its Liquid version',
  (_name, template, channel: ChannelName, language) => {
    const text = builtInText(template, channel, languageOf(language));
    const rules = { known: templateVariables(template), needed: [] };
    expect(overrideProblems(channel, text, rules)).toEqual([]);
    for (const all of [true, false]) {
      const variables = { ...variablesOf(template, language, all), application: 'Shop', language };
      const builtIn = render(template, channel, variables);
      const own = render(template, channel, variables, () => text);
      expect(comparableText(own)).toBe(comparableText(builtIn));
      if (own.kind === 'email' && builtIn.kind === 'email')
        expect(own.subject.replace(/[\u2068\u2069]/g, '')).toBe(builtIn.subject.replace(/[\u2068\u2069]/g, ''));
    }
  },
);

/** Numbers with every plural form of every language. */
const MINUTES = ['0', '1', '2', '3', '5', '11', '21', '22', '100', '112', '1440'];

it.each(LANGUAGE_CODES.flatMap((language) => MINUTES.map((minutes) => [language, minutes] as const)))(
  'the text that the editor suggests for codes has the plural form of %s for %s minutes',
  (language, minutes) => {
    for (const channel of CHANNELS) {
      const text = builtInText('otp', channel, languageOf(language));
      const variables = { code: '012345', minutes, application: 'Shop', language };
      const own = comparableText(render('otp', channel, variables, () => text));
      expect(own).toBe(comparableText(render('otp', channel, variables)));
    }
  },
);
