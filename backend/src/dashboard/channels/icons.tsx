/** Plain channel icons, without vendor logos. */
import type { ComponentChildren } from 'preact';
import type { ChannelName } from '../../platform/contract/channels.js';

const SHAPES: Readonly<Record<ChannelName, ComponentChildren>> = {
  SMS: (
    <>
      <rect x="6" y="2.5" width="12" height="19" rx="2.5" />
      <path d="M9 8h6M9 11.5h6M9 15h3.5" />
    </>
  ),
  WHATSAPP: (
    <>
      <path d="M4 4h16v12H11l-5 4v-4H4z" />
      <path d="m8.5 10 2.5 2.5L15.5 8" />
    </>
  ),
  VOICE: (
    <path d="M5 3.5h3.5l2 5-2.5 1.8a11 11 0 0 0 5.7 5.7l1.8-2.5 5 2V19a2 2 0 0 1-2 2A16 16 0 0 1 3 5.5a2 2 0 0 1 2-2z" />
  ),
  EMAIL: (
    <>
      <rect x="2.5" y="5" width="19" height="14" rx="2" />
      <path d="m3.5 6.5 8.5 6.5 8.5-6.5" />
    </>
  ),
};

export const ChannelIcon = ({ channel }: { readonly channel: ChannelName }) => (
  <svg class="channel-icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
    {SHAPES[channel]}
  </svg>
);
