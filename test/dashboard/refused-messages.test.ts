/** Refused messages on the dashboard: support finds out why a customer got no code. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { SECOND } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { NO_LIMITS, startService, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let passbell: TestService;
let owner: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  passbell = await startService();
  const settings = { countries: ['US', 'DE'] };
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, {
    settings,
    limits: { ...NO_LIMITS.limits, cooldownSeconds: 30 },
  });
  [owner, viewer] = [await signIn(passbell), await signIn(passbell, 'viewer')];
  passbell.clock.advance(2 * SECOND);
});
afterAll(() => passbell.stop());

let count = 0;
const freshNumber = (): string => `+1415200${String(1000 + ++count)}`;

/** Requests two codes, of which the second one is refused for 29 seconds. */
async function refuse(to = freshNumber()): Promise<string> {
  await passbell.send(to, { authWay: 'SMS' });
  passbell.clock.advance(SECOND);
  expect(await passbell.post('/auth/sendotp', { to, authWay: 'SMS' })).toMatchObject({ code: 'COOLDOWN' });
  await until('the refusal', async () => (await messagesTo(to)).some(({ state }) => state === 'refused'));
  return to;
}
const messagesTo = async (to: string): Promise<{ messageId: string; state: string }[]> =>
  (await passbell.get('/messages', { to })).data.messages;

const textOf = (html: string): string => html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

it('a refused customer is found by their number in two clicks', async () => {
  const to = await refuse();
  await refuse();
  const home = await viewer.get('/home');
  // The first click: the link in the navigation.
  expect(home.html).toMatch(/<a [^>]*href="\/dashboard\/messages"/);
  // The second click: the button beside the field for the number.
  const list = await viewer.follow(await viewer.submit('/messages', '/messages/find', { recipient: to }));
  const rows = list.html
    .split('<tr>')
    .slice(1)
    .filter((row) => row.includes('id="message-'));
  expect(rows).toHaveLength(2);
  // The page of the message says until when.
  expect(textOf(rows[0]!)).toMatch(/Refusedtoo many codes for this recipient\d\d:/);
  // Facts that all rows have in common have no columns.
  expect(list.html).toContain('All are verification codes by SMS.<');
  expect(list.html).not.toContain(to);
});

it('the page of a refused message states the rule, the time and what to do, and offers no retry', async () => {
  const to = await refuse();
  const { messageId } = (await messagesTo(to)).find(({ state }) => state === 'refused')!;
  const { html } = await owner.get(`/messages/${messageId}`);
  const text = textOf(html);
  expect(text).toMatch(
    /Requested[^R]+Refused by PassbellToo many codes for this recipient\. Refused until [^(]+ \(29 s after the request\)\.\d\d:\d\d:\d\dWhat to do/,
  );
  expect(text).toMatch(
    /For developersError codeCOOLDOWNError returned to your programToo many codes for this recipient\. Enter the code that/,
  );
  expect(text).toContain('Passbell refused this message: too many codes for this recipient.');
  expect(text).not.toMatch(/No delivery report|Send again|Expires/);
  expect(html).not.toContain(to);
  const forged = await owner.submit('/', `/messages/${messageId}/retry`).catch(() => undefined);
  expect(forged).toBeUndefined();
});

it('a country that is not allowed is refused without an end', async () => {
  const to = '+33612345678';
  expect(await passbell.post('/auth/sendotp', { to })).toMatchObject({ code: 'COUNTRY_NOT_ALLOWED' });
  const [message] = await until('the refusal', async () => {
    const found = await messagesTo(to);
    return found.length > 0 && found;
  });
  const text = textOf((await owner.get(`/messages/${message!.messageId}`)).html);
  expect(text).toContain('Refused by PassbellSending to this country is turned off for this application.');
  expect(text).toContain(
    'Error codeCOUNTRY_NOT_ALLOWEDError returned to your programSending to this country is turned off',
  );
});

it('the filter “Refused” and the export show refused messages only', async () => {
  await refuse();
  const { html } = await owner.get('/messages?state=refused');
  expect(html).toMatch(
    /<a [^>]*href="\/dashboard\/messages\?state=refused"[^>]*>Refused<span class="warning"> \d+<\/span><\/a>/,
  );
  const rows = html.match(/id="message-(?!list)/g)!;
  const lines = (await owner.get('/messages/export?state=refused')).html.split('\r\n').slice(1, -1);
  expect(lines.length).toBe(rows.length);
  for (const line of lines)
    expect(line).toMatch(/"refused".*"(too many codes for this recipient, until 2027-|sending)/);
  const none = 'No message has failed in the last 30 days.';
  expect((await owner.get('/messages?state=failed')).html).toContain(none);
  // A filter may hide failed messages.
  expect((await owner.get('/messages?state=failed&channel=SMS')).html).not.toContain(none);
});

it('shows five refused messages of each reason at first, and all of them if filtered by the reason', async () => {
  for (let n = 0; n < 7; n++) await refuse();
  const { html } = await owner.get('/messages?state=refused');
  const [, group] = /<tbody>((?:(?!<\/tbody>)[^])*too many codes for this recipient[^]*?)<\/tbody>/i.exec(html)!;
  const [shown, more] = group!.split('<tr class="more">');
  expect(shown!.match(/id="message-/g)).toHaveLength(5);
  const rest = more!.match(/<tr class="rest">/g)!.length;
  expect(rest).toBeGreaterThanOrEqual(2);
  expect(more).toContain(`<summary>Show ${rest} more</summary>`);
  const [, reason] = /href="[^"]*(\/messages\?[^"]*reason=[^"]*)"/.exec(html)!;
  expect((await owner.get(reason!.replaceAll('&amp;', '&'))).html).not.toContain('class="rest"');
});
