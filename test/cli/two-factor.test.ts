/** `passbell two-factor` and `passbell keys reseal`, with a running server. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { challengeSecretContext } from '../../backend/src/modules/applications/challenge-settings.js';
import { maskRecipient } from '../../backend/src/modules/recipients/recipient.js';
import { createPage, enrollUser, userToken } from '../support/authenticator.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { standardHeaders } from '../support/shop-events.js';
import { json, run } from './command.js';

let server: TestService;
beforeEach(async () => {
  server = await startService();
  await server.core.applications.service.update(OPERATOR, server.keys.appKey, NO_LIMITS);
});
afterEach(() => server.stop());

const resetArguments = (identity: string) => [
  'two-factor',
  'reset',
  '--app',
  server.keys.appKey,
  '--identity',
  identity,
];

it('turns two-factor off for a user who has lost the authenticator', async () => {
  const { page, identity } = await enrollUser(server, freshMail());
  expect(await json(server, ...resetArguments(identity))).toEqual({ identity, wasOn: true });
  expect(await page.state()).toBe(false);
  const { accountId } = await server.core.applications.service.load(server.keys.appKey);
  const [entry] = await server.core.audit.service.list(accountId, { limit: 1 });
  const subject = maskRecipient(identity);
  expect(entry).toMatchObject({ actor: 'operator', action: 'two-factor.reset', subject });
  expect((await run(server, ...resetArguments(identity))).out).toBe(`Two-factor was not on for ${identity}.\n`);
});

it('explains errors in one sentence', async () => {
  const nobody = await run(server, 'two-factor', 'reset', '--app', 'pk_nobody', '--identity', 'ana@example.com');
  expect(nobody).toEqual({ code: 1, out: '', err: 'error: there is no application with the App Key pk_nobody\n' });
  const { code, err } = await run(server, ...resetArguments('ana@localhost'));
  expect({ code, err }).toEqual({ code: 1, err: 'error: identity must be an email address\n' });
});

it('reseals all secrets, so the old SECRET_KEY can be removed', async () => {
  const oldKey = 'o'.repeat(40);
  const newKey = 'n'.repeat(40);
  server = await server.restart({ SECRET_KEY: oldKey });
  const challenge = { kind: 'turnstile', siteKey: 'site-1', secret: 'key-of-the-vendor' } as const;
  const keys = await server.application({ ...NO_LIMITS, challenge });
  const users = await Promise.all([1, 2, 3].map(() => enrollUser(server, freshMail(), { keys })));
  const application = await server.core.applications.service.load(keys.appKey);
  const { publicId, secret } = await server.core.automations.service.connect(OPERATOR, application, 'json');
  server = await server.restart({ SECRET_KEY: `${newKey},${oldKey}` });
  expect(await server.core.twoFactor.service.reseal()).toBe(3);
  // The App Secret of the first application was sealed with the key in the data folder, which SECRET_KEY does not
  // contain. The other application has an App Secret and the secret key of its challenge.
  expect(await server.core.applications.service.reseal()).toBe(2);
  expect(await server.core.applications.service.reseal()).toBe(0);
  expect(await server.core.twoFactor.service.reseal()).toBe(0);
  expect([await server.core.automations.service.reseal(), await server.core.automations.service.reseal()]).toEqual([
    1, 0,
  ]);

  server = await server.restart({ SECRET_KEY: newKey });
  for (const { identity, nextCode, recoveryCodes } of users) {
    const page = createPage(server, identity, { keys });
    expect(await page.verify(nextCode())).toMatchObject({ success: true });
    expect(await page.verify(recoveryCodes[0])).toMatchObject({ success: true });
    const token = userToken(keys.appSecret, identity, server.clock.now() / 1000 + 60);
    expect(await page.call('authstate', { userToken: token })).toMatchObject({ IsTOtpVerified: true });
  }
  const { id, settings } = await server.core.applications.service.load(keys.appKey);
  const opened = server.core.keyring.open(challengeSecretContext(id), settings.challenge.secretSealed);
  expect(opened).toBe('key-of-the-vendor');
  const body = JSON.stringify({ event: 'parcel.ready' });
  const headers = standardHeaders(secret!, 'evt-1', server.clock.now(), body);
  const event = await server.fetch(`/hooks/incoming/${publicId}`, { method: 'POST', body }, { headers });
  expect([event.status, await event.json()]).toMatchObject([200, { message: 'event received' }]);
});

it('prints how many secrets were resealed', async () => {
  expect(await json(server, 'keys', 'reseal')).toEqual({
    twoFactors: 0,
    applicationSecrets: 0,
    webhooks: 0,
    providers: 0,
    incomingHooks: 0,
    messages: 0,
  });
  expect((await run(server, 'keys', 'reseal')).out).toMatch(
    /^Re-encrypted secrets: 0 for two-factor, 0 for applications, 0 for webhooks, 0 for providers, 0 for connected shops, 0 for messages\. /,
  );
});
