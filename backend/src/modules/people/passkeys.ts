/**
 * Passkeys for signing in to the dashboard. A passkey verifies the user by fingerprint, face or PIN, so it replaces
 * both the emailed code and the authenticator code.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { MINUTE, SECOND, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { isDuplicate } from '../../platform/db/database-errors.js';
import { parseJsonObject } from '../../platform/json.js';
import { actorOf } from '../access/actor.js';
import type { Shared } from '../audit/audit-service.js';
import type { SecurityNotices } from './security-notices.js';
import type { Passkey, PasskeyPrompt, PasskeyResponse, PasskeySite } from './passkey.js';
import type { PasskeysStore } from './passkeys-store.js';
import type { PersonSession } from './person.js';

/** How long a challenge is valid: the time from opening a page to using a passkey on that page. */
const CHALLENGE_MINUTES = 30;
/** How long the browser waits for the person to use a passkey. */
const PROMPT_SECONDS = 300;
/** Maximum number of passkeys per person: enough for several devices and security keys. */
const MAX_PASSKEYS = 10;

export type Passkeys = ReturnType<typeof createPasskeys>;

interface Challenge {
  readonly challenge: string;
  /** The user handle of the passkey to add; undefined for a sign-in or confirmation. */
  readonly userHandle?: string;
  /** When the challenge was created. */
  readonly at: number;
}

/** Imports the WebAuthn library only when needed, so that the operator command starts faster. */
const loadWebauthn = () => import('@simplewebauthn/server');

/** Context for sealing a challenge. `holder` identifies the browser's session or unfinished sign-in. */
const contextOf = (holder: string): string => `passkey-challenge:${holder}`;

/** Seals each challenge for one browser, so that challenges do not have to be stored. */
function createChallenges(keyring: Keyring, clock: Clock) {
  const seal = (holder: string, challenge: Omit<Challenge, 'at'>): string =>
    keyring.seal(contextOf(holder), JSON.stringify({ ...challenge, at: clock.now() } satisfies Challenge));

  /** Opens a sealed challenge. Returns undefined if the challenge is too old or was sealed for another browser. */
  function open(holder: string, sealed: string): Challenge | undefined {
    const opened = keyring.openIfValid(contextOf(holder), sealed);
    if (opened === undefined) return undefined;
    const challenge = JSON.parse(opened) as Challenge;
    return challenge.at + CHALLENGE_MINUTES * MINUTE > clock.now() ? challenge : undefined;
  }

  return { seal, open };
}

