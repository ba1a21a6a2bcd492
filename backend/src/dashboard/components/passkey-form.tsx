import type { ComponentChildren } from 'preact';
import type { PasskeyPrompt, PasskeyResponse } from '../../modules/people/passkey.js';
import { textOf, type FormBody, type FormState } from '../form.js';
import { FieldProblem, Form } from './form.js';

interface PasskeyFormProps {
  /** Form state. The component shows only its error for `passkey`. */
  readonly form: FormState;
  readonly action: string;
  readonly prompt: PasskeyPrompt;
  /** Whether the browser uses a passkey (`get`) or creates one (`create`). */
  readonly ceremony: 'get' | 'create';
  /**
   * Names of the two hidden fields. The confirmation page uses different names, because it also contains the fields of
   * the form that requires the confirmation.
   */
  readonly names?: PasskeyFieldNames;
  readonly children: ComponentChildren;
}

export type PasskeyFieldNames = Readonly<Record<keyof PasskeyResponse, string>>;

const FIELD_NAMES: PasskeyFieldNames = { challenge: 'challenge', credential: 'credential' };

/** A form that passkeys.js fills in with the authenticator's response. Hidden unless JavaScript runs. */
export function PasskeyForm({ form, action, prompt, ceremony, names = FIELD_NAMES, children }: PasskeyFormProps) {
  return (
    <Form action={action} data-passkey={ceremony} data-options={prompt.options} hidden>
      <input type="hidden" name={names.challenge} value={prompt.challenge} />
      <input type="hidden" name={names.credential} value="" data-credential />
      {children}
      <p class="problem" role="alert" data-passkey-problem hidden />
      <FieldProblem form={form} name="passkey" />
    </Form>
  );
}

export const readPasskeyResponse = (body: FormBody, names: PasskeyFieldNames = FIELD_NAMES): PasskeyResponse => ({
  challenge: textOf(body, names.challenge),
  credential: textOf(body, names.credential),
});
