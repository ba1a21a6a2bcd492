/** The form that takes a code: of the app, checked on its last digit, or of recovery. */
import type { Card } from './card.js';
import { h } from './dom.js';

const DIGITS = 6;

export interface CodeFormOptions {
  readonly kind: 'app' | 'recovery';
  /** Judges a complete code; answers what is wrong with it, or nothing when another view has come. */
  submit(code: string): Promise<string | undefined>;
}

export interface CodeForm {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
}

/** The digits in a text, those of Arabic and Persian keyboards and full-width ones included. */
export const digitsIn = (text: string): string =>
  [...text.normalize('NFKC')]
    .map((character) => (/[\u0660-\u0669\u06f0-\u06f9]/.test(character) ? character.charCodeAt(0) & 15 : character))
    .join('')
    .replace(/\D/g, '');

/** How the field asks for each kind: by itself, by keyboard, and by what a phone offers to fill in. */
const FIELD = {
  app: { inputmode: 'numeric', autocomplete: 'one-time-code' },
  recovery: { inputmode: 'text', autocomplete: 'off', autocapitalize: 'characters', class: 'wide' },
};

export function createCodeForm(card: Card, { kind, submit }: CodeFormOptions): CodeForm {
  const { texts } = card;
  const ofApp = kind === 'app';
  const field = h('input', {
    id: 'code',
    type: 'text',
    dir: 'ltr',
    spellcheck: 'false',
    'aria-describedby': ofApp ? 'problem hint' : 'problem',
    ...FIELD[kind],
  });
  const problem = h('p', { class: 'problem', id: 'problem', role: 'alert' });
  const send = h('button', { class: 'main' }, texts.check);
  const form = h(
    'form',
    { novalidate: true },
    h('label', { for: 'code' }, ofApp ? texts.codeLabel : texts.recoveryLabel),
    field,
    problem,
    ofApp ? h('p', { class: 'quiet', id: 'hint' }, texts.codeHint) : undefined,
    send,
  );
  let busy = false;
  /** A guess costs something, so the same one is not sent twice without being asked to. */
  let refused = '';

  function wait(waiting: boolean): void {
    busy = waiting;
    // Not `disabled`, which would take the focus away.
    send.setAttribute('aria-disabled', String(waiting));
    field.readOnly = waiting;
    card.say(waiting ? texts.checking : '');
  }

  function complain(text: string): void {
    problem.textContent = text;
    field.setAttribute('aria-invalid', 'true');
    field.focus();
    field.select();
  }

  async function check(): Promise<void> {
    if (busy) return;
    const code = ofApp ? digitsIn(field.value) : field.value.trim();
    if (ofApp ? code.length !== DIGITS : !code) return complain(texts.incomplete);
    wait(true);
    const wrong = await submit(code);
    wait(false);
    if (wrong === undefined) return;
    refused = code;
    complain(wrong);
  }

  field.addEventListener('input', () => {
    problem.textContent = '';
    field.removeAttribute('aria-invalid');
    if (!ofApp) return;
    const code = digitsIn(field.value).slice(0, DIGITS);
    if (code !== field.value) field.value = code;
    if (code.length === DIGITS && code !== refused) void check();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void check();
  });
  return { form, field };
}
