/** Every operation of the contract that needs API credentials rejects calls without them. */
import contract from '../../backend/openapi/openapi.json' with { type: 'json' };
import { startService, type TestService } from '../support/service.js';

interface Operation {
  /** An empty list if the operation needs no credentials. */
  readonly security?: readonly unknown[];
}

const METHODS = ['get', 'post', 'delete'];
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>)
    .filter(([method, { security }]) => METHODS.includes(method) && security?.length !== 0)
    .map(([method]) => [method.toUpperCase(), path] as const),
);

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

it('the test finds the operations of the contract', () => expect(operations.length).toBeGreaterThan(10));

it.each(operations)('%s %s rejects a call without credentials', async (method, path) => {
  const url = `/api/v1${path.replace(/\{\w+\}/g, '1')}`;
  const headers = { clientId: undefined, clientSecret: undefined };
  const response = await passbell.fetch(url, { method }, { headers });
  expect(await response.json()).toMatchObject({ success: false, code: 'MISSING_CREDENTIALS' });
});
