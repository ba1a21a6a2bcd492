/** Provider tests from the dashboard. They bypass the applications' limits, so each person has separate limits. */
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { actorOf } from '../access/actor.js';
import type { Person } from '../people/person.js';
import { checkCredentials, type RunCheck, type TestRecipient } from '../providers/provider-checks.js';
import type { ProvidersService } from '../providers/providers-service.js';
import { createTestLimit } from './test-limit.js';

/** Limits per person: enough to set up a provider, too low for SMS pumping. */
export const PROVIDER_TESTS_PER_10_MINUTES = 20;
const PROVIDER_TESTS_PER_DAY = 100;

export type TestProviders = ReturnType<typeof createTestProviders>;

interface TestedProvider {
  readonly id: string;
}

export function createTestProviders(
  providers: Pick<ProvidersService, 'check' | 'sendTest' | 'dryRun'>,
  limiter: Limiter,
) {
  const withinLimit = createTestLimit(limiter, {
    tests: 'provider tests',
    per10Minutes: PROVIDER_TESTS_PER_10_MINUTES,
    perDay: PROVIDER_TESTS_PER_DAY,
  });
  const limited = <T>({ id }: Person, work: () => Promise<T>): Promise<T> => withinLimit(`test-provider:${id}`, work);

  const check = (person: Person, { id }: TestedProvider) =>
    limited(person, () => providers.check(actorOf(person), person.accountId, id));

  const dryRun = (person: Person, { id }: TestedProvider, recipient: TestRecipient) =>
    providers.dryRun(actorOf(person), person.accountId, id, recipient);

  /** Checks the credentials if the vendor supports this, and sends a test code. */
  const send = (person: Person, { id }: TestedProvider, recipient: TestRecipient) =>
    limited(person, () => providers.sendTest(actorOf(person), person.accountId, id, recipient));

  /** Returns the check of a provider that the person adds or changes. */
  const checkOf =
    (person: Person): RunCheck =>
    (provider) =>
      provider.type.check ? limited(person, () => checkCredentials(provider)) : Promise.resolve('unsupported');

  return { check, checkOf, dryRun, send };
}
