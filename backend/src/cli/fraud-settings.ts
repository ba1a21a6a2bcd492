/** `passbell fraud settings` and `passbell fraud set`. */
import { InvalidArgumentError, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import type { Application } from '../modules/applications/application.js';
import type { FraudSettingsService } from '../modules/fraud/fraud-settings-service.js';
import { addAction, addCommand, EFFECTIVE_TEXT, type Context } from './context.js';
import { formatTable } from './output.js';

type Change = Readonly<Record<string, number | undefined>>;

/** Returns a parser for repeated `NAME=NUMBER` arguments. For `NAME=` followed by `word`, the value is undefined. */
export const fraudNumber =
  (word: string) =>
  (text: string, previous: Change = {}): Change => {
    const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
    const number = value === word ? undefined : Number(value);
    if (name === undefined || Number.isNaN(number))
      throw new InvalidArgumentError(`It must be NAME=NUMBER or NAME=${word}, such as prefixUnverified=20.`);
    return { ...previous, [name]: number };
  };

function viewOf(fraudSettings: FraudSettingsService, application: Application) {
  const settings = fraudSettings.list(application);
  const rows = settings.map(({ name, value, default: usual, bound, text }) => {
    return [name, String(value), String(usual), bound, text];
  });
  const text = formatTable(['Setting', 'Value', 'Default', 'Bound', 'Meaning'], rows, '');
  return { data: { verifiedElsewhere: application.settings.verifiedElsewhere, settings }, text };
}

export function addFraudSettings(group: Command, context: Context): void {
  const settings = addCommand(group, 'settings', "show an application's fraud guard settings", [
    'APP_KEY',
    'APP_KEY --json',
  ]).argument('<APP_KEY>', 'App Key of the application');
  addAction(settings, context, async (appKey: string) => {
    const { applications, fraud } = await context.core();
    return viewOf(fraud.settings, await applications.service.load(appKey));
  });

  const set = addCommand(group, 'set', `change settings; ${EFFECTIVE_TEXT}`, [
    'APP_KEY countryUnverified=40 newCountriesUnverified=80',
    'APP_KEY homeUnverified=default',
  ])
    .argument('<APP_KEY>', 'App Key of the application')
    .argument('<NAME=NUMBER...>', 'settings and values, as shown by `passbell fraud settings`', fraudNumber('default'));
  addAction(set, context, async (appKey: string, change: Change) => {
    const { applications, fraud } = await context.core();
    const application = await fraud.settings.change(OPERATOR, await applications.service.load(appKey), change);
    return viewOf(fraud.settings, application);
  });
}
