/** Hides the secrets of a provider in its replies. */
import { HIDDEN } from '../../providers/http-gateway/hidden.js';
import type { ProviderSettings } from '../../providers/provider-type.js';
import { escapeHtml } from '../templates/rendering/text.js';

/** A shorter secret could hide most of a reply. */
const MIN_HIDDEN_LENGTH = 4;

/** Returns the spellings of a text in JSON, in which some vendors also escape slashes, in URLs, forms and HTML. */
function spellingsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  return [text, json, json.replaceAll('/', '\\/'), encodeURIComponent(text), form, escapeHtml(text)];
}

export interface HiddenSecrets {
  /** Replaces the secrets in a text with `••••`. */
  hide(text: string): string;
  /** Length of the longest spelling of a secret. A text that breaks off may end with all but one of its characters. */
  readonly longest: number;
}

/**
 * Finds the secrets also in their encoded forms in JSON, URLs, forms, HTML, and HTTP and SMTP authentication.
 * `settings`: all settings, including the secrets.
 */
export function hiddenSecrets(secrets: readonly string[], settings: ProviderSettings): HiddenSecrets {
  const pairs = Object.values(settings).flatMap((user) =>
    secrets.flatMap((secret) => [`${user}:${secret}`, `\0${user}\0${secret}`]),
  );
  const spellings = [
    ...secrets.flatMap(spellingsOf),
    ...[...secrets, ...pairs].map((secret) => Buffer.from(secret).toString('base64')),
  ]
    .filter(({ length }) => length >= MIN_HIDDEN_LENGTH)
    .sort((a, b) => b.length - a.length);
  return {
    hide: (text) => spellings.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text),
    longest: spellings[0]?.length ?? 0,
  };
}
