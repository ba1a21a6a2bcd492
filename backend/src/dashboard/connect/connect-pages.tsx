/** `/connect`: from an application to the first call that arrives. */
import { isIP } from 'node:net';
import { ApiError } from '../../platform/contract/errors.js';
import type { Application } from '../../modules/applications/application.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { filledIn, textOf } from '../form.js';
import {
  actOnApplication,
  fragment,
  page,
  PageNotFound,
  showOfApplication,
  type Answer,
  type ApplicationVisit,
  type PageRoute,
} from '../page.js';
import type { DashboardServices } from '../services.js';
import { FirstCall } from './first-call.js';
import { Progress, TEST_ID, TestCodePanel, type TestPanel } from './test-code.js';
import { FIRST_TOOL, TOOLS, ToolSteps } from './tools.js';

const pathOf = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/connect`;

function ToolChoice({ at, tool }: { at: string; tool: string }) {
  return (
    <nav class="tools" aria-label="Tools">
      <ul>
        {Object.entries(TOOLS).map(([name, { label }]) => (
          <li key={name}>
            <a href={`${at}/${name}`} aria-current={name === tool ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Whether an address can be one that others reach over the internet. */
function isPublic(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname) === 0;
}

function Reachable({ serviceUrl, label }: { serviceUrl: string; label: string }) {
  if (isPublic(serviceUrl)) return null;
  return (
    <Notice kind="warning">
      {label} in the cloud reaches public addresses with https alone, and this service is at <code>{serviceUrl}</code>.
      Whoever runs it sets its public address as <code>BASE_URL</code>.
    </Notice>
  );
}

function Limited({ application }: { application: Application }) {
  if (application.settings.authorizedEndpoints.length === 0) return null;
  return (
    <Notice kind="info">
      This application has an <a href={`/dashboard/applications/${application.appKey}/allow-list`}>allow-list</a>: calls
      from elsewhere are refused, and shown there.
    </Notice>
  );
}

/** What a server gets, without the token: whoever has that is signed in. */
function shownReply(session: { readonly token: string }): string {
  const data = { ...session, token: `${session.token.slice(0, 12)}…` };
  return JSON.stringify({ success: true, message: 'verified', status: 'verified', data }, null, 2);
}

export const connectPages = ({ refusals, testCodes }: DashboardServices): readonly PageRoute[] => {
  async function whole(visit: ApplicationVisit, name: string, panel: TestPanel, status = 200): Promise<Answer> {
    const { application, serviceUrl, person } = visit;
    const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
    if (!tool) throw new PageNotFound();
    const at = pathOf(application);
    const refused = await refusals.list(application.id);
    return page(
      'Connect',
      <>
        <PageHead title="Connect" lead="The steps for your tool, with the values of this application in them." />
        <ToolChoice at={at} tool={name} />
        <div class="halves guide">
          <section class="card" aria-labelledby="steps-title">
            <h2 id="steps-title">{tool.label}</h2>
            {tool.remote && <Reachable serviceUrl={serviceUrl} label={tool.label} />}
            <Limited application={application} />
            <ToolSteps tool={tool} values={{ serviceUrl, appKey: application.appKey, to: person.email }} />
          </section>
          <div class="stack">
            <FirstCall at={at} application={application} refused={refused} />
            <TestCodePanel at={at} tool={name} {...panel} />
          </div>
        </div>
      </>,
      status,
    );
  }

  /** The panel alone where the page's script asks, else the page that it is on. */
  function answer(visit: ApplicationVisit, panel: TestPanel, status = 200): Answer | Promise<Answer> {
    const tool = textOf(visit.body, 'tool');
    if (visit.target === TEST_ID)
      return fragment(<TestCodePanel at={pathOf(visit.application)} tool={tool} {...panel} />, status);
    return whole(visit, tool, panel, status);
  }

  const start = ({ person }: ApplicationVisit): TestPanel => ({ form: filledIn({ to: person.email }) });

  async function send(visit: ApplicationVisit): Promise<Answer> {
    const { application, person, body, requestId } = visit;
    const to = textOf(body, 'to').trim();
    try {
      const sent = await testCodes.send(application, person, to, requestId);
      return answer(visit, { form: filledIn({ to }), sent });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const words = 'Write an e-mail address, or a phone number with its country code, such as +14155550123.';
      if (['INVALID_RECIPIENT', 'MISSING_RECIPIENT'].includes(error.code))
        return answer(visit, { form: filledIn({ to }, { to: words }) }, 422);
      return answer(visit, { form: filledIn({ to }), refusal: error.message }, 422);
    }
  }

  async function verify(visit: ApplicationVisit): Promise<Answer> {
    const { application, body } = visit;
    const [to, maskId, messageId] = ['to', 'maskId', 'messageId'].map((name) => textOf(body, name)) as [
      string,
      string,
      string,
    ];
    const code = textOf(body, 'code').replace(/[\s-]/g, '');
    try {
      const session = await testCodes.verify(application, maskId, code);
      return answer(visit, { form: filledIn({ to }), verified: shownReply(session) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const sent = messageId === '' ? undefined : await testCodes.follow(application, messageId);
      const problem =
        error.code === 'INVALID_OTP' ? 'This is not the code. Enter the one that arrived last.' : `${error.message}.`;
      const form = filledIn({ to, code: textOf(body, 'code') }, { code: problem });
      return answer(visit, sent ? { form, sent } : { form, refusal: error.message }, 422);
    }
  }

  return [
    showOfApplication('/connect', 'read', (visit: ApplicationVisit) => whole(visit, FIRST_TOOL, start(visit))),
    showOfApplication('/connect/first-call', 'read', async ({ application }: ApplicationVisit) => {
      const refused = await refusals.list(application.id);
      return fragment(<FirstCall at={pathOf(application)} application={application} refused={refused} />);
    }),
    showOfApplication('/connect/test/:messageId', 'read', async ({ application, params }: ApplicationVisit) => {
      const sent = await testCodes.follow(application, params.messageId!).catch(() => undefined);
      if (!sent) throw new PageNotFound();
      return fragment(<Progress at={pathOf(application)} sent={sent} />);
    }),
    showOfApplication('/connect/:tool', 'read', (visit: ApplicationVisit) =>
      whole(visit, visit.params.tool!, start(visit)),
    ),
    actOnApplication('/connect/test', 'change', send),
    actOnApplication('/connect/verify', 'change', verify),
  ];
};
