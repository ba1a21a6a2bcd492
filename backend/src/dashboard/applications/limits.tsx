/** The fields of the settings page “Limits”: the budgets with their use today, and the other limits in closed groups. */
import {
  DEFAULT_LIMITS,
  LIMIT_NAMES,
  LIMITS,
  type ApplicationLimits,
} from '../../modules/applications/application-limits.js';
import type { Application } from '../../modules/applications/application.js';
import { LIMIT_OF, SCALES, type BudgetsView, type BudgetUnit } from '../../modules/budgets/budgets.js';
import { boundText, effectiveValues, isLooser } from '../../modules/settings/bounded-setting.js';
import { Badge } from '../components/badge.js';
import { Field } from '../components/form.js';
import { numberIn, readersOf, SettingFields, withNumbers } from '../components/setting-fields.js';
import type { FieldReader, FormState } from '../form.js';
import { UsedBar } from '../protection/spend-card.js';
import { countText, moneyText } from '../usage/figures.js';
import { GuessChances } from './guess-chances.js';

type LimitName = keyof ApplicationLimits;

/** The use of the budgets today, and the currency of the costs. */
export interface LimitsUse {
  readonly budgets: BudgetsView;
  readonly currency: string;
}

/** Units of the values, next to the fields. */
const UNITS: Readonly<Partial<Record<LimitName, string>>> = {
  shopMessagesPerHour: 'messages an hour',
  phoneNotificationsPerDay: 'notifications a day',
  cooldownSeconds: 'seconds',
  sendsPer10Minutes: 'codes',
  sendsPerDay: 'codes',
  burstPerSecond: 'messages',
  burstPerMinute: 'messages',
  wrongCodesPerLock: 'wrong codes',
  wrongCodesPerHour: 'wrong codes',
  notificationRepeatSeconds: 'seconds',
  notificationsPer10Minutes: 'notifications',
  notificationsPerDay: 'notifications',
  widgetCallsPerMinute: 'calls',
  widgetIdentitiesPerHour: 'users',
};

interface LimitGroup {
  readonly title: string;
  /** The risk of looser limits, in a sentence. */
  readonly risk: string;
  readonly names: readonly LimitName[];
  /** The values that describe the closed group, and what they count. */
  readonly summary: readonly (readonly [name: LimitName, counted: string])[];
}

const SHOP_LIMIT = {
  names: ['shopMessagesPerHour'],
  risk: 'A mistake in a connected shop can then cost more before it is stopped.',
} as const;

const GROUPS: readonly LimitGroup[] = [
  {
    title: 'Codes to one recipient',
    risk: 'Anyone can then flood a phone with codes, at your cost.',
    names: ['cooldownSeconds', 'sendsPer10Minutes', 'sendsPerDay'],
    summary: [
      ['sendsPer10Minutes', 'codes in ten minutes'],
      ['sendsPerDay', 'codes a day'],
    ],
  },
  {
    title: 'Notifications to one recipient',
    risk: 'A workflow that runs in a loop can then send more messages to the same customer.',
    names: ['notificationRepeatSeconds', 'notificationsPer10Minutes', 'notificationsPerDay'],
    summary: [['notificationsPerDay', 'notifications a day']],
  },
  {
    title: 'Wrong codes',
    risk: 'An attacker can then guess more often.',
    names: ['wrongCodesPerLock', 'wrongCodesPerHour'],
    summary: [
      ['wrongCodesPerLock', 'wrong codes for each code'],
      ['wrongCodesPerHour', 'wrong codes an hour for one recipient'],
    ],
  },
  {
    title: 'Whole application',
    risk: 'A loop or an attack can then send more messages before it is stopped.',
    names: ['burstPerSecond', 'burstPerMinute', 'phoneNotificationsPerDay'],
    summary: [
      ['burstPerMinute', 'messages a minute'],
      ['phoneNotificationsPerDay', 'notifications a day'],
    ],
  },
  {
    title: 'Two-factor widget',
    risk: 'An attacker can then look up more users.',
    names: ['widgetCallsPerMinute', 'widgetIdentitiesPerHour'],
    summary: [['widgetCallsPerMinute', 'calls a minute from one IP address']],
  },
];

/** Reads a limit. An empty field is 0: off, or automatic. */
const emptyIsZero = (read: FieldReader<number>) => (text: string) => read(text.trim() || '0');

export const LIMIT_READERS = Object.fromEntries(
  Object.entries(readersOf(LIMITS)).map(([name, read]) => [name, emptyIsZero(read)]),
);

/** Returns the texts of the fields. Empty if a limit is off or automatic. */
export const limitTexts = (limits: ApplicationLimits): Readonly<Record<string, string>> =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, limits[name] === 0 ? '' : String(limits[name])]));

interface LimitFieldsProps {
  readonly form: FormState;
  /** The loosest values that the account allows. */
  readonly bounds: ApplicationLimits;
  readonly use: LimitsUse;
}

