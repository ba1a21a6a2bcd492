/** Looks up a request's application by its credentials, or by the signature of a code request. */
import { SECOND, type Clock } from '../../platform/clock.js';
import { assertActive, type Application, type KeyPair } from './application.js';
import type { ApplicationSecrets } from './application-secrets.js';
import type { ApplicationsStore } from './applications-store.js';

/** Minimum time between updates of `lastUsedAt`, so that few requests write to the database. */
const LAST_USED_SECONDS = 60;

export function createAuthenticate(
  find: (appKey: string) => Promise<Application | undefined>,
  secrets: ApplicationSecrets,
  store: ApplicationsStore,
  clock: Clock,
) {
  const lastUsed = new Map<string, number>();

  function recordUse({ id, appKey }: Application): void {
    const now = clock.now();
    if (now - (lastUsed.get(appKey) ?? 0) < LAST_USED_SECONDS * SECOND) return;
    lastUsed.set(appKey, now);
    store.setLastUsed(id, now).catch(() => undefined);
  }

  /**
   * Returns the application with these credentials. Throws an {@link ApiError} if the credentials are wrong, or if the
   * application or its account is not active.
   */
  async function authenticate({ appKey, appSecret }: KeyPair): Promise<Application> {
    const application = await find(appKey);
    const authenticated = secrets.matches(application, appSecret) ? application : undefined;
    if (authenticated) recordUse(authenticated);
    assertActive(authenticated);
    return authenticated;
  }

  /**
   * Returns the application with this App Key if `isSignedWith` accepts one of its keys for code requests. Throws like
   * {@link authenticate}.
   */
  async function authenticateCodeRequest(
    appKey: string,
    kind: string,
    isSignedWith: (key: Buffer) => boolean,
  ): Promise<Application> {
    const application = await find(appKey);
    const keys = application ? secrets.codeRequestKeys(application, kind) : [];
    const authenticated = keys.map(isSignedWith).includes(true) ? application : undefined;
    if (authenticated) recordUse(authenticated);
    assertActive(authenticated);
    return authenticated;
  }

  return { authenticate, authenticateCodeRequest };
}
