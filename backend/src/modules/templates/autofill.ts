import type { MessageVariables } from './template.js';

/** Where people enter the codes of an application, so that their devices can fill them in. An empty field is not set. */
export interface Autofill {
  /** Host name of the site. */
  readonly webOtpHost: string;
  /** Identifies an Android app, which computes it from its package name and certificate. */
  readonly androidAppHash: string;
}

export const NO_AUTOFILL: Autofill = { webOtpHost: '', androidAppHash: '' };

/** Returns the settings as message variables, without empty ones. */
export const autofillVariables = ({ webOtpHost, androidAppHash }: Autofill): MessageVariables => ({
  ...(webOtpHost && { webOtpHost }),
  ...(androidAppHash && { androidAppHash }),
});
