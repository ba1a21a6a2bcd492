/** Instructions for programs. */
import { Code, CopyBlock } from '../components/copy.js';
import type { SnippetValues } from './snippets.js';
import {
  curlCheck,
  curlSend,
  curlVerify,
  nodeProgram,
  phpProgram,
  pythonProgram,
  SECRET_PLACEHOLDER,
  secretCommand,
} from './snippets.js';
import { SecretHint, Step, type Steps, type StepValues } from './steps.js';

/** Replies to the commands for curl, with the fields that matter here. */
const REPLY_TO_CHECK = { success: true, message: 'authenticated successfully' };
const REPLY_TO_SEND = {
  success: true,
  message: 'OTP sent successfully',
  data: { isTried: 1, isSent: 1, results: [{ maskId: '3f2a9c0b51d84e7e96a1c0ffee123456' }] },
};
const REPLY_TO_VERIFY = {
  success: true,
  message: 'verified',
  status: 'verified',
  data: { token: 'eyJhbGciOiJFUzI1NiJ9.…', user: { userId: 'USR-…' } },
};

function Output({ title, text, language }: { title: string; text: string; language?: string }) {
  return (
    <div class="output">
      {title}
      <Code label={title} value={text} language={language} />
    </div>
  );
}

/** `to`: the request that gets the reply, which tells the replies of a page apart for screen readers. */
const Reply = ({ to, reply }: { to: string; reply: object }) => (
  <Output title={`Example reply to ${to}, shortened:`} text={JSON.stringify(reply, null, 2)} language="json" />
);

/** The command contains a new App Secret, so that one copy is enough. */
const SecretStep = (values: StepValues) => (
  <Step title="Set the App Secret in your shell">
    <SecretHint {...values} />
    <CopyBlock
      label="command that sets the App Secret"
      value={secretCommand(values.appSecret)}
      language="sh"
      marked={[SECRET_PLACEHOLDER]}
    />
  </Step>
);

/** `guide`: the guide for the language. */
const Next = ({ guide }: { guide: readonly [path: string, label: string] }) => (
  <li class="next">
    Next: <a href={guide[0]}>{guide[1]}</a>, <a href="/docs/webhooks">webhooks</a>,{' '}
    <a href="/docs/errors">error codes</a>
  </li>
);

export const curlSteps: Steps = (values) => (
  <>
    <SecretStep {...values} />
    <Step title="Check your API credentials">
      <p>This request sends no message.</p>
      <CopyBlock label="command that checks the API credentials" value={curlCheck(values)} language="sh" />
      <Reply to="the check request" reply={REPLY_TO_CHECK} />
    </Step>
    <Step title="Send a code">
      <p>
        <code>clientIp</code> is the IP address of the person who requests the code. The reply contains the{' '}
        <code>maskId</code>. You need it to verify the code.
      </p>
      <CopyBlock label="command that sends a code" value={curlSend(values)} language="sh" />
      <Reply to="the send request" reply={REPLY_TO_SEND} />
    </Step>
    <Step title="Verify the code">
      <p>
        Set <code>MASK_ID</code> to the <code>maskId</code> in the reply, and <code>CODE</code> to the code that you
        received.
      </p>
      <CopyBlock
        label="command that verifies the code"
        value={curlVerify(values)}
        language="sh"
        marked={['MASK_ID_FROM_REPLY', 'RECEIVED_CODE']}
      />
      <Reply to="the verification request" reply={REPLY_TO_VERIFY} />
    </Step>
    <Next guide={['/docs/api', 'API reference']} />
  </>
);

const programSteps =
  (
    language: string,
    command: string,
    file: string,
    requirement: string,
    guide: readonly [path: string, label: string],
    program: (values: SnippetValues) => string,
  ): Steps =>
  (values) => (
    <>
      <SecretStep {...values} />
      <Step title="Save the program">
        <p>
          Save it as <code>{file}</code>. {requirement} The program reads the App Secret from the environment.
        </p>
        <CopyBlock label="program" value={program(values)} language={language} />
      </Step>
      <Step title="Run the program">
        <CopyBlock label="command" value={`${command} ${file}`} language="sh" />
        <Output
          title={`The program sends a code to ${values.to}, and asks for it:`}
          text={'Code: 123456\nverified USR-…'}
        />
      </Step>
      <Next guide={guide} />
    </>
  );

export const nodeSteps = programSteps(
  'js',
  'node',
  'send-code.mjs',
  'The program requires Node.js 20 or newer, but no packages.',
  ['/docs/node-client', 'Node client'],
  nodeProgram,
);
export const phpSteps = programSteps(
  'php',
  'php',
  'send-code.php',
  'The program requires PHP 7.4 or newer with OpenSSL, but no packages.',
  ['/docs/api', 'API reference'],
  phpProgram,
);
export const pythonSteps = programSteps(
  'python',
  'python3',
  'send_code.py',
  'The program requires Python 3.9 or newer, but no packages.',
  ['/docs/python-client', 'Python client'],
  pythonProgram,
);
