/** Parts of the instructions, with the service URL and the App Key filled in. */
import type { ComponentChildren } from 'preact';
import { listDownloads } from '../../modules/docs/downloads.js';
import { isLoopback } from '../../platform/config/config.js';
import { newSecretPath } from '../applications/key-pair-card.js';
import { Copy } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import type { SnippetValues } from './snippets.js';

export type Steps = (values: SnippetValues) => ComponentChildren;

export function Step({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <li class="step">
      <h3>{title}</h3>
      {children}
    </li>
  );
}

/** The App Secret is stored as a hash, so it cannot be shown. */
export const SecretHint = ({ appKey }: Pick<SnippetValues, 'appKey'>) => (
  <>
    The App Secret starts with <code>sk_</code> and was shown only once, when it was created.{' '}
    <a href={newSecretPath({ appKey })}>Don't have it? Create a new one.</a>
  </>
);

/** Shows the service URL and the App Key with copy buttons. */
export const Credentials = ({ serviceUrl, appKey }: SnippetValues) => (
  <Facts
    facts={[
      ['App Key', <Copy label="App Key" value={appKey} />],
      ['App Secret', <SecretHint appKey={appKey} />],
      ['Base URL', <Copy label="Base URL" value={serviceUrl} />],
    ]}
  />
);

/** A link to a package of this server's version; a link to a guide if this server was started without its packages. */
export function Download({ name, guide }: { name: string; guide: string }) {
  const file = listDownloads().get(name);
  return file === undefined ? <a href={guide}>{name}</a> : <a href={`/downloads/${file}`}>{file}</a>;
}

/** Explains which address the tool needs, which depends on where it runs. */
export function Addresses({ serviceUrl, tool }: Pick<SnippetValues, 'serviceUrl'> & { tool: string }) {
  const { hostname, port } = new URL(serviceUrl);
  if (!isLoopback(hostname))
    return (
      <p class="hint">
        The <b>Base URL</b> must be reachable from {tool}. {tool} checks this when it tests the connection.
      </p>
    );
  return (
    <p class="hint">
      Only programs on this computer can reach <code>{serviceUrl}</code>. Shops, phones, other computers and containers
      cannot. If {tool} runs elsewhere, use an address of this computer that it can reach, such as{' '}
      <code>http://192.168.1.10:{port || '80'}</code>, and start Passbell with <code>HOST=0.0.0.0</code> and this
      address as <code>BASE_URL</code>. {tool} checks the address when it tests the connection.
    </p>
  );
}
