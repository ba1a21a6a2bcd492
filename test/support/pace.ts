/** Returns the same value for each channel. */
export const allChannels = <T>(value: T) => ({ SMS: value, WHATSAPP: value, VOICE: value, EMAIL: value });
