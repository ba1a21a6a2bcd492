/** The head of the widget's pages, and the page with the code that adds the widget to a site. */
import { designOf, type Application } from '../../modules/applications/application.js';
import { isLoopback } from '../../platform/config/config.js';
import { SAMPLE_EMAIL } from '../../modules/twofactor/user-token-samples.js';
import { settingsPath } from '../applications/parts.js';
import { Card } from '../components/card.js';
import { CopyBlock } from '../components/copy.js';
import { LinkNav } from '../components/link-nav.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { page, type ApplicationVisit } from '../page.js';
import { ProtectionCard } from './protection.js';

export const pathOf = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/widget`;

export const codePath = (application: Application): string => `${pathOf(application)}/code`;

/** Browsers do not load a script with `http:` into a page with `https:`, except from the same computer. */
function isBlocked(serviceUrl: string): boolean {
  const { protocol, hostname } = new URL(serviceUrl);
  return protocol === 'http:' && !isLoopback(hostname);
}

interface HeadProps extends Pick<ApplicationVisit, 'application' | 'serviceUrl'> {
  /** Whether the page shows the code instead of the design. */
  readonly isCode?: boolean;
}

/** The reasons why the widget does not work, or is not safe. */
const problemsOf = ({ application, serviceUrl, isCode }: HeadProps) => {
  const { twoFactorWidget, strictTwoFactor } = application.settings;
  return [
    !twoFactorWidget && (
      <>
        The widget is off for this application. Turn it on in the{' '}
        <a href={settingsPath(application, 'two-factor')}>settings</a>.
      </>
    ),
    isBlocked(serviceUrl) && (
      <>
        The widget does not work on sites with <code>https://</code> until this server has an{' '}
        <a href="/docs/going-live">HTTPS address</a>.
      </>
    ),
    twoFactorWidget && !strictTwoFactor && !isCode && (
      <>
        Without strict mode, anyone who knows the email address of a user without a second factor can set one up for
        this user. <a href={`${codePath(application)}#protection-title`}>Protect your users</a>
      </>
    ),
  ].filter((problem) => problem !== false);
};

function Problems(props: HeadProps) {
  const problems = problemsOf(props);
  if (problems.length === 0) return null;
  if (problems.length === 1) return <Notice kind="warning">{problems}</Notice>;
  const list = (
    <ul>
      {problems.map((problem, n) => (
        <li key={n}>{problem}</li>
      ))}
    </ul>
  );
  return (
    <Notice kind="warning" after={list}>
      <b>Before you use the widget</b>
    </Notice>
  );
}

/** The title, the tabs, and the problems of the widget. */
export const WidgetHead = (props: HeadProps) => {
  const { application, isCode = false } = props;
  return (
    <>
      <PageHead
        title={isCode ? 'Widget code' : 'Widget'}
        lead={
          isCode
            ? 'The code that adds the two-factor widget to your site.'
            : 'The design of the two-factor widget on your site. Saved changes appear there within 2 seconds.'
        }
      />
      <LinkNav
        class="tabs"
        label="Widget"
        links={[
          { href: pathOf(application), label: 'Design and preview', current: !isCode },
          { href: codePath(application), label: 'Code', current: isCode },
        ]}
      />
      <Problems {...props} />
    </>
  );
};

/** The token in the snippet, which the reader must replace. */
const SAMPLE_TOKEN = 'YOUR_USER_TOKEN';

function EmbedCard({ serviceUrl, application }: HeadProps) {
  const { appKey, settings } = application;
  const { logoUrl } = designOf(application);
  const snippet = `<div id="service-2fasdk"></div>
<script
  src="${serviceUrl}/js/v1/auth-2fasdk.js"
  data-appkey="${appKey}"
  data-emailid="${SAMPLE_EMAIL}"
  data-usertoken="${SAMPLE_TOKEN}"
></script>`;
  const { origin } = new URL(serviceUrl);
  const sources = [`script-src ${origin};`, `connect-src ${origin};`];
  if (logoUrl) sources.push(`img-src ${new URL(logoUrl).origin};`);
  return (
    <Card
      beside
      id="embed-title"
      title="Embed the widget"
      lead="For your developer: paste this code into the page where the widget should appear."
    >
      <CopyBlock label="embed code" value={snippet} language="xml" marked={[SAMPLE_EMAIL, SAMPLE_TOKEN]} />
      <p>
        For each user, replace <code>{SAMPLE_EMAIL}</code> with the email address of the user who is signing in, and{' '}
        <code>{SAMPLE_TOKEN}</code> with a token that your server signs for this user, as shown under{' '}
        <a href="#protection-title">Protect your users</a>.
        {!settings.strictTwoFactor && (
          <>
            {' '}
            To try the widget without a token, remove <code>data-usertoken</code>. Strict mode requires a token.
          </>
        )}
      </p>
      <p>If your site has a Content-Security-Policy, add these sources:</p>
      <CopyBlock label="policy" title="Content-Security-Policy" value={sources.join('\n')} />
      {settings.authorizedEndpoints.length > 0 && (
        <p>
          This application has an <a href={`/dashboard/applications/${appKey}/allow-list`}>allow-list</a>. Add your
          site's address to it.
        </p>
      )}
    </Card>
  );
}

/** Returns the page with the widget's code. The query parameter `language` selects the sample for the server. */
export const codePage = ({ application, serviceUrl, query }: ApplicationVisit) =>
  page(
    'Widget code',
    <>
      <WidgetHead application={application} serviceUrl={serviceUrl} isCode />
      <EmbedCard serviceUrl={serviceUrl} application={application} />
      <ProtectionCard application={application} path={codePath(application)} language={query.language} />
    </>,
  );
