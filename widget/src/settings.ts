/** What the script tag says. */

export interface Settings {
  /** Address of the service, with `/api/v1`. */
  readonly api: string;
  readonly appKey: string;
  readonly identity: string;
  /** Proof of the site's own server that this is the identity. */
  readonly userToken: string | undefined;
  readonly language: string | undefined;
}

const SCRIPT = '/js/v1/auth-2fasdk.js';

/** The tag that this script runs from; undefined when it was not loaded by a tag with an address. */
export function ownScript(): HTMLScriptElement | undefined {
  const current = document.currentScript;
  if (current instanceof HTMLScriptElement && current.src) return current;
  // A loader that runs scripts by itself leaves the tag in the page at most.
  const tags = document.querySelectorAll<HTMLScriptElement>(`script[src*="${SCRIPT}"]`);
  return tags[tags.length - 1];
}

export function readSettings(script: HTMLScriptElement): Settings {
  const { appkey = '', emailid = '', usertoken, language } = script.dataset;
  const { origin, pathname } = new URL(script.src);
  // A proxy may serve everything below a folder of its own.
  const folder = pathname.endsWith(SCRIPT) ? pathname.slice(0, -SCRIPT.length) : '';
  return {
    api: `${origin}${folder}/api/v1`,
    appKey: appkey.trim(),
    identity: emailid.trim(),
    userToken: usertoken?.trim() || undefined,
    language,
  };
}
