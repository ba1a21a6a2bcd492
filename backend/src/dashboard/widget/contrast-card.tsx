/** Whether the widget can be read in the colours that are in the form. */
import type { WidgetDesign } from '../../modules/applications/application.js';
import { checkContrast, type ContrastCheck, type Theme } from './contrast.js';

export const CONTRAST_ID = 'contrast';

const TITLES: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark' };

/** Rounded down: what is not enough must not look as if it were. */
const shown = (ratio: number): string => `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`;

/** Both colours, drawn: a picture needs no style attribute, which the page's policy forbids. */
function Sample({ front, back }: Pick<ContrastCheck, 'front' | 'back'>) {
  return (
    <svg class="sample" viewBox="0 0 34 22" width="34" height="22" aria-hidden="true">
      <rect x="0.5" y="0.5" width="33" height="21" rx="5" fill={back} stroke="#8b92a5" stroke-width="1" />
      <text x="17" y="15.5" text-anchor="middle" font-size="13" font-weight="700" fill={front}>
        Aa
      </text>
    </svg>
  );
}

function Check({ check }: { check: ContrastCheck }) {
  const { what, ratio, needed, good, advice } = check;
  return (
    <li class={good ? 'good' : 'bad'}>
      <Sample front={check.front} back={check.back} />
      <div>
        <p>
          {what} <span class="ratio">{shown(ratio)}</span>
        </p>
        {!good && (
          <p class="advice">
            Too little: {needed} : 1 is needed. {advice?.words}
          </p>
        )}
      </div>
      <span class={`badge ${good ? 'good' : 'bad'}`}>{good ? 'good' : 'too little'}</span>
    </li>
  );
}

function Checks({ checks }: { checks: readonly ContrastCheck[] }) {
  const themes = [...new Set(checks.map(({ theme }) => theme))];
  return (
    <>
      {themes.map((theme) => (
        <div key={theme}>
          <h3>{TITLES[theme]}</h3>
          <ul class="checks">
            {checks
              .filter((check) => check.theme === theme)
              .map((check) => (
                <Check key={check.what} check={check} />
              ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function summary(checks: readonly ContrastCheck[] | undefined, failing: number): string {
  if (checks === undefined) return 'Some field needs another look before the colours can be judged.';
  if (failing === 0) return 'Yes: every pair of colours meets WCAG 2.2, level AA.';
  return `${failing} of ${checks.length} pairs of colours ${failing === 1 ? 'is' : 'are'} too close (WCAG 2.2, level AA).`;
}

/** Without colours that can be judged, it says so. */
export function ContrastCard({ design }: { design: WidgetDesign | undefined }) {
  const checks = design && checkContrast(design);
  const failing = checks?.filter(({ good }) => !good) ?? [];
  return (
    <section class="card" id={CONTRAST_ID} aria-labelledby="contrast-title">
      <h2 id="contrast-title">Can it be read?</h2>
      <p role="status">{summary(checks, failing.length)}</p>
      <Checks checks={failing} />
      {checks && (
        <details>
          <summary>All pairs of colours</summary>
          <div class="stack">
            <Checks checks={checks} />
          </div>
        </details>
      )}
    </section>
  );
}
