/** Instructions for shops and workflow tools. Commands are hidden until someone opens them. */
import { SHOP_TYPES } from '../../modules/automations/shop-types.js';
import { useVisit } from '../components/context.js';
import { CopyBlock } from '../components/copy.js';
import { Form } from '../components/form.js';
import { Addresses, Credentials, Download, Step, type Steps, type StepValues } from './steps.js';

function ConnectShop({ appKey, hasShop }: Pick<StepValues, 'appKey' | 'hasShop'>) {
  if (!useVisit().may('own')) return <p>Only owners can connect a shop.</p>;
  return (
    <Form action={`/dashboard/applications/${appKey}/automations`} class="actions">
      {(['woocommerce', 'shopify'] as const).map((kind, n) => (
        <button key={kind} class={n === 0 && !hasShop ? 'button' : 'button subtle'} name="kind" value={kind}>
          Connect {SHOP_TYPES[kind].label}
        </button>
      ))}
    </Form>
  );
}

export const shopSteps: Steps = ({ appKey, hasShop }) => (
  <>
    <Step title={hasShop ? 'Connect another shop' : 'Connect your shop'}>
      <ConnectShop appKey={appKey} hasShop={hasShop} />
    </Step>
    <Step title="Enter the address in the shop">
      <p>After step 1, Passbell shows the address, and how to set up the secret.</p>
    </Step>
    <Step title="Choose the messages">
      <p>
        For each event, such as a paid order, choose a template and check the preview. Nothing is sent until you turn on
        the automation. <a href="/docs/automations">Read the guide</a>
      </p>
    </Step>
  </>
);

const N8N_PACKAGE = 'n8n-nodes-passbell.tgz';

/** Returns the command that installs the nodes. `--legacy-peer-deps` keeps npm from downloading a second n8n. */
const installCommand = (serviceUrl: string): string =>
  `mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install --legacy-peer-deps ${serviceUrl}/downloads/${N8N_PACKAGE}`;

