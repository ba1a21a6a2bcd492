/** The section “Quiet hours” of the settings pages. */
import * as values from '../../modules/applications/setting-values.js';
import { SettingError, throwErrors } from '../../modules/settings/bounded-setting.js';
import { Field, idOf } from '../components/form.js';
import { defineSection } from './section.js';

/** Filled in when the quiet hours are off. */
const USUAL_HOURS = '22:00-08:00';

/** Reads a time of 24 hours, also without a colon, which keypads of phones lack: `2200`, `8.30`, `22:00`. */
const readTime = (text: string): string =>
  text
    .trim()
    .replace(/^(\d{1,2})[:.]?(\d\d)$/, (_, hours: string, minutes: string) => `${hours.padStart(2, '0')}:${minutes}`);

/** A text field, because browsers show the time fields of some languages with 12 hours. */
const TIME = { inputMode: 'numeric', maxLength: 5, autocomplete: 'off' } as const;

const ON = { name: 'quiet', label: 'Do not send notifications at night' } as const;

export const quietSection = defineSection({
  id: 'quiet',
  right: 'change',
  title: 'Quiet hours',
  lead: 'Notifications to phones wait until the quiet hours end. Codes and emails never wait.',
  // The first field shows the errors of both times together.
  labels: { quietFrom: 'From', quietUntil: 'Until', [ON.name]: ON.label },
  readers: { quiet: String, quietFrom: readTime, quietUntil: readTime },
  texts({ settings: { quietHours } }) {
    const [quietFrom = '', quietUntil = ''] = (quietHours || USUAL_HOURS).split('-');
    return { quiet: quietHours && 'on', quietFrom, quietUntil };
  },
  change({ quiet, quietFrom, quietUntil }) {
    if (quiet === '') return { settings: { quietHours: '' } };
    const wrong = Object.entries({ quietFrom, quietUntil }).filter(([, time]) => !values.isTime(time));
    throwErrors(wrong.map(([name]) => new SettingError(name, 'Enter a time such as 22:00.')));
    return { settings: { quietHours: values.parseQuietHours(`${quietFrom}-${quietUntil}`) } };
  },
  fields: ({ form, fieldProps }) => (
    <>
      <label class="choice">
        <input type="checkbox" id={idOf(ON.name)} name={ON.name} value="on" checked={form.typed[ON.name] === 'on'} />
        <span>
          {ON.label}
          <span class="quiet hours">{` (${form.typed.quietFrom} to ${form.typed.quietUntil})`}</span>
        </span>
      </label>
      <div class="stack quiet-times">
        <div class="columns times">
          <Field {...fieldProps('quietFrom')} {...TIME} />
          <Field {...fieldProps('quietUntil')} {...TIME} />
        </div>
        <p class="hint">At most 12 hours, in the local time of the recipient&apos;s country.</p>
      </div>
    </>
  ),
});
