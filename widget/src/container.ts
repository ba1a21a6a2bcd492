/** The element of the page that contains the widget. */
import { logError, logWarning } from './developer.js';

export const CONTAINER_ID = 'service-2fasdk';

/** Time that a page has to create the container. Frameworks may create it after the script runs. */
const CONTAINER_TIMEOUT_MS = 3000;

const find = () => document.getElementById(CONTAINER_ID);

function documentParsed(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState !== 'loading') return resolve();
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}

function waitForContainer(): Promise<HTMLElement | null> {
  return new Promise((resolve) => {
    const finish = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(find());
    };
    const observer = new MutationObserver(() => find() && finish());
    const timer = setTimeout(finish, CONTAINER_TIMEOUT_MS);
    observer.observe(document.documentElement, { childList: true, subtree: true });
  });
}

/** Creates a container after the script tag, so that the widget shows even if the page has none. */
function createContainer(script: HTMLScriptElement): HTMLElement {
  const findContainer = document.createElement('div');
  findContainer.id = CONTAINER_ID;
  if (script.isConnected && document.body.contains(script)) script.after(findContainer);
  else document.body.append(findContainer);
  return findContainer;
}

async function container(script: HTMLScriptElement): Promise<HTMLElement> {
  const present = find();
  if (present) return present;
  await documentParsed();
  const late = find() ?? (await waitForContainer());
  if (late) return late;
  logError(
    `there is no element with the id "${CONTAINER_ID}", so the widget created one. Add this element to the page, before the script tag.`,
  );
  return createContainer(script);
}

/** The shadow root for the widget; undefined if another script tag already uses the container. */
export async function attachRoot(script: HTMLScriptElement): Promise<ShadowRoot | undefined> {
  const host = await container(script);
  if (host.shadowRoot) {
    logWarning('this page includes the script twice. Only the first one shows the widget.');
    return undefined;
  }
  try {
    return host.attachShadow({ mode: 'open' });
  } catch {
    logError(`<${host.localName} id="${CONTAINER_ID}"> cannot contain the widget. Use a <div> instead.`);
    const sibling = document.createElement('div');
    host.after(sibling);
    return sibling.attachShadow({ mode: 'open' });
  }
}
