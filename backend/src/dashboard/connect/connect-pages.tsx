/** Pages below `/connect`: instructions for each tool, a test code, and the status of the first call. */
import type { TestCodes } from '../../modules/test-sends/test-codes.js';
import { isIP } from 'node:net';
import type { Application } from '../../modules/applications/application.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import { Card } from '../components/card.js';
import { LinkNav } from '../components/link-nav.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { filledForm, textOf } from '../form.js';
import type { Setup } from '../home/setup.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit, PageRoute } from '../page.js';
import { actOnApplication, fragment, page, PageNotFound, showForApplication } from '../page.js';
import { FirstCall } from './first-call.js';
import { Progress, TEST_ID, TestCodePanel, type TestPanel } from './test-code.js';
import { defaultTool, TOOLS } from './tools.js';

const pathOf = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/connect`;

function isPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname) === 0;
}

/**
 * Formats the API reply to a correct code. Shortens the session token, because anyone who has the token is signed in as
 * the recipient.
 */
function replyText(session: { readonly token: string }): string {
  const data = { ...session, token: `${session.token.slice(0, 12)}…` };
  return JSON.stringify({ success: true, message: 'verified', status: 'verified', data }, null, 2);
}

const MISSING_RECIPIENT_TEXT = 'Enter an email address, or a phone number with its country code, such as +14155550123.';

/** Returns the test code that was sent earlier, if there is one. */
async function earlierCode(
  testCodes: TestCodes,
  application: Application,
  messageId: string,
): Promise<Pick<TestPanel, 'sent'>> {
  const sent = messageId === '' ? undefined : await testCodes.find(application, messageId).catch(() => undefined);
  return sent ? { sent } : {};
}

export function connectPages(
  { applications, providers }: Modules<'applications' | 'providers'>,
  setup: Setup,
  testCodes: TestCodes,
): readonly PageRoute[] {
  const { rejectedCallers } = applications;

  async function wholePage(visit: ApplicationVisit, name: string, panel: TestPanel, status = 200) {
    const { application, serviceUrl, person } = visit;
    const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
    if (!tool) throw new PageNotFound();
    const { appKey } = application;
    const path = pathOf(application);
    const linkTo = (toolName: string) => ({
      href: `${path}/${toolName}`,
      label: TOOLS[toolName]!.label,
      current: toolName === name,
    });
    const isForDevelopers = (toolName: string) => TOOLS[toolName]!.developers;
    const names = Object.keys(TOOLS);
    const shop = {
      href: `/dashboard/applications/${appKey}/automations`,
      label: 'Shopify, WooCommerce',
      current: false,
    };
    const rejected = await rejectedCallers.list(application.id);
    return page(
      'Connect',
      <>
        <PageHead
          title="Connect"
          lead="Send yourself a test code, then follow the steps for your shop, tool or program."
        />
        <div class="halves guide">
          <div class="stack">
            <TestCodePanel path={path} tool={name} {...panel} />
            <FirstCall path={path} application={application} rejected={rejected} />
          </div>
          <div class="stack">
            <div class="tool-groups">
              <LinkNav
                class="tools"
                label="Shops and workflow tools"
                links={[shop, ...names.filter((toolName) => !isForDevelopers(toolName)).map(linkTo)]}
              />
              <LinkNav class="tools" label="Your own program" links={names.filter(isForDevelopers).map(linkTo)} />
            </div>
            <Card id="steps-title" title={tool.label}>
              {tool.remote && !isPublic(serviceUrl) && (
                <Notice kind="warning">
                  {tool.label} in the cloud can only reach public HTTPS addresses, and this server is at{' '}
                  <code>{serviceUrl}</code>. The operator of this server can set its public address as{' '}
                  <code>BASE_URL</code>.
                </Notice>
              )}
              {application.settings.authorizedEndpoints.length > 0 && (
                <Notice kind="info">
                  This application has an <a href={`/dashboard/applications/${appKey}/allow-list`}>allow-list</a>:
                  requests from other callers are rejected and listed there.
                </Notice>
              )}
              <ol class="steps">{tool.steps({ serviceUrl, appKey, to: person.email })}</ol>
            </Card>
          </div>
        </div>
      </>,
      status,
    );
  }

  /** Returns only the panel for an htmx request, otherwise the whole page. */
  function panelReply(visit: ApplicationVisit, panel: TestPanel, status = 200) {
    const tool = textOf(visit.body, 'tool');
    if (visit.target !== TEST_ID) return wholePage(visit, tool, panel, status);
    return fragment(<TestCodePanel path={pathOf(visit.application)} tool={tool} {...panel} />, status);
  }

  function show(visit: ApplicationVisit, tool: string) {
    const { accountId, email } = visit.person;
    const isTest = (channel: ChannelName) => providers.routing.isFree({ accountId }, channel);
    // If only other channels are live, a code to the person's email address would not leave this server.
    const isEmailUseful = !isTest('EMAIL') || CHANNELS.every(isTest);
    return wholePage(visit, tool, { form: filledForm({ to: isEmailUseful ? email : '' }) });
  }

  async function firstCall(visit: ApplicationVisit) {
    const { application } = visit;
    const rejected = await rejectedCallers.list(application.id);
    const next = application.lastUsedAt === null ? undefined : await setup.nextStep(visit);
    return fragment(<FirstCall path={pathOf(application)} application={application} rejected={rejected} next={next} />);
  }

  async function send(visit: ApplicationVisit) {
    const { application, actor, person, body, requestId } = visit;
    const to = textOf(body, 'to').trim();
    try {
      const sent = await testCodes.send({ actor, limitKey: `test-code:${person.id}` }, application, to, requestId);
      return panelReply(visit, { form: filledForm({ to }), sent });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // If no code could be sent, for example because another code was requested too early, shows the form for the
      // earlier code again.
      const earlier = await earlierCode(testCodes, application, textOf(body, 'messageId'));
      if (['INVALID_RECIPIENT', 'MISSING_RECIPIENT'].includes(error.code))
        return panelReply(
          visit,
          { form: filledForm({ to }, { to: to === '' ? MISSING_RECIPIENT_TEXT : error.hint }), ...earlier },
          422,
        );
      return panelReply(visit, { form: filledForm({ to }), ...earlier, rejection: error.sentences }, 422);
    }
  }

  async function verify(visit: ApplicationVisit) {
    const { application, body } = visit;
    const to = textOf(body, 'to');
    const code = textOf(body, 'code');
    const messageId = textOf(body, 'messageId');
    try {
      const session = await testCodes.verify(application, textOf(body, 'maskId'), code.replace(/[\s-]/g, ''));
      const next = await setup.nextStep(visit);
      return panelReply(visit, { form: filledForm({ to }), verified: replyText(session), next });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const earlier = await earlierCode(testCodes, application, messageId);
      const problem = error.code === 'INVALID_OTP' ? 'Incorrect code. Enter the latest code.' : `${error.message}.`;
      const form = filledForm({ to, code }, { code: problem });
      return panelReply(visit, earlier.sent ? { form, ...earlier } : { form, rejection: error.sentences }, 422);
    }
  }

  async function progress({ application, params }: ApplicationVisit) {
    const sent = await testCodes.find(application, params.messageId!).catch(() => undefined);
    if (!sent) throw new PageNotFound();
    return fragment(<Progress path={pathOf(application)} sent={sent} />);
  }

  return [
    showForApplication('/connect', 'read', (visit) => show(visit, defaultTool(isPublic(visit.serviceUrl)))),
    showForApplication('/connect/first-call', 'read', firstCall),
    showForApplication('/connect/test/:messageId', 'read', progress),
    showForApplication('/connect/:tool', 'read', (visit) => show(visit, visit.params.tool!)),
    actOnApplication('/connect/test', 'change', send),
    actOnApplication('/connect/verify', 'change', verify),
  ];
}
