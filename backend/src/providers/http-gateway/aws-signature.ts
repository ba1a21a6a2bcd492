/** Signs requests to AWS (Signature Version 4). */
import { AwsV4Signer } from 'aws4fetch';
import type { SignRequest } from './definition.js';

/** Signs with the settings `region`, `accessKeyId` and `secretAccessKey`. */
export const awsSignature =
  (service: string): SignRequest =>
  async ({ method, url, headers, body = '' }, settings, now) => {
    const signer = new AwsV4Signer({
      method,
      url,
      headers: { ...headers },
      body,
      service,
      region: String(settings.region),
      accessKeyId: String(settings.accessKeyId),
      secretAccessKey: String(settings.secretAccessKey),
      // `2026-11-22T12:00:00.000Z` → `20261122T120000Z`
      datetime: new Date(now).toISOString().replace(/[:-]|\.\d+/g, ''),
    });
    const signed = await signer.sign();
    return { method, url, headers: Object.fromEntries(signed.headers), body };
  };
