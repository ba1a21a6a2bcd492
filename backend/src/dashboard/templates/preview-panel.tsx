import { diffArrays, type ChangeObject } from 'diff';
import type { HTMLAttributes } from 'preact';
import { smsSize } from '../../platform/gsm7.js';
import { languageOf } from '../../modules/templates/rendering/languages.js';
import { accentNote, pricedParts } from '../../modules/templates/rendering/message-length.js';
import { chargeOf, unitsOf } from '../../modules/usage/usage.js';
import type { ChannelPrices } from '../../platform/config/prices-file.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Content } from '../../providers/provider.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { textPath, type Rendering, type TextProps } from './text-page.js';

type EmailContent = Extract<Content, { kind: 'email' }>;

/** Styles the URLs in a text like links, but does not make them clickable. */
const withLinks = (text: string) =>
  text.split(/(https?:\/\/\S+)/).map((part, n) => (n % 2 === 1 ? <span class="message-link">{part}</span> : part));

/**
 * Maximum number of special characters (not in GSM-7) to list. A text with more such characters is probably in a non-Latin script,
 * and a list of them would not help.
 */
const MAX_LISTED = 8;

function smsFacts(content: Extract<Content, { kind: 'text' }>): FactEntry[] {
  const { length, segments, capacity, unsupported } = smsSize(content.text);
  const joined =
    unsupported.length > 0
      ? `. In a message of ${segments} SMS, each has up to 67.`
      : '. One SMS has up to 160 characters. In a longer message, each SMS has up to 153.';
  const listed = unsupported.length > MAX_LISTED ? '' : unsupported.join(' ');
  const special = [<bdi>{listed}</bdi>, ' With special characters, one SMS has up to 70 characters instead of 160.'];
  return [
    ['Length', `${segments} SMS, ${length} of ${capacity} characters${segments > 1 ? joined : ''}`],
    ['Special characters', unsupported.length > 0 && special],
    ['Accents', accentNote(content)],
  ];
}

/** Warns of characters that make an SMS more expensive, such as an emoji; undefined if there are none. */
function costWarning(text: string): string | undefined {
  const { segments, unsupported } = smsSize(text);
  if (unsupported.length > MAX_LISTED) return undefined;
  const without = smsSize([...text].filter((character) => !unsupported.includes(character)).join('')).segments;
  if (without >= segments) return undefined;
  const verb = unsupported.length === 1 ? 'raises' : 'raise';
  return `“${unsupported.join(' ')}” ${verb} the cost: ${segments} SMS instead of ${without}.`;
}

function factsOf(channel: ChannelName, content: Content): FactEntry[] {
  if (content.kind === 'speech') {
    const spoken: FactEntry = ['Spoken', 'Twice, with a pause after each line'];
    const note =
      'If this server has a public address (BASE_URL), and VOICE_KEY_PRESS is on, the call first asks the listener to press a key, so that voicemail does not record the code.';
    return content.keyPrompt === undefined ? [spoken] : [spoken, ['Key press', note]];
  }
  if (content.kind === 'email') return [];
  if (channel === 'SMS') return smsFacts(content);
  const note =
    'WhatsApp requires an approved template to start a conversation. If the provider has one for this message, it is sent instead of this text. Otherwise, this text arrives only within a conversation that the customer has started.';
  return [['Good to know', note]];
}

/** Formats a message's price range: `0.0150 to 0.1800 USD per message of 2 SMS, depending on the country`. */
function priceText(prices: ChannelPrices, currency: string, channel: ChannelName, parts: number): string {
  const units = Object.values(prices).map((price) => unitsOf(price) * parts);
  if (units.length === 0) return 'No price is set for this channel';
  const [lowest, highest] = [Math.min(...units), Math.max(...units)].map((price) => chargeOf(BigInt(price)));
  const unit = `${currency.toUpperCase()} ${channel === 'VOICE' ? 'per call' : 'per message'}`;
  const size = parts === 1 ? '' : ` of ${parts} SMS`;
  return lowest === highest
    ? `${lowest} ${unit}${size}`
    : `${lowest} to ${highest} ${unit}${size}, depending on the country`;
}

function plainText(content: Content): string {
  if (content.kind === 'speech') return content.sentences.join('\n');
  return content.kind === 'email' ? `${content.subject}\n\n${content.text}` : content.text;
}

const splitWords = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

