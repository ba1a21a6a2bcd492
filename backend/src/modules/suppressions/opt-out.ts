/** Recipients who have stopped an application's notifications on a channel, and the words with which they do so. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';

export type OptOutSource = 'reply' | 'provider' | 'unsubscribe';
export type Wish = 'stop' | 'start' | 'help';

export interface OptOut {
  readonly applicationId: number;
  readonly channel: ChannelName;
  readonly address: string;
  readonly optedOut: boolean;
  readonly source: OptOutSource;
  /** The opt-out keyword, such as STOP. */
  readonly word: string | null;
  readonly changedAt: number;
}

/** Words from the FCC's rule (47 CFR 64.1200), words that carriers recognize, and their equivalents in other languages. */
const WORDS: Readonly<Record<Wish, string>> = {
  stop: `stop|stop all|stopall|end|cancel|unsubscribe|quit|revoke|opt out|opt-out|optout
    |stopp|stoppen|abmelden|abbestellen|ende|beenden|kündigen|widerruf|widerrufen
    |arret|arrêt|arrêter|arreter|stopper|désabonner|desabonner|se désabonner|annuler|fin|résilier
    |alto|parar|baja|cancelar|detener|fin|salir|anular|darse de baja
    |pare|sair|remover|descadastrar|terminar
    |koniec|zatrzymaj|wypisz|rezygnuję|rezygnuje|anuluj|odwołaj|odwolaj
    |توقف|إيقاف|ايقاف|قف|إلغاء|الغاء|إلغاء الاشتراك|الغاء الاشتراك|إنهاء|انهاء
    |ferma|fermare|basta|interrompi|annulla|cancella|cancellami|rimuovimi|disiscrivi|disiscrivimi|disiscrizione|revoca
    |afmelden|uitschrijven|einde|beëindigen|beeindigen|annuleren|opzeggen|intrekken`,
  start: `start|unstop|yes|subscribe|opt in|opt-in|optin
    |starten|anmelden|abonnieren|démarrer|demarrer|s'abonner|inicio|iniciar|alta|suscribir|começar|comecar|assinar
    |wznów|wznow|zapisz|ابدأ|ابدا|اشتراك|inizia|iscrivi|iscrivimi|aanmelden|inschrijven|beginnen`,
  help: `help|info|hilfe|aide|ayuda|ajuda|pomoc|مساعدة|aiuto|hulp`,
};

/** Maximum length of a reply that can be one of the words. Longer replies are ignored. */
const MAX_REPLY_LENGTH = 40;
const WISHES = new Map(
  (Object.entries(WORDS) as [Wish, string][]).flatMap(([wish, words]) =>
    words.split('|').map((word) => [word.trim(), wish] as const),
  ),
);

/**
 * Returns the word of a reply that consists of one of the words: `Stop!` → `stop`. Ignores case and punctuation, but not
 * digits: `Cancel 2` can be about an order.
 */
export function wordOf(text: string): string | undefined {
  if (text.length > MAX_REPLY_LENGTH) return undefined;
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[^\p{L}\p{M}\p{N}'-]+/gu, ' ');
  const word = plain.replace(/(?<!\p{L})['-]|['-](?!\p{L})/gu, ' ').trim();
  return WISHES.has(word) ? word : undefined;
}

export const wishOf = (word: string): Wish => WISHES.get(word)!;

/** Whether recipients can stop messages with this template. Codes and invoices are always sent. */
export const canBeStopped = (template: string): boolean =>
  Object.hasOwn(TEMPLATES, template) && TEMPLATES[template as keyof typeof TEMPLATES].kind === 'order';

export const optedOutError = (): ApiError => new ApiError('RECIPIENT_OPTED_OUT', { field: 'to' });
