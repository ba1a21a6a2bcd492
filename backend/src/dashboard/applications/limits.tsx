/** The fields of the settings page “Limits”: the budgets with their use today, and the other limits in closed groups. */
import { capitalized } from '../../platform/capitalized.js';
import {
  DEFAULT_LIMITS,
  LIMIT_NAMES,
  LIMITS,
  type ApplicationLimits,
} from '../../modules/applications/application-limits.js';
import type { Application } from '../../modules/applications/application.js';
import {
  isPriced,
  LIMIT_OF,
  mostUsed,
  SCALES,
  shareOf,
  type BudgetsView,
  type BudgetUnit,
} from '../../modules/budgets/budgets.js';
import { boundText, effectiveValues, isLooser } from '../../modules/settings/bounded-setting.js';
import { useNow, useTimeZone, useVisit } from '../components/context.js';
import { Field, Form } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { looserText, numberIn, readersOf, SettingFields, withNumbers } from '../components/setting-fields.js';
import { Submit } from '../components/submit.js';
import { FieldError, type FieldReader, type FormState } from '../form.js';
import type { Concern } from '../home/concern.js';
import { Mark } from '../home/concerns-view.js';
import {
  budgetEnd,
  budgetStart,
  highBudget,
  raiseAdvice,
  raisedBudget,
  timesUsualText,
  usedText,
  usedUpTime,
} from '../protection/budget-times.js';
import { UsedBar } from '../protection/spend-card.js';
import { countText, messagesText, moneyText, nounFor, percent, unbroken, usualCostText } from '../usage/figures.js';
import { GuessChances } from './guess-chances.js';
import { suggestedBudgetPath } from './parts.js';

type LimitName = keyof ApplicationLimits;

/** The use of the budgets today, and the currency of the costs. */
export interface LimitsUse {
  readonly budgets: BudgetsView;
  /** The budgets of an application that has none of its own. */
  readonly automatic: BudgetsView;
  readonly currency: string;
  /** The cost of a typical day; undefined if it is unknown. */
  readonly usualCost: number | undefined;
  /** `90% of the codes were entered, so the recipients are probably customers.`; "" on a day with usual traffic. */
  readonly verdict: string;
  /** Whether the budget may be used up by fraud or bots. */
  readonly isSuspicious: boolean;
  /** The concern of Home about the most used budget, if there is one. */
  readonly concern: Pick<Concern, 'title' | 'fact' | 'isUrgent'> | undefined;
}

interface LimitGroup {
  readonly title: string;
  readonly risk: string;
  /** Each limit, with a noun for what it counts. They label its field, and describe the closed group. */
  readonly limits: readonly (readonly [name: LimitName, noun: string, per: string])[];
}

const GROUPS: readonly LimitGroup[] = [
  {
    title: 'Codes to one recipient',
    risk: 'One phone can receive many codes, at your cost.',
    limits: [
      ['cooldownSeconds', 'second', 'between two codes'],
      ['sendsPer10Minutes', 'code', 'in 10 minutes'],
      ['sendsPerDay', 'code', 'in 24 hours'],
    ],
  },
  {
    title: 'Notifications to one recipient',
    risk: 'A workflow that runs in a loop can send more messages to the same customer, at your cost.',
    limits: [
      ['notificationRepeatSeconds', 'second', 'between two identical notifications'],
      ['notificationsPer10Minutes', 'notification', 'with the same template in 10 minutes'],
      ['notificationsPerDay', 'notification', 'in 24 hours'],
    ],
  },
  {
    title: 'Wrong codes',
    risk: 'An attacker can guess codes more often.',
    limits: [
      ['wrongCodesPerLock', 'wrong code', 'before a code is locked'],
      ['wrongCodesPerHour', 'wrong code', 'per hour for one recipient'],
    ],
  },
  {
    title: 'Connected shops',
    risk: 'A mistake in a connected shop can cost more before it is stopped.',
    limits: [['shopMessagesPerHour', 'message', 'per hour for one shop']],
  },
  {
    title: 'Whole application',
    risk: 'A software error, or anyone with your API credentials, can use up your daily budget within minutes.',
    limits: [
      ['burstPerSecond', 'message', 'per second'],
      ['burstPerMinute', 'message', 'per minute'],
      ['phoneNotificationsPerDay', 'notification', 'to phones per day'],
    ],
  },
  {
    title: 'Two-factor widget',
    risk: 'An attacker can find out faster who uses two-factor.',
    limits: [
      ['widgetCallsPerMinute', 'request', 'per minute from one IP address'],
      ['widgetIdentitiesPerHour', 'user', 'looked up per hour from one IP address'],
    ],
  },
];

