/** What a code's keyed hash is bound to: the same code of two sessions has two hashes. */
export const codePurpose = (maskId: string): string => `otp:${maskId}`;
