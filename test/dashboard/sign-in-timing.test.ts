/** The response time of a code request does not reveal whether an address may sign in. */
import { createVisitor, signIn, waitForMailedCode } from '../support/dashboard.js';
import { freshMail, startService, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());

const knownAddress = async (): Promise<string> =>
  (await signIn(passbell, 'owner', { email: freshMail() })).person!.email;

const requestCode = (email: string) => createVisitor(passbell.url).submit('/sign-in', '/sign-in', { email });

it('the reply to a code request needs neither the list of people nor the message', async () => {
  const addresses = [await knownAddress(), freshMail()];
  const hidden = ['people', 'messages'];
  const db = passbell.openDatabase();
  const failures = () => passbell.logged.filter((line) => line.includes('"task":"sign-in code"')).length;
  for (const table of hidden) await db.schema.renameTable(table, `hidden_${table}`);
  try {
    for (const email of addresses)
      expect(await requestCode(email)).toMatchObject({ status: 303, location: '/dashboard/sign-in/code' });
    await until('both failures in the log', () => failures() === addresses.length);
  } finally {
    for (const table of hidden) await db.schema.renameTable(`hidden_${table}`, table);
    await db.destroy();
  }
  // A failure does not affect later requests.
  passbell.clock.advance(60_000);
  await requestCode(addresses[0]!);
  await waitForMailedCode(passbell, addresses[0]!);
});

it('a code that was requested before the service stops is sent', async () => {
  const email = await knownAddress();
  await requestCode(email);
  passbell = await passbell.restart();
  const db = passbell.openDatabase();
  const messages = await db('messages').where({ recipient: email, template: 'otp' });
  await db.destroy();
  expect(messages).toHaveLength(1);
});
