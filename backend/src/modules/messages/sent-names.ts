import type { ChannelName } from '../../platform/contract/channels.js';

export const SENT_NAMES: Readonly<Record<ChannelName, string>> = {
  SMS: 'SMS messages',
  WHATSAPP: 'WhatsApp messages',
  VOICE: 'voice calls',
  EMAIL: 'emails',
};
