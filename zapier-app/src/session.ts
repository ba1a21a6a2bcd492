/** The session token as an input. Its key is another word, since Zapier takes what is called a token for a secret of its own. */
import { defineInputField } from 'zapier-platform-core';

export const session = defineInputField({
  key: 'session',
  label: 'Session Token',
  type: 'string',
  required: true,
  helpText: 'The session that a verified code has started: map Session Token of the step that verified it.',
});

export const sessionBody = (inputs: { readonly session?: string }): object =>
  inputs.session ? { token: inputs.session } : {};
