/** API channels, in display order. */
export const CHANNELS = ['SMS', 'WHATSAPP', 'VOICE', 'EMAIL'] as const;
export type ChannelName = (typeof CHANNELS)[number];
export const PHONE_CHANNELS: readonly ChannelName[] = CHANNELS.filter((channel) => channel !== 'EMAIL');
