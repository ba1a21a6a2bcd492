/** Instructions for each tool, with the service URL and the App Key filled in. */
import type { ComponentChildren } from 'preact';
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

const n8nSteps: Steps = (values) => (
  <>
    <Step title="Install the nodes">
      <p>
        Install the nodes from a file, as described in the <a href="/docs/n8n#installation">n8n guide</a>. They work
        with your own n8n, not with n8n Cloud.
      </p>
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
        Add a <b>Passbell</b> node with <b>OTP → Send</b>. Enter the recipient in <b>To</b>, and run it.
      </p>
    </Step>
    <Step title="Verify the code">
      <p>
        Add another <b>Passbell</b> node with <b>OTP → Verify</b>. Set <b>Recipient</b> to the same recipient, and{' '}
        <b>Code</b> to the code that the person entered. Wrong, expired and locked codes go to the <b>Not Verified</b>{' '}
        output.
      </p>
    </Step>
  </>
);

const zapierSteps: Steps = (values) => (
  <>
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
        below. For <b>Send OTP</b>, enter the recipient and a <b>Reference</b>: map the ID of the record that triggered
        the Zap.
      </p>
    </Step>
    <Step title="Verify a code">
      <p>
        For <b>Verify OTP</b>, map the code that the person entered, and the <b>Recipient</b> of the Send OTP step. To
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
 * URL.
 */
export const TOOLS: Readonly<Record<string, { label: string; steps: Steps; remote: boolean }>> = {
  zapier: { label: 'Zapier', steps: zapierSteps, remote: true },
  n8n: { label: 'n8n', steps: n8nSteps, remote: false },
  curl: { label: 'curl', steps: curlSteps, remote: false },
  node: { label: 'Node', steps: nodeSteps, remote: false },
  php: { label: 'PHP', steps: phpSteps, remote: false },
};

export const DEFAULT_TOOL = Object.keys(TOOLS)[0]!;
