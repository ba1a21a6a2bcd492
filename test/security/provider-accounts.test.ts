/** Providers of other accounts, encryption of stored credentials, and authentication of delivery reports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createCore } from '../../backend/src/core.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { createLog } from '../../backend/src/platform/log.js';
import { createTestClock } from '../support/clock.js';
import { scaled } from '../support/members.js';
import { accountOf, addTwilio, waitForRoutingUpdate, setRoute, twilioSettings } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, twilioSignature } from '../support/twilio-callback.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';

let first: TwilioServer;
let second: TwilioServer;
let passbell: TestService;
beforeEach(async () => void ([first, second] = [await startTwilioServer(), await startTwilioServer()]));
afterEach(async () => {
  await passbell.stop();
  await Promise.all([first.close(), second.close()]);
});

const requestCounts = () => [first.requests.length, second.requests.length];
const send = (keys = passbell.keys, to = freshPhone()): Promise<Body> =>
  passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys });

describe('the providers configured by environment variables', () => {
  const environment = () => ({
    TWILIO_API_URL: first.url,
    TWILIO_ACCOUNT_SID: first.accountSid,
    TWILIO_AUTH_TOKEN: first.authToken,
    TWILIO_SMS_FROM: '+14155550100',
  });

  it('are used before stored providers, even in routes that do not contain them', async () => {
    passbell = await startService(environment());
    const { id } = await addTwilio(passbell, 'Stored', second);
    await waitForRoutingUpdate(passbell);
    expect((await send()).success).toBe(true);
    await setRoute(passbell, 'SMS', '*', id);
    await waitForRoutingUpdate(passbell);
    expect((await send()).success).toBe(true);
    expect(requestCounts()).toEqual([2, 0]);
    first.respondWith(TWILIO_ERRORS.unavailable);
    expect((await send()).success).toBe(true);
    expect(requestCounts()).toEqual([3, 1]);
  });

  it('are used after stored providers in routes that list them later', async () => {
    passbell = await startService(environment());
    const { id } = await addTwilio(passbell, 'Stored', second);
    await setRoute(passbell, 'SMS', 'US', id, 'environment-twilio');
    await waitForRoutingUpdate(passbell);
    await send();
    await send(passbell.keys, '+447911123456');
    expect(requestCounts()).toEqual([1, 1]);
  });

  it('are listed, but cannot be changed', async () => {
    passbell = await startService(environment());
    const { providers } = passbell.core;
    const accountId = await accountOf(passbell);
    const listed = await providers.service.list(OPERATOR, accountId);
    expect(listed).toMatchObject([{ id: 'environment-twilio', readOnly: true, channels: ['SMS'] }]);
    expect(JSON.stringify(listed)).not.toContain(first.authToken);
    const change = providers.service.change(OPERATOR, accountId, 'environment-twilio', { enabled: false });
    await expect(change).rejects.toThrow("configured in the server's environment");
  });
});

describe('the providers of another account', () => {
  async function tenant() {
    const keys = await passbell.core.applications.service.create(OPERATOR, {
      name: 'Shop',
      email: 'owner@shop.example',
    });
    await passbell.core.applications.service.update(OPERATOR, keys.appKey, NO_LIMITS);
    return { keys, accountId: await accountOf(passbell, 'owner@shop.example') };
  }
  /**
   * Stores a provider that calls the Twilio test server. Only the operator may set such an API URL, so this uses the
   * database.
   */
  async function storeTwilio(accountId: number): Promise<string> {
    const db = passbell.openDatabase();
    const { id } = await addTwilio(passbell, 'Own', second);
    await db('providers').where({ id }).update({ account_id: accountId });
    await db('routing_versions').increment('version', 1);
    await db.destroy();
    return id;
  }

  it("require the operator's permission", async () => {
    passbell = await startService();
    const { accountId } = await tenant();
    const { providers } = passbell.core;
    const request = { type: 'twilio', name: 'Own', settings: twilioSettings(second) };
    await expect(providers.service.add(OPERATOR, accountId, request)).rejects.toThrow('does not allow');
    await providers.service.allow(OPERATOR, accountId, true);
    await expect(providers.service.add(OPERATOR, accountId, request)).rejects.toThrow(
      'can only be set by the operator',
    );
  });

  it("send only that account's messages, including those of new applications, and only while they are allowed", async () => {
    passbell = await startService();
    await addTwilio(passbell, 'Operator', first);
    const { keys, accountId } = await tenant();
    await storeTwilio(accountId);
    await waitForRoutingUpdate(passbell);
    await send(keys);
    expect(requestCounts()).toEqual([1, 0]);
    await passbell.core.providers.service.allow(OPERATOR, accountId, true);
    await waitForRoutingUpdate(passbell);
    await send(keys);
    await send((await tenant()).keys);
    await send();
    expect(requestCounts()).toEqual([2, 2]);
    // When the account's own provider fails, the operator's provider must not be used.
    second.respondWith(TWILIO_ERRORS.optedOut);
    expect((await send(keys)).success).toBe(false);
    expect(requestCounts()).toEqual([2, 3]);
  });

  it("make only that account's messages count as paid, not the dev inbox messages of others", async () => {
    passbell = await startService();
    const { keys, accountId } = await tenant();
    await passbell.core.providers.service.allow(OPERATOR, accountId, true);
    await storeTwilio(accountId);
    await waitForRoutingUpdate(passbell);
    expect([(await send()).success, (await send(keys)).success]).toEqual([true, true]);
    const db = passbell.openDatabase();
    const counted = await db('fraud_days').distinct('application_id').pluck('application_id');
    await db.destroy();
    expect(counted).toEqual([(await passbell.core.applications.service.load(keys.appKey)).id]);
    expect(requestCounts()).toEqual([0, 1]);
  });

  it("never fall back to the operator's providers while they are off or cannot be opened", async () => {
    passbell = await startService();
    await addTwilio(passbell, 'Operator', first, { voiceFrom: '+14155550100' });
    const { keys, accountId } = await tenant();
    const { providers } = passbell.core;
    await providers.service.allow(OPERATOR, accountId, true);
    const id = await storeTwilio(accountId);
    const store = async (changes: object): Promise<void> => {
      const db = passbell.openDatabase();
      await db('providers').where({ id }).update(changes);
      await db('routing_versions').increment('version', 1);
      await db.destroy();
      await waitForRoutingUpdate(passbell);
    };
    const stateOf = async (channel: ChannelName) =>
      (await providers.channels.list(OPERATOR, accountId)).channels.find((view) => view.channel === channel)!.state
        .kind;
    const refused = {
      success: false,
      code: 'CHANNEL_NOT_CONFIGURED',
      message: expect.stringContaining("this account's own providers for SMS are off or cannot be used"),
      hint: expect.stringContaining('turn a provider on'),
    };

    await store({ enabled: false });
    expect(await send(keys)).toMatchObject(refused);
    expect([await stateOf('SMS'), await stateOf('VOICE')]).toEqual(['unusable', 'operator']);
    await store({ enabled: true, secrets_sealed: 'sealed by a lost key' });
    expect(await send(keys)).toMatchObject(refused);
    // Nobody knows on which channels a provider sends that cannot be opened, so all of its type are closed.
    expect([await stateOf('SMS'), await stateOf('VOICE')]).toEqual(['unusable', 'unusable']);
    expect(requestCounts()).toEqual([0, 0]);

    await providers.service.remove(OPERATOR, accountId, id);
    await waitForRoutingUpdate(passbell);
    expect((await send(keys)).success).toBe(true);
    expect(requestCounts()).toEqual([1, 0]);
  });
});

