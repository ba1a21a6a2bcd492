import type { Card, View } from '../card.js';
import { h } from '../dom.js';

export const loading = ({ texts }: Card): View => ({
  title: texts.loading,
  body: [h('div', { class: 'spinner' })],
});
