/** The guides to providers explain all gateway settings, presets and message values. */
import { readFileSync } from 'node:fs';
import { EMAIL_PRESETS } from '../../backend/src/providers/email-api/types.js';
import { HTTP_GATEWAY } from '../../backend/src/providers/http-gateway/http-gateway-type.js';
import { PRESETS } from '../../backend/src/providers/http-gateway/types.js';
import { MESSAGE_VALUES } from '../../backend/src/providers/http-gateway/values.js';
import { TWILIO } from '../../backend/src/providers/twilio-type.js';
import { WHATSAPP_CLOUD } from '../../backend/src/providers/whatsapp-cloud/type.js';

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
const overview = read('providers');
const gateway = read('custom-gateway');

it.each(HTTP_GATEWAY.fields.map(({ name, label }) => [name, label]))(
  'explains the setting %s by its label',
  (name, label) => expect(gateway).toMatch(new RegExp(`^- \`${name}\` \\*${label}\\*: .+`, 'm')),
);

const LISTS = [
  ['sms-gateways', [TWILIO, WHATSAPP_CLOUD, ...PRESETS]],
  ['email-providers', EMAIL_PRESETS],
] as const;

it.each(LISTS.flatMap(([file, types]) => types.map(({ name, title }) => [title, name, file] as const)))(
  'describes %s in a section with its type, to which the overview links',
  (title, name, file) => {
    const heading = title.replace(' (Android)', '');
    expect(read(file)).toMatch(
      new RegExp(`^### ${heading.replace(/[()]/g, String.raw`\$&`)}\n\n.+ Type: \`${name}\`\\.$`, 'm'),
    );
    const anchor = heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    expect(overview).toContain(`[${heading}](${file}.md#${anchor})`);
  },
);

describe('the table of SMS gateways', () => {
  const page = read('sms-gateways');
  const rowOf = (title: string) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`| [${title}](#`))!
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());

  it.each(PRESETS.map((preset) => [preset.title.replace(/ \(Android\)| End User Messaging/, ''), preset] as const))(
    'states whether Passbell receives delivery reports and replies from %s',
    (title, { definition, reportsHelp }) => {
      const reports = !definition.reports ? 'none' : reportsHelp ? 'set up' : 'automatic';
      expect(rowOf(title).slice(2, 4)).toEqual([reports, definition.inbound ? 'yes' : 'no']);
    },
  );

  it('is followed by the gateways whose credentials cannot be checked, and those that look up messages', () => {
    const [, unchecked = ''] = /\*\*Credentials\*\*:.* For ([^,]+), it cannot/.exec(page) ?? [];
    const [, lookups = ''] = /Passbell asks ([^.]+) whether/.exec(page) ?? [];
    const namesOf = (presets: typeof PRESETS) => presets.map(({ title }) => title.split(/ \(| End User/)[0]!).sort();
    expect(unchecked.split(' and ')).toEqual(namesOf(PRESETS.filter(({ definition }) => !definition.check)));
    expect(lookups.split(/, | or /).sort()).toEqual(
      ['Twilio', ...namesOf(PRESETS.filter(({ definition }) => definition.lookUp))].sort(),
    );
  });
});

it.each(Object.keys(MESSAGE_VALUES))('explains the value %s', (name) =>
  expect(gateway).toMatch(new RegExp(`^\\|[^|]*\`${name}(\\[0\\])?\``, 'm')),
);
