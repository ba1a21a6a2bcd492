/** Lists and changes an application's fraud settings, and the bounds of these settings for an account. */
import { OPERATOR, type Actor } from '../access/actor.js';
import type { EditableApplication } from '../applications/application-change.js';
import type { Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { boundText, checkChange, isOff, looserValues } from '../settings/bounded-setting.js';
import type { BoundedSetting, SettingTable, ValuesChange } from '../settings/bounded-setting.js';
import { appliedSettings } from './fraud-application.js';
import { FRAUD_SETTINGS, FRAUD_THRESHOLDS, thresholdsOf, type FraudSetting } from './fraud-settings.js';

export interface FraudSettingView {
  readonly name: FraudSetting;
  /** The value in effect: the bound, if the stored value is looser. */
  readonly value: number;
  readonly default: number;
  /** The loosest value that the account may set, such as "at most 20". */
  readonly bound: string;
  readonly text: string;
}

export type FraudSettingsService = ReturnType<typeof createFraudSettings>;

export function createFraudSettings(applications: Pick<ApplicationsService, 'update' | 'setCeilings'>) {
  function list(application: Application): FraudSettingView[] {
    const values = appliedSettings(application);
    const bounds = application.ceilings.fraud;
    const table = thresholdsOf(values.strictness);
    return FRAUD_SETTINGS.map((name) => {
      const setting = table[name];
      const { default: usual, text } = setting;
      return { name, value: values[name], default: usual, bound: boundText(setting, bounds[name]), text };
    });
  }

  /** Returns the change with undefined for each value that `isUsual`, because such values are not stored. */
  function toStored(
    change: ValuesChange,
    isUsual: (setting: BoundedSetting, value: number) => boolean,
    table: SettingTable = FRAUD_THRESHOLDS,
  ): ValuesChange {
    checkChange(table, change);
    const entries = Object.entries(change).map(([name, value]) => {
      return [name, value !== undefined && isUsual(table[name]!, value) ? undefined : value];
    });
    return Object.fromEntries(entries) as ValuesChange;
  }

  /**
   * Changes an account's bounds; undefined removes a bound. Bounds apply at once, even to applications with looser
   * values.
   */
  const setBounds = (actor: Actor, accountId: number, change: ValuesChange): Promise<void> =>
    applications.setCeilings(actor, accountId, { fraud: toStored(change, isOff) });

  /**
   * Changes settings of an application; undefined restores the default. Throws a {@link SettingError} for a value that
   * is not allowed, and an {@link EditConflictError} if `isExpected` returns false for the stored application. If the
   * operator exceeds bounds, loosens them to match.
   */
  async function change(
    actor: Actor,
    application: Application,
    changes: ValuesChange,
    isExpected?: (stored: EditableApplication) => boolean,
  ): Promise<Application> {
    const { appKey, accountId, ceilings } = application;
    const { strictness } = { ...appliedSettings(application), ...changes };
    const table = thresholdsOf(strictness ?? FRAUD_THRESHOLDS.strictness.default);
    const fraud = toStored(changes, (setting, value) => value === setting.default, table);
    const looser = looserValues(FRAUD_THRESHOLDS, changes, ceilings.fraud, actor === OPERATOR);
    if (Object.keys(looser).length > 0) await setBounds(actor, accountId, looser);
    return applications.update(actor, appKey, { fraud }, isExpected);
  }

  return { list, change, setBounds };
}
