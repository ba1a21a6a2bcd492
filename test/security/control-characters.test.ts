/** Control characters and directional overrides in tenants' texts never reach a terminal or a log line. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DEFAULT_DESIGN } from '../../backend/src/modules/applications/application.js';
import { designFields } from '../../backend/src/dashboard/widget/design-form.js';
import { createLog } from '../../backend/src/platform/log.js';
import { json, run } from '../cli/command.js';
import { signIn, type Fields } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

/**
 * Text that clears the screen, sets the window title, starts an escape sequence, deletes a character, or reverses the
 * rest of the line.
 */
const HOSTILE_TEXTS = ['\u001b[2J', '\u001b]0;root\u0007', '\u009b31m', '\u007f', '\u202etxt.exe', '\u2067x'];
const CONTROL = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u;
const applicationPath = () => `/applications/${passbell.keys.appKey}`;

it.each(HOSTILE_TEXTS)('the dashboard refuses %j in names and texts', async (hostile) => {
  const owner = await signIn(passbell);
  const bad = `Shop${hostile}`;
  const forms: [page: string, path: string, fields: Fields][] = [
    ['/applications/new', '/applications/new', { name: bad }],
    [`${applicationPath()}/templates/order_shipped/sms/en`, '', { text: `${bad} {{ orderId }}` }],
    [`${applicationPath()}/templates/order_shipped/email/en`, '', { subject: bad, text: '{{ orderId }}' }],
    [`${applicationPath()}/widget`, '', designFields({ ...DEFAULT_DESIGN, title: bad })],
    [`${applicationPath()}/widget`, '', designFields({ ...DEFAULT_DESIGN, texts: { enrolTitle: bad } })],
  ];
  for (const [page, path, fields] of forms) {
    const { status, html } = await owner.submit(page, path || page, fields);
    expect([page, status]).toEqual([page, 422]);
    expect(html).toMatch(/control characters/);
  }
});

it.each(HOSTILE_TEXTS)('the command refuses %j in names and texts', async (hostile) => {
  const bad = `Shop${hostile}`;
  const { appKey } = passbell.keys;
  const text = `${bad} {{ orderId }}`;
  for (const args of [
    ['app', 'create', '--name', bad],
    ['app', 'update', appKey, '--name', bad],
    ['app', 'update', appKey, '--design', JSON.stringify({ title: bad })],
    ['app', 'update', appKey, '--design', JSON.stringify({ texts: { enrolTitle: bad } })],
    ['account', 'create', '--email', `${bad}@example.com`],
    ['template', 'set', appKey, 'order_shipped', '--channel', 'SMS', '--text', text],
  ]) {
    const { code, err } = await run(passbell, ...args);
    expect([args, code]).toEqual([args, 1]);
    expect(err).not.toMatch(CONTROL);
  }
});

it('multi-line texts are accepted', async () => {
  const text = 'Order {{ orderId }}\n\tis on its way';
  await json(passbell, 'template', 'set', passbell.keys.appKey, 'order_shipped', '--channel', 'SMS', '--text', text);
});

it('the command removes control characters from names, and escapes them in JSON', async () => {
  // Earlier versions accepted such names.
  const name = `Shop ${HOSTILE_TEXTS.join('')} end`;
  const { appKey } = await passbell.core.applications.service.create(OPERATOR, { name });
  const { out } = await run(passbell, 'app', 'list');
  expect(out).toMatch(/Shop .* end/);
  expect(out).not.toMatch(CONTROL);
  const { out: line } = await run(passbell, 'app', 'list', '--json');
  expect(line).not.toMatch(CONTROL);
  expect(JSON.parse(line)).toContainEqual(expect.objectContaining({ appKey, name }));
});

it('a log line contains no control characters', () => {
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }).info(
    { name: HOSTILE_TEXTS.join(''), list: HOSTILE_TEXTS },
    'test',
  );
  expect(lines.join('')).toContain('txt.exe');
  expect(lines.join('')).not.toMatch(CONTROL);
});
