/** The content of weekly emails: the same as on Home, about the last seven days. */
import { actorOf } from '../../modules/access/actor.js';
import type { Person } from '../../modules/people/person.js';
import type { WeeklyEmail } from '../../modules/people/weekly-emails.js';
import type { Modules } from '../modules.js';
import { costText, deliveryRate, percent, type Sum } from '../usage/figures.js';
import { dateText } from '../components/time.js';
import { periodText } from './ended-period.js';
import { fullTitle, separatorOf, type Concern } from './concern.js';
import { createHomeState, type HomeModules } from './home-state.js';

const DAYS = 7;

/** The figures that {@link periodText} leaves out. */
function figuresTexts(sum: Sum, currency: string, hasPrice: boolean): readonly string[] {
  const delivered = deliveryRate(sum);
  const texts = [
    ...(delivered === undefined
      ? []
      : [`${percent(delivered)} of the messages with a delivery report were delivered.`]),
    ...(hasPrice || sum.costs.length > 0 ? [`Cost: ${costText(sum, currency)}.`] : []),
  ];
  return texts.length === 0 ? [] : [texts.join(' ')];
}

export function createWeeklyContent(core: HomeModules & Modules<'people' | 'url'>) {
  const readHomeState = createHomeState(core);
  const { applications, people, providers } = core;

  return async function contentOf(person: Person): Promise<WeeklyEmail> {
    const { accountId, email } = person;
    const actor = actorOf(person);
    const memberships = await people.service.memberships(email);
    const name = memberships.find((membership) => membership.person.id === person.id)!.accountName;
    const state = await readHomeState({
      actor,
      accountId,
      applications: await applications.service.listInAccount(accountId),
      channels: (await providers.channels.list(actor, accountId)).channels,
      mayHaveProviders: await providers.service.isAllowed(accountId),
    });
    const { currency, timeZone } = state;
    const concerns = state.concerns.filter(({ lastingText }) => lastingText !== '');
    const timesText = ({ times = [] }: Concern) => {
      const texts = times.map(
        ([label, at], n) => `${n > 0 ? separatorOf(label) : ''}${label} ${dateText(at, timeZone)}`,
      );
      return texts.length === 0 ? '' : ` (${texts.join('')})`;
    };
    const week = await state.ended(DAYS);
    const listed = (heading: string, isOver: boolean) => {
      const items = concerns
        .filter((concern) => (concern.isOver ?? false) === isOver)
        .map((concern) => {
          const { text, lastingText = text, link } = concern;
          const title = fullTitle({ ...concern, title: concern.lastingTitle ?? concern.title });
          return `• ${title}. ${lastingText}${timesText(concern)} ${core.url}${link.href}`;
        });
      return items.length === 0 ? [] : [heading, ...items];
    };
    const attention = listed('Needs attention:', false);
    return {
      title: `${name}: your week on Passbell`,
      text: `In the last ${DAYS} days: ${periodText(week, currency)}`,
      items: [
        ...figuresTexts(week.sum, currency, state.hasPrice),
        ...(attention.length === 0 ? ['Nothing needs your attention.'] : attention),
        ...listed('Resolved in the last 24 hours:', true),
        ...(concerns.length === 0 ? [] : [`Times are in ${timeZone}.`]),
      ],
    };
  };
}
