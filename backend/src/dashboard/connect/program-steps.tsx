/** Instructions for programs. */
import { CopyBlock } from '../components/copy.js';
import type { SnippetValues } from './snippets.js';
import {
  curlCheck,
  curlSend,
  curlVerify,
  nodeProgram,
  phpProgram,
  pythonProgram,
  SECRET_ASSIGNMENT,
} from './snippets.js';
import { SecretHint, Step, type Steps } from './steps.js';

export const curlSteps: Steps = (values) => (
  <>
    <Step title="Set the App Secret in your shell">
      <SecretHint {...values} />
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
  (
    language: string,
    command: string,
    file: string,
    requirement: string,
    program: (values: SnippetValues) => string,
  ): Steps =>
  (values) => (
    <>
      <Step title="Save the program">
        <p>
          Save it as <code>{file}</code>. {requirement}
        </p>
        <CopyBlock label="program" value={program(values)} language={language} />
      </Step>
      <Step title="Run it">
        <p>The program sends a code, asks for it, and prints whether it was correct.</p>
        <SecretHint {...values} />
        <CopyBlock label="command" value={`${SECRET_ASSIGNMENT} ${command} ${file}`} />
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
