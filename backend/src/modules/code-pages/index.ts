/** Pages on which people enter codes that another program waits for, such as a workflow of n8n. */
import type { Base } from '../../platform/base.js';
import { createExchange } from '../../platform/http/exchange.js';
import type { OtpService } from '../otp/index.js';
import { createCodePagesService } from './code-pages-service.js';

interface Dependencies extends Pick<Base, 'clock' | 'keyring' | 'url'> {
  readonly otp: Pick<OtpService, 'find'>;
  readonly allowPrivate: boolean;
}

/** Time limit for the resolution of a host name. */
const CHECK_TIMEOUT_MS = 5000;

export function createCodePages({ otp, keyring, clock, allowPrivate, url }: Dependencies) {
  // A reused connection could go to an address that the name no longer resolves to.
  const exchange = createExchange({ allowPrivate }, { reuseConnections: false });
  // If private addresses are allowed, the host name does not have to resolve yet.
  const mayCall = async (target: URL) => allowPrivate || exchange.mayCall(target, CHECK_TIMEOUT_MS);
  return { service: createCodePagesService(otp.find, { mayCall, send: exchange.send }, keyring, clock, url) };
}