describe('delivery reports', () => {
  /** Posts a delivery report to the callback path, signed with the auth token. */
  async function report(path: string, sid: string, authToken: string): Promise<number> {
    const form = { MessageSid: sid, MessageStatus: 'delivered' };
    const signature = twilioSignature(authToken, `${CALLBACK_BASE}${path}`, form);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Twilio-Signature': signature };
    const body = new URLSearchParams(form).toString();
    const reply = await passbell.fetch(path, { method: 'POST', body }, { headers });
    await reply.arrayBuffer();
    return reply.status;
  }

  it('are accepted only from the provider that sent the message', async () => {
    passbell = await startService({ BASE_URL: CALLBACK_BASE });
    const { id } = await addTwilio(passbell, 'First', first);
    const { callbackUrl } = await addTwilio(passbell, 'Second', second);
    await setRoute(passbell, 'SMS', '*', id);
    await waitForRoutingUpdate(passbell);
    const { messageId } = (await send()).data.results[0];
    const url = new URL(first.requests[0]!.form.StatusCallback!);
    const own = url.pathname + url.search;
    expect(own).toMatch(new RegExp(`^/callbacks/provider/PRV-[0-9a-f]{32}/${messageId}\\?key=[0-9a-f]{32}$`));
    const state = async () => (await passbell.get(`/messages/${messageId}`)).data.state;

    const other = new URL(callbackUrl!);
    const foreign = `${other.pathname}/${messageId}${other.search}`;
    const [message] = await passbell.core.messages.lookup.newest({ limit: 1 });
    expect(await report(foreign, message!.providerId!, second.authToken)).toBe(204);
    expect(await report(own.replace(/key=.*/, 'key=guessed'), 'SM1', first.authToken)).toBe(403);
    expect(await report(own, 'SM1', second.authToken)).toBe(403);
    expect(await report('/callbacks/provider/PRV-unknown/x?key=y', 'SM1', first.authToken)).toBe(404);
    expect(await state()).toBe('sent');

    expect(await report(own, message!.providerId!, first.authToken)).toBe(204);
    expect(await state()).toBe('delivered');
    expect(passbell.logged.join('')).not.toContain(url.searchParams.get('key'));
  });
});

// This test restarts a process with other keys. In scaled mode, all processes share fixed keys.
(scaled ? describe.skip : describe)('the credentials', () => {
  it('are sealed again with a new key, after which the old key can be removed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'passbell-test-'));
    const clock = createTestClock();
    const log = createLog('silent');
    const open = (SECRET_KEY: string) =>
      createCore(readConfig({ DATA_DIR: dataDir, SECRET_KEY, DEV_INBOX: 'off' }), { clock, log, jobs: false });
    passbell = await startService();
    const oldKey = 'an old key of at least 32 characters';
    const newKey = 'a new key with at least 32 characters';
    let core = await open(oldKey);
    const accountId = await core.applications.service.createAccount(OPERATOR, 'operator@localhost');
    const settings = twilioSettings(first);
    const { id } = await core.providers.service.add(OPERATOR, accountId, { type: 'twilio', name: 'Main', settings });
    await core.stop();

    core = await open(`${newKey},${oldKey}`);
    expect(await core.providers.service.reseal()).toBe(1);
    expect(await core.providers.service.reseal()).toBe(0);
    await core.stop();

    core = await open(newKey);
    expect(await core.providers.service.check(OPERATOR, accountId, id)).toEqual({ ok: true });
    await core.stop();
    core = await open(oldKey);
    // A provider whose credentials cannot be decrypted does not prevent the server from starting.
    expect(core.providers.routing.operatorProviders.get('SMS')).toBeUndefined();
    expect(await core.providers.service.list(OPERATOR, accountId)).toMatchObject([{ id, channels: [], secrets: [] }]);
    await core.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
