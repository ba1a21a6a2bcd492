/** Recomputes the signatures of received requests, as AWS does. */
import { createHash, createHmac } from 'node:crypto';
import { compileGateway, createGateway } from '../../backend/src/providers/http-gateway/gateway.js';
import { gatewaySettings } from '../../backend/src/providers/http-gateway/preset.js';
import { AWS } from '../../backend/src/providers/http-gateway/presets/aws.js';
import { createTestClock } from '../support/clock.js';
import { providerContext, smsTo, startGatewayServer, type GatewayRequest } from '../support/gateway-server.js';
import { PRESET_EXAMPLES } from '../support/preset-examples.js';

const { settings, accepted } = PRESET_EXAMPLES.aws!;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Returns the expected `Authorization` header, as specified by Signature Version 4. */
function authorizationFor({ headers, body }: GatewayRequest, signedHeaders: string, time: string): string {
  const canonicalHeaders = signedHeaders.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = ['POST', '/', '', canonicalHeaders.join(''), signedHeaders, sha256(body)].join('\n');
  const parts = [time.slice(0, 8), settings.region!, 'sms-voice', 'aws4_request'];
  const key = parts.reduce<string | Buffer>(hmac, `AWS4${settings.secretAccessKey}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, parts.join('/'), sha256(canonical)].join('\n')).toString(
    'hex',
  );
  const credential = [settings.accessKeyId, ...parts].join('/');
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

it.each(['Hello World!', 'Zażółć ☕ & + %'])('the request with the text %s has a valid signature', async (text) => {
  const server = await startGatewayServer();
  server.respondWith(accepted[0]);
  const clock = createTestClock(Date.UTC(2026, 10, 22, 9, 5, 7));
  const definition = { ...AWS.definition, url: `${server.url}/` };
  const { provider } = createGateway('SMS', compileGateway(definition), gatewaySettings(AWS.fields, settings), {
    ...providerContext(),
    clock,
  });
  await provider.send(smsTo('+14155550100', text));
  const [request] = server.requests;
  expect(request!.headers['x-amz-date']).toBe('20261122T090507Z');
  const signedHeaders = 'host;x-amz-date;x-amz-target';
  expect(request!.headers.authorization).toBe(authorizationFor(request!, signedHeaders, '20261122T090507Z'));
  provider.close?.();
  await server.close();
});
