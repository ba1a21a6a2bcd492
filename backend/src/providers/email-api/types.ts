/** The provider types for email APIs. */
import type { ProviderType } from '../provider-type.js';
import { AMAZON_SES } from './amazon-ses.js';
import { BREVO } from './brevo.js';
import { MAILGUN } from './mailgun.js';
import { POSTMARK } from './postmark.js';
import { emailType, type EmailPreset } from './preset.js';
import { RESEND } from './resend.js';
import { SENDGRID } from './sendgrid.js';

export const EMAIL_PRESETS: readonly EmailPreset[] = [AMAZON_SES, BREVO, MAILGUN, POSTMARK, RESEND, SENDGRID];

export const EMAIL_TYPES: readonly ProviderType[] = EMAIL_PRESETS.map(emailType);
