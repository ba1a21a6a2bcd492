/** Calls the management API of a running service, and checks each reply against its contract. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { AREAS, type Scopes } from '../../backend/src/modules/management-keys/management-key.js';
import { manageContract } from '../../backend/src/platform/contract/contract.js';
import type { Body, TestService } from './service.js';

const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
ajv.addSchema(manageContract as object, 'manage');

const paths = manageContract.paths as Record<string, Record<string, object>>;

const escape = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

function checkBody(method: string, path: string, status: number, body: unknown): void {
  const matches = (each: string) => new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const described = Object.keys(paths).find((each) => each === path) ?? Object.keys(paths).find(matches);
  const isKnown = described !== undefined && method in paths[described]!;
  const schema =
    isKnown && status === 200
      ? `manage#/paths/${escape(described)}/${method}/responses/200/content/application~1json/schema`
      : 'manage#/components/schemas/Failure';
  const validate = ajv.getSchema(schema)!;
  if (!validate(body))
    throw new Error(`${method} ${path}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`);
}

export interface ManageReply {
  readonly status: number;
  readonly etag: string | null;
  /** The `WWW-Authenticate` header. */
  readonly challenge: string | null;
  readonly body: Body;
  /** The `data` of a successful reply. */
  readonly data: Body;
}

export type ManageCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ManageReply>;

/** Returns a function that calls the management API with a key. */
export const callWith =
  (passbell: TestService, key: string): ManageCall =>
  async (method, path, body, headers = {}) => {
    const response = await passbell.fetch(
      `/api/v1/manage${path}`,
      { method: method.toUpperCase(), ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
      { headers: { clientId: undefined, clientSecret: undefined, Authorization: `Bearer ${key}`, ...headers } },
    );
    const reply = await response.json();
    checkBody(method, path.split('?')[0]!, response.status, reply);
    const { data } = reply as Body;
    const { status, headers: received } = response;
    return { status, etag: received.get('etag'), challenge: received.get('www-authenticate'), body: reply, data };
  };

export const ALL_SCOPES = Object.fromEntries(AREAS.map((area) => [area, 'own'])) as Scopes;

export interface TestKey {
  readonly id: number;
  readonly accountId: number;
  readonly secret: string;
  readonly call: ManageCall;
}

/** Creates an account, and a key with these scopes for it. `accountId`: an existing account. */
export async function createKey(
  passbell: TestService,
  { scopes = ALL_SCOPES, days = 30, ...account }: { scopes?: Scopes; days?: number; accountId?: number } = {},
): Promise<TestKey> {
  const { applications, managementKeys } = passbell.core;
  const email = `owner${crypto.randomUUID()}@shop.example`;
  const accountId = account.accountId ?? (await applications.service.createAccount(OPERATOR, email));
  const { id, secret } = await managementKeys.service.create(OPERATOR, { accountId, name: 'CI', scopes, days });
  return { id, accountId, secret, call: callWith(passbell, secret) };
}

/** Returns an account's audit entries, oldest first. */
export async function auditOf(passbell: TestService, accountId: number): Promise<Body[]> {
  const entries = await passbell.core.audit.service.list(accountId, { limit: 1000 });
  return [...entries].reverse();
}
