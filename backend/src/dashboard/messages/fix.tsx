/** The button that fixes the reason of a refusal. */
import type { Application } from '../../modules/applications/application.js';
import type { Message } from '../../modules/messages/message.js';
import type { ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { allowEffect, isHintForServing, serveQuestion } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { HOUR } from '../../platform/clock.js';
import type { ErrorCode } from '../../platform/contract/errors.js';
import { pathOf, settingsPath } from '../applications/parts.js';
import { CHANNELS_PATH } from '../channels/labels.js';
import { useVisit } from '../components/context.js';
import type { Visit } from '../page.js';
import { PauseButton, PlaceButton } from '../protection/place-button.js';
import { isByGuard } from './reasons.js';

/** Returns the page on which people can change the reason of a refusal; undefined if only the operator can. */
function pageOf(
  code: ErrorCode,
  application: Application,
  { mayHaveProviders }: Pick<Visit, 'mayHaveProviders'>,
): readonly [href: string, label: string] | undefined {
  switch (code) {
    case 'COUNTRY_NOT_ALLOWED':
      return [settingsPath(application, 'countries'), 'Change the allowed countries'];
    case 'CHANNEL_NOT_CONFIGURED':
      return mayHaveProviders ? [CHANNELS_PATH, 'Set up the channel'] : undefined;
    case 'RECIPIENT_SUPPRESSED':
    case 'RECIPIENT_OPTED_OUT':
      return ['/dashboard/suppressions', 'Open Suppressions'];
    case 'FRAUD_SUSPECTED':
      return [`${pathOf(application)}/protection`, 'Open Protection'];
    case 'ACCOUNT_DAILY_LIMIT':
      return undefined;
    default:
      return [settingsPath(application, 'limits'), 'Change the limits'];
  }
}

/** Whether a page has a setting that changes the reason of the refusal. */
export const hasFix = (
  { refusal }: Pick<Message, 'refusal'>,
  application: Application,
  visit: Pick<Visit, 'mayHaveProviders'>,
): boolean => refusal !== null && pageOf(refusal.code, application, visit) !== undefined;

interface FixProps {
  readonly message: Pick<Message, 'createdAt' | 'recipient' | 'refusal'>;
  readonly application: Application;
  readonly pause: ScopeView | undefined;
  /** Whether to link to the page with the setting. */
  readonly hasLink?: boolean;
  /** A country that is not paused and can be; "" for none. */
  readonly pausable?: string;
}

/** Returns the action that lets the fraud guard send to the recipient again; undefined if only Protection has it. */
function allowAction(
  { refusal, recipient }: FixProps['message'],
  { countries, servedCountries }: Application['settings'],
  pause?: ScopeView,
) {
  if (pause?.scope === 'application') return undefined;
  if (pause) {
    const place = pause.scope === 'prefix' ? `numbers that start with ${pause.key}` : countryInSentence(pause.key);
    const label = `Allow ${place} for 24 hours`;
    return { action: 'allow', ref: pause, label, question: `${label}? ${allowEffect(pause)}` } as const;
  }
  const country = countryOf(recipient);
  if (country === '' || !isHintForServing(refusal?.hint) || [...countries, ...servedCountries].includes(country))
    return undefined;
  return {
    action: 'serve',
    ref: { scope: 'country', key: country },
    label: `Add ${countryInSentence(country)} to served countries`,
    question: serveQuestion(country),
  } as const;
}

export function Fix({ message, application, pause, hasLink = true, pausable = '' }: FixProps) {
  const visit = useVisit();
  const { may, now } = visit;
  const { refusal, createdAt } = message;
  const place = refusal && pageOf(refusal.code, application, visit);
  if (!place || !may('own')) return null;
  const [href, label] = place;
  const isGuard = isByGuard(message);
  const allow = isGuard ? allowAction(message, application.settings, pause) : undefined;
  const at = `${pathOf(application)}/protection`;
  if (!hasLink && !allow && pausable === '') return null;
  return (
    <div class="actions">
      {pausable !== '' && (
        <PauseButton at={at} country={pausable} class={createdAt < now - HOUR ? 'button subtle' : 'button'} />
      )}
      {hasLink && (
        <a class={isGuard && !pause ? 'button subtle' : 'button'} href={href}>
          {label}
        </a>
      )}
      {allow && (
        <PlaceButton
          at={at}
          action={allow.action}
          place={allow.ref}
          label={allow.label}
          question={allow.question}
          class="button subtle"
        />
      )}
    </div>
  );
}
