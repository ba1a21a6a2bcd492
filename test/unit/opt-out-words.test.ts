/** The words with which recipients stop and allow notifications. */
import { wishOf, wordOf } from '../../backend/src/modules/suppressions/opt-out.js';

const wishIn = (text: string) => {
  const word = wordOf(text);
  return word && wishOf(word);
};

it.each([
  'STOP',
  ' stop. ',
  '"Stop"',
  '--stop--',
  '“STOP”!',
  'Stop 🛑',
  'stop\n',
  'Opt-Out',
  'END',
  'Fin',
  'Arrêt',
  'Disiscrizione',
  'Beëindigen',
  'إيقاف',
])('%j stops notifications', (text) => expect(wishIn(text)).toBe('stop'));

it.each(['START', 'unstop!', 'Yes.', 'Wznów'])('%j allows notifications', (text) => expect(wishIn(text)).toBe('start'));

it.each([
  '',
  '...',
  'please do not stop',
  'non-stop',
  'stops',
  'the end',
  'weekend',
  'finally',
  'end of day?',
  'yes please',
  'yesterday',
  'Cancel 2',
  'stop2end',
  '1 STOP',
  'constructor',
  `stop${' '.repeat(40)}`,
])('%j is not one of the words', (text) => expect(wishIn(text)).toBeUndefined());
