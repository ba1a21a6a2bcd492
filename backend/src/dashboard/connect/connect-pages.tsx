/** Pages below `/connect`: instructions for each tool, a test code, and the status of the first call. */
import type { TestCodes } from '../../modules/test-sends/test-codes.js';
import type { Application } from '../../modules/applications/application.js';
import { HOUR, SECOND } from '../../platform/clock.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import { filledForm, textOf } from '../form.js';
import type { Setup } from '../home/setup.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit, PageRoute } from '../page.js';
import { actOnApplication, fragment, page, PageNotFound, redirect, showForApplication } from '../page.js';
import { ConnectedShops, StartPage, ToolPage } from './connect-view.js';
import { FirstCall } from './first-call.js';
import { OLD_SECRET_HOURS } from './steps.js';
import { Progress, TEST_ID, TestCodePanel, type TestPanel } from './test-code.js';
import { SHOP, TOOLS } from './tools.js';

const pathOf = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/connect`;

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
  {
    applications,
    automations,
    messages,
    providers,
  }: Modules<'applications' | 'automations' | 'messages' | 'providers'>,
  setup: Setup,
  testCodes: TestCodes,
): readonly PageRoute[] {
  const { rejectedCallers } = applications;

  /** Returns what the card of the first call shows about an application. */
  async function callsOf(application: Application) {
    const { messages: newest } = await messages.lookup.page({ applicationIds: [application.id] }, undefined, 1);
    return { application, rejected: await rejectedCallers.list(application.id), latest: newest[0] };
  }

  /** Shows the choice of tools, or the instructions for the tool with this name. */
  async function wholePage(visit: ApplicationVisit, name: string, panel: TestPanel, status = 200) {
    const { application } = visit;
    const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
    if (!tool && name !== '') throw new PageNotFound();
    const path = pathOf(application);
    const testPanel = <TestCodePanel path={path} tool={name} {...panel} />;
    const firstCall = <FirstCall path={path} {...await callsOf(application)} />;
    const shops = await automations.service.list(application);
    const isOperator = visit.may('own') && (await providers.service.isOperatorAccount(application.accountId));
    const content = tool ? (
      <ToolPage visit={visit} path={path} name={name} tool={tool} hasShop={shops.length > 0} isOperator={isOperator}>
        {/* The events of a shop are not requests to the API, and send notifications. */}
        {name === SHOP ? <ConnectedShops application={application} shops={shops} /> : [firstCall, testPanel]}
      </ToolPage>
    ) : (
      <StartPage path={path} shops={shops}>
        {testPanel}
        {firstCall}
      </StartPage>
    );
    return page('Connect', content, status);
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

  async function createSecret({ application, actor, params }: ApplicationVisit) {
    const tool = params.tool!;
    if (!Object.hasOwn(TOOLS, tool)) throw new PageNotFound();
    const graceSeconds = (OLD_SECRET_HOURS * HOUR) / SECOND;
    const { appSecret } = await applications.service.rotateSecret(actor, application.appKey, graceSeconds);
    return redirect(`${pathOf(application)}/${tool}`, {
      notice: "New App Secret created. Copy it now. It won't be shown again.",
      reveal: { appSecret },
    });
  }

  async function firstCall(visit: ApplicationVisit) {
    const { application } = visit;
    const next = application.lastUsedAt === null ? undefined : await setup.nextStep(visit);
    return fragment(<FirstCall path={pathOf(application)} {...await callsOf(application)} next={next} />);
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
      return panelReply(
        visit,
        { form: filledForm({ to }), ...earlier, rejection: `Not sent: ${error.sentences}` },
        422,
      );
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
    showForApplication('/connect', 'read', (visit) => show(visit, '')),
    showForApplication('/connect/first-call', 'read', firstCall),
    showForApplication('/connect/test/:messageId', 'read', progress),
    showForApplication('/connect/:tool', 'read', (visit) => show(visit, visit.params.tool!)),
    actOnApplication('/connect/:tool/secret', 'rotateAppSecret', createSecret),
    actOnApplication('/connect/test', 'change', send),
    actOnApplication('/connect/verify', 'change', verify),
  ];
}