export function createPasskeys(
  store: PasskeysStore,
  notices: SecurityNotices,
  { inTransaction, audit, keyring, clock }: Pick<Shared, 'audit' | 'clock' | 'inTransaction' | 'keyring'>,
) {
  const { seal, open } = createChallenges(keyring, clock);

  /** Creates a prompt that accepts any passkey of this site. It does not reveal who has a passkey. */
  async function prompt(holder: string, { rpId }: PasskeySite): Promise<PasskeyPrompt> {
    const { generateAuthenticationOptions } = await loadWebauthn();
    const timeout = PROMPT_SECONDS * SECOND;
    const options = await generateAuthenticationOptions({ rpID: rpId, userVerification: 'required', timeout });
    return { options: JSON.stringify(options), challenge: seal(holder, { challenge: options.challenge }) };
  }

  /** Returns the email address of the passkey's owner; undefined if the passkey is rejected. */
  async function verify(holder: string, site: PasskeySite, reply: PasskeyResponse): Promise<string | undefined> {
    const challenge = open(holder, reply.challenge);
    const response = parseJsonObject(reply.credential) as AuthenticationResponseJSON | undefined;
    if (!challenge || typeof response?.id !== 'string') return undefined;
    const passkey = await store.findByCredential(response.id);
    if (passkey?.rpId !== site.rpId) return undefined;
    const counter = await verifiedCounter(passkey, site, challenge, response);
    if (counter === undefined) return undefined;
    const used = await store.use(passkey.id, { counter, challengeAt: challenge.at, now: clock.now() });
    return used ? passkey.email : undefined;
  }

  /** Returns the signature counter of a valid response; undefined if the response is not valid. */
  async function verifiedCounter(
    { credentialId: id, publicKey, counter, rpId }: Passkey,
    { origin }: PasskeySite,
    { challenge }: Challenge,
    response: AuthenticationResponseJSON,
  ): Promise<number | undefined> {
    const { verifyAuthenticationResponse } = await loadWebauthn();
    const credential = { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter };
    const expected = { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: rpId };
    // Throws for malformed responses, and for a wrong challenge, origin or counter.
    const result = await verifyAuthenticationResponse({
      response,
      credential,
      ...expected,
      requireUserVerification: true,
    }).catch(() => undefined);
    return result?.verified ? result.authenticationInfo.newCounter : undefined;
  }

  async function promptToAdd({ person, tokenHash }: PersonSession, { rpId }: PasskeySite): Promise<PasskeyPrompt> {
    const { generateRegistrationOptions } = await loadWebauthn();
    const existing = await store.ofEmail(person.email);
    const userHandle = existing[0]?.userHandle ?? random.base64url(32);
    const options = await generateRegistrationOptions({
      rpName: 'Passbell',
      rpID: rpId,
      userName: person.email,
      userID: new Uint8Array(Buffer.from(userHandle, 'base64url')),
      timeout: PROMPT_SECONDS * SECOND,
      attestationType: 'none',
      excludeCredentials: existing.map(({ credentialId: id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const challenge = seal(tokenHash, { challenge: options.challenge, userHandle });
    return { options: JSON.stringify(options), challenge };
  }

  /** Stores a new passkey for the person. Returns false if the passkey is rejected. */
  async function add(
    { person, tokenHash }: PersonSession,
    { rpId, origin }: PasskeySite,
    { name, challenge, credential: text }: PasskeyResponse & { readonly name: string },
  ): Promise<boolean> {
    const { verifyRegistrationResponse } = await loadWebauthn();
    const opened = open(tokenHash, challenge);
    const response = parseJsonObject(text) as RegistrationResponseJSON | undefined;
    if (opened?.userHandle === undefined || !response) return false;
    const { userHandle } = opened;
    const expected = { expectedChallenge: opened.challenge, expectedOrigin: origin, expectedRPID: rpId };
    const result = await verifyRegistrationResponse({ response, ...expected, requireUserVerification: true }).catch(
      () => undefined,
    );
    if (!result?.verified) return false;
    const { id: credentialId, publicKey: bytes, counter } = result.registrationInfo.credential;
    const publicKey = Buffer.from(bytes).toString('base64url');
    const passkey = { name, credentialId, publicKey, userHandle, rpId, counter, createdAt: clock.now() };
    const { email, accountId } = person;
    const added = await inTransaction(async (trx) => {
      const existing = await store.ofEmail(email, trx);
      const isKnown = existing.some((other) => other.credentialId === credentialId);
      if (isKnown || existing.length >= MAX_PASSKEYS) return false;
      await store.insert(trx, { ...passkey, email });
      const changes = [{ name: 'passkey', before: '', after: name }];
      const entry = { accountId, action: 'person.passkey-add' as const, subject: email, changes };
      await audit.record(trx, actorOf(person), entry);
      return true;
    }).catch((error: unknown) => {
      // The same credential is already registered.
      if (isDuplicate(error)) return false;
      throw error;
    });
    if (added) await notices.send(email, { kind: 'passkey added', name });
    return added;
  }

  async function remove({ person }: PersonSession, id: number): Promise<boolean> {
    const { email, accountId } = person;
    const removed = await inTransaction(async (trx) => {
      const passkey = await store.remove(trx, email, id);
      if (!passkey) return undefined;
      const changes = [{ name: 'passkey', before: passkey.name, after: '' }];
      const entry = { accountId, action: 'person.passkey-remove' as const, subject: email, changes };
      await audit.record(trx, actorOf(person), entry);
      return passkey;
    });
    if (removed) await notices.send(email, { kind: 'passkey removed', name: removed.name });
    return removed !== undefined;
  }

  const { ownersAmong } = store;
  return { prompt, verify, promptToAdd, add, remove, ofEmail: (email: string) => store.ofEmail(email), ownersAmong };
}
