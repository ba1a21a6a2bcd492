/** Figures in the documentation that follow from the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNT_CEILINGS } from '../../backend/src/modules/applications/account-ceilings.js';
import { LIMIT_NAMES, LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { boundText, optionOf } from '../../backend/src/modules/settings/bounded-setting.js';
import { MAX_CHANCE_PER_DAY, wrongCodesPerDay } from '../../backend/src/modules/otp/guess-rules.js';
import { codeSpaceOf } from '../../backend/src/modules/otp/otp-code.js';
import {
  ALL_NON_OPERATOR_SLOTS,
  NON_OPERATOR_SLOTS,
  SLOTS,
  SLOW_SLOTS,
} from '../../backend/src/providers/http-gateway/slots.js';
import { meanOf } from '../fraud/report.js';
import { documentedResults } from '../fraud/results.js';
import { ATTACKS } from '../fraud/scenarios.js';
import { root } from '../support/process.js';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
const readme = read('README.md');
const { default: DEFAULT_PER_HOUR, ceiling: HIGHEST_PER_HOUR } = LIMITS.wrongCodesPerHour;

it.each(LIMIT_NAMES)('the README lists the limit %s', (name) => {
  const { label, default: usual, ceiling } = LIMITS[name];
  const cells = [label, `\`--${optionOf(name)}\``, usual.toLocaleString('en'), boundText(LIMITS[name], ceiling)];
  expect(readme).toContain(`| ${cells.join(' | ')} |`);
});

it('the README lists the ceilings of an account', () => {
  const [applications, messages, spend, per10Minutes, perDay] = Object.values(ACCOUNT_CEILINGS).map((ceiling) =>
    ceiling.default.toLocaleString('en'),
  );
  expect(oneLine(readme)).toContain(
    `at most ${applications} applications. All of its applications together can send ${messages} messages per UTC day, at a cost of up to ${spend} currency units. To one recipient, they can send ${per10Minutes} messages in ten minutes, and ${perDay} in a day.`,
  );
});

const NOTIFICATION_LIMITS = [
  'notificationsPer10Minutes',
  'notificationsPerDay',
  'phoneNotificationsPerDay',
  'shopMessagesPerHour',
] as const;

it.each(NOTIFICATION_LIMITS)('the settings of the fraud guard list the limit %s with its default', (name) => {
  expect(read('docs/fraud-settings.md')).toContain(`| ${LIMITS[name].default.toLocaleString('en')} (\`${name}\`) |`);
});

/** Returns a row of the table of wrong codes: the number per day and the chance, for each limit per hour. */
function guessRow(digits: number): string {
  const space = codeSpaceOf('0'.repeat(digits));
  const cells = [DEFAULT_PER_HOUR, HIGHEST_PER_HOUR].flatMap((wrongCodesPerHour) => {
    const guesses = wrongCodesPerDay(space, { wrongCodesPerHour });
    return [guesses.toLocaleString('en'), `${Number(((guesses / space) * 100).toPrecision(3))}%`];
  });
  return `| ${digits} digits | ${cells.join(' | ')} |`;
}

it('the README states how many wrong codes a day each length of code allows', () => {
  expect(readme).toContain(
    `| wrong codes per day (${DEFAULT_PER_HOUR} per hour, default) | chance of guessing a code in a day | wrong codes per day (${HIGHEST_PER_HOUR} per hour) |`,
  );
  for (const digits of [4, 5, 6, 8]) expect(readme).toContain(guessRow(digits));
  const fourLetters = wrongCodesPerDay(codeSpaceOf('aaaa'), { wrongCodesPerHour: DEFAULT_PER_HOUR });
  expect(oneLine(readme)).toContain(`a code of 4 letters allows ${fourLetters} wrong codes per day`);
  expect(readme).toContain(`within a day is always below ${MAX_CHANCE_PER_DAY * 100}%`);
});

it('the guide to other gateways states how many requests run at the same time', () => {
  const page = oneLine(read('docs/custom-gateway.md'));
  expect(page).toContain(
    `at most ${SLOTS} requests to it run at the same time in a process, and no further request starts while ${SLOW_SLOTS}`,
  );
  expect(page).toContain(
    `the limit is ${NON_OPERATOR_SLOTS} requests to one gateway, and ${ALL_NON_OPERATOR_SLOTS} to all`,
  );
});

it('most simulated attacks are stopped before 100 paid messages, as the README says', () => {
  const paid = ATTACKS.map(({ id }) => meanOf(documentedResults()[id]!.off, (run) => run.paid));
  expect(paid.length).toBeGreaterThan(10);
  expect(paid.filter((count) => count < 100).length / paid.length).toBeGreaterThan(0.5);
});
