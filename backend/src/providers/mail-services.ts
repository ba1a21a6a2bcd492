/** The DNS records that companies which send emails prescribe for the domains of their customers. */
export interface MailService {
  readonly title: string;
  /** The name of its provider type, if it has one. */
  readonly type?: string;
  readonly smtpHost: RegExp;
  /**
   * The domain that an SPF record must include, and the prefix of the record's name. Undefined if the return address
   * belongs to the company or a domain that it manages: only the SPF record of that domain is then checked.
   */
  readonly spf?: { readonly prefix: '' | 'send.'; readonly include: string };
  /** The names of DKIM keys (selectors), one of which must exist. Undefined if each customer gets other names. */
  readonly selectors?: readonly string[];
  readonly dkimType: 'CNAME' | 'TXT';
  /** One sentence: where the company shows the records. */
  readonly help: string;
}

export const MAIL_SERVICES: readonly MailService[] = [
  {
    title: 'Amazon SES',
    type: 'amazon-ses',
    smtpHost: /^email-smtp\.[a-z0-9-]+\.amazonaws\.com$/,
    dkimType: 'CNAME',
    help: 'In Amazon SES, open Identities → your domain → Authentication.',
  },
  {
    title: 'Brevo',
    type: 'brevo',
    smtpHost: /^smtp-relay\.(?:brevo|sendinblue)\.com$/,
    selectors: ['brevo1', 'brevo2', 'mail'],
    dkimType: 'CNAME',
    help: 'In Brevo, open the domains in the settings of your account.',
  },
  {
    title: 'Google Workspace',
    smtpHost: /^smtp(?:-relay)?\.gmail\.com$/,
    spf: { prefix: '', include: '_spf.google.com' },
    selectors: ['google'],
    dkimType: 'TXT',
    help: 'In the Google Admin console, open Apps → Google Workspace → Gmail → Authenticate email.',
  },
  {
    title: 'Mailgun',
    type: 'mailgun',
    smtpHost: /^smtp\.(?:eu\.)?mailgun\.org$/,
    spf: { prefix: '', include: 'mailgun.org' },
    // Domains that were added before Mailgun rotated keys have one of the names after the first two.
    selectors: ['pdk1', 'pdk2', 'mx', 'k1', 'pic', 'smtp', 'krs', 'mailo'],
    dkimType: 'CNAME',
    help: 'In Mailgun, open the settings of your domain → DNS records.',
  },
  {
    title: 'Microsoft 365',
    smtpHost: /^smtp\.office365\.com$|\.mail\.protection\.outlook\.com$/,
    spf: { prefix: '', include: 'spf.protection.outlook.com' },
    selectors: ['selector1', 'selector2'],
    dkimType: 'CNAME',
    help: 'In the Microsoft Defender portal, open Email authentication settings → DKIM.',
  },
  {
    title: 'Postmark',
    type: 'postmark',
    smtpHost: /^smtp(?:-broadcasts)?\.postmarkapp\.com$/,
    dkimType: 'TXT',
    help: 'In Postmark, open Sender Signatures → your domain → DNS Settings.',
  },
  {
    title: 'Resend',
    type: 'resend',
    smtpHost: /^smtp\.resend\.com$/,
    spf: { prefix: 'send.', include: 'amazonses.com' },
    selectors: ['resend'],
    dkimType: 'TXT',
    help: 'In Resend, open Domains → your domain.',
  },
  {
    title: 'SendGrid',
    type: 'sendgrid',
    smtpHost: /^smtp(?:\.eu)?\.sendgrid\.net$/,
    selectors: ['s1', 's2', 'm1'],
    dkimType: 'CNAME',
    help: 'In SendGrid, open Settings → Sender Authentication.',
  },
];
