/** A button that pauses, resumes or allows a place, or adds a country to the served ones. */
import type { PauseAction } from '../../modules/fraud/fraud-pauses.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
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

export const PAUSE_EFFECT =
  'No SMS, WhatsApp messages or voice calls are sent until you resume them, not even to people who entered a code.';

type PauseButtonProps = Pick<PlaceButtonProps, 'at' | 'class'> & { readonly country: string };

/** `Pause France` */
export function PauseButton({ country, ...button }: PauseButtonProps) {
  const name = countryInSentence(country);
  return (
    <PlaceButton
      {...button}
      action="pause"
      place={{ scope: 'country', key: country }}
      label={`Pause ${name}`}
      question={`Pause messages to ${name}? ${PAUSE_EFFECT}`}
    />
  );
}
