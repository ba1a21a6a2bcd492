/** The steps that connect each tool, with an application's values filled in. */
import type { ComponentChildren } from 'preact';
import { Copy, CopyBlock } from '../components/copy.js';
import {
  curlCheck,
  curlSend,
  curlVerify,
  nodeProgram,
  nodeRun,
  phpProgram,
  phpRun,
  shellSecret,
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

/** What forms of other services ask for. The App Secret is stored as a hash: nobody can show it again. */
function Values({ serviceUrl, appKey }: SnippetValues) {
  return (
    <dl class="facts">
      <div>
        <dt>App Key</dt>
        <dd>
          <Copy label="App Key" value={appKey} />
        </dd>
      </div>
      <div>
        <dt>App Secret</dt>
        <dd>
          The one that begins with <code>sk_</code> and that you saved when it was shown.{' '}
          <a href={`/dashboard/applications/${appKey}`}>Lost it? Make a new one.</a>
        </dd>
      </div>
      <div>
        <dt>Base URL</dt>
        <dd>
          <Copy label="Base URL" value={serviceUrl} />
        </dd>
      </div>
    </dl>
  );
}

const n8n: Steps = (values) => (
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
      <Values {...values} />
    </Step>
    <Step title="Send a code">
      <p>
        Add the node <b>Passbell</b>, with <b>OTP → Send</b>. Give it the recipient in <b>To</b>, run it, and keep its{' '}
        <b>maskId</b>.
      </p>
    </Step>
    <Step title="Verify it">
      <p>
        Add <b>Passbell</b> again, with <b>OTP → Verify</b>: the <b>maskId</b> of the send, and the code that the person
        entered. What is not verified leaves by the second output.
      </p>
    </Step>
  </>
);

const zapier: Steps = (values) => (
  <>
    <Step title="Connect Passbell">
      <p>
        In your Zap, add an action of <b>Passbell</b>. When Zapier asks to connect it, fill in:
      </p>
      <Values {...values} />
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

const curl: Steps = (values) => (
  <>
    <Step title="Give the shell the App Secret">
      <CopyBlock label="the line for the App Secret" value={shellSecret()} />
    </Step>
    <Step title="Check the key pair">
      <p>It sends nothing.</p>
      <CopyBlock label="the check" value={curlCheck(values)} />
    </Step>
    <Step title="Send a code">
      <p>
        The reply names the <code>maskId</code>, which verifying needs.
      </p>
      <CopyBlock label="the send" value={curlSend(values)} />
    </Step>
    <Step title="Verify it">
      <p>
        Put the <code>maskId</code> of the reply and the code that arrived into <code>MASK_ID</code> and{' '}
        <code>CODE</code>.
      </p>
      <CopyBlock label="the variables" value={`MASK_ID='…' CODE='…'`} />
      <CopyBlock label="the verification" value={curlVerify(values)} />
    </Step>
  </>
);

const node: Steps = (values) => (
  <>
    <Step title="Save the program">
      <p>
        As <code>send-code.mjs</code>. It needs Node 18 or newer, and no package.
      </p>
      <CopyBlock label="the program" value={nodeProgram(values)} />
    </Step>
    <Step title="Run it">
      <p>It sends a code, asks for it, and tells whether it was right.</p>
      <CopyBlock label="the command" value={nodeRun()} />
    </Step>
  </>
);

const php: Steps = (values) => (
  <>
    <Step title="Save the program">
      <p>
        As <code>send-code.php</code>. It needs PHP 7.4 or newer, and no extension.
      </p>
      <CopyBlock label="the program" value={phpProgram(values)} />
    </Step>
    <Step title="Run it">
      <p>It sends a code, asks for it, and tells whether it was right.</p>
      <CopyBlock label="the command" value={phpRun()} />
    </Step>
  </>
);

interface Tool {
  readonly label: string;
  readonly steps: Steps;
  /** Whether it calls from the internet, and so needs an address that it can reach there. */
  readonly remote: boolean;
}

/** By the last part of its page's path; the first one is where Connect begins. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  zapier: { label: 'Zapier', steps: zapier, remote: true },
  n8n: { label: 'n8n', steps: n8n, remote: true },
  curl: { label: 'curl', steps: curl, remote: false },
  node: { label: 'Node', steps: node, remote: false },
  php: { label: 'PHP', steps: php, remote: false },
};

export const FIRST_TOOL = Object.keys(TOOLS)[0]!;

export function ToolSteps({ tool, values }: { tool: Tool; values: SnippetValues }) {
  return <ol class="steps">{tool.steps(values)}</ol>;
}
