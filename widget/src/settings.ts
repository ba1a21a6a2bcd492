/** Settings from the attributes of the script tag. */

export interface Settings {
  /** URL of the API, with `/api/v1`. */
  readonly api: string;
  readonly languageFolder: string;
  readonly appKey: string;
  readonly identity: string;
  /** Signed by the site's server to confirm the identity. */
  readonly userToken: string | undefined;
  readonly language: string | undefined;
}

const SCRIPT = '/js/v1/auth-2fasdk.js';

/** The tag that loaded this script; undefined if no tag has its URL. */
export function findScript(): HTMLScriptElement | undefined {
  const current = document.currentScript;
  if (current instanceof HTMLScriptElement && current.src) return current;
  // currentScript is null in scripts that a loader executes; the tag may still be in the page.
  const tags = document.querySelectorAll<HTMLScriptElement>(`script[src*="${SCRIPT}"]`);
  return tags[tags.length - 1];
}

export function readSettings(script: HTMLScriptElement): Settings {
  const { appkey = '', emailid = '', usertoken, language } = script.dataset;
  const { origin, pathname } = new URL(script.src);
  // A proxy may serve the service below a folder.
  const folder = pathname.endsWith(SCRIPT) ? pathname.slice(0, -SCRIPT.length) : '';
  const service = `${origin}${folder}`;
  return {
    api: `${service}/api/v1`,
    languageFolder: `${service}${SCRIPT.slice(0, -'.js'.length)}`,
    appKey: appkey.trim(),
    identity: emailid.trim(),
    userToken: usertoken?.trim() || undefined,
    language,
  };
}
