/** Templates by name. */
import type { ChannelName, Content } from '../channels/channel.js';
import { TEMPLATES } from '../generated/templates.js';
import type { TemplateName } from './language.js';
import { languageOf } from './languages.js';
import { renderNotification } from './notification.js';
import { renderOtp } from './otp.js';
import { oneLine } from './text.js';

type Variables = Readonly<Record<string, string>>;

const isNotification = (template: string): template is TemplateName => Object.hasOwn(TEMPLATES, template);

/** A message's content for a channel. Throws for a template that does not exist. */
export function render(template: string, channel: ChannelName, variables: Variables): Content {
  const { application = '', language, voiceLanguage, ...values } = variables;
  const name = oneLine(application);
  if (template === 'otp') {
    const { code = '', minutes } = values;
    return renderOtp(channel, { code, minutes: Number(minutes), application: name, language, voiceLanguage });
  }
  if (!isNotification(template)) throw new Error(`no template ${template}`);
  const chosen = channel === 'VOICE' ? languageOf(language, voiceLanguage) : languageOf(language);
  return renderNotification(template, channel, chosen, { application: name, values });
}
