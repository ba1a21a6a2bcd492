import type { Card, View } from '../card.js';
import { h } from '../dom.js';

/** While the service is asked; nothing can be done twice. */
export const loading = ({ texts }: Card, title = texts.loading): View => ({
  title,
  body: [h('div', { class: 'spinner' })],
});