export const n8nSteps: Steps = (values) => (
  <>
    <Step title="Install the nodes">
      <p>
        The nodes work with your own n8n, not with n8n Cloud. The person who runs your n8n installs the nodes once, with
        a command. If that is not you, send that person the command.
      </p>
      <details>
        <summary>Show the command</summary>
        <div class="stack">
          <p>
            The command downloads <Download name={N8N_PACKAGE} guide="/docs/n8n" /> from this server. If n8n runs in a
            Docker container with the name <code>n8n</code>:
          </p>
          <CopyBlock
            label="command that installs the nodes in a container"
            value={`docker exec n8n sh -c '${installCommand(values.serviceUrl)}' && docker restart n8n`}
          />
          <p>If n8n does not run in Docker, run this command, and then restart n8n:</p>
          <CopyBlock label="command that installs the nodes" value={installCommand(values.serviceUrl)} />
        </div>
      </details>
    </Step>
    <Step title="Create a credential">
      <p>
        In n8n, create a credential of the type <b>Passbell API</b>, and enter these values. n8n tests the credential
        when you save it.
      </p>
      <Credentials {...values} />
      <Addresses
        serviceUrl={values.serviceUrl}
        tool="n8n"
        check="n8n checks the Base URL when it tests the credential."
      />
    </Step>
    <Step title="Send a code">
      <p>
        Add a <b>Passbell</b> node with <b>Code → Send</b>. Enter the recipient in <b>To</b>, and run the node.
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

export const zapierSteps: Steps = (values) => (
  <>
    <Step title={values.isOperator ? 'Add Passbell to Zapier' : 'Get an invitation'}>
      {values.isOperator ? (
        <p>
          Passbell is not in Zapier's directory. As the operator of this server, add Passbell to Zapier once. If
          Passbell is already in your list of apps, go to the next step.
        </p>
      ) : (
        <p>
          Passbell is not in Zapier's directory. The operator of this server adds Passbell to Zapier once, and sends you
          an invitation link. Open the link, and accept the invitation. If Passbell is already in your list of apps, go
          to the next step.
        </p>
      )}
      <details>
        <summary>{values.isOperator ? 'Show the commands' : 'For the operator: add Passbell to Zapier'}</summary>
        <div class="stack">
          <p>
            Unpack <Download name="passbell-zapier-app.zip" guide="/docs/zapier" />, and run these commands in its
            folder. They need Node.js 22 or newer.
          </p>
          <CopyBlock
            label="commands that install the Zapier CLI and sign in"
            value="npm ci && npm install --global zapier-platform-cli@19.1.0 && zapier-platform login"
          />
          <CopyBlock
            label="command that adds the app"
            value={'zapier-platform register "Passbell" && zapier-platform push'}
          />
          <p>Then copy the invitation link from Zapier's developer pages, and send it to the people who build Zaps.</p>
        </div>
      </details>
    </Step>
    <Step title="Connect Passbell">
      <p>
        In your Zap, add a <b>Passbell</b> action. When Zapier asks you to connect Passbell, enter:
      </p>
      <Credentials {...values} />
      <p class="hint">
        Zapier's IP addresses change, so leave the allow-list empty. If you need an allow-list for your sites and
        servers, create a separate application for Zapier.
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
        For <b>Verify Code</b>, map <b>Code</b> to the code that the person entered, and <b>Recipient</b> to the same
        phone number or email address as in the Send Code step. To continue the Zap after a wrong code, choose{' '}
        <i>Continue (Verified = False)</i>, and add a Filter or a Path.
      </p>
    </Step>
    <Step title="Test the Zap">
      <p>A test of a send step sends a real message. After it arrives, turn on the Zap.</p>
    </Step>
  </>
);

export const nodeRedSteps: Steps = (values) => (
  <>
    <Step title="Install the nodes">
      <p>
        Download <Download name="passbell-node-red.tgz" guide="/docs" />. In Node-RED, open{' '}
        <b>Menu → Manage palette → Install</b>, click the upload button, and select the file. The nodes are then in the
        palette under <b>Passbell</b>.
      </p>
    </Step>
    <Step title="Add the server">
      <p>
        Drag a <b>send code</b> node into a flow, open it, and add a <b>Server</b> with these values:
      </p>
      <Credentials {...values} />
      <Addresses serviceUrl={values.serviceUrl} tool="Node-RED" />
    </Step>
    <Step title="Send a code">
      <p>
        Enter the recipient in <b>To</b>, connect an <b>inject</b> node to the input, deploy the flow, and click the
        button of the <b>inject</b> node.
      </p>
    </Step>
    <Step title="Verify the code">
      <p>
        Add a <b>verify code</b> node. Set <b>Recipient</b> to the same recipient, and <b>Code</b> to the code that the
        person entered. Wrong, expired and locked codes go to the <b>Not Verified</b> output.
      </p>
    </Step>
  </>
);

export const activepiecesSteps: Steps = (values) => (
  <>
    <Step title="Install the piece">
      <p>
        Download <Download name="passbell-piece-passbell.tgz" guide="/docs" />. Install the file in Activepieces as a
        package archive, as described in{' '}
        <a href="https://www.activepieces.com/docs/admin-guide/guides/manage-pieces">Manage Pieces</a>. The piece
        requires Activepieces 0.82 or newer.
      </p>
    </Step>
    <Step title="Create a connection">
      <p>
        Add a <b>Passbell</b> step to a flow, and create a connection with these values. Activepieces tests the
        connection when you save it.
      </p>
      <Credentials {...values} />
      <Addresses
        serviceUrl={values.serviceUrl}
        tool="Activepieces"
        check="Activepieces checks the address when it tests the connection."
      />
    </Step>
    <Step title="Send a code">
      <p>
        Choose <b>Send Code</b>, and enter the recipient in <b>To</b>. Testing the step sends a real message.
      </p>
    </Step>
    <Step title="Verify the code">
      <p>
        Add a <b>Verify Code</b> step with the same recipient and the code that the person entered. Add a <b>Router</b>{' '}
        with a branch for <b>verified</b>, which is false after a wrong, expired or locked code.
      </p>
    </Step>
  </>
);
