/** Instructions for each tool, with the service URL and the App Key filled in. */
import type { ComponentChildren } from 'preact';
import { listDownloads } from '../../modules/docs/downloads.js';
import { isLoopback } from '../../platform/config/config.js';
import { newSecretPath } from '../applications/key-pair-card.js';
import { Copy, CopyBlock } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import type { SnippetValues } from './snippets.js';
import { curlCheck, curlSend, curlVerify, nodeProgram, phpProgram, SECRET_ASSIGNMENT } from './snippets.js';

type Steps = (values: SnippetValues) => ComponentChildren;

function Step({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <li class="step">
      <h3>{title}</h3>
      {children}
    </li>
  );
}

/**
 * Shows the service URL and the App Key with copy buttons. The App Secret is stored as a hash, so it cannot be shown.
 */
function Credentials({ serviceUrl, appKey }: SnippetValues) {
  return (
    <Facts
      facts={[
        ['App Key', <Copy label="App Key" value={appKey} />],
        [
          'App Secret',
          <>
            It starts with <code>sk_</code> and was shown only once, when it was created.{' '}
            <a href={newSecretPath({ appKey })}>Don't have it? Create a new one.</a>
          </>,
        ],
        ['Base URL', <Copy label="Base URL" value={serviceUrl} />],
      ]}
    />
  );
}

const N8N_PACKAGE = 'n8n-nodes-passbell.tgz';
const ZAPIER_APP = 'passbell-zapier-app.zip';

/** A link to a package of this server's version; a link to a guide if this server was started without its packages. */
function Download({ name, guide }: { name: string; guide: string }) {
  const file = listDownloads().get(name);
  return file === undefined ? <a href={guide}>{name}</a> : <a href={`/downloads/${file}`}>{file}</a>;
}

