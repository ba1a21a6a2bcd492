/** Instructions for each tool, with the service URL and the App Key filled in. */
import type { ComponentChildren } from 'preact';
import { Copy, CopyBlock } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import {
  curlCheck,
  curlSend,
  curlVerify,
  nodeProgram,
  phpProgram,
  SECRET_ASSIGNMENT,
  type SnippetValues,
} from './snippets.js';

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
            The one that begins with <code>sk_</code> and that you saved when it was shown.{' '}
            <a href={`/dashboard/applications/${appKey}`}>Lost it? Make a new one.</a>
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
        In n8n, open <b>Settings → Community nodes → Install</b>, and enter:
      </p>
      <CopyBlock label="the package's name" value="n8n-nodes-passbell" />
    </Step>
    <Step title="Create a credential">
      <p>
        <b>Credentials → Create → Passbell API</b>. n8n tests it when you save it.
      </p>
      <Credentials {...values} />
    </Step>
    <Step title="Send a code">
      <p>
        Add the node <b>Passbell</b>, with <b>OTP → Send</b>. Give it the recipient in <b>To</b>, run it, and keep its{' '}
        <b>maskId</b>.
      </p>
    </Step>
    <Step title="Verify the code">
      <p>
        Add <b>Passbell</b> again, with <b>OTP → Verify</b>: the <b>maskId</b> of the send, and the code that the person
        entered. What is not verified leaves by the second output.
      </p>
    </Step>
  </>
);

const zapierSteps: Steps = (values) => (
  <>
    <Step title="Connect Passbell">
      <p>
        In your Zap, add an action of <b>Passbell</b>. When Zapier asks to connect it, fill in:
      </p>
      <Credentials {...values} />
      <p class="hint">
        Zapier calls from changing addresses: leave the allow-list empty, or use an application of its own.
      </p>
    </Step>
    <Step title="Tell customers, or send a code">
      <p>
        <b>Send Order Notification</b> and <b>Send Invoice Notification</b> ask for a template and show its fields.{' '}
        <b>Send OTP</b> asks for the recipient and a <b>Reference</b>: map the id of what asks for the code.
      </p>
    </Step>
    <Step title="Verify a code">
      <p>
        <b>Verify OTP</b> takes the <b>Mask ID</b> of the send and the code that the person entered. With{' '}
        <i>Go on With Verified: False</i> a wrong code goes on to a Filter or a Path.
      </p>
    </Step>
    <Step title="Test the step">
      <p>Each click on Test sends a real message. Then switch the Zap on.</p>
    </Step>
  </>
);

const curlSteps: Steps = (values) => (
  <>
    <Step title="Give the shell the App Secret">
      <CopyBlock label="the line for the App Secret" value={`export ${SECRET_ASSIGNMENT}`} />
    </Step>
    <Step title="Check your API credentials">
      <p>This request sends nothing.</p>
      <CopyBlock label="the check" value={curlCheck(values)} />
    </Step>
    <Step title="Send a code">
      <p>
        The reply contains the <code>maskId</code>. You need it to verify the code.
      </p>
      <CopyBlock label="the send" value={curlSend(values)} />
    </Step>
    <Step title="Verify the code">
      <p>
        Copy the <code>maskId</code> from the reply and the code that arrived into <code>MASK_ID</code> and{' '}
        <code>CODE</code>.
      </p>
      <CopyBlock label="the variables" value={`MASK_ID='…' CODE='…'`} />
      <CopyBlock label="the verification" value={curlVerify(values)} />
    </Step>
  </>
);

const programSteps =
  (command: string, file: string, requirement: string, program: (values: SnippetValues) => string): Steps =>
  (values) => (
    <>
      <Step title="Save the program">
        <p>
          As <code>{file}</code>. {requirement}
        </p>
        <CopyBlock label="the program" value={program(values)} />
      </Step>
      <Step title="Run it">
        <p>The program sends a code, asks for it, and prints whether it was correct.</p>
        <CopyBlock label="the command" value={`${SECRET_ASSIGNMENT} ${command} ${file}`} />
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
  n8n: { label: 'n8n', steps: n8nSteps, remote: true },
  curl: { label: 'curl', steps: curlSteps, remote: false },
  node: { label: 'Node', steps: nodeSteps, remote: false },
  php: { label: 'PHP', steps: phpSteps, remote: false },
};

export const DEFAULT_TOOL = Object.keys(TOOLS)[0]!;
