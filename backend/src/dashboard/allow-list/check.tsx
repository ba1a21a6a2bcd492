/** A box that tells whether a caller would pass, and why. */
import type { Verdict } from '../../modules/applications/allow-list-check.js';
import { checkCaller } from '../../modules/applications/allow-list-check.js';
import { Notice } from '../components/notice.js';

export const CHECK_ID = 'check';

function Judgement({ verdict }: { verdict: Verdict }) {
  const { caller, kind, api, widget, why, missing } = verdict;
  const passes = api || widget;
  const where = kind === 'address' && passes && !widget ? ' on the API' : '';
  return (
    <Notice kind={passes ? 'good' : 'bad'}>
      <strong>
        {caller} {passes ? `passes${where}.` : 'would be refused.'}
      </strong>{' '}
      {why}
      {missing !== undefined && (
        <>
          {' '}
          To let it in, add <code>{missing}</code>.
        </>
      )}
    </Notice>
  );
}

/** What is said of a caller; nothing while nobody has asked. */
export function CheckResult({ entries, asked }: { entries: readonly string[]; asked: string | undefined }) {
  if (asked === undefined) return <div id={CHECK_ID} />;
  const verdict = checkCaller(entries, asked);
  return (
    <div id={CHECK_ID}>
      {typeof verdict === 'string' ? <Notice kind="warning">{verdict}</Notice> : <Judgement verdict={verdict} />}
    </div>
  );
}

interface CheckProps {
  readonly at: string;
  readonly entries: readonly string[];
  readonly asked: string | undefined;
}

/** A question is no change: it is asked by GET, and has an address of its own. */
export function Check({ at, entries, asked }: CheckProps) {
  return (
    <section class="card" aria-labelledby="check-title">
      <h2 id="check-title">Would it pass?</h2>
      <form method="get" action={at} hx-get={at} hx-target={`#${CHECK_ID}`} hx-swap="outerHTML">
        <div class="field">
          <label for="field-caller">Origin or address</label>
          <p class="hint" id="caller-hint">
            As your page has it in the browser, or the address that your server calls from.
          </p>
          <div class="with-button">
            <input
              type="text"
              id="field-caller"
              name="caller"
              value={asked ?? ''}
              placeholder="https://www.shop.example"
              aria-describedby="caller-hint"
              autocapitalize="none"
              autocomplete="off"
              spellcheck={false}
            />
            <button class="button subtle">Check</button>
          </div>
        </div>
      </form>
      <CheckResult entries={entries} asked={asked} />
    </section>
  );
}
