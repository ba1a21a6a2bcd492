/** Instructions for programs. */
import { CopyBlock } from '../components/copy.js';
import type { SnippetValues } from './snippets.js';
import { curlCheck, curlSend, curlVerify, nodeProgram, phpProgram, pythonProgram, secretCommand } from './snippets.js';
import { SecretHint, Step, type Steps, type StepValues } from './steps.js';

/** The command contains a new App Secret, so that one copy is enough. */
const SecretStep = (values: StepValues) => (
  <Step title="Set the App Secret in your shell">
    <SecretHint {...values} />
    <CopyBlock label="command that sets the App Secret" value={secretCommand(values.appSecret)} />
  </Step>
);

export const curlSteps: Steps = (values) => (
  <>
    <SecretStep {...values} />
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
  (
    language: string,
    command: string,
    file: string,
    requirement: string,
    program: (values: SnippetValues) => string,
  ): Steps =>
  (values) => (
    <>
      <SecretStep {...values} />
      <Step title="Save the program">
        <p>
          Save it as <code>{file}</code>. {requirement} It reads the App Secret from the environment.
        </p>
        <CopyBlock label="program" value={program(values)} language={language} />
      </Step>
      <Step title="Run it">
        <CopyBlock label="command" value={`${command} ${file}`} />
        <p>The program sends a code to {values.to}, and asks for it:</p>
        <pre class="output">
          <code>{'Code: 123456\nverified USR-…'}</code>
        </pre>
      </Step>
    </>
  );

export const nodeSteps = programSteps(
  'js',
  'node',
  'send-code.mjs',
  'Requires Node.js 18 or newer, and no packages.',
  nodeProgram,
);
export const phpSteps = programSteps(
  'php',
  'php',
  'send-code.php',
  'Requires PHP 7.4 or newer, and no extensions.',
  phpProgram,
);
export const pythonSteps = programSteps(
  'python',
  'python3',
  'send_code.py',
  'Requires Python 3.9 or newer, and no packages.',
  pythonProgram,
);
