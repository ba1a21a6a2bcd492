import type { Card, View } from '../card.js';
import { spinner } from '../dom.js';

/** Shown during requests, so that nothing can be submitted twice. */
export const loading = ({ texts }: Card, title = texts.loading): View => ({
  title,
  body: [spinner()],
});
