/** The head of the widget's pages, and the page with the code that adds the widget to a site. */
import { designOf, type Application } from '../../modules/applications/application.js';
import { isLoopback } from '../../platform/config/config.js';
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

/** The title and the tabs, and what keeps the widget from working. */
export const WidgetHead = ({ application, serviceUrl, isCode = false }: HeadProps) => (
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
    {!application.settings.twoFactorWidget && (
      <Notice kind="warning">
        The widget is off for this application. It does not work on your site until you turn it on in the{' '}
        <a href={settingsPath(application, 'two-factor')}>settings</a>.
      </Notice>
    )}
    {isBlocked(serviceUrl) && (
      <Notice kind="warning">
        The widget does not work on sites with <code>https://</code>, because this server is at{' '}
        <code>{serviceUrl}</code>. Ask the operator of this server to{' '}
        <a href="/docs/going-live">give it an HTTPS address</a>.
      </Notice>
    )}
  </>
);

/** The values of the snippet that are examples. Without strict mode, the snippet works without a token. */
const SAMPLE_EMAIL = 'ana@example.com';
const SAMPLE_TOKEN = 'YOUR_USER_TOKEN';

function EmbedCard({ serviceUrl, application }: HeadProps) {
  const { appKey, settings } = application;
  const isStrict = settings.strictTwoFactor;
  const { logoUrl } = designOf(application);
  const snippet = `<div id="service-2fasdk"></div>
<script
  src="${serviceUrl}/js/v1/auth-2fasdk.js"
  data-appkey="${appKey}"
  data-emailid="${SAMPLE_EMAIL}"${isStrict ? `\n  data-usertoken="${SAMPLE_TOKEN}"` : ''}
></script>`;
  const { origin } = new URL(serviceUrl);
  return (
    <Card
      beside
      id="embed-title"
      title="Embed the widget"
      lead="For your developer: paste this code into the page where the widget should appear."
    >
      <CopyBlock label="embed code" value={snippet} language="xml" marked={[SAMPLE_EMAIL, SAMPLE_TOKEN]} />
      <p>
        For each user, replace <code>{SAMPLE_EMAIL}</code> with the email address of the user who is signing in
        {isStrict ? (
          <>
            , and <code>{SAMPLE_TOKEN}</code> with a token
          </>
        ) : (
          <>
            . We recommend that you also set <code>data-usertoken</code> to a token
          </>
        )}{' '}
        that your server signs for this user, as shown under <a href="#protection-title">Protect your users</a>. Strict
        mode requires the token.
      </p>
      <p>If your site has a Content-Security-Policy, add:</p>
      <CopyBlock
        label="policy"
        value={`script-src ${origin}; connect-src ${origin}${logoUrl && `; img-src ${new URL(logoUrl).origin}`}`}
      />
      <p class="quiet">
        If this application has an <a href={`/dashboard/applications/${appKey}/allow-list`}>allow-list</a>, add your
        site's address to it.
      </p>
    </Card>
  );
}

/** Returns the page with the widget's code. */
export const codePage = ({ application, serviceUrl }: ApplicationVisit) =>
  page(
    'Widget code',
    <>
      <WidgetHead application={application} serviceUrl={serviceUrl} isCode />
      <EmbedCard serviceUrl={serviceUrl} application={application} />
      <ProtectionCard {...application} />
    </>,
  );
