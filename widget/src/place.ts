/** Where in the page the widget is. */
import { complain, warn } from './developer.js';

export const CONTAINER_ID = 'service-2fasdk';

/** How long a page may take to make the container, in milliseconds: frameworks do it after the script has run. */
const PATIENCE_MS = 3000;

const find = () => document.getElementById(CONTAINER_ID);

function pageIsRead(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState !== 'loading') return resolve();
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
  });
}

function appearance(): Promise<HTMLElement | null> {
  return new Promise((resolve) => {
    const finish = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(find());
    };
    const observer = new MutationObserver(() => find() && finish());
    const timer = setTimeout(finish, PATIENCE_MS);
    observer.observe(document.documentElement, { childList: true, subtree: true });
  });
}

/** A container of our own, where the tag stands: better for a person than a page on which nothing happens. */
function makeContainer(script: HTMLScriptElement): HTMLElement {
  const container = document.createElement('div');
  container.id = CONTAINER_ID;
  if (script.isConnected && document.body.contains(script)) script.after(container);
  else document.body.append(container);
  return container;
}

async function container(script: HTMLScriptElement): Promise<HTMLElement> {
  const present = find();
  if (present) return present;
  await pageIsRead();
  const late = find() ?? (await appearance());
  if (late) return late;
  complain(`there is no element with the id "${CONTAINER_ID}"; the widget made one. Put it before the script tag.`);
  return makeContainer(script);
}

/** The root to draw in; undefined when another script tag has drawn there already. */
export async function openPlace(script: HTMLScriptElement): Promise<ShadowRoot | undefined> {
  const host = await container(script);
  if (host.shadowRoot) {
    warn('the script is on this page twice; the first one shows the widget.');
    return undefined;
  }
  try {
    return host.attachShadow({ mode: 'open' });
  } catch {
    complain(`<${host.localName} id="${CONTAINER_ID}"> cannot hold the widget; make it a <div>.`);
    const inside = document.createElement('div');
    host.after(inside);
    return inside.attachShadow({ mode: 'open' });
  }
}
