/** A tenant's gateway that never replies does not delay messages from other accounts. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { startGatewayServer } from '../support/gateway-server.js';
import { scaled } from '../support/members.js';
import { accountOf, addGateway, VERIFIED, waitForRoutingUpdate, gatewaySettings } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService } from '../support/service.js';
import { until } from '../support/wait.js';

const WORKERS = scaled ? 2 : 1;
/** More messages than all workers can send at the same time. */
const SILENT_SENDS = 100;
const OTHER_SENDS = 20;
/** Maximum concurrent requests to a tenant's gateway in one process (`NON_OPERATOR_SLOTS` in slots.ts). */
const SLOTS = 4;

it("other accounts' messages are sent while a tenant's gateway never replies", async () => {
  const silent = await startGatewayServer();
  const working = await startGatewayServer();
  silent.respondWith('silent');
  // The requests do not time out during this test, because the test clock does not advance.
  const passbell = await startService(
    { DEV_INBOX: 'off', SEND_WAIT_MS: '0', PROVIDER_TIMEOUT_MS: '120000' },
    { gatewayAddresses: { allowPrivate: true } },
  );
  const { applications, providers } = passbell.core;
  await addGateway(passbell, 'Working', working);
  const tenant = await applications.service.create(OPERATOR, { name: 'Shop', email: 'owner@shop.example' });
  const accountId = await accountOf(passbell, 'owner@shop.example');
  await providers.service.allow(OPERATOR, accountId, true);
  const settings = gatewaySettings(silent);
  const request = { type: 'http-gateway', name: 'Silent', settings };
  await providers.service.add(OPERATOR, accountId, request, VERIFIED);
  const others = await passbell.application();
  for (const { appKey } of [tenant, others])
    await applications.service.update(OPERATOR, appKey, {
      ...NO_LIMITS,
      settings: { channels: ['SMS'], countries: ['US'] },
    });
  await waitForRoutingUpdate(passbell);

  const send = (keys: typeof tenant) => passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  for (let n = 0; n < SILENT_SENDS; n++) expect(await send(tenant)).toMatchObject({ success: true });
  await until('requests to the silent gateway', () => silent.requests.length >= SLOTS);
  for (let n = 0; n < OTHER_SENDS; n++) expect(await send(others)).toMatchObject({ success: true });
  await until("the other account's messages", () => working.requests.length === OTHER_SENDS);
  expect(silent.requests.length).toBeLessThanOrEqual(WORKERS * SLOTS);

  await Promise.all([silent.close(), working.close()]);
  await passbell.stop();
});
