/** The channels without a provider, and the applications that use them as a fallback. */
import { phoneChannels, type Application } from '../../modules/applications/application.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import { settingsPath } from '../applications/parts.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { InboxLink } from '../components/inbox-hint.js';
import { CHANNEL_NAMES, channelMessages } from '../messages/labels.js';
import { ChannelIcon } from './icons.js';
import { channelAnchor, typesPath } from './labels.js';

interface MissingProps {
  readonly channels: readonly ChannelView[];
  readonly applications: readonly Application[];
}

/** Names the applications that send on this channel, which has no provider, if the channels before it fail. */
function Fallback({ channel, applications }: Pick<ChannelView, 'channel'> & Pick<MissingProps, 'applications'>) {
  const using = applications.filter(({ settings }) => phoneChannels(settings).indexOf(channel) > 0);
  if (using.length === 0) return null;
  return (
    <p class="small">
      {using.map((application, n) => (
        <>
          {n > 0 && (n === using.length - 1 ? ' and ' : ', ')}
          <a href={settingsPath(application, 'channels')}>{application.name}</a>
        </>
      ))}{' '}
      {using.length === 1 ? 'uses' : 'use'} {channelMessages(channel)} as a fallback.
    </p>
  );
}

export const lacksProvider = ({ state, routes }: ChannelView): boolean =>
  routes.length === 0 && (state.kind === 'devInbox' || state.kind === 'off');

/** Lists the channels without a provider. */
export function MissingChannels({ channels, applications }: MissingProps) {
  const mayChange = useVisit().may('own');
  const [first] = channels;
  if (!first) return null;
  const lead = (
    <>
      Passbell skips these channels until you add a provider.
      {first.state.kind === 'devInbox' && (
        <>
          {' '}
          If no channel of a message has a provider, the message goes to the <InboxLink />, a test inbox on this server.
        </>
      )}
    </>
  );
  return (
    <Card id="not-set-up" title="Not set up yet" lead={lead}>
      <ul class="plain-list missing-channels">
        {channels.map(({ channel }) => (
          <li key={channel}>
            <div>
              <h3 id={channelAnchor(channel)}>
                <ChannelIcon channel={channel} /> {CHANNEL_NAMES[channel]}
              </h3>
              <Fallback channel={channel} applications={applications} />
            </div>
            {mayChange && (
              <a
                class="button subtle small"
                href={typesPath(channel)}
                aria-label={`Add a provider for ${channelMessages(channel)}`}
              >
                Add a provider
              </a>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
