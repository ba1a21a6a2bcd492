/** Buttons that pause, resume or allow a place, or add a country to the served ones. */
import type { PauseAction } from '../../modules/fraud/fraud-pauses.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import { allowEffect, placeName, recipientsOf } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { Form } from '../components/form.js';

interface PlaceButtonProps {
  /** The path of the application's Protection page. */
  readonly at: string;
  readonly action: PauseAction | 'serve';
  readonly place: ScopeRef;
  readonly label: string;
  /** The name for screen readers, if other buttons have the same label. */
  readonly name?: string;
  /** The question that the browser asks first. */
  readonly question: string;
  /** The class of the button. */
  readonly class: string;
}

export const PlaceButton = ({ at, action, place, label, name, question, class: className }: PlaceButtonProps) => (
  <Form action={at} class="inline">
    <input type="hidden" name="action" value={action} />
    <input type="hidden" name="scope" value={place.scope} />
    <input type="hidden" name="key" value={place.key} />
    <button class={className} aria-label={name} data-confirm={question}>
      {label}
    </button>
  </Form>
);

/** `sender`: the name of the application, if the account has several. */
const pauseEffect = (sender = 'Passbell'): string =>
  `${sender} sends no SMS, WhatsApp messages or voice calls there, not even to people who entered a code. The pause lasts until you choose “Resume” under Protection.`;

type PauseButtonProps = Pick<PlaceButtonProps, 'at' | 'class'> & {
  readonly country: string;
  readonly sender?: string | undefined;
};

/** `Pause France` */
export function PauseButton({ country, sender, ...button }: PauseButtonProps) {
  const name = countryInSentence(country);
  return (
    <PlaceButton
      {...button}
      action="pause"
      place={{ scope: 'country', key: country }}
      label={`Pause ${name}`}
      question={`Pause messages to ${name}? ${pauseEffect(sender)}`}
    />
  );
}

const LABELS: Readonly<Record<PauseAction, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  allow: 'Allow for 24 hours',
  allowForEver: 'Always allow these numbers',
};

const EFFECTS: Readonly<Record<Exclude<PauseAction, 'allow'>, string>> = {
  pause: pauseEffect(),
  resume: 'Messages will be sent as usual. If few codes are entered, Passbell acts again.',
  allowForEver:
    'Messages to these numbers are sent, and Protection does not count them, until you stop allowing them. Daily budgets still apply.',
};

/** `Pause messages to France?`, `Allow messages to recipients whose numbers start with +1415555 for 24 hours?` */
function questionOf(label: string, place: ScopeRef): string {
  const [verb, length = ''] = label.replace(' these numbers', '').split(/(?= for 24)/);
  if (place.scope === 'burst') return `${verb} all codes?`;
  const isCountry = place.scope === 'country' && place.key !== '';
  return `${verb} messages to ${isCountry ? countryInSentence(place.key) : recipientsOf(place)}${length}?`;
}

type ActionButtonProps = Pick<PlaceButtonProps, 'at' | 'place'> & {
  readonly action: PauseAction;
  /** Whether the place is allowed, so that resuming it ends the exception. */
  readonly isAllowed?: boolean;
};

/** `Allow for 24 hours`, in a row that names the place. */
export function ActionButton({ at, place, action, isAllowed = false }: ActionButtonProps) {
  const label = isAllowed ? 'Stop allowing' : LABELS[action];
  const ofAction = action === 'allow' ? allowEffect(place) : EFFECTS[action];
  const effect = isAllowed ? 'Protection applies to these messages again.' : ofAction;
  return (
    <PlaceButton
      at={at}
      action={action}
      place={place}
      label={label}
      name={`${label}: ${placeName(place)}`}
      question={`${questionOf(label, place)} ${effect}`}
      class="button subtle small"
    />
  );
}
