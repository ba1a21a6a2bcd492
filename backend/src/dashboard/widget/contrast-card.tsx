import type { WidgetDesign } from '../../modules/applications/application.js';
import { Badge } from '../components/badge.js';
import { checkContrast, type ContrastCheck } from './contrast.js';

export const CONTRAST_ID = 'contrast';

/** Formats a contrast ratio. Rounds down, so that a ratio just below the minimum does not look sufficient. */
const ratioText = (ratio: number): string => `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`;

function ContrastCheckItem({ check }: { check: ContrastCheck }) {
  const { what, ratio, needed, good, advice, front, back } = check;
  return (
    <li class={good ? 'good' : 'bad'}>
      {/* Uses SVG, because the Content-Security-Policy of the page forbids style attributes. */}
      <svg class="sample" viewBox="0 0 34 22" width="34" height="22" aria-hidden="true">
        <rect x="0.5" y="0.5" width="33" height="21" rx="5" fill={back} stroke="#8b92a5" stroke-width="1" />
        <text x="17" y="15.5" text-anchor="middle" font-size="13" font-weight="700" fill={front}>
          Aa
        </text>
      </svg>
      <div>
        <p>
          {what} <span class="ratio">{ratioText(ratio)}</span>
        </p>
        {!good && (
          <p class="advice">
            The contrast must be at least {needed} : 1. {advice?.words}
          </p>
        )}
      </div>
      <Badge kind={good ? 'good' : 'bad'}>{good ? 'good' : 'too low'}</Badge>
    </li>
  );
}

function ContrastCheckList({ checks }: { checks: readonly ContrastCheck[] }) {
  const themes = [...new Set(checks.map(({ theme }) => theme))];
  return (
    <>
      {themes.map((theme) => (
        <div key={theme}>
          <h3>{theme === 'light' ? 'Light' : 'Dark'}</h3>
          <ul class="checks">
            {checks
              .filter((check) => check.theme === theme)
              .map((check) => (
                <ContrastCheckItem key={check.what} check={check} />
              ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function summary(checks: readonly ContrastCheck[] | undefined, failing: number): string {
  if (checks === undefined) return 'Correct the highlighted fields to check the contrast.';
  if (failing === 0) return 'All color pairs meet WCAG 2.2, level AA.';
  return `${failing} of ${checks.length} color pairs ${failing === 1 ? 'has' : 'have'} too little contrast (WCAG 2.2, level AA).`;
}

export function ContrastCard({ design }: { design: WidgetDesign | undefined }) {
  const checks = design && checkContrast(design);
  const failing = checks?.filter(({ good }) => !good) ?? [];
  return (
    <section class="card" id={CONTRAST_ID} aria-labelledby="contrast-title">
      <h2 id="contrast-title">Contrast check</h2>
      <p role="status">{summary(checks, failing.length)}</p>
      <ContrastCheckList checks={failing} />
      {checks && (
        <details>
          <summary>All color pairs</summary>
          <div class="stack">
            <ContrastCheckList checks={checks} />
          </div>
        </details>
      )}
    </section>
  );
}
