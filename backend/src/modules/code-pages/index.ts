/** Pages on which people enter codes that another program waits for, such as a workflow of n8n. */
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import { createExchange } from '../../platform/http/exchange.js';
import type { OtpService } from '../otp/index.js';
import { createCodePagesService } from './code-pages-service.js';

interface Dependencies {
  readonly otp: Pick<OtpService, 'find'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly allowPrivate: boolean;
  /** URL of this server. */
  readonly url: string;
}

export function createCodePages({ otp, keyring, clock, allowPrivate, url }: Dependencies) {
  // A reused connection could go to an address that the name no longer resolves to.
  const exchange = createExchange({ allowPrivate }, { reuseConnections: false });
  return { service: createCodePagesService(otp.find, exchange, keyring, clock, url) };
}
