import { type CallerVerdict, checkCaller } from '../../modules/applications/allow-list-check.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Form } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { Submit } from '../components/submit.js';

export const CALLER_CHECK_ID = 'check';

function VerdictNotice({ at, verdict }: { at: string; verdict: CallerVerdict }) {
  const { may } = useVisit();
  const { caller, kind, api, widget, reason, missing } = verdict;
  const passes = api || widget;
  const where = kind === 'address' && passes && !widget ? ' on the API' : '';
  return (
    <Notice kind={passes ? 'good' : 'bad'}>
      <strong>
        {caller} {passes ? `is allowed${where}.` : 'is not allowed.'}
      </strong>{' '}
      {reason}
      {missing !== undefined && (
        <>
          {' '}
          To allow it, add <code>{missing}</code>.
          {may('change') && (
            <Form action={`${at}/allow`}>
              <input type="hidden" name="entry" value={missing} />
              <Submit label={`Add ${missing}`} kind="subtle" />
            </Form>
          )}
        </>
      )}
    </Notice>
  );
}

interface CheckProps {
  readonly at: string;
  readonly entries: readonly string[];
  readonly input: string | undefined;
}

export function CallerCheckResult({ at, entries, input }: CheckProps) {
  if (input === undefined) return <div id={CALLER_CHECK_ID} />;
  const verdict = checkCaller(entries, input);
  return (
    <div id={CALLER_CHECK_ID}>
      {typeof verdict === 'string' ? (
        <Notice kind="warning">{verdict}</Notice>
      ) : (
        <VerdictNotice at={at} verdict={verdict} />
      )}
    </div>
  );
}

export function CallerCheck({ at, entries, input }: CheckProps) {
  return (
    <Card
      beside
      id="check-title"
      title="Test a site or server"
      lead="Check whether the saved list allows a site or an IP address."
    >
      <form method="get" action={at} hx-get={at} hx-target={`#${CALLER_CHECK_ID}`} hx-swap="outerHTML">
        <div class="field">
          <label for="field-caller">Site or IP address</label>
          <div class="with-button">
            <input
              type="text"
              id="field-caller"
              name="caller"
              value={input ?? ''}
              placeholder="https://www.shop.example"
              autocapitalize="none"
              autocomplete="off"
              spellcheck={false}
            />
            <button class="button subtle">Check</button>
          </div>
        </div>
      </form>
      <CallerCheckResult at={at} entries={entries} input={input} />
    </Card>
  );
}
