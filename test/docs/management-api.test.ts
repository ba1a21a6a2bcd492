/** The guide and the reference of the management API. */
import { readFileSync } from 'node:fs';
import { OPERATIONS } from '../../backend/src/modules/manage/operations.js';
import { AREAS } from '../../backend/src/modules/management-keys/management-key.js';
import { createKey } from '../support/manage.js';
import { startService, type TestService } from '../support/service.js';

const guide = readFileSync(new URL('../../docs/management-api.md', import.meta.url), 'utf8');

let passbell: TestService;
beforeAll(async () => void (passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' })));
afterAll(() => passbell.stop());

it('the guide describes each area', () => {
  const areas = guide.slice(guide.indexOf('| area |'), guide.indexOf('Keys cannot'));
  expect([...areas.matchAll(/^\| `(\w+)`/gm)].map(([, area]) => area)).toEqual([...AREAS]);
});

it("the guide's requests work", async () => {
  const { call } = await createKey(passbell);
  const requests = [...guide.matchAll(/--request (\w+) \S+\/manage(\S+) [\s\S]*?--data '([^']+)'/g)];
  expect(requests).toHaveLength(4);
  for (const [, method, path, body] of requests)
    expect(await call(method!.toLowerCase(), path!, JSON.parse(body!))).toMatchObject({ status: 200 });
});

it('the reference describes each operation, and the contract is served', async () => {
  const html = await (await fetch(`${passbell.url}/docs/api/management`)).text();
  for (const { path, area, right } of OPERATIONS) {
    expect(html).toContain(`/api/v1/manage${path}`);
    expect(html).toContain(`<code>${area}:${right}</code>`);
  }
  const contract = (await (await fetch(`${passbell.url}/manage.json`)).json()) as { paths: object };
  expect(Object.keys(contract.paths)).toContain('/applications/{application}');
});
