import { countryNamed } from '../modules/recipients/country.js';
import { isoTime } from '../platform/clock.js';
import { InvalidArgumentError, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import type { PauseAction, ScopeView } from '../modules/fraud/fraud-pauses.js';
import { MAX_ALLOWED_DAYS } from '../modules/fraud/pause-state.js';
import { allowedText } from '../modules/fraud/fraud-texts.js';
import { COUNTRY_RULE, parsePrefix, PREFIX_RULE } from '../modules/fraud/fraud-place.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import { addFraudSettings } from './fraud-settings.js';
import { addFraudShow } from './fraud-show.js';
import { formatTable } from './output.js';
import { operatorCommand } from '../platform/config/operator-command.js';
import { wholeNumber } from './parse.js';

interface ScopeOptions {
  readonly prefix?: string;
  readonly country?: string;
  readonly forEver?: boolean;
  readonly days?: number;
}

export function complete(group: Command, context: Context): void {
  addList(group, context);
  addFraudShow(group, context);
  addFraudSettings(group, context);
  addChange(
    group,
    context,
    'pause',
    'refuse SMS, WhatsApp messages and voice calls, even to verified recipients, until you end the pause',
  );
  addChange(group, context, 'resume', 'end a pause, a challenge or an exception; the guard may pause messages again');
  addChange(
    group,
    context,
    'allow',
    'end a pause, and do not pause this scope again for 24 hours or several days, for example before a campaign',
  );
}

function prefix(text: string): string {
  const key = parsePrefix(text);
  if (key === undefined) throw new InvalidArgumentError(PREFIX_RULE);
  return key;
}

function country(text: string): string {
  const code = countryNamed(text);
  if (code === undefined) throw new InvalidArgumentError(COUNTRY_RULE);
  return code;
}

/** Challenges end by themselves; other open ends need a person. */
const until = ({ state, until: end }: ScopeView): string =>
  end === undefined ? (state === 'challenged' ? 'The attack stops' : 'No end') : isoTime(end);

function addList(group: Command, context: Context): void {
  const list = addCommand(group, 'list', 'list paused, challenged and allowed scopes, with the reasons', [
    'APP_KEY',
    'APP_KEY --json',
  ]);
  list.argument('<APP_KEY>', 'App Key of the application');
  addAction(list, context, async (appKey: string) => {
    const { applications, fraud } = await context.core();
    const data = await fraud.pauses.list(await applications.service.load(appKey));
    const rows = data.map((view) => [`${view.scope} ${view.key}`.trim(), view.state, until(view), view.reason]);
    return {
      data,
      text: formatTable(['Scope', 'State', 'Until', 'Reason'], rows, 'Nothing is paused, and there are no exceptions.'),
    };
  });
}

function scopeOf({ prefix: start, country: code }: ScopeOptions) {
  if (start !== undefined && code !== undefined) throw new OperatorError('use either --prefix or --country, not both');
  if (start !== undefined) return { scope: 'prefix', key: start } as const;
  return code === undefined ? ({ scope: 'application', key: '' } as const) : ({ scope: 'country', key: code } as const);
}

function addChange(group: Command, context: Context, name: 'pause' | 'resume' | 'allow', description: string): void {
  const examples =
    name === 'allow'
      ? ['APP_KEY --country DE --days 3', 'APP_KEY --prefix +491512345 --for-ever']
      : ['APP_KEY --country DE', 'APP_KEY --prefix +491512345'];
  const command = addCommand(group, name, description, examples)
    .argument('<APP_KEY>', 'App Key of the application')
    .option(
      '--prefix <NUMBER>',
      'phone number without its last four or six digits, as shown by `passbell fraud list`',
      prefix,
    )
    .option('--country <CODE>', 'a country (default: the whole application)', country);
  if (name === 'allow')
    command
      .option(
        '--days <N>',
        'number of days for which this scope is not paused (default: 1)',
        wholeNumber(1, MAX_ALLOWED_DAYS),
      )
      .option('--for-ever', 'allow this prefix forever');
  addAction(command, context, async (appKey: string, options: ScopeOptions) => {
    const { applications, fraud } = await context.core();
    const scope = scopeOf(options);
    const { forEver, days = 1 } = options;
    if (forEver && scope.scope !== 'prefix') throw new OperatorError('--for-ever requires --prefix');
    if (forEver && options.days) throw new OperatorError('use either --days or --for-ever, not both');
    const action: PauseAction = forEver ? 'allowForEver' : name;
    const isChanged = await fraud.pauses.act(OPERATOR, await applications.service.load(appKey), scope, action, days);
    if (!isChanged)
      throw new OperatorError(
        `this scope is not paused, challenged or allowed; to list all scopes, run: ${operatorCommand()} fraud list ${appKey}`,
      );
    const done = { pause: 'Paused', resume: 'Resumed', allow: allowedText(days), allowForEver: allowedText() }[action];
    const data = { ...scope, action, ...(action === 'allow' ? { days } : {}) };
    return { data, text: `${done}: ${scope.scope} ${scope.key}`.trim() };
  });
}