const namesIn = ({ limits }: LimitGroup): readonly LimitName[] => limits.map(([name]) => name);

export const BUDGET_NAMES: readonly LimitName[] = Object.values(LIMIT_OF);
export const RATE_NAMES = LIMIT_NAMES.filter((name) => !BUDGET_NAMES.includes(name));

const readers = readersOf(LIMITS);

/** Reads a limit. An empty field is 0: off, or automatic. People expect a budget of 0 to refuse all messages. */
const readerOf =
  (name: LimitName): FieldReader<number> =>
  (text) => {
    if (BUDGET_NAMES.includes(name) && /^0+$/.test(text.trim()))
      throw new FieldError('Enter a whole number, or leave this empty for an automatic budget.');
    return text.trim() === '' ? 0 : readers[name]!(text);
  };

export const readersFor = (names: readonly LimitName[]) =>
  Object.fromEntries(names.map((name) => [name, readerOf(name)]));

/** Returns the texts of the fields. Empty if a limit is off or automatic. */
export const limitTexts = (names: readonly LimitName[], limits: ApplicationLimits): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, limits[name] === 0 ? '' : String(limits[name])]));

interface LimitFieldsProps {
  readonly form: FormState;
  readonly bounds: ApplicationLimits;
}

interface BudgetProps {
  readonly form: FormState;
  readonly application: Application;
  readonly unit: BudgetUnit;
  readonly use: LimitsUse;
}

/** Whether a budget limits the messages of today. */
const applies = (unit: BudgetUnit, { budgets }: LimitsUse): boolean => unit === 'cost' || !isPriced(budgets);

/** The concern of Home about a budget. */
const concernAbout = (unit: BudgetUnit, { budgets, concern }: LimitsUse): LimitsUse['concern'] =>
  mostUsed(budgets) === budgets[unit] ? concern : undefined;

/** Warns that a budget will be used up today, and suggests a higher one. The link fills it in. */
function BudgetWarning({ form, application, unit, use }: BudgetProps) {
  const now = useNow();
  const { may } = useVisit();
  const { budgets, currency, verdict, isSuspicious } = use;
  const context = { now, currency, ceilings: application.ceilings, isSuspicious };
  const name = LIMIT_OF[unit];
  const usedUp = usedUpTime(budgets[unit], now, useTimeZone());
  if (!usedUp || !applies(unit, use)) return null;
  const raised = raisedBudget(unit, budgets[unit], context);
  const isFilledIn = numberIn(form, name) === raised?.value;
  const onHome = concernAbout(unit, use);
  const advice = isFilledIn
    ? `Save the changes to raise the budget to ${raised!.amount} a day.`
    : !onHome && raiseAdvice(unit, budgets[unit], context);
  const link = raised && !isFilledIn && may('own') && (
    <a
      class={onHome ? 'button small' : 'button subtle small'}
      href={suggestedBudgetPath(application, name, raised.value)}
    >
      Raise budget to {raised.amount} a day
    </a>
  );
  return (
    <Notice kind={onHome?.isUrgent ? 'bad' : 'warning'} class="marked" after={link}>
      <Mark kind={onHome?.isUrgent ? 'bad' : 'warning'} />
      <strong>{onHome ? onHome.title : `At today's rate, this budget will be used up ${usedUp}`}</strong>{' '}
      {unbroken([onHome ? onHome.fact : verdict, advice].filter(Boolean).join(' '))}
    </Notice>
  );
}

/** Warns that an automatic budget is far above a typical day, and suggests a lower one. The link fills it in. */
function HighBudgetNotice({ form, application, unit, use }: BudgetProps) {
  const { may } = useVisit();
  const { budgets, usualCost, currency } = use;
  const high = unit === 'cost' ? highBudget(budgets.cost, usualCost, currency) : undefined;
  if (!high) return null;
  const isFilledIn = numberIn(form, LIMIT_OF[unit]) === high.value;
  const link = !isFilledIn && may('own') && (
    <a class="button subtle small" href={suggestedBudgetPath(application, LIMIT_OF[unit], high.value)}>
      Lower budget to {high.amount} a day
    </a>
  );
  return (
    <Notice kind={isFilledIn ? 'info' : 'warning'} after={link}>
      <strong>{unbroken(`The automatic budget is ${timesUsualText(high.times)}.`)}</strong>{' '}
      {isFilledIn
        ? unbroken(`Save the changes to lower the budget to ${high.amount}.`)
        : 'An attack could cost that much in a day.'}
    </Notice>
  );
}

