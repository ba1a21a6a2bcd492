/** docs/providers.md explains all gateway settings, presets and message values. */
import { readFileSync } from 'node:fs';
import { EMAIL_PRESETS } from '../../backend/src/providers/email-api/types.js';
import { HTTP_GATEWAY } from '../../backend/src/providers/http-gateway/http-gateway-type.js';
import { PRESETS } from '../../backend/src/providers/http-gateway/types.js';
import { MESSAGE_VALUES } from '../../backend/src/providers/http-gateway/values.js';

const text = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');

it.each(HTTP_GATEWAY.fields.map(({ name, label }) => [name, label]))(
  'explains the setting %s by its label, with an example',
  (name, label) => expect(text).toMatch(new RegExp(`^\\| ${label} \\| \`${name}\` \\| .+ \\|`, 'm')),
);

it.each([...PRESETS, ...EMAIL_PRESETS].map(({ name }) => name))('lists the preset %s', (name) =>
  expect(text).toContain(`| \`${name}\` |`),
);

it.each(Object.keys(MESSAGE_VALUES))('explains the value %s', (name) =>
  expect(text).toMatch(new RegExp(`^\\|[^|]*\`${name}(\\[0\\])?\``, 'm')),
);
