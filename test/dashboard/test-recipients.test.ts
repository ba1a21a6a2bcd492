/** The rows of test recipients in the settings, which work without JavaScript. */
import { signIn, type Visitor } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
let path: string;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
  path = `/applications/${passbell.keys.appKey}/settings/test-recipients`;
});
afterAll(() => passbell.stop());

const save = (fields: Record<string, string>) => owner.submit(path, path, fields);
const stored = async () =>
  (await passbell.core.applications.service.load(passbell.keys.appKey)).settings.testRecipients;

const FIRST = { 'recipient-0': '+15550100', 'code-0': '123456' };
const SECOND = { 'recipient-1': 'review@shop.example', 'code-1': 'abcd' };

it('adds an empty row, and keeps what was entered without saving it', async () => {
  expect((await owner.get(path)).html).not.toContain('name="recipient-1"');
  const { status, html } = await save({ ...FIRST, more: 'yes' });
  expect(status).toBe(200);
  expect(html).toMatch(/name="recipient-0"[^>]*value="\+15550100"[\s\S]*name="recipient-1"/);
  expect(html).toContain('data-unsaved');
  expect(await stored()).toEqual({});
});

it('saves the filled rows, and leaves out removed ones', async () => {
  expect((await save({ ...FIRST, ...SECOND, 'recipient-2': '', 'code-2': '' })).status).toBe(303);
  expect(await stored()).toEqual({ '+15550100': '123456', 'review@shop.example': 'abcd' });
  expect((await owner.get(path)).html).toContain('aria-label="Remove review@shop.example"');
  expect((await save({ ...FIRST, ...SECOND, 'remove-0': 'yes' })).status).toBe(303);
  expect(await stored()).toEqual({ 'review@shop.example': 'abcd' });
});

it.each([
  [{ 'recipient-1': 'reviewer' }, 'field-recipient-1-error">Enter a phone number with its country code'],
  [{ 'code-1': 'a' }, 'field-code-1-error">The code must be 4 to 10 letters or digits.'],
  [{ 'code-1': '' }, 'field-code-1-error">The code must be 4 to 10 letters or digits.'],
  [{ 'recipient-1': '+1 555 0100' }, 'field-recipient-1-error">This recipient is listed twice.'],
])('explains an error at its row, and keeps all rows: %j', async (mistake, error) => {
  const before = await stored();
  const { status, html } = await save({ ...FIRST, ...SECOND, ...mistake });
  expect(status).toBe(422);
  expect(html).toContain(error);
  for (const value of Object.values({ ...FIRST, ...SECOND, ...mistake }).filter(Boolean))
    expect(html).toContain(`value="${value}"`);
  expect(await stored()).toEqual(before);
});

it('names the row and the field of each error in the summary', async () => {
  const { html } = await save({ ...FIRST, ...SECOND, 'code-0': 'a', 'code-1': 'b' });
  for (const n of [0, 1])
    expect(html).toContain(`<a href="#field-code-${n}">Code ${n + 1}: The code must be 4 to 10 letters or digits.</a>`);
});
