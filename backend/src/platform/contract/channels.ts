/** Channels of the API, in the order in which lists show them. */
export const CHANNELS = ['SMS', 'WHATSAPP', 'VOICE', 'EMAIL'] as const;
export type ChannelName = (typeof CHANNELS)[number];