/**
 * Maximum number of changed words to mark, which limits the duration of a comparison. If more words changed, the whole
 * text is marked as changed.
 */
const MAX_CHANGED_WORDS = 1200;

type Change = Pick<ChangeObject<string[]>, 'added' | 'removed' | 'value'>;

function changesBetween(before: string, after: string): readonly Change[] {
  const changes = diffArrays(splitWords(before), splitWords(after), { maxEditLength: MAX_CHANGED_WORDS });
  const wholeText = (text: string, added: boolean): Change => ({ added, removed: !added, value: [text] });
  return changes ?? [wholeText(before, false), wholeText(after, true)];
}

function Comparison({ content, builtIn }: { content: Content; builtIn: Content }) {
  const changes = changesBetween(plainText(builtIn).trim(), plainText(content).trim());
  const same = changes.every(({ added, removed }) => !added && !removed);
  if (same) return null;
  return (
    <details class="compare">
      <summary>Differences from the built-in text</summary>
      <p class="difference" dir="auto">
        {changes.map(({ added, removed, value }, n) => {
          const text = value.join('');
          return added ? <ins key={n}>{text}</ins> : removed ? <del key={n}>{text}</del> : text;
        })}
      </p>
    </details>
  );
}

type EmailFrameProps = { readonly path: string; readonly pristine: boolean; readonly email: EmailContent };

function EmailFrame({ path, pristine, email }: EmailFrameProps) {
  // The page cannot measure a frame without permissions. Most lines need less space; a longer email can be scrolled.
  const height = 230 + 38 * email.text.split('\n').filter(Boolean).length;
  const frame = { class: 'mail-frame', name: 'mail-frame', title: 'Email', sandbox: '', height };
  if (pristine) return <iframe {...frame} src={path} />;
  return (
    <>
      <iframe {...frame} />
      <button class="button subtle small" formaction={path} formtarget={frame.name} formnovalidate data-press>
        Show the email
      </button>
    </>
  );
}

/** Shows a text or a voice call as on a phone. */
export function PhoneScreen({
  channel,
  content,
  ...attributes
}: {
  readonly channel: ChannelName;
  readonly content: Exclude<Content, EmailContent>;
} & HTMLAttributes<HTMLElement>) {
  if (content.kind === 'text')
    return (
      <div class={`phone ${channel === 'SMS' ? 'sms' : 'whatsapp'}`}>
        <p class="bubble" {...(attributes as object)}>
          {withLinks(content.text)}
        </p>
      </div>
    );
  return (
    <div class="phone call">
      <ol class="script" {...(attributes as object)}>
        {content.sentences.map((sentence, n) => (
          <li key={n}>{sentence}</li>
        ))}
      </ol>
    </div>
  );
}

export interface PanelProps extends TextProps {
  readonly rendering: Rendering;
  /** Whether the form contains the stored text. If so, the email preview is loaded with a GET request. */
  readonly pristine: boolean;
}

/** Shows a message as the recipient sees it, with its price, and with its differences from the built-in text. */
export function PreviewPanel({ application, textKey, rendering, pristine, services }: PanelProps) {
  const { content, builtIn } = rendering;
  if (!content) return <p class="preview-empty">Fix the errors in the text to see the preview.</p>;
  const { channel, language } = textKey;
  const { routing } = services;
  const scope = { applicationId: application.id };
  const prices = routing.pricesFor(scope, channel) ?? {};
  const isFree = routing.isFree(scope, channel) && Object.keys(prices).length > 0;
  const price = `${priceText(prices, routing.currency(), channel, pricedParts(channel, content))}${isFree ? '; free while the dev inbox replaces the provider' : ''}`;
  const warning = channel === 'SMS' && content.kind === 'text' ? costWarning(content.text) : undefined;
  const attributes = { lang: language, dir: languageOf(language).direction };
  return (
    <>
      {content.kind !== 'email' ? (
        <PhoneScreen channel={channel} content={content} {...attributes} />
      ) : (
        <div class="mail">
          <p class="mail-subject" {...attributes}>
            {content.subject}
          </p>
          <EmailFrame path={`${textPath(application, textKey)}/mail`} pristine={pristine} email={content} />
        </div>
      )}
      {warning && <Notice kind="warning">{warning}</Notice>}
      <Facts small facts={[...factsOf(channel, content), ['Price', price]]} />
      <Comparison content={content} builtIn={builtIn} />
    </>
  );
}
