/** Templates by name. */
import type { ChannelName, Content } from '../channels/channel.js';
import { renderOtp } from './otp.js';

type Variables = Readonly<Record<string, string>>;

const TEMPLATES: Readonly<Record<string, (channel: ChannelName, variables: Variables) => Content>> = {
  otp: (channel, { code = '', minutes, application = '', language = 'en' }) =>
    renderOtp(channel, { code, minutes: Number(minutes), application, language }),
};

/** A message's content for a channel. Throws for a template that does not exist. */
export function render(template: string, channel: ChannelName, variables: Variables): Content {
  const renderer = TEMPLATES[template];
  if (!renderer) throw new Error(`no template ${template}`);
  return renderer(channel, variables);
}
