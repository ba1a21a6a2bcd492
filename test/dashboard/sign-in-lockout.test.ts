/** An attacker who knows an owner's email address cannot lock the owner out of the dashboard. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createVisitor, waitForMailedCode, mailedCodes, signIn, type Visitor } from '../support/dashboard.js';
import { freshMail, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  // Lets visitors have different IP addresses.
  passbell = await startService({ TRUST_PROXY: '1' });
});
afterAll(() => passbell.stop());

const MINUTE = 60_000;
const ATTACKER_ADDRESS = '198.51.100.7';
const OFFICE_ADDRESS = '203.0.113.5';

const visitorFrom = (address: string): Visitor =>
  createVisitor(passbell.url, undefined, undefined, { 'X-Forwarded-For': address });

async function newOwner(): Promise<string> {
  const { person } = await signIn(passbell, 'owner', { email: freshMail() });
  return person!.email;
}

const requestCode = (visitor: Visitor, email: string) => visitor.submit('/sign-in', '/sign-in', { email });
const enterCode = (visitor: Visitor, code: string) => visitor.submit('/sign-in/code', '/sign-in/code', { code });

/** Asks for a code for a person, and waits until it has arrived. */
async function requestCodeAndWait(visitor: Visitor, email: string): Promise<{ status: number; code: string }> {
  const before = (await mailedCodes(passbell, email)).length;
  const { status } = await requestCode(visitor, email);
  return { status, code: status === 303 ? await waitForMailedCode(passbell, email, before) : '' };
}

/** Signs in with an emailed code, and returns the reply to the code. */
async function signInWithCode(visitor: Visitor, email: string) {
  const { status, code } = await requestCodeAndWait(visitor, email);
  expect(status).toBe(303);
  return enterCode(visitor, code);
}

/** Repeatedly requests codes for an email address and enters wrong codes, for the given number of hours. */
async function attack(email: string, hours: number, address = ATTACKER_ADDRESS): Promise<void> {
  const attacker = visitorFrom(address);
  for (let round = 0; round < hours * 6; round++) {
    const asked = await requestCodeAndWait(attacker, email);
    for (let guess = 0; asked.status === 303 && guess < 6; guess++) await enterCode(attacker, `00000${guess}`);
    passbell.clock.advance(10 * MINUTE);
  }
}

it('an attacker cannot lock the owner out with wrong codes', async () => {
  const email = await newOwner();
  await attack(email, 2);
  expect(await signInWithCode(visitorFrom(OFFICE_ADDRESS), email)).toMatchObject({
    location: '/dashboard/home',
  });
});

it('an attacker cannot lock the owner out by requesting codes for the address', async () => {
  const email = await newOwner();
  const attacker = visitorFrom(ATTACKER_ADDRESS);
  for (let n = 0; n < 5; n++) {
    passbell.clock.advance(2 * MINUTE);
    await requestCodeAndWait(attacker, email);
  }
  expect(await signInWithCode(visitorFrom(OFFICE_ADDRESS), email)).toMatchObject({
    location: '/dashboard/home',
  });
});

it('an attacker cannot lock the owner out by requesting codes for the address with a plus-tag', async () => {
  const email = await newOwner();
  const tagged = (n: number) => email.replace('@', `+${n}@`);
  await Promise.all([...Array(20)].map((_, n) => requestCode(visitorFrom(`198.51.100.${n + 10}`), tagged(n))));
  expect(await signInWithCode(visitorFrom(OFFICE_ADDRESS), email)).toMatchObject({
    location: '/dashboard/home',
  });
});

it('attackers with many IP addresses cannot lock the owner out of a known browser', async () => {
  const email = await newOwner();
  const browser = visitorFrom(OFFICE_ADDRESS);
  await signInWithCode(browser, email);
  await browser.submit('/applications', '/sign-out');
  for (let n = 0; n < 20; n++) {
    await requestCodeAndWait(visitorFrom(`198.51.100.${n + 40}`), email);
    passbell.clock.advance(10 * MINUTE);
  }
  expect((await requestCodeAndWait(visitorFrom('192.0.2.99'), email)).status).toBe(303);
  await attack(email, 3, '192.0.2.200');
  expect((await requestCode(visitorFrom('192.0.2.100'), email)).status).toBe(422);
  expect(await signInWithCode(browser, email)).toMatchObject({ location: '/dashboard/home' });
});

it('an attacker with the same IP address cannot lock the owner out of a known browser', async () => {
  const email = await newOwner();
  const browser = visitorFrom(OFFICE_ADDRESS);
  await signInWithCode(browser, email);
  await browser.submit('/applications', '/sign-out');
  passbell.clock.advance(10 * MINUTE);
  const neighbor = visitorFrom(OFFICE_ADDRESS);
  for (let n = 0; n < 70; n++) await requestCode(neighbor, `list${n}@example.com`);
  await requestCodeAndWait(neighbor, email);
  for (let guess = 0; guess < 30; guess++) await enterCode(neighbor, String(guess).padStart(6, '0'));
  expect((await requestCode(neighbor, email)).status).toBe(422);
  expect(await signInWithCode(browser, email)).toMatchObject({ location: '/dashboard/home' });
});

it('a browser that is known for another person has no separate limit', async () => {
  const email = await newOwner();
  const other = await newOwner();
  const browser = visitorFrom('192.0.2.150');
  await signInWithCode(browser, other);
  await browser.submit('/applications', '/sign-out');
  expect((await requestCode(browser, email)).status).toBe(303);
  expect((await requestCode(visitorFrom('192.0.2.150'), email)).status).toBe(422);
});

it('all attackers together get at most 30 codes a day, which keeps the chance of guessing a code below 0.1%', async () => {
  const email = await newOwner();
  let sent = 0;
  for (let n = 0; n < 90; n++) {
    if ((await requestCode(visitorFrom(`198.18.${n}.1`), email)).status === 303) sent++;
    passbell.clock.advance(15 * MINUTE);
  }
  expect(sent).toBe(30);
});

it('wrong codes for an address with a plus-tag are not counted for the owner', async () => {
  const email = await newOwner();
  const tagged = email.replace('@', '+x@');
  const { accountId } = (await signIn(passbell, 'owner', { account: freshMail() })).person!;
  const invitation = await passbell.core.people.service.invite(OPERATOR, { accountId, email: tagged, role: 'viewer' });
  await passbell.core.people.service.join(invitation, tagged);
  for (const address of [email, tagged, email.replace('@', '+unknown@')])
    await requestCode(visitorFrom('192.0.2.222'), address);
  const db = passbell.openDatabase();
  const keys = await db('otp_sessions').orderBy('id', 'desc').limit(3).pluck('recipient_key');
  await db.destroy();
  expect(new Set(keys).size).toBe(3);
});