/** The use of a budget today, its automatic value, and its meaning. */
function BudgetHint({ application: { ceilings }, unit, use }: BudgetProps) {
  const { budgets, automatic, currency, usualCost } = use;
  const budget = budgets[unit];
  const isCost = unit === 'cost';
  const share = shareOf(budget);
  const now = useNow();
  const zone = useTimeZone();
  const amount = isCost ? moneyText(automatic.cost.limit, currency) : messagesText(automatic.messages.limit);
  const isInNotice = concernAbout(unit, use) !== undefined && usedUpTime(budget, now, zone) !== undefined;
  // The notice above the field is about a budget that is far above a typical day.
  const isNamed = highBudget(budget, usualCost, currency) !== undefined;
  const advice = isCost ? 'To risk less, enter a lower budget. ' : '';
  const bound = boundText(LIMITS[LIMIT_OF[unit]], ceilings.limits[LIMIT_OF[unit]]);
  return (
    <>
      <span class="limit-note">
        {isCost
          ? `Once this budget is used up, SMS, WhatsApp messages and voice calls with a price are refused until ${budgetEnd(now, zone)} (midnight UTC).`
          : 'A number that you enter limits all SMS, WhatsApp messages and voice calls.'}
        {budget.isAutomatic &&
          !isNamed &&
          ` Automatic: ${amount} today${isCost ? '; it grows with your traffic' : '; it only limits messages without a price'}. ${advice}`}
        {bound !== 'any' && ` Your account allows ${bound}.`}
      </span>
      {applies(unit, use) && (
        <>
          <span class="limit-state">
            {isInNotice
              ? `${percent(share)} used since ${budgetStart(now, zone)}.`
              : `${usedText(unit, budget, currency)} used since ${budgetStart(now, zone)} (${percent(share)}).`}{' '}
            {isCost && usualCostText(usualCost, currency)}
          </span>
          <UsedBar share={share} isUrgent={concernAbout(unit, use)?.isUrgent ?? false} />
        </>
      )}
    </>
  );
}

const BudgetField = (props: BudgetProps) => (
  <>
    <BudgetWarning {...props} />
    <HighBudgetNotice {...props} />
    <Field
      form={withNumbers(props.form)}
      name={LIMIT_OF[props.unit]}
      label={LIMITS[LIMIT_OF[props.unit]].label}
      unit={props.unit === 'cost' ? props.use.currency.toUpperCase() : 'messages'}
      hint={<BudgetHint {...props} />}
      placeholder="Automatic"
      inputMode="numeric"
      autocomplete="off"
    />
  </>
);

/** The values of a closed group. */
function summaryText({ limits }: LimitGroup, form: FormState): string {
  const texts = limits.map(([name, noun, per]) => {
    const limit = numberIn(form, name);
    if (limit === 0 && noun === 'second') return `no wait ${per}`;
    return `${limit === 0 ? 'any number of' : countText(limit)} ${nounFor(limit, noun)} ${per}`;
  });
  // A line does not end with a number.
  return capitalized(texts.join(', ')).replace(/(?<=\d) /g, '\u00a0');
}

interface MissingLimitsProps {
  readonly action: string;
  readonly application: Application;
}

