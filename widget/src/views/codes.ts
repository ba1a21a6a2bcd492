/** The views that ask for a code. */
import type { Card, View } from '../card.js';
import { createCodeForm, type CodeFormOptions } from '../code-form.js';
import { button, h } from '../dom.js';

type Submit = CodeFormOptions['submit'];

function codeView(
  card: Card,
  {
    title,
    lead,
    kind,
    submit,
    actions,
  }: { title: string; lead: string; actions: readonly HTMLElement[] } & CodeFormOptions,
): View {
  const { form, field } = createCodeForm(card, { kind, submit });
  return { title, body: [h('p', {}, lead), form, h('div', { class: 'row' }, ...actions)], focus: field };
}

/** Asks for the first code, to confirm that the app has the key. */
export const confirm = (card: Card, { submit, back }: { submit: Submit; back(): void }): View =>
  codeView(card, {
    title: card.texts.confirmTitle,
    lead: card.texts.confirmLead,
    kind: 'app',
    submit,
    actions: [button('plain', card.texts.back, back)],
  });

export const enterCode = (card: Card, { submit, recovery }: { submit: Submit; recovery(): void }): View =>
  codeView(card, {
    title: card.texts.enterTitle,
    lead: card.texts.enterLead,
    kind: 'app',
    submit,
    actions: [button('plain', card.texts.useRecovery, recovery)],
  });

export const enterRecovery = (card: Card, { submit, app }: { submit: Submit; app(): void }): View =>
  codeView(card, {
    title: card.texts.useRecovery,
    lead: card.texts.recoveryLead,
    kind: 'recovery',
    submit,
    actions: [button('plain', card.texts.back, app)],
  });

/** Asks for a code before two-factor authentication is turned off. */
export const confirmOff = (
  card: Card,
  { submit, recovery, keep }: { submit: Submit; recovery(): void; keep(): void },
): View =>
  codeView(card, {
    title: card.texts.offTitle,
    lead: card.texts.offCodeLead,
    kind: 'app',
    submit,
    actions: [button('plain', card.texts.useRecovery, recovery), button('plain', card.texts.keepOn, keep)],
  });
