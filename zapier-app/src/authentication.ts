/** Connecting an application of the service. */
import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { normalizeBaseUrl } from './base-url.js';
import { call } from './service.js';

interface Application {
  readonly appKey: string;
  readonly name: string;
}

/** Checks the credentials, and returns the fields of the connection label. */
async function test(z: ZObject, bundle: Bundle): Promise<Application & { host: string }> {
  await call(z, bundle, { method: 'GET', path: '/auth/authentication', expects: {} });
  const expects = { 'data.appKey': 'string', 'data.name': 'string' } as const;
  const { data } = await call<Application>(z, bundle, { method: 'GET', path: '/application', expects });
  const { host } = new URL(normalizeBaseUrl(bundle.authData.baseUrl ?? '')!);
  return { appKey: data.appKey, name: data.name, host };
}

export default {
  type: 'custom',
  test,
  connectionLabel: '{{name}} at {{host}}',
  fields: [
    {
      key: 'baseUrl',
      label: 'Base URL',
      type: 'string',
      required: true,
      placeholder: 'https://auth.example.com',
      helpText: 'HTTPS address of your Passbell server. Ask the operator of the server if you are not sure.',
    },
    {
      key: 'appKey',
      label: 'App Key',
      type: 'string',
      required: true,
      placeholder: 'pk_…',
      helpText: 'Identifies your application. Starts with `pk_`.',
    },
    {
      key: 'appSecret',
      label: 'App Secret',
      type: 'password',
      required: true,
      helpText: 'Starts with `sk_`. Shown only once, when it is created.',
    },
  ],
} satisfies Authentication;
