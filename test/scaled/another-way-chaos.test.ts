/**
 * Codes move on to WhatsApp while processes are killed, and reports are lost, repeated and reordered: nothing is lost, and
 * every send is billed once.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { createCore, type Core } from '../../backend/src/core.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { isDatabaseError } from '../../backend/src/platform/db/database-errors.js';
import { openDatabase, type Database } from '../../backend/src/platform/db/database.js';
import { createLog } from '../../backend/src/platform/log.js';
import type { ReportedState } from '../../backend/src/providers/provider.js';
import { startFleet, type Fleet, type Sent } from '../support/fleet.js';
import { createInterruptions, expireLeases, type Interruptions } from '../support/messages.js';
import { runCommandWith } from '../support/process.js';
import type { Body } from '../support/service.js';
import type { TwilioRequest } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

const SENDS = 150;
const KILLS = 6;

let fleet: Fleet;
let db: Database;
let interruptions: Interruptions;
/** Records reports without HTTP, like an API process that is not killed. */
let reporter: Core;
beforeAll(async () => {
  fleet = await startFleet({
    settings: {
      TWILIO_WHATSAPP_FROM: '+14155550100',
      SEND_WAIT_MS: '200',
      // A busy machine can delay a reply of the local server beyond a shorter timeout.
      PROVIDER_TIMEOUT_MS: '120000',
    },
  });
  await runCommandWith(fleet.settings, 'app', 'update', fleet.headers.clientId!, '--channels', 'SMS,WHATSAPP');
  reporter = await createCore(readConfig(fleet.settings), { log: createLog('silent'), jobs: false });
  db = openDatabase({ url: fleet.settings.DATABASE_URL!, dataDir: '' });
  interruptions = createInterruptions(db);
});
afterAll(async () => {
  await reporter.stop();
  await db.destroy();
  await fleet.close();
});

const isWhatsApp = (form: TwilioRequest['form']): boolean => form.To!.startsWith('whatsapp:');
const numberOf = (form: TwilioRequest['form']): string => form.To!.replace('whatsapp:', '');
const codeOf = (form: TwilioRequest['form']): string => /\b\d{6}\b/.exec(form.Body!)![0];
const forms = () => fleet.twilio.requests.filter(({ method }) => method === 'POST').map(({ form }) => form);

/** Repeats a report while the database does not respond in time, like a provider that gets a response with status 503. */
async function report(form: TwilioRequest['form'], providerId: string, reportedState: ReportedState): Promise<void> {
  await until('the storage of a report', async () => {
    try {
      const { id } = await db('messages')
        .where({ recipient: numberOf(form) })
        .first('id');
      const event = { id, type: 'reported', provider: 'environment-twilio', providerId, reportedState } as const;
      await reporter.messages.service.report(event);
      return true;
    } catch (error) {
      if (isDatabaseError(error)) return false;
      throw error;
    }
  });
}

it(`loses none of ${SENDS} codes that move on, despite ${KILLS} kills and lost, repeated and reordered reports`, async () => {
  /** Recipients whose SMS was reported as undelivered, so that a WhatsApp message must follow. */
  const undelivered = new Set<string>();
  const reports: Promise<void>[] = [];

  async function reportOn(form: TwilioRequest['form'], sid: string): Promise<void> {
    const kind = randomInt(4);
    if (isWhatsApp(form) || kind === 0) return;
    const states: ReportedState[] = kind === 1 ? ['sent', 'delivered'] : ['sent', 'undelivered', 'undelivered'];
    if (randomInt(2) === 0) states.reverse();
    await Promise.all(states.map((state) => report(form, sid, state)));
    if (kind > 1) undelivered.add(numberOf(form));
  }
  fleet.twilio.respondWith(({ form }) => {
    const sid = `SM${randomBytes(16).toString('hex')}`;
    reports.push(reportOn(form, sid));
    return { status: 201, body: { sid } };
  });

  const acknowledged: Sent[] = [];
  let kills = 0;
  let killing = Promise.resolve();
  async function kill(): Promise<void> {
    const group = randomInt(2) === 0 ? fleet.apis : fleet.workers;
    const index = randomInt(group.length);
    await interruptions.kill(group[index]!);
    group[index] = await fleet.start(group === fleet.apis ? 'api' : 'worker');
  }
  async function client(): Promise<void> {
    while (acknowledged.length < SENDS) {
      const body = (await fleet.send().catch(() => undefined)) as Body;
      if (body?.success) acknowledged.push(body.sent);
      else await killing;
      if (acknowledged.length > ((kills + 1) * SENDS) / (KILLS + 1) && kills < KILLS) {
        kills++;
        killing = killing.then(kill);
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, client));
  await killing;

  // Lets the processes finish, and then ends the leases of the killed ones.
  await Promise.all([...fleet.apis, ...fleet.workers].map((process) => process.stop('SIGTERM')));
  await expireLeases(db);
  for (const group of [fleet.apis, fleet.workers])
    for (const index of group.keys()) group[index] = await fleet.start(group === fleet.apis ? 'api' : 'worker');

  const reached = (test: (form: TwilioRequest['form']) => boolean) => new Set(forms().filter(test).map(numberOf));
  await until('the delivery of every acknowledged send', () => {
    const numbers = reached(() => true);
    return acknowledged.every(({ to }) => numbers.has(to));
  });
  await until('a WhatsApp message for every SMS that was reported as undelivered', () => {
    const numbers = reached(isWhatsApp);
    return [...undelivered].every((to) => numbers.has(to));
  });
  await until('the end of all messages', async () => {
    const [{ open }] = (await db('messages').whereIn('state', ['queued', 'sending']).count({ open: '*' })) as [Body];
    return Number(open) === 0;
  });
  await Promise.all(reports);

  // No recipient got two different codes, and a kill repeated at most the messages that were being sent at that moment.
  const recipients = reached(() => true);
  expect(new Set(forms().map((form) => `${numberOf(form)} ${codeOf(form)}`)).size).toBe(recipients.size);
  for (const ofChannel of [isWhatsApp, (form: TwilioRequest['form']) => !isWhatsApp(form)])
    expect(interruptions.unexplained(forms().filter(ofChannel).map(numberOf))).toEqual([]);

  // Every accepted send is billed exactly once.
  const rows: Body[] = await db('messages').select('state', 'earlier_sends');
  const sends = rows.reduce((sum, { state, earlier_sends: earlier }) => {
    const accepted = JSON.parse(earlier ?? '[]').filter(({ attempt }: Body) => attempt.success).length;
    return sum + accepted + (state === 'sent' ? 1 : 0);
  }, 0);
  const [{ billed }] = (await db('usage_counts').sum({ billed: 'sent' })) as [Body];
  expect(Number(billed)).toBe(sends);

  const codes = new Map(forms().map((form) => [numberOf(form), codeOf(form)]));
  for (const sent of acknowledged.slice(0, 60)) {
    const replies = await Promise.all([1, 2, 3].map(() => fleet.verify(sent, codes.get(sent.to)!)));
    expect(replies.filter(({ success }) => success)).toHaveLength(1);
  }
});
