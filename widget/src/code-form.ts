/** The form for a code of the app, which is submitted on the last digit, or for a recovery code. */
import type { Card } from './card.js';
import { h } from './dom.js';

const DIGITS = 6;

export interface CodeFormOptions {
  readonly kind: 'app' | 'recovery';
  /** Checks a complete code. Returns an error message, or undefined if another view is shown. */
  submit(code: string): Promise<string | undefined>;
}

export interface CodeForm {
  readonly form: HTMLFormElement;
  readonly field: HTMLInputElement;
}

/** Extracts the digits of a text, including Arabic, Persian and full-width ones. */
export const digitsIn = (text: string): string =>
  [...text.normalize('NFKC')]
    .map((character) => (/[\u0660-\u0669\u06f0-\u06f9]/.test(character) ? character.charCodeAt(0) & 15 : character))
    .join('')
    .replace(/\D/g, '');

/** Attributes of the field for each kind, for keyboards and autofill. */
const FIELD = {
  app: { inputmode: 'numeric', autocomplete: 'one-time-code' },
  recovery: { inputmode: 'text', autocomplete: 'off', autocapitalize: 'characters', class: 'wide' },
};

export function createCodeForm(card: Card, { kind, submit }: CodeFormOptions): CodeForm {
  const { texts } = card;
  const isAppCode = kind === 'app';
  const field = h('input', {
    id: 'code',
    type: 'text',
    dir: 'ltr',
    spellcheck: 'false',
    'aria-describedby': isAppCode ? 'problem hint' : 'problem',
    ...FIELD[kind],
  });
  const problem = h('p', { class: 'problem', id: 'problem', role: 'alert' });
  const send = h('button', { class: 'main' }, texts.check);
  const form = h(
    'form',
    { novalidate: true },
    h('label', { for: 'code' }, isAppCode ? texts.codeLabel : texts.recoveryLabel),
    field,
    problem,
    isAppCode ? h('p', { class: 'quiet', id: 'hint' }, texts.codeHint) : undefined,
    send,
  );
  let busy = false;
  /** The last wrong code and its error message. It is not sent again, because attempts are limited. */
  let rejected = { code: '', message: '' };

  function setBusy(waiting: boolean): void {
    busy = waiting;
    // `disabled` would lose the focus.
    send.setAttribute('aria-disabled', String(waiting));
    field.readOnly = waiting;
    card.announce(waiting ? texts.checking : '');
  }

  function showProblem(text: string): void {
    problem.textContent = text;
    field.setAttribute('aria-invalid', 'true');
    field.focus();
    field.select();
  }

  async function check(): Promise<void> {
    if (busy) return;
    const code = isAppCode ? digitsIn(field.value) : field.value.trim();
    if (isAppCode ? code.length !== DIGITS : !code) return showProblem(texts.incomplete);
    if (code === rejected.code) return showProblem(rejected.message);
    setBusy(true);
    const message = await submit(code);
    setBusy(false);
    if (message === undefined) return;
    rejected = { code, message };
    showProblem(message);
  }

  field.addEventListener('input', () => {
    problem.textContent = '';
    field.removeAttribute('aria-invalid');
    if (!isAppCode) return;
    const code = digitsIn(field.value).slice(0, DIGITS);
    if (code !== field.value) field.value = code;
    if (code.length === DIGITS) void check();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void check();
  });
  return { form, field };
}
