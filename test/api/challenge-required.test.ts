/** Messages to the home country while unusually many codes are not entered: with a challenge, and without one. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { Core } from '../../backend/src/core.js';
import type { ApplicationChange } from '../../backend/src/modules/applications/application-change.js';
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import { solveChallenge } from '../../widget/src/challenge.js';
import { signIn } from '../support/dashboard.js';
import { SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { type Body } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

/** Codes that are not entered before the guard acts at home. */
const LIMIT = 6;
const OWNER = 'ana@shop.example';

let service: GuardedService;
beforeEach(async () => {
  service = await startGuardedService();
  await signIn(service.passbell, 'owner', { email: OWNER });
  await service.learnConversion();
});
afterEach(() => service.close());

async function change(changes: ApplicationChange): Promise<void> {
  const { passbell, keys } = service;
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, changes);
  // Lets every process load the application.
  passbell.clock.advance(SEEN_MS);
}
const guardAtHome = (more: ApplicationChange, settings: Record<string, number> = {}) =>
  change({ ...more, fraud: { homeUnverified: LIMIT, ...settings } });

/** A number in the United States, with a prefix of its own. */
let area = 0;
const number = (): string =>
  `+1${['212', '310', '415', '512', '617'][area++ % 5]}55${String(area).padStart(2, '0')}123`;

/** Sends codes that nobody enters, as many as are sent. */
async function leaveUnentered(count: number): Promise<void> {
  for (const reply of await service.sendToAll(Array.from({ length: count }, number)))
    expect(reply).toMatchObject({ success: true });
}

const views = async () => {
  const { core } = service.passbell;
  return core.fraud.pauses.list(await core.applications.service.load(service.keys.appKey));
};

/** Returns the metrics of a process. */
async function metricsOf({ metrics }: Core): Promise<string> {
  const backlog = async () => ({ messages: 0, oldestMs: 0 });
  return (
    await metrics.page(
      backlog,
      async () => false,
      async () => [],
    )
  ).text;
}
const refusals = (page: string): number =>
  Number(/^passbell_fraud_refusals_total\{rule="country"\} (\d+)$/m.exec(page)?.[1] ?? 0);

async function protectionPage(): Promise<string> {
  const owner = await signIn(service.passbell, 'owner', { email: OWNER });
  return (await owner.get(`/applications/${service.keys.appKey}/protection`)).html;
}

/** Waits until all notices have been emailed, and returns the subjects of the owner's emails about the guard. */
async function subjects(): Promise<string[]> {
  const { passbell } = service;
  const db = passbell.openDatabase();
  const isDone = async () =>
    (await db('fraud_notices').whereNull('mailed_at').first('id')) === undefined &&
    (await db('messages').whereIn('state', ['queued', 'sending']).first('id')) === undefined;
  await until('emails', isDone, advancing(passbell.clock, 1000));
  await db.destroy();
  return (await passbell.inbox(OWNER)).map(({ subject }) => subject).filter((subject) => !/^\d{6} /.test(subject));
}

/** Refuses a message, and waits until it is stored. Returns the number of refused messages. */
async function storedRefusals(): Promise<number> {
  const { passbell, keys } = service;
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'US' }, 'pause');
  passbell.clock.advance(SEEN_MS);
  expect(await service.send(number())).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  const refused = async (): Promise<number> =>
    (await passbell.get('/messages', { state: 'refused' }, { keys })).data.messages.length;
  return until('a refused message', async () => (await refused()) || undefined);
}