/** Explains which address the tool needs, which depends on where it runs. */
function Addresses({ serviceUrl, tool }: Pick<SnippetValues, 'serviceUrl'> & { tool: string }) {
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

/** Returns the command that installs the nodes. `--legacy-peer-deps` keeps npm from downloading a second n8n. */
const installCommand = (serviceUrl: string): string =>
  `mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install --legacy-peer-deps ${serviceUrl}/downloads/${N8N_PACKAGE}`;

const n8nSteps: Steps = (values) => (
  <>
    <Step title="Install the nodes">
      <p>
        Run one of these commands where n8n runs. It downloads <Download name={N8N_PACKAGE} guide="/docs/n8n" /> from
        this server. The nodes work with your own n8n, not with n8n Cloud. Replace the address if n8n cannot reach it.
      </p>
      <p>If n8n does not run in Docker, run this command, and then restart n8n:</p>
      <CopyBlock label="command that installs the nodes" value={installCommand(values.serviceUrl)} />
      <p>
        If n8n runs in a Docker container with the name <code>n8n</code>:
      </p>
      <CopyBlock
        label="command that installs the nodes in a container"
        value={`docker exec n8n sh -c '${installCommand(values.serviceUrl)}' && docker restart n8n`}
      />
      <Addresses serviceUrl={values.serviceUrl} tool="n8n" />
    </Step>
    <Step title="Create a credential">
      <p>
        In n8n, open <b>+ → New credential → Passbell API</b>, and enter these values. n8n tests the credential when you
        save it.
      </p>
      <Credentials {...values} />
    </Step>
    <Step title="Send a code">
      <p>
        Add a <b>Passbell</b> node with <b>Code → Send</b>. Enter the recipient in <b>To</b>, and run it.
      </p>
    </Step>
    <Step title="Verify the code">
      <p>
        Add another <b>Passbell</b> node with <b>Code → Verify</b>. Set <b>Recipient</b> to the same recipient, and{' '}
        <b>Code</b> to the code that the person entered. Wrong, expired and locked codes go to the <b>Not Verified</b>{' '}
        output.
      </p>
    </Step>
  </>
);

const zapierSteps: Steps = (values) => (
  <>
    <Step title="Add Passbell to your Zapier account">
      <p>
        Needed once, because Passbell is not in Zapier's directory. Unpack{' '}
        <Download name={ZAPIER_APP} guide="/docs/zapier" />, and run these commands in its folder. They need Node 22 or
        newer.
      </p>
      <CopyBlock
        label="command that installs Zapier's command"
        value="npm ci && npm install --global zapier-platform-cli@19.1.0 && zapier-platform login"
      />
      <CopyBlock
        label="command that adds the app"
        value={'zapier-platform register "Passbell" && zapier-platform push'}
      />
    </Step>
    <Step title="Connect Passbell">
      <p>
        In your Zap, add a <b>Passbell</b> action. When Zapier asks you to connect Passbell, enter:
      </p>
      <Credentials {...values} />
      <p class="hint">
        Zapier's IP addresses change, so leave the allow-list empty. If you need an allow-list for other callers, create
        a separate application for Zapier.
      </p>
    </Step>
    <Step title="Send a notification or a code">
      <p>
        For <b>Send Order Notification</b> and <b>Send Invoice Notification</b>, choose a template. Its fields appear
        below. For <b>Send Code</b>, enter the recipient and a <b>Reference</b>: map the ID of the record that triggered
        the Zap.
      </p>
    </Step>
    <Step title="Verify a code">
      <p>
        For <b>Verify Code</b>, map the code that the person entered, and the <b>Recipient</b> of the Send Code step. To
        continue the Zap after a wrong code, choose <i>Continue (Verified = False)</i>, and add a Filter or a Path.
      </p>
    </Step>
    <Step title="Test the step">
      <p>Each test sends a real message. Then turn on the Zap.</p>
    </Step>
  </>
);

const curlSteps: Steps = (values) => (
  <>
    <Step title="Set the App Secret in your shell">
      <CopyBlock label="command that sets the App Secret" value={`export ${SECRET_ASSIGNMENT}`} />
    </Step>
    <Step title="Check your API credentials">
      <p>This request sends nothing.</p>
      <CopyBlock label="command that checks the API credentials" value={curlCheck(values)} />
    </Step>
    <Step title="Send a code">
      <p>
        <code>clientIp</code> is the IP address of the person who requests the code. The reply contains the{' '}
        <code>maskId</code>. You need it to verify the code.
      </p>
      <CopyBlock label="command that sends a code" value={curlSend(values)} />
    </Step>
    <Step title="Verify the code">
      <p>
        Set <code>MASK_ID</code> to the <code>maskId</code> in the reply, and <code>CODE</code> to the code that you
        received.
      </p>
      <CopyBlock label="variables" value={`MASK_ID='…' CODE='…'`} />
      <CopyBlock label="command that verifies the code" value={curlVerify(values)} />
    </Step>
  </>
);

const programSteps =
  (command: string, file: string, requirement: string, program: (values: SnippetValues) => string): Steps =>
  (values) => (
    <>
      <Step title="Save the program">
        <p>
          Save it as <code>{file}</code>. {requirement}
        </p>
        <CopyBlock label="program" value={program(values)} />
      </Step>
      <Step title="Run it">
        <p>The program sends a code, asks for it, and prints whether it was correct.</p>
        <CopyBlock label="command" value={`${SECRET_ASSIGNMENT} ${command} ${file}`} />
      </Step>
    </>
  );

const nodeSteps = programSteps('node', 'send-code.mjs', 'Requires Node 18 or newer, and no packages.', nodeProgram);
const phpSteps = programSteps('php', 'send-code.php', 'Requires PHP 7.4 or newer, and no extensions.', phpProgram);

/**
 * Tools by the last path segment of their page. `remote` tools call the API from the internet, so they require a public
 * URL. Tools for `developers` come last.
 */
export const TOOLS: Readonly<Record<string, { label: string; steps: Steps; remote: boolean; developers: boolean }>> = {
  zapier: { label: 'Zapier', steps: zapierSteps, remote: true, developers: false },
  n8n: { label: 'n8n', steps: n8nSteps, remote: false, developers: false },
  curl: { label: 'curl', steps: curlSteps, remote: false, developers: true },
  node: { label: 'Node', steps: nodeSteps, remote: false, developers: true },
  php: { label: 'PHP', steps: phpSteps, remote: false, developers: true },
};

/** Returns the first tool that can reach this server. */
export const defaultTool = (isPublic: boolean): string =>
  Object.keys(TOOLS).find((name) => isPublic || !TOOLS[name]!.remote)!;
