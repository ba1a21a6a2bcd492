/** What a message looks or sounds like where it arrives. */
import type { ComponentChildren } from 'preact';
import type { ChannelName, Content } from '../../providers/provider.js';
import type { PriceTable } from '../../platform/config/prices-file.js';
import { smsSize } from '../../modules/templates/rendering/gsm7.js';
import { languageOf } from '../../modules/templates/rendering/languages.js';

interface Words {
  readonly language: string;
}

const direction = (language: string) => ({ lang: language, dir: languageOf(language).direction });

/** Texts with their line breaks, and links that look like ones and lead nowhere. */
function Lines({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(https?:\/\/\S+)/).map((part, n) => (n % 2 === 1 ? <span class="message-link">{part}</span> : part))}
    </>
  );
}

/** Foreign characters that are named: more of them are another alphabet, not a slip. */
const NAMED = 8;

function SmsFacts({ text }: { readonly text: string }) {
  const { encoding, length, segments, room, foreign } = smsSize(text);
  return (
    <>
      <Fact label="Length">
        {segments === 1 ? '1 SMS' : `${segments} SMS in a row`}, {length} of {room} characters
      </Fact>
      <Fact label="Encoding">
        {encoding === 'GSM-7' ? 'GSM-7, 160 characters an SMS' : 'Unicode, 70 characters an SMS'}
      </Fact>
      {foreign.length > 0 && foreign.length <= NAMED && (
        <Fact label="Not in GSM-7">
          <bdi>{foreign.join(' ')}</bdi>
        </Fact>
      )}
    </>
  );
}

export function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Bubble({ kind, text, language }: Words & { readonly kind: 'sms' | 'whatsapp'; readonly text: string }) {
  return (
    <div class={`phone ${kind}`}>
      <p class="bubble" {...direction(language)}>
        <Lines text={text} />
      </p>
    </div>
  );
}

function Script({ sentences, language }: Words & { readonly sentences: readonly string[] }) {
  return (
    <div class="phone call">
      <ol class="script" {...direction(language)}>
        {sentences.map((sentence, n) => (
          <li key={n}>{sentence}</li>
        ))}
      </ol>
    </div>
  );
}

/** What one message costs, as far as the price table says. */
export function priceText({ currency, prices }: PriceTable, channel: ChannelName): string {
  const all = Object.values(prices[channel] ?? {}).sort((a, b) => Number(a) - Number(b));
  const [least, most] = [all[0], all.at(-1)];
  if (least === undefined || most === undefined) return 'Nothing: no price is set for this channel';
  const name = currency.toUpperCase();
  return least === most ? `${least} ${name} a message` : `${least} to ${most} ${name} a message, by country`;
}

interface MessagePreviewProps extends Words {
  readonly channel: ChannelName;
  readonly content: Content;
  readonly price: string;
  /** The frame of a mail. */
  readonly frame: ComponentChildren;
}

export function MessagePreview({ channel, content, language, price, frame }: MessagePreviewProps) {
  return (
    <>
      {content.kind === 'text' && (
        <Bubble kind={channel === 'SMS' ? 'sms' : 'whatsapp'} text={content.text} language={language} />
      )}
      {content.kind === 'speech' && <Script sentences={content.sentences} language={language} />}
      {content.kind === 'email' && (
        <div class="mail">
          <p class="mail-subject" {...direction(language)}>
            {content.subject}
          </p>
          {frame}
        </div>
      )}
      <dl class="facts small">
        {channel === 'SMS' && content.kind === 'text' && <SmsFacts text={content.text} />}
        {content.kind === 'text' && channel === 'WHATSAPP' && (
          <Fact label="Good to know">
            Outside of a conversation WhatsApp takes approved templates only; these words are for inside of one.
          </Fact>
        )}
        {content.kind === 'speech' && <Fact label="Spoken">With a pause after each line, all of it twice</Fact>}
        <Fact label="Price">{price}</Fact>
      </dl>
    </>
  );
}