describe('with a challenge', () => {
  beforeEach(() => guardAtHome({ challenge: { kind: 'altcha' } }));

  async function challenged(to = number()): Promise<Body> {
    const reply = await service.send(to);
    expect(reply).toMatchObject({ success: false, code: 'CHALLENGE_REQUIRED', challenge: { kind: 'altcha' } });
    service.passbell.clock.advance(SEEN_MS);
    return reply.challenge;
  }

  it('a message at home is sent once the request contains a solution, which works once', async () => {
    await leaveUnentered(LIMIT);
    const to = number();
    const challenge = await solveChallenge(await challenged(to));
    expect(await service.send(to, { challenge })).toMatchObject({ success: true });
    const { passbell } = service;
    expect(await service.send(number(), { challenge })).toMatchObject({ code: 'CHALLENGE_REQUIRED' });
    const people = await passbell.core.fraud.challengedBetween(
      await service.applicationId(),
      passbell.clock.now() - DAY,
      passbell.clock.now() + 1,
    );
    expect(people).toEqual([{ country: 'US', people: 2 }]);
  });

  it('a wrong solution gets a new challenge', async () => {
    await leaveUnentered(LIMIT);
    const to = number();
    const first = await challenged(to);
    const reply = await service.send(to, { challenge: 'wrong' });
    expect(reply).toMatchObject({ code: 'CHALLENGE_REQUIRED', challenge: { kind: 'altcha' } });
    expect(reply.challenge.altcha.parameters.nonce).not.toBe(first.altcha.parameters.nonce);
    const challenge = await solveChallenge(reply.challenge);
    expect(await service.send(to, { challenge })).toMatchObject({ success: true });
  });

  it('verified recipients, other countries and email need none', async () => {
    const customer = number();
    await service.verify(customer);
    await leaveUnentered(LIMIT);
    await challenged();
    for (const to of [customer, '+447400123456', 'customer@example.com'])
      expect(await service.send(to)).toMatchObject({ success: true });
  });

  it('the owners are told once, and no refused message is stored', async () => {
    await leaveUnentered(LIMIT);
    for (let n = 0; n < 8; n++) await challenged();
    const pages = await Promise.all(service.passbell.cores.map(metricsOf));
    expect(pages.reduce((sum, page) => sum + refusals(page), 0)).toBe(8);
    expect(await subjects()).toEqual(['Another Shop: recipients in the United States must solve a challenge']);
    const { passbell, keys } = service;
    const { data } = await passbell.get('/webhooks/recent', { event: 'fraud.paused' }, { keys });
    expect(data.events).toMatchObject([{ data: { scope: 'country', key: 'US', isChallenged: true, until: null } }]);
    expect(await storedRefusals()).toBe(1);
    const refused = await passbell.get('/webhooks/recent', { event: 'fraud.refused' }, { keys });
    expect(refused.data.events).toEqual([]);
  });

  it('requests without a solution keep the challenge up, and it ends within three hours after the last one', async () => {
    await leaveUnentered(LIMIT);
    for (let n = 0; n < 6; n++) {
      await challenged();
      service.passbell.clock.advance(HOUR / 2);
    }
    expect(await views()).toMatchObject([{ scope: 'country', key: 'US', state: 'challenged' }]);
    expect(await protectionPage()).toContain('A challenge is needed for the United States.');
    service.passbell.clock.advance(3 * HOUR);
    expect(await views()).toEqual([]);
    expect(await protectionPage()).toContain('There are no pauses or exceptions now.');
    expect(await service.send(number())).toMatchObject({ success: true });
  });

  it('the challenge ends at once when the owner switches challenges off', async () => {
    await leaveUnentered(LIMIT);
    await challenged();
    await change({ challenge: { kind: 'off' } });
    expect(await service.send(number())).toMatchObject({ success: true });
    expect(await views()).toEqual([]);
    expect(await protectionPage()).toContain('There are no pauses or exceptions now.');
  });

  it('the Protection page shows the challenge with its reason, and an owner ends it there', async () => {
    await leaveUnentered(LIMIT);
    await challenged();
    const owner = await signIn(service.passbell, 'owner', { email: OWNER });
    const path = `/applications/${service.keys.appKey}/protection`;
    const { html } = await owner.get(path);
    expect(html).toContain('recipients in the United States did not enter their code');
    await owner.submit(path, path, { action: 'resume', scope: 'country', key: 'US' });
    service.passbell.clock.advance(SEEN_MS);
    expect(await service.send(number())).toMatchObject({ success: true });
  });
});

describe('without a challenge', () => {
  it('messages at home are not refused, and the owners are told once a day', async () => {
    await guardAtHome({});
    await leaveUnentered(4 * LIMIT);
    expect(await subjects()).toEqual(['Another Shop: unusually many codes are not entered in the United States']);
    expect(await views()).toEqual([]);
  });

  it('messages at home are refused if the owner chooses it', async () => {
    await guardAtHome({}, { pauseHome: 1 });
    await leaveUnentered(LIMIT);
    const reply = await service.send(number());
    expect(reply).toMatchObject({ code: 'FRAUD_SUSPECTED', hint: expect.stringContaining('in this country') });
    expect(await views()).toMatchObject([{ scope: 'country', key: 'US', state: 'paused' }]);
  });
});
