/** Lists and changes an application's fraud settings, and the bounds of these settings for an account. */
import { OPERATOR, type Actor } from '../access/actor.js';
import type { EditableApplication } from '../applications/application-change.js';
import type { Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { NumbersChange } from '../applications/fraud-numbers.js';
import { appliedSettings } from './fraud-application.js';
import {
  boundText,
  checkFraudSetting,
  FRAUD_SETTINGS,
  FRAUD_THRESHOLDS,
  fraudSettingNamed,
  FraudSettingError,
  isLooserThan,
  isOff,
  type FraudSetting,
} from './fraud-settings.js';

export interface FraudSettingView {
  readonly name: FraudSetting;
  /** The value in effect: the bound, if the stored value is looser. */
  readonly value: number;
  readonly default: number;
  /** The loosest value that the account may set, such as "at most 20". */
  readonly bound: string;
  /** The rule and the meaning, such as "R6: daily budget in whole units of the currency". */
  readonly text: string;
}

export type FraudSettingsService = ReturnType<typeof createFraudSettings>;

type CheckedChange = readonly [name: FraudSetting, value: number | undefined];

function checked(change: NumbersChange): CheckedChange[] {
  return Object.entries(change).map(([text, value]) => {
    const name = fraudSettingNamed(text);
    if (value !== undefined) checkFraudSetting(name, value);
    return [name, value];
  });
}

export function createFraudSettings(applications: Pick<ApplicationsService, 'update' | 'setCeilings'>) {
  /** Returns an application's settings, in display order. */
  function list(application: Application): FraudSettingView[] {
    const values = appliedSettings(application);
    const bounds = application.ceilings.fraud;
    return FRAUD_SETTINGS.map((name) => {
      const { default: usual, text } = FRAUD_THRESHOLDS[name];
      return { name, value: values[name], default: usual, bound: boundText(name, bounds[name]), text };
    });
  }

  /**
   * Changes an account's bounds; undefined removes a bound. Bounds apply at once, even to applications with looser
   * values.
   */
  async function setBounds(actor: Actor, accountId: number, change: NumbersChange): Promise<void> {
    const fraud = Object.fromEntries(
      checked(change).map(([name, value]) => [name, isOff(name, value) ? undefined : value]),
    );
    await applications.setCeilings(actor, accountId, { fraud });
  }

  /**
   * Checks changes against the bounds. If the operator makes the change, exceeded bounds are loosened to match. For
   * anyone else, throws a {@link FraudSettingError}.
   */
  async function allow(actor: Actor, { accountId, ceilings }: Application, changes: readonly CheckedChange[]) {
    const exceeded = changes.filter(
      ([name, value]) => value !== undefined && isLooserThan(name, value, ceilings.fraud[name]),
    );
    if (exceeded.length === 0) return;
    const [first] = exceeded[0]!;
    if (actor !== OPERATOR) {
      const bound = boundText(first, ceilings.fraud[first]);
      throw new FraudSettingError(
        first,
        `Your account allows ${bound}. Only the operator of this server can change this.`,
      );
    }
    await setBounds(actor, accountId, Object.fromEntries(exceeded));
  }

  /**
   * Changes settings of an application; undefined restores the default. Throws a {@link FraudSettingError} for a value
   * that is not allowed, and an {@link EditConflictError} if `isExpected` returns false for the stored application.
   */
  async function change(
    actor: Actor,
    application: Application,
    changes: NumbersChange,
    isExpected?: (stored: EditableApplication) => boolean,
  ): Promise<Application> {
    const entries = checked(changes);
    await allow(actor, application, entries);
    const fraud = entries.map(([name, value]) => [name, value === FRAUD_THRESHOLDS[name].default ? undefined : value]);
    return applications.update(actor, application.appKey, { fraud: Object.fromEntries(fraud) }, isExpected);
  }

  return { list, change, setBounds };
}