/** Says how many limits are off, and what that risks. The button saves the form of the limits with recommended values in their place. */
export function MissingLimits({ action, application }: MissingLimitsProps) {
  const { limits } = application.settings;
  const missing = RATE_NAMES.filter((name) => limits[name] === 0 && DEFAULT_LIMITS[name] > 0);
  if (missing.length === 0) return null;
  const recommended = { ...limits, ...Object.fromEntries(missing.map((name) => [name, DEFAULT_LIMITS[name]])) };
  const mayChange = useVisit().may('own');
  const button = (
    <Form action={`${action}#rates`} stored={limitTexts(RATE_NAMES, limits)}>
      {Object.entries(limitTexts(RATE_NAMES, recommended)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Submit label="Use recommended limits" kind="subtle" />
    </Form>
  );
  const are = missing.length === 1 ? 'is' : 'are';
  const risks = GROUPS.filter((group) => namesIn(group).some((name) => missing.includes(name)));
  return (
    <Notice kind="warning" after={mayChange && button}>
      <strong>{`${missing.length} of ${RATE_NAMES.length} limits ${are} off.`}</strong>{' '}
      {risks.map(({ risk }) => risk).join(' ')}
    </Notice>
  );
}

/** Returns a line for each group of limits that become looser than they were and than the defaults. */
export function looserLimits(
  { settings, ceilings }: Application,
  change: Partial<ApplicationLimits>,
  { budgets, automatic, currency }: LimitsUse,
): string {
  const after = effectiveValues(LIMITS, { ...settings.limits, ...change }, ceilings.limits);
  const budgetLines = (['cost', 'messages'] as const).flatMap((unit) => {
    const name = LIMIT_OF[unit];
    const before = budgets[unit].limit;
    const own = after[name] * SCALES[unit];
    const now = own || automatic[unit].limit;
    if (now <= before) return [];
    const text = (limit: number) =>
      `${countText(Math.floor(limit / SCALES[unit]))}${unit === 'cost' ? ` ${currency.toUpperCase()}` : ''}`;
    return [
      `${LIMITS[name].label}: ${own === 0 ? `automatic (${text(now)} today)` : text(now)} instead of ${text(before)}. A software error or an attack can then use up this budget in a day.`,
    ];
  });
  const isLoosened = (name: LimitName) =>
    isLooser(LIMITS[name], after[name], settings.limits[name]) &&
    isLooser(LIMITS[name], after[name], DEFAULT_LIMITS[name]);
  const groupLines = GROUPS.flatMap((group) => {
    const changes = namesIn(group)
      .filter(isLoosened)
      .map((name) => looserText(LIMITS[name], after[name], settings.limits[name]));
    return changes.length > 0 ? [`${changes.join('; ')}. ${group.risk}`] : [];
  });
  return [...budgetLines, ...groupLines].join('\n');
}

/** An automatic message budget is closed once messages have cost something today: it only limits messages without a price. */
export function BudgetFields(props: Omit<BudgetProps, 'unit'>) {
  const { form, use } = props;
  const name = LIMIT_OF.messages;
  const isOpen = applies('messages', use) || form.errors[name] !== undefined || numberIn(form, name) !== 0;
  const messageBudget = <BudgetField {...props} unit="messages" />;
  return (
    <div class="stack budget-fields">
      <BudgetField {...props} unit="cost" />
      {isOpen ? (
        messageBudget
      ) : (
        <details class="limit-group">
          <summary>
            {LIMITS[name].label}{' '}
            <span class="quiet">
              Automatic: {messagesText(use.automatic.messages.limit)} today. Only limits messages that have no price.
            </span>
          </summary>
          {messageBudget}
        </details>
      )}
    </div>
  );
}

export function RateFields({ form, stored, bounds }: LimitFieldsProps & { readonly stored: ApplicationLimits }) {
  const hasErrors = (group: LimitGroup): boolean => namesIn(group).some((name) => form.errors[name] !== undefined);
  const isChanged = (group: LimitGroup): boolean =>
    namesIn(group).some((name) => numberIn(form, name) !== stored[name]);
  // The day of this limit is that of the budgets.
  const hint = `SMS, WhatsApp messages and voice calls, counted from ${budgetStart(useNow(), useTimeZone())} like the budgets.`;
  const table = { ...LIMITS, phoneNotificationsPerDay: { ...LIMITS.phoneNotificationsPerDay, hint } };
  // The label names the unit: `Seconds between two codes`.
  const labelOf = (noun: string, per: string) => capitalized(`${nounFor(0, noun)} ${per}`);
  const tableOf = ({ limits }: LimitGroup) =>
    Object.fromEntries(limits.map(([name, noun, per]) => [name, { ...table[name], label: labelOf(noun, per) }]));
  return (
    <div>
      {GROUPS.map((group) => (
        <details key={group.title} class="limit-group" open={hasErrors(group) || isChanged(group)}>
          <summary>
            {group.title} {!hasErrors(group) && <span class="quiet">{summaryText(group, form)}</span>}
          </summary>
          <SettingFields form={form} table={tableOf(group)} bounds={bounds} names={namesIn(group)} />
          {namesIn(group).includes('wrongCodesPerHour') && (
            <GuessChances wrongCodesPerHour={numberIn(form, 'wrongCodesPerHour') || 0} />
          )}
        </details>
      ))}
    </div>
  );
}
