import { createConnection, type Socket } from 'node:net';
import { AddressRejected, createAddressesOf, pinnedTo } from '../platform/http/checked-address.js';
import { DKIM_SELECTOR, FROM } from './email.js';
import { ProviderError, type Provider } from './provider.js';
import { choice, matching, optional, required } from './provider-field.js';
import type { ProviderContext, ProviderSettings, ProviderType } from './provider-type.js';
import { checkSmtp, createSmtpProvider } from './smtp.js';

/** `starttls` requires encryption. `tls` encrypts from the start. `none` is for servers on the same network. */
const SECURITY = { starttls: 'STARTTLS (port 587)', tls: 'TLS (port 465)', none: 'None' };

const addressesOf = createAddressesOf({ allowPrivate: false });

/** Returns a function that connects to the server, but only at a public IP address. */
const publicConnection =
  (url: URL) =>
  async (timeoutMs: number): Promise<Socket> => {
    const addresses = await addressesOf(url).catch((error: Error) => {
      if (!(error instanceof AddressRejected)) throw Object.assign(error, { code: 'EDNS' });
      throw new ProviderError('permanent', "the mail server's address is not public", undefined, 'provider');
    });
    const port = Number(url.port);
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host: url.hostname, port, lookup: pinnedTo(addresses), timeout: timeoutMs });
      const fail = (error: Error) => {
        socket.destroy();
        reject(Object.assign(error, { code: 'ECONNECTION' }));
      };
      socket.once('error', fail);
      socket.once('timeout', () => fail(new Error('could not connect in time')));
      socket.once('connect', () => {
        socket.removeAllListeners('error').removeAllListeners('timeout').setTimeout(0);
        resolve(socket);
      });
    });
  };

function urlOf({ host = '', port, security = 'starttls', user, password = '' }: ProviderSettings): string {
  const url = new URL(`${security === 'tls' ? 'smtps' : 'smtp'}://${host}`);
  url.port = port || (security === 'tls' ? '465' : '587');
  if (user) url.username = encodeURIComponent(user);
  if (user) url.password = encodeURIComponent(password);
  if (security === 'starttls') url.searchParams.set('requireTLS', 'true');
  if (security === 'none') url.searchParams.set('ignoreTLS', 'true');
  return url.href;
}

function optionsOf(url: string, { name, publicOnly, onReply }: ProviderContext) {
  return { name, onReply, ...(publicOnly ? { connect: publicConnection(new URL(url)) } : {}) };
}

function create(settings: ProviderSettings, context: ProviderContext): Provider {
  const url = urlOf(settings);
  return createSmtpProvider(url, settings.from ?? '', context.timeoutMs, context.log, optionsOf(url, context));
}

export const SMTP: ProviderType = {
  name: 'smtp',
  title: 'Mail server (SMTP)',
  description:
    'Sends emails through any mail server. Mail servers cannot report bounces. You need the address of your mail server, and usually a username and a password.',
  channels: ['EMAIL'],
  capabilities: { deliveryReports: false, lookUp: false },
  fields: [
    matching(
      required('host', 'Server', 'For example, smtp.example.com.'),
      /^[A-Za-z0-9.-]+$|^\[[0-9A-Fa-f:.]+\]$/,
      'must be a host name',
    ),
    {
      ...optional('port', 'Port', 'Leave it empty for 587, or 465 with TLS.'),
      kind: 'number',
      connects: true,
      problem: (value) => (Number(value) > 0 && Number(value) < 65_536 ? undefined : 'must be between 1 and 65535'),
    },
    {
      ...choice('security', 'Encryption', SECURITY),
      connects: true,
      help: 'Most mail servers use STARTTLS. Choose None only for a mail server on the same machine as Passbell.',
    },
    { ...optional('user', 'Username'), connects: true },
    { ...optional('password', 'Password'), secret: true },
    FROM,
    DKIM_SELECTOR,
  ],

  create: (settings, context) => [create(settings, context)],
  check(settings, context) {
    const provider = create(settings, context);
    return checkSmtp(provider).finally(() => provider.close?.());
  },
};
