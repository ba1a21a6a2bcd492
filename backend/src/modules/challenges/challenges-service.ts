/**
 * Challenges: where honest and hostile traffic look the same, the fraud guard asks for proof that a person's browser
 * sends the request.
 */
import type { Base } from '../../platform/base.js';
import { MINUTE, SECOND } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { sha256 } from '../../platform/crypto.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import { isWithinLimits } from '../../platform/rate-limit/within-limits.js';
import type { Application } from '../applications/application.js';
import { challengeSecretContext } from '../applications/challenge-settings.js';
import { ALTCHA_MINUTES, createAltcha } from './altcha.js';
import { createSiteverify, type SiteverifyOptions } from './siteverify.js';

interface Dependencies extends Pick<Base, 'clock' | 'keyring' | 'log'> {
  readonly limiter: Pick<Limiter, 'take'>;
}

/** Lets an answer pass once. Its error is not used. Tokens of vendors expire after at most 5 minutes. */
const onceRule = (applicationId: number, answerId: string): Rule => ({
  key: `challenge:${applicationId}:${sha256(answerId)}`,
  code: 'TOO_MANY_CALLS',
  windows: [{ limit: 1, seconds: (ALTCHA_MINUTES * MINUTE) / SECOND }],
  durable: true,
});

export type ChallengesService = ReturnType<typeof createChallenges>;

export function createChallenges({ keyring, limiter, clock, log }: Dependencies, options: SiteverifyOptions = {}) {
  const altcha = createAltcha(keyring, clock);
  const isValidToken = createSiteverify(log, options);

  /** Returns an identifier of the solved challenge; undefined if the answer is wrong. */
  async function solvedId(
    { id, settings }: Application,
    answer: string,
    clientIp?: string,
  ): Promise<string | undefined> {
    const { kind, siteKey, secretSealed } = settings.challenge;
    if (kind === 'off') return undefined;
    if (kind === 'altcha') return altcha.solvedId(id, answer);
    if (!keyring.canOpen(secretSealed)) {
      log.warn({ application: id }, 'the secret key of a challenge is encrypted with a key that is not in SECRET_KEY');
      return undefined;
    }
    const secret = keyring.open(challengeSecretContext(id), secretSealed);
    return (await isValidToken(kind, { secret, siteKey, token: answer, clientIp })) ? answer : undefined;
  }

  /**
   * Whether a request solves a challenge of its application; undefined if it contains no answer. Each answer is accepted
   * once, over all processes.
   */
  async function verify(
    application: Application,
    { challenge: answer, clientIp }: Pick<Schemas['SendOtpRequest'], 'challenge' | 'clientIp'>,
  ): Promise<boolean | undefined> {
    if (answer === undefined) return undefined;
    const answerId = await solvedId(application, answer, clientIp);
    return answerId !== undefined && isWithinLimits(limiter, [onceRule(application.id, answerId)]);
  }

  /** Returns a new challenge. The application must have one, see `hasChallenge`. */
  async function create({ id, settings }: Application): Promise<Schemas['Challenge']> {
    const { kind, siteKey } = settings.challenge;
    if (kind === 'off') throw new Error('the application has no challenge');
    return kind === 'altcha' ? { kind, altcha: await altcha.create(id) } : { kind, siteKey };
  }

  const challengeRequired = async (application: Application): Promise<ApiError> =>
    new ApiError('CHALLENGE_REQUIRED', { challenge: await create(application) });

  return { verify, challengeRequired };
}
