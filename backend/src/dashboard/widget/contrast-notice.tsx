import type { WidgetDesign } from '../../modules/applications/application.js';
import { lowContrastPairs } from './contrast.js';

export const CONTRAST_ID = 'contrast';

/** Warns about colors that are hard to read. `design` is undefined if the form contains mistakes. */
export function ContrastNotice({ design }: { design: WidgetDesign | undefined }) {
  const pairs = design ? lowContrastPairs(design) : [];
  return (
    <div id={CONTRAST_ID} class={pairs.length > 0 ? 'notice warning' : undefined} role="status">
      {pairs.length > 0 && <p>Some colors are hard to read (WCAG 2.2, level AA): {pairs.join('; ')}.</p>}
    </div>
  );
}
