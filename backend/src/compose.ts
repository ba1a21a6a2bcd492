/** The one place where a process is put together; compose-delivery.ts and compose-api.ts wire its two halves. */
import type { Express } from 'express';
import { openBacking } from './platform/platform.js';
import type { Channel, ChannelName } from './providers/provider.js';
import type { Clock } from './platform/clock.js';
import { composeApi } from './compose-api.js';
import { composeDelivery } from './compose-delivery.js';
import { devInboxEnabled, publicUrl, type Config } from './platform/config/config.js';
import { createKeyring } from './platform/crypto.js';
import { createDevInbox, type DevInbox } from './modules/dev-inbox/dev-inbox.js';
import {
  BACKLOG_CHECK_MS,
  CLEANUP_INTERVAL_MS,
  REFUSED_WRITE_MS,
  SWEEP_MS,
  WEBHOOK_POLL_MS,
} from './platform/limits.js';
import { describeError, type Log } from './platform/log.js';
import { createMetrics } from './platform/metrics.js';
import type { ApplicationsService } from './modules/applications/applications-service.js';
import type { MessagesService } from './modules/messages/messages-service.js';
import type { PeopleService } from './modules/people/people-service.js';
import type { PersonSessions } from './modules/people/person-sessions.js';
import type { SigningKeys } from './modules/sessions/signing-keys.js';
import type { TemplatesService } from './modules/templates/templates-service.js';
import type { TwoFactorService } from './modules/twofactor/twofactor-service.js';
import type { WebhooksService } from './modules/webhooks/webhooks-service.js';
import { every } from './platform/repeat.js';
import { secretKeyIn } from './platform/secret-key.js';

export interface Service {
  readonly app: Express;
  /** Its address as people open it, for links that the operator hands on. */
  readonly url: string;
  readonly applications: ApplicationsService;
  readonly messages: MessagesService;
  readonly people: PeopleService;
  readonly personSessions: PersonSessions;
  readonly templates: TemplatesService;
  readonly signingKeys: SigningKeys;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
  readonly twoFactor: TwoFactorService;
  readonly webhooks: WebhooksService;
  /** Delivers messages and keeps house; the operator command does neither. */
  startWork(): Promise<void>;
  /** From now on it is not ready, and still answers. */
  beginStop(): void;
  /** Finishes what is in progress and lets go of everything. */
  stop(): Promise<void>;
}

export interface Parts {
  readonly log: Log;
  /** In place of the clock that the service would go by. */
  readonly clock?: Clock | undefined;
  /** Stands in for the channels that have no provider; by default the settings decide whether there is one. */
  readonly devInbox?: DevInbox | undefined;
}

function inboxOf(config: Config, clock: Clock): DevInbox | undefined {
  return devInboxEnabled(config) ? createDevInbox(clock) : undefined;
}

/** Builds the service of a process on its own database, migrated. */
export async function compose(config: Config, { log, ...parts }: Parts): Promise<Service> {
  const keyring = createKeyring(config.SECRET_KEY ?? [secretKeyIn(config.DATA_DIR)]);
  const backing = await openBacking(config, { clock: parts.clock, log });
  const { clock, queue, limiter } = backing;
  const devInbox = parts.devInbox ?? inboxOf(config, clock);
  const ground = { config, backing, keyring, log, metrics: createMetrics(), devInbox };
  let stopping = false;
  const delivery = composeDelivery(ground);
  const { channels, templates, webhooks, messages, deliver, sweeper, webhookSender } = delivery;
  const api = await composeApi(ground, delivery, () => stopping);
  const { app, applications, people, personSessions, signingKeys, twoFactor, idempotency, refusals, housekeeping } =
    api;

  const failed = (task: string) => (error: unknown) => log.error({ task, err: describeError(error) }, 'task failed');
  const loops: { stop(): Promise<void> }[] = [];

  return {
    app,
    url: publicUrl(config),
    applications,
    messages,
    people,
    personSessions,
    templates,
    signingKeys,
    channels,
    twoFactor,
    webhooks,

    async startWork() {
      const alone = backing.claim();
      await backing.ready();
      await limiter.load();
      if (alone) await Promise.all([sweeper.takeOver(), idempotency.takeOver()]);
      // Made before the first token, so that the published set is never empty.
      await signingKeys.current();
      if (config.ROLE !== 'worker')
        loops.push(
          every(BACKLOG_CHECK_MS, clock, () => messages.watch().catch(failed('backlog'))),
          every(REFUSED_WRITE_MS, clock, () => refusals.write().catch(failed('refusals'))),
        );
      if (config.ROLE === 'api') return;
      queue.start((job) => deliver(job).catch(failed('delivery')));
      loops.push(
        every(SWEEP_MS, clock, () => sweeper.sweep().catch(failed('sweep'))),
        every(WEBHOOK_POLL_MS, clock, () => webhookSender.poll().catch(failed('webhooks'))),
        every(CLEANUP_INTERVAL_MS, clock, async () => {
          for (const task of housekeeping) await task().catch(failed('clean-up'));
        }),
      );
    },

    beginStop() {
      stopping = true;
    },

    async stop() {
      stopping = true;
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all([queue.stop(), webhookSender.stop(), refusals.write().catch(failed('refusals'))]);
      for (const channel of channels.values()) channel.close?.();
      await backing.close();
    },
  };
}
