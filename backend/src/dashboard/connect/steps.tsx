/** Parts of the instructions, with the service URL and the App Key filled in. */
import type { ComponentChildren } from 'preact';
import { listDownloads } from '../../modules/docs/downloads.js';
import { isLoopback } from '../../platform/config/config.js';
import { newSecretPath } from '../applications/key-pair-card.js';
import { Copy } from '../components/copy.js';
import { useVisit } from '../components/context.js';
import { Facts } from '../components/facts.js';
import { Form } from '../components/form.js';
import type { SnippetValues } from './snippets.js';

/** The old App Secret stays valid for this time after this page has created a new one. */
export const OLD_SECRET_HOURS = 24;

export interface StepValues extends SnippetValues {
  /** The last path segment of the tool's page. */
  readonly tool: string;
  /** A new App Secret, which is shown only once. */
  readonly appSecret: string | undefined;
  readonly hasShop: boolean;
  /** Whether the person is an owner of the operator's account. */
  readonly isOperator: boolean;
}

export type Steps = (values: StepValues) => ComponentChildren;

export function Step({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <li class="step">
      <h3>{title}</h3>
      {children}
    </li>
  );
}

/** The new App Secret, or a button that creates one. The App Secret is stored as a hash, so it cannot be shown again. */
export function SecretHint({ appKey, appSecret, tool }: StepValues) {
  const { may } = useVisit();
  if (appSecret !== undefined)
    return (
      <>
        <Copy label="App Secret" value={appSecret} />
        <p class="hint">Copy it now. It won't be shown again.</p>
      </>
    );
  return (
    <div class="stack">
      <p>
        The App Secret starts with <code>sk_</code> and was shown only once, when it was created.
        {!may('own') && ' An owner can create a new one.'}
      </p>
      {may('own') && (
        <Form action={`/dashboard/applications/${appKey}/connect/${tool}/secret`}>
          <div class="actions">
            <button class="button subtle small">Create a new App Secret</button>
          </div>
          <p class="hint">
            Use this if you don't have the App Secret. The old one stays valid for {OLD_SECRET_HOURS} hours. To choose a
            different time, go to <a href={newSecretPath({ appKey })}>API credentials</a>.
          </p>
        </Form>
      )}
    </div>
  );
}

/** Shows the API credentials and the service URL with copy buttons. */
export const Credentials = (values: StepValues) => (
  <Facts
    facts={[
      ['App Key', <Copy label="App Key" value={values.appKey} />],
      ['Base URL', <Copy label="Base URL" value={values.serviceUrl} />],
      ['App Secret', <SecretHint {...values} />],
    ]}
  />
);

/** A link to a package of this server's version; a link to a guide if this server was started without its packages. */
export function Download({ name, guide }: { name: string; guide: string }) {
  const file = listDownloads().get(name);
  return file === undefined ? <a href={guide}>{name}</a> : <a href={`/downloads/${file}`}>{file}</a>;
}

interface AddressesProps extends Pick<SnippetValues, 'serviceUrl'> {
  readonly tool: string;
  readonly check?: string;
}

/** Explains which address the tool needs, which depends on where it runs. */
export function Addresses({ serviceUrl, tool, check = '' }: AddressesProps) {
  const { hostname, port } = new URL(serviceUrl);
  if (!isLoopback(hostname))
    return (
      <p class="hint">
        The <b>Base URL</b> must be reachable from {tool}. {check}
      </p>
    );
  return (
    <p class="hint">
      Only programs on this computer can reach <code>{serviceUrl}</code>. Shops, phones, other computers and containers
      cannot. If {tool} runs elsewhere, use an address of this computer that it can reach, such as{' '}
      <code>http://192.168.1.10:{port || '80'}</code>, and start Passbell with <code>HOST=0.0.0.0</code> and this
      address as <code>BASE_URL</code>. {check}
    </p>
  );
}
