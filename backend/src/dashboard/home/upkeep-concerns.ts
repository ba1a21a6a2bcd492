/** Finds delayed messages, and what the operator of the server has to do: renew the certificate, and make backups. */
import { DAY } from '../../platform/clock.js';
import { momentText } from '../components/time.js';
import { urlOf } from '../messages/filter.js';
import { countText } from '../usage/figures.js';
import { COUNTED_OVERDUE, timesOf, type AccountState, type Concern, type UpkeepState } from './concern.js';

/** Automatic renewal usually takes place 30 days before a certificate expires. */
const CERTIFICATE_WARNING_DAYS = 14;
const CERTIFICATE_URGENT_DAYS = 3;
const SERVER_GUIDE = '/docs/going-live#the-server';

export function queueConcern({ overdue, now, timeZone }: AccountState): Concern | undefined {
  const { messages, dueAt } = overdue;
  if (messages === 0) return undefined;
  const count = messages >= COUNTED_OVERDUE ? `at least ${countText(messages)}` : countText(messages);
  return {
    title: `Messages delayed: ${count} waiting`,
    stopsAt: dueAt,
    fact: `The oldest message has been due since ${momentText(dueAt, now, timeZone)}. Ask the operator of this server to check the workers.`,
    text: 'Passbell may have too few workers, or they may have stopped. Ask the operator of this server to check them. Codes that expire before they are sent are never sent.',
    times: timesOf(['due since', dueAt]),
    isUrgent: true,
    link: { href: urlOf('/messages', { state: 'queued' }) },
  };
}

function certificateConcern({ host, expiresAt }: NonNullable<UpkeepState['certificate']>, now: number) {
  const days = Math.floor((expiresAt - now) / DAY);
  if (days >= CERTIFICATE_WARNING_DAYS) return undefined;
  const isOver = expiresAt <= now;
  const left = days === 0 ? 'within a day' : `in ${days} ${days === 1 ? 'day' : 'days'}`;
  return {
    title: isOver ? `Certificate expired: ${host}` : `Certificate expires ${left}: ${host}`,
    text: `Browsers and shops ${isOver ? '' : 'will then '}refuse to connect. Check the automatic renewal of the TLS certificate.`,
    isUrgent: days < CERTIFICATE_URGENT_DAYS,
    link: { href: SERVER_GUIDE, label: 'Open guide' },
  };
}

function backupConcern({ needsBackup, lastBackupAt }: UpkeepState, now: number) {
  if (!needsBackup) return undefined;
  return {
    title:
      lastBackupAt === undefined
        ? 'No backup recorded'
        : `No backup recorded for ${Math.floor((now - lastBackupAt) / DAY)} days`,
    text: 'Run “passbell backup” every day. Without a backup, all data is lost if the disk fails.',
    isQuiet: true,
    link: { href: SERVER_GUIDE, label: 'Open guide' },
  };
}

export const upkeepConcerns = ({ upkeep, now }: AccountState): readonly (Concern | undefined)[] =>
  upkeep === undefined
    ? []
    : [upkeep.certificate && certificateConcern(upkeep.certificate, now), backupConcern(upkeep, now)];
