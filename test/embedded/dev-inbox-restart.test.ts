/** The dev inbox after a restart. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import { freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeEach(async () => void (passbell = await startService()));
afterEach(() => passbell.stop());

const recipients = async () => (await passbell.inbox()).map(({ to }) => to);

it('keeps its messages, which are encrypted while the server is stopped', async () => {
  const to = freshPhone();
  const { code } = await passbell.send(to);
  const file = join(passbell.dataDir, 'dev-inbox.sealed');
  expect(existsSync(file)).toBe(false);
  await passbell.core.stop();
  const sealed = readFileSync(file, 'utf8');
  for (const secret of [to, code]) expect(sealed).not.toContain(secret);
  passbell = await passbell.restart();
  expect(await recipients()).toEqual([to]);
  expect(await passbell.codeFor(to)).toBe(code);
  expect(existsSync(file)).toBe(false);
});

it('forgets messages that are older than a day', async () => {
  const old = freshPhone();
  const recent = freshPhone();
  await passbell.send(old);
  passbell.clock.advance(DAY - HOUR);
  await passbell.send(recent);
  passbell.clock.advance(HOUR);
  passbell = await passbell.restart();
  expect(await recipients()).toEqual([recent]);
});

it('forgets erased recipients, also after a restart', async () => {
  const erased = freshPhone();
  const other = freshPhone();
  for (const to of [erased, other]) await passbell.send(to);
  const application = (await passbell.core.applications.service.find(passbell.keys.appKey))!;
  await passbell.core.erasure.service.erase(OPERATOR, [application], erased);
  expect(await recipients()).toEqual([other]);
  passbell = await passbell.restart();
  expect(await recipients()).toEqual([other]);
});
