/** Checks the presets against a recording server, with the vendors' published examples. */
import { gatewayType, type GatewayPreset } from '../../backend/src/providers/http-gateway/preset.js';
import { GATEWAY_TYPES, PRESETS } from '../../backend/src/providers/http-gateway/types.js';
import {
  CALLBACK_KEY,
  failureOf,
  providerContext,
  smsTo,
  startGatewayServer,
  type GatewayBehavior,
  type GatewayServer,
} from '../support/gateway-server.js';
import { localGateway } from '../support/local-gateway.js';
import { PRESET_EXAMPLES, TEXT, type PresetExample } from '../support/preset-examples.js';

let server: GatewayServer;
beforeEach(async () => void (server = await startGatewayServer()));
afterEach(() => server.close());

/** Returns a provider for the preset that calls the test server instead of the vendor's server. */
const local = (preset: GatewayPreset, { settings }: PresetExample) => localGateway(server, preset, settings);

const parseBody = ({ body, headers }: { body: string; headers: { 'content-type'?: string | undefined } }): unknown =>
  headers['content-type']?.includes('form') ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);

it('every preset has an example', () =>
  expect(PRESETS.map(({ name }) => name).sort()).toEqual(Object.keys(PRESET_EXAMPLES).sort()));

it('all provider types have different names', () => {
  const names = GATEWAY_TYPES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

const withExample = PRESETS.filter(({ name }) => PRESET_EXAMPLES[name]);
describe.each(withExample.map((preset) => [preset.name, preset] as const))('the preset %s', (name, preset) => {
  const example = PRESET_EXAMPLES[name]!;
  const type = gatewayType(preset);
  const message = smsTo(example.to, TEXT);

  it("has the URL of the vendor's documentation and the date when it was last checked", () => {
    expect(preset.documentation).toMatch(/^https:\/\//);
    expect(preset.checked).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it('sends the request to the documented address', () => {
    const { url, method } = type.dryRun!(example.settings, providerContext(), message);
    expect({ method, url }).toEqual({ method: 'POST', url: example.url });
  });

  it('sends the documented request, and parses the confirmation', async () => {
    const [reply, providerId] = example.accepted;
    server.respondWith(reply);
    await expect(local(preset, example).provider.send(message)).resolves.toEqual({ providerId });
    const request = server.requests[0]!;
    expect(request.path).toBe(new URL(example.url).pathname);
    expect(request.headers).toMatchObject(example.headers);
    expect(parseBody(request)).toEqual(example.body);
  });

  it.each(example.failures)('classifies the error %j as %s', async (reply, kind, concerns) => {
    server.respondWith(reply);
    const error = await failureOf(local(preset, example).provider, message);
    expect(error).toMatchObject({ kind, concerns });
    for (const secret of preset.fields.flatMap((field) => (field.secret ? [example.settings[field.name]!] : [])))
      expect(error.reason).not.toContain(secret);
  });

  for (const [request, providerId, reportedState] of example.reports)
    it(`parses the delivery report ${JSON.stringify(request)}`, async () => {
      const callback = {
        method: 'POST',
        url: '',
        messageId: undefined,
        path: '',
        query: {},
        headers: {},
        body: Buffer.alloc(0),
      } as const;
      const reply = await type.receive!({ ...callback, ...request }, example.settings, providerContext());
      expect(reply).toMatchObject({ reports: [{ providerId, reportedState }] });
    });

  it('hides secrets in a dry run', () => {
    const shown = JSON.stringify(type.dryRun!(example.settings, providerContext(), message));
    for (const { name: field, secret } of preset.fields)
      if (secret) expect(shown).not.toContain(example.settings[field]!);
    expect(shown).toContain('••••');
    expect(shown).not.toContain(CALLBACK_KEY);
  });

  const { lookUp } = example;
  if (lookUp)
    it('looks up messages', async () => {
      const gateway = local(preset, example).provider;
      const [body, providerId] = lookUp!.found;
      server.respondWith({ status: 200, body });
      await expect(gateway.find!(message, 0)).resolves.toEqual({ providerId });
      const { pathname, search } = new URL(lookUp!.url);
      expect(server.requests[0]).toMatchObject({ method: 'GET', path: pathname + search });
      expect(server.requests[0]!.headers.authorization).toBe(example.headers.authorization);
      server.respondWith(lookUp!.missing);
      await expect(gateway.find!(message, 0)).resolves.toBeUndefined();
    });

  const { check } = example;
  it('checks the credentials only if the vendor documents a free request for it', () =>
    expect(type.check === undefined).toBe(check === undefined));

  if (check)
    it('checks the credentials without sending a message', async () => {
      const gateway = local(preset, example);
      server.respondWith({ status: 200, body: check!.valid });
      await expect(gateway.check()).resolves.toEqual({ ok: true });
      const { pathname, search } = new URL(check!.url);
      expect(server.requests).toMatchObject([{ method: 'GET', path: pathname + search, body: '' }]);
      const headers = Object.entries(check!.headers ?? example.headers).filter(([name]) => name !== 'content-type');
      expect(server.requests[0]!.headers).toMatchObject(Object.fromEntries(headers));
      const problem = async (behavior: GatewayBehavior) => {
        server.respondWith(behavior);
        return gateway.check();
      };
      expect(await problem({ status: 401 })).toEqual({
        ok: false,
        reason: 'the provider rejected the credentials (401)',
      });
      expect(await problem({ status: 500 })).toEqual({
        ok: false,
        reason: 'the provider did not confirm the credentials (500)',
      });
      expect(await problem('reset')).toEqual({ ok: false, reason: 'the connection to the provider was lost' });
    });
});
