/** Renders a template by name, with the application's own text if it has one. */
import type { ChannelName } from '../../../platform/contract/channels.js';
import type { Content } from '../../../providers/provider.js';
import { chooseLanguage } from '../language-codes.js';
import type { Autofill, Branding, MessageVariables, OverrideText } from '../template.js';
import { isNotification, NO_BRANDING, SECURITY_NOTICE } from '../template.js';
import { withBranding } from './email-branding.js';
import { fill, type Language } from './language.js';
import { languageOf } from './languages.js';
import { withLastLine } from './last-line.js';
import { channelValues, renderNotification } from './notification.js';
import { renderOtp, spelledOut } from './otp.js';
import { renderOverride } from './override.js';
import { renderSecurityNotice } from './security-notice.js';
import { untrustedLine } from './text.js';

export type FindOverride = (language: string) => OverrideText | undefined;

/** Returns the voice for a call; undefined if `voiceLanguage`, the configured voice, already speaks the language. */
function voiceOf(language: Language, voiceLanguage = ''): string | undefined {
  return chooseLanguage(voiceLanguage) === language.code ? undefined : language.voice;
}

/**
 * Replaces the built-in text with the application's own text, but keeps the variables of the approved WhatsApp
 * template.
 */
function withTextOf(own: Content, builtIn: Content): Content {
  return builtIn.kind === 'text' && own.kind === 'text' ? { ...builtIn, text: own.text, accented: own.accented } : own;
}

function textWithLastLine(own: Extract<Content, { kind: 'text' }>, code: string, autofill: Autofill): Content {
  const { text, accented } = withLastLine([own.accented ?? own.text], code, autofill);
  return { ...own, text, accented };
}

function renderContent(
  template: string,
  channel: ChannelName,
  variables: MessageVariables,
  findOverride: FindOverride,
): Content {
  const { language: tag, voiceLanguage, webOtpHost = '', androidAppHash = '', ...others } = variables;
  const { attachmentName, attachmentUrl, ...rest } = others;
  const lines = Object.entries(rest).map(([name, value]) => [name, untrustedLine(value)]);
  const { application = '', ...values } = Object.fromEntries(lines) as Record<string, string>;
  if (template === SECURITY_NOTICE) return renderSecurityNotice(values, application);
  const language = channel === 'VOICE' ? languageOf(tag, voiceLanguage) : languageOf(tag);
  const override = findOverride(language.code);
  if (!isNotification(template)) {
    if (template !== 'otp') throw new Error(`unknown template ${template}`);
    const { code = '', minutes } = values;
    const autofill = { webOtpHost, androidAppHash };
    const shared = { code, application, language: tag, voiceLanguage, autofill };
    const builtIn = renderOtp(channel, { ...shared, minutes: Number(minutes) });
    if (!override) return builtIn;
    const shown = { ...values, code: channel === 'VOICE' ? spelledOut(code) : code, application };
    const own = withTextOf(renderOverride(channel, language, override, shown), builtIn);
    if (own.kind === 'speech') return { ...own, keyPrompt: fill(language.otp.keyPrompt, { application }) };
    return channel === 'SMS' && own.kind === 'text' ? textWithLastLine(own, code, autofill) : own;
  }
  const attachment = { name: attachmentName, link: attachmentUrl };
  const builtIn = renderNotification(template, channel, language, application, values, attachment);
  const shown = { ...(channel === 'VOICE' ? channelValues(channel, language, values) : values), application };
  const content = override ? withTextOf(renderOverride(channel, language, override, shown), builtIn) : builtIn;
  return content.kind === 'speech' ? { ...content, language: voiceOf(language, voiceLanguage) } : content;
}

/**
 * Renders a message. Throws for an unknown template, and an `OverrideError` if the application's text cannot be
 * rendered.
 */
export function render(
  template: string,
  channel: ChannelName,
  variables: MessageVariables,
  findOverride: FindOverride = () => undefined,
  branding: Branding = NO_BRANDING,
): Content {
  return withBranding(renderContent(template, channel, variables, findOverride), branding);
}
