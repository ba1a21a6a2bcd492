import { countryNamed } from '../recipients/country.js';
import { isoTime } from '../../platform/clock.js';
import { versionOf } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import type { FraudPauses } from '../fraud/fraud-pauses.js';
import { COUNTRY_RULE, parsePrefix, PREFIX_RULE } from '../fraud/fraud-place.js';
import type { FraudSettingsService } from '../fraud/fraud-settings-service.js';
import { SettingError } from '../settings/bounded-setting.js';
import { found, isExpected, type Actions } from './action.js';

function keyOf(scope: 'application' | 'country' | 'prefix', typed: string): string {
  const key = scope === 'country' ? countryNamed(typed) : scope === 'prefix' ? parsePrefix(typed) : '';
  if (key === undefined) throw new SettingError('key', scope === 'country' ? COUNTRY_RULE : PREFIX_RULE);
  return key;
}

export function createFraudActions(settings: FraudSettingsService, pauses: FraudPauses) {
  function settingsView(application: Application) {
    const { verifiedElsewhere, fraud } = application.settings;
    return { verifiedElsewhere, settings: settings.list(application), version: versionOf(fraud) };
  }

  async function scopesView(application: Application) {
    const scopes = (await pauses.list(application)).map(({ until, scope, key, state, rule, reason }) => ({
      scope,
      key,
      state,
      rule,
      reason,
      ...(until === undefined ? {} : { untilAt: isoTime(until) }),
    }));
    return { scopes };
  }

  return {
    getFraudSettings: ({ application }) => settingsView(application),

    async updateFraudSettings(call, { settings: values }) {
      const change = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? undefined]));
      const isBasedOn = (stored: Pick<Application, 'settings'>) => isExpected(call, versionOf(stored.settings.fraud));
      return settingsView(await settings.change(call.actor, call.application, change, isBasedOn));
    },

    listFraudScopes: ({ application }) => scopesView(application),

    async changeFraudScope({ actor, application }, { scope, key = '', action, days = 1 }) {
      if (action === 'allowForEver' && scope !== 'prefix')
        throw new SettingError('action', 'Only a prefix can be allowed forever.');
      const ref = { scope, key: keyOf(scope, key) };
      const isChanged = await pauses.act(actor, application, ref, action, days);
      found(isChanged, 'paused or allowed scope with this key');
      return scopesView(application);
    },
  } satisfies Partial<Actions>;
}
