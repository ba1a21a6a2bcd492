/** API channels, in display order. */
export const CHANNELS = ['SMS', 'WHATSAPP', 'VOICE', 'EMAIL'] as const;
export type ChannelName = (typeof CHANNELS)[number];