const USED = {
  cost: (used: number, limit: number, currency: string) =>
    `${moneyText(used, currency)} of ${moneyText(limit, currency)}`,
  messages: (used: number, limit: number) => `${countText(used)} of ${countText(limit)} messages`,
} as const;

const BUDGET_HINTS: Readonly<Record<BudgetUnit, string>> = {
  cost: 'When it is used up, messages that cost money are refused until midnight UTC. An automatic budget grows with your traffic.',
  messages: 'Counts SMS, WhatsApp messages and voice calls. An automatic budget only counts messages without a price.',
};

/** A budget in words, with its use today. */
function BudgetField({ form, bounds, unit, use }: LimitFieldsProps & { readonly unit: BudgetUnit }) {
  const name = LIMIT_OF[unit];
  const { limit, used } = use.budgets[unit];
  const bound = boundText(LIMITS[name], bounds[name]);
  return (
    <Field
      form={withNumbers(form)}
      name={name}
      label={LIMITS[name].label}
      hint={
        <>
          <span class="limit-state">{USED[unit](used, limit, use.currency)} used today (UTC).</span>
          <UsedBar share={used / limit} />
          {BUDGET_HINTS[unit]} {bound !== 'any' && `Your account allows ${bound}.`}
        </>
      }
      unit={unit === 'cost' ? `${use.currency.toUpperCase()} a day` : 'messages a day'}
      placeholder="Automatic"
      inputMode="numeric"
      autocomplete="off"
    />
  );
}

/** The most important values of a closed group. A group without any limits stands out. */
function GroupSummary({ summary, form }: LimitGroup & { readonly form: FormState }) {
  const values = summary.map(([name, counted]) => [numberIn(form, name), counted] as const);
  if (values.every(([value]) => value === 0)) return <Badge kind="warning">No limit</Badge>;
  const parts = values.map(([value, counted]) => `${value === 0 ? 'any number of' : countText(value)} ${counted}`);
  const text = parts.join(', ');
  return <span class="quiet">{`${text[0]!.toUpperCase()}${text.slice(1)}`}</span>;
}

/** Returns a line for each group of limits that become looser than they were and than the defaults. */
export function looserLimits(
  { settings, ceilings }: Application,
  change: Partial<ApplicationLimits>,
  { budgets, currency }: LimitsUse,
): string {
  const after = effectiveValues(LIMITS, { ...settings.limits, ...change }, ceilings.limits);
  const changeText = (name: LimitName, before: number, unit = '') =>
    `${LIMITS[name].label}: ${after[name] === 0 ? 'no limit' : `${countText(after[name])}${unit}`} instead of ${countText(before)}${unit}`;
  const budgetLines = (['cost', 'messages'] as const).flatMap((unit) => {
    const name = LIMIT_OF[unit];
    const before = Math.floor(budgets[unit].limit / SCALES[unit]);
    const shownUnit = unit === 'cost' ? ` ${currency.toUpperCase()}` : '';
    return isLooser(LIMITS[name], after[name], before)
      ? [`${changeText(name, before, shownUnit)}. A loop or an attack can then use up this budget in a day.`]
      : [];
  });
  const isLoosened = (name: LimitName) =>
    isLooser(LIMITS[name], after[name], settings.limits[name]) &&
    isLooser(LIMITS[name], after[name], DEFAULT_LIMITS[name]);
  const groupLines = [SHOP_LIMIT, ...GROUPS].flatMap(({ names, risk }) => {
    const changes = names.filter(isLoosened).map((name) => changeText(name, settings.limits[name]));
    return changes.length > 0 ? [`${changes.join('; ')}. ${risk}`] : [];
  });
  return [...budgetLines, ...groupLines].join('\n');
}

export function LimitFields(props: LimitFieldsProps) {
  const { form, bounds } = props;
  const hasErrors = ({ names }: LimitGroup): boolean => names.some((name) => form.errors[name] !== undefined);
  const rows = { form, table: LIMITS, bounds, units: UNITS, mayBeEmpty: true };
  return (
    <>
      <div class="main-limits">
        <div class="setting-rows">
          <BudgetField {...props} unit="cost" />
          <BudgetField {...props} unit="messages" />
        </div>
        <SettingFields {...rows} names={SHOP_LIMIT.names} />
      </div>
      <div>
        <h3>Other limits</h3>
        {GROUPS.map((group) => (
          <details key={group.title} class="limit-group" open={hasErrors(group)}>
            <summary>
              {group.title} {!hasErrors(group) && <GroupSummary {...group} form={form} />}
            </summary>
            <SettingFields {...rows} names={group.names} />
            {group.names.includes('wrongCodesPerHour') && (
              <GuessChances wrongCodesPerHour={numberIn(form, 'wrongCodesPerHour') || 0} />
            )}
          </details>
        ))}
      </div>
    </>
  );
}
