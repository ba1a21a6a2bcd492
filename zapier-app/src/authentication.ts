/** How a person connects an application of the service. */
import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { mendBaseUrl } from './base-url.js';
import { call } from './service.js';

/** Asks the service whether the pair is good; answers what the label needs. */
async function test(z: ZObject, bundle: Bundle): Promise<{ appKey: string; host: string }> {
  await call(z, bundle, { method: 'GET', path: '/auth/authentication' });
  const { host } = new URL(mendBaseUrl(bundle.authData.baseUrl ?? '')!);
  return { appKey: String(bundle.authData.appKey).trim(), host };
}

export default {
  type: 'custom',
  test,
  // The App Key is no secret: web pages carry it.
  connectionLabel: 'Application {{appKey}} at {{host}}',
  fields: [
    {
      key: 'baseUrl',
      label: 'Base URL',
      type: 'string',
      required: true,
      placeholder: 'https://auth.example.com',
      helpText: 'Where your Passbell service answers, with https. Ask who runs it.',
    },
    {
      key: 'appKey',
      label: 'App Key',
      type: 'string',
      required: true,
      placeholder: 'pk_…',
      helpText: 'Names the application. It begins with `pk_`.',
    },
    {
      key: 'appSecret',
      label: 'App Secret',
      type: 'password',
      required: true,
      helpText: 'Belongs to the App Key and begins with `sk_`. It is shown once, when the application is made.',
    },
  ],
} satisfies Authentication;
